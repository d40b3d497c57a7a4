/* SPDX-License-Identifier: MIT */
/*
 * tridiagonal - a step of cyclic reduction of all rows at once: each row takes off those that are `step` above and below,
 * so that it is bound to those twice as far away. When there are none, a division is left. With pivots, elimination goes
 * row by row.
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

/* Gaussian elimination of one system by one thread, which takes the larger of two pivots: factors of rows, whether a row
 * changed places with the next one, and the three diagonals that are left. */
__global__ void NAME(eliminate)(long m, const T *lower, const T *middle, const T *upper, T *factors, int *swaps,
                                T *diagonal, T *second, T *third) {
  T own = middle[0], right = upper[0];
  for (long i = 0; i < m - 1; i++) {
    T below = lower[i + 1], next = middle[i + 1], far = ZERO, factor = ZERO;
    if (i + 2 < m)
      far = upper[i + 1];
    int swapped = size_of(own) < size_of(below);
    if (swapped) {
      factor = over(own, below);
      own = minus(right, times(factor, next));
      right = minus(ZERO, times(factor, far));
    } else {
      if (!is_zero(own))
        factor = over(below, own);
      T kept = own;
      own = minus(next, times(factor, right));
      below = kept;
      next = right;
      right = far;
      far = ZERO;
    }
    factors[i] = factor;
    swaps[i] = swapped;
    diagonal[i] = below;
    second[i] = next;
    third[i] = far;
  }
  diagonal[m - 1] = own;
}

/* A thread for each right side. */
__global__ void NAME(substitute)(long m, long sides, const T *factors, const int *swaps, const T *diagonal,
                                 const T *second, const T *third, T *x, long apart) {
  for (long side = first_index(); side < sides; side += all_threads()) {
    T *own = x + side * apart;
    for (long i = 0; i < m - 1; i++) {
      T here = own[i], next = own[i + 1];
      if (swaps[i]) {
        own[i] = next;
        own[i + 1] = minus(here, times(factors[i], next));
      } else {
        own[i + 1] = minus(next, times(factors[i], here));
      }
    }
    T after = ZERO, far = ZERO;
    for (long i = m - 1; i >= 0; i--) {
      T sum = own[i];
      if (i + 1 < m)
        sum = minus(sum, times(second[i], after));
      if (i + 2 < m)
        sum = minus(sum, times(third[i], far));
      sum = over(sum, diagonal[i]);
      own[i] = sum;
      far = after;
      after = sum;
    }
  }
}
