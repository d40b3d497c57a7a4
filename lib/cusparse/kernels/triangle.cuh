/* SPDX-License-Identifier: MIT */
/*
 * triangle - triangular systems, level by level: rows of a level need only rows of those before.
 *
 * A launch does one level with many blocks, or, with one block, as many as are narrow: its threads meet behind each.
 */

/* Of the triangle beside the diagonal: where a row's entries begin, their columns, and where their values are. */
#define TRIANGLE                                                                                                      \
  int first_level, int last_level, const int *level_offsets, const int *order, const int *offsets, const int *columns, \
      const int *places, const int *diagonal

__global__ void NAME(solve)(TRIANGLE, const T *values, int conjugates, int is_unit, long sides, const T *b, long b_down,
                            long b_along, int b_conjugates, T *x, long x_down, long x_along, T alpha_value,
                            const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (int level = first_level; level < last_level; level++) {
    long end = level_offsets[level + 1] * sides;
    for (long i = level_offsets[level] * sides + first_index(); i < end; i += all_threads()) {
      int row = order[i / sides];
      long side = i % sides;
      T sum = times(alpha, conjugate_if(b[row * b_down + side * b_along], b_conjugates));
      for (int k = offsets[row]; k < offsets[row + 1]; k++)
        sum = minus(sum, times(conjugate_if(values[places[k]], conjugates), x[columns[k] * x_down + side * x_along]));
      if (!is_unit)
        sum = diagonal[row] < 0 ? ZERO : over(sum, conjugate_if(values[diagonal[row]], conjugates));
      x[row * x_down + side * x_along] = sum;
    }
    __syncthreads();
  }
}
