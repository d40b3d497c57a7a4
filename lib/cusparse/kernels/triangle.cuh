/* SPDX-License-Identifier: MIT */
/*
 * triangle - triangular systems and incomplete factors, level by level: rows of a level need only rows of those before.
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

/* A = L U where A has entries, in place. Columns are in order. `pivot` is the smallest row whose diagonal is 0. */
__global__ void NAME(factor_lu)(TRIANGLE, const int *rows, const int *all_columns, int base, T *values, int *pivot) {
  for (int level = first_level; level < last_level; level++) {
    for (int i = level_offsets[level] + (int)first_index(); i < level_offsets[level + 1]; i += (int)all_threads()) {
      int row = order[i], end = rows[row + 1] - base;
      for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        int above = columns[k], at = places[k] + 1;
        if (diagonal[above] < 0)
          continue;
        T factor = over(values[places[k]], values[diagonal[above]]);
        values[places[k]] = factor;
        for (int j = diagonal[above] + 1; j < rows[above + 1] - base; j++) {
          while (at < end && all_columns[at] < all_columns[j])
            at++;
          if (at < end && all_columns[at] == all_columns[j])
            values[at] = minus(values[at], times(factor, values[j]));
        }
      }
      if (diagonal[row] < 0 || is_zero(values[diagonal[row]]))
        atomicMin(pivot, row);
    }
    __syncthreads();
  }
}

/* A = L L^H where the lower triangle has entries, in place; the upper one is left. */
__global__ void NAME(factor_cholesky)(TRIANGLE, T *values, int *pivot) {
  for (int level = first_level; level < last_level; level++) {
    for (int i = level_offsets[level] + (int)first_index(); i < level_offsets[level + 1]; i += (int)all_threads()) {
      int row = order[i];
      R squares = 0;
      for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        int above = columns[k], at = offsets[row];
        T sum = values[places[k]];
        for (int j = offsets[above]; j < offsets[above + 1]; j++) {
          while (at < k && columns[at] < columns[j])
            at++;
          if (at < k && columns[at] == columns[j])
            sum = minus(sum, times(values[places[at]], conjugate_if(values[places[j]], 1)));
        }
        if (diagonal[above] >= 0)
          sum = over(sum, values[diagonal[above]]);
        values[places[k]] = sum;
        squares += square_of(sum);
      }
      if (diagonal[row] >= 0) {
        R rest = real_part(values[diagonal[row]]) - squares;
        if (!(rest > 0))
          atomicMin(pivot, row);
        values[diagonal[row]] = FROM_REAL(sqrt(rest));
      } else {
        atomicMin(pivot, row);
      }
    }
    __syncthreads();
  }
}
