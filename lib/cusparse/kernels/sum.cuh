/* SPDX-License-Identifier: MIT */
/*
 * sum - C = alpha A + beta B of sparse matrices, whose rows have columns in order. Threads of a block share a row.
 *
 * An entry stands where it stood in its own row, moved by those of the other row that come before it, less those that are
 * in both: they are counted in both rows.
 */
/* The entries of one of both rows, those in both if it is the first. */
static __device__ void NAME(merge)(int begin, int end, const int *columns, int column_base, const T *values, T factor,
                                   int other, int other_end, const int *other_columns, int other_base,
                                   const T *other_values, T other_factor, int is_first, int *found, int to,
                                   int *to_columns, int to_base, T *to_values) {
  int both = 0;
  for (int first = begin; first < end; first += blockDim.x) {
    int k = first + threadIdx.x, at = other, is_in_both = 0, column = 0;
    if (k < end) {
      column = columns[k] - column_base;
      at = first_not_below(other_columns, other, other_end, column + other_base);
      is_in_both = at < other_end && other_columns[at] == column + other_base;
    }
    found[threadIdx.x] = is_in_both;
    __syncthreads();
    if (k < end && (is_first || !is_in_both)) {
      int place = to + (k - begin) + (at - other) - both - sum_of_those_before(found);
      T value = times(factor, values[k]);
      to_columns[place] = column + to_base;
      to_values[place] = is_in_both ? plus(value, times(other_factor, other_values[at])) : value;
    }
    for (int t = 0; t < blockDim.x; t++)
      both += found[t];
    __syncthreads();
  }
}

__global__ void NAME(add)(SUMMANDS, const T *a, const T *b, T alpha_value, const T *alpha_at, T beta_value,
                          const T *beta_at, const int *offsets, int base, int *columns, T *values) {
  __shared__ int found[THREADS];
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    int a_begin = a_offsets[row] - a_base, a_end = a_offsets[row + 1] - a_base, to = offsets[row] - base;
    int b_begin = b_offsets[row] - b_base, b_end = b_offsets[row + 1] - b_base;
    NAME(merge)(a_begin, a_end, a_columns, a_column_base, a, alpha, b_begin, b_end, b_columns, b_column_base, b, beta, 1,
                found, to, columns, base, values);
    NAME(merge)(b_begin, b_end, b_columns, b_column_base, b, beta, a_begin, a_end, a_columns, a_column_base, a, alpha, 0,
                found, to, columns, base, values);
  }
}
