/* SPDX-License-Identifier: MIT */
/*
 * tridiagonal - a step of cyclic reduction of all rows at once: each row takes off those that are `step` above and below,
 * so that it is bound to those twice as far away. When there are none, a division is left.
 */

/* Rows of systems in a line: diagonals are `stride` apart from system to system; right sides `x_stride`, and those of one
 * system `x_apart`. Results have no gaps, but for those of the last step. */
__global__ void NAME(reduce)(long m, long systems, long sides, long step, int is_last, const T *lower, const T *middle,
                             const T *upper, long stride, const T *x, long x_stride, long x_apart, T *to_lower,
                             T *to_middle, T *to_upper, T *to, long to_stride, long to_apart) {
  for (long all = first_index(); all < m * systems; all += all_threads()) {
    long system = all / m, i = all % m, at = system * stride + i;
    T below = ZERO, above = ZERO, own = middle[at], first = ZERO, last = ZERO;
    if (i >= step) {
      below = over(lower[at], middle[at - step]);
      own = minus(own, times(below, upper[at - step]));
      first = minus(ZERO, times(below, lower[at - step]));
    }
    if (i + step < m) {
      above = over(upper[at], middle[at + step]);
      own = minus(own, times(above, lower[at + step]));
      last = minus(ZERO, times(above, upper[at + step]));
    }
    if (!is_last) {
      to_lower[all] = first;
      to_middle[all] = own;
      to_upper[all] = last;
    }
    for (long side = 0; side < sides; side++) {
      const T *from = x + system * x_stride + side * x_apart + i;
      T sum = *from;
      if (i >= step)
        sum = minus(sum, times(below, *(from - step)));
      if (i + step < m)
        sum = minus(sum, times(above, from[step]));
      to[system * to_stride + side * to_apart + i] = is_last ? over(sum, own) : sum;
    }
  }
}
