/* SPDX-License-Identifier: MIT */
/*
 * dense - sparse matrices beside dense ones, whose elements are `down` apart in a column and `along` in a row. Sparse
 * ones lie in lines; of one that is turned, lines are columns.
 */

/* C += alpha A B, a thread for each line of A and column of B; C has been multiplied with beta before. */
__global__ void NAME(product)(long lines, long columns, INDICES(offsets), long base, INDICES(indices), long index_base,
                              const T *values, int conjugates, const T *b, long b_down, long b_along, int b_conjugates,
                              T *c, long c_down, long c_along, T alpha_value, const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long line = (long)blockIdx.y * blockDim.y + threadIdx.y; line < lines; line += (long)gridDim.y * blockDim.y)
    for (long j = first_index(); j < columns; j += all_threads()) {
      T sum = ZERO;
      long end = AT(offsets, line + 1) - base;
      for (long k = AT(offsets, line) - base; k < end; k++)
        sum = plus(sum, times(conjugate_if(values[k], conjugates),
                              conjugate_if(b[(AT(indices, k) - index_base) * b_down + j * b_along], b_conjugates)));
      c[line * c_down + j * c_along] = plus(c[line * c_down + j * c_along], times(alpha, sum));
    }
}

__global__ void NAME(spread_product)(long lines, long columns, INDICES(offsets), long base, INDICES(indices),
                                     long index_base, const T *values, int conjugates, const T *b, long b_down,
                                     long b_along, int b_conjugates, R *c, long c_down, long c_along, T alpha_value,
                                     const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long line = (long)blockIdx.y * blockDim.y + threadIdx.y; line < lines; line += (long)gridDim.y * blockDim.y)
    for (long j = first_index(); j < columns; j += all_threads()) {
      T factor = times(alpha, conjugate_if(b[line * b_down + j * b_along], b_conjugates));
      long end = AT(offsets, line + 1) - base;
      for (long k = AT(offsets, line) - base; k < end; k++)
        add_to(c, (AT(indices, k) - index_base) * c_down + j * c_along,
               times(conjugate_if(values[k], conjugates), factor));
    }
}

/* The elements of A B where C has entries: C = alpha A B + beta C. Threads of a block share a line. */
__global__ void NAME(sampled)(long lines, long depth, INDICES(offsets), long base, INDICES(indices), long index_base,
                              T *values, const T *a, long a_down, long a_along, int a_conjugates, const T *b,
                              long b_down, long b_along, int b_conjugates, T alpha_value, const T *alpha_at,
                              T beta_value, const T *beta_at, int is_turned) {
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  for (long line = blockIdx.x; line < lines; line += gridDim.x) {
    long end = AT(offsets, line + 1) - base;
    for (long k = AT(offsets, line) - base + threadIdx.x; k < end; k += blockDim.x) {
      long index = AT(indices, k) - index_base, row = is_turned ? index : line, column = is_turned ? line : index;
      T sum = ZERO;
      for (long i = 0; i < depth; i++)
        sum = plus(sum, times(conjugate_if(a[row * a_down + i * a_along], a_conjugates),
                              conjugate_if(b[i * b_down + column * b_along], b_conjugates)));
      NAME(put)(values, k, sum, alpha, beta);
    }
  }
}

/* Threads of a block share a line. */
__global__ void NAME(expand)(long lines, INDICES(offsets), long base, INDICES(indices), long index_base,
                             const T *values, T *to, long per_line, long per_index) {
  for (long line = blockIdx.x; line < lines; line += gridDim.x) {
    long end = AT(offsets, line + 1) - base;
    for (long k = AT(offsets, line) - base + threadIdx.x; k < end; k += blockDim.x)
      to[line * per_line + (AT(indices, k) - index_base) * per_index] = values[k];
  }
}

__global__ void NAME(count)(long lines, long length, const T *from, long per_line, long per_index, int *counts) {
  for (long line = first_index(); line < lines; line += all_threads()) {
    int found = 0;
    for (long i = 0; i < length; i++)
      found += !is_zero(from[line * per_line + i * per_index]);
    counts[line] = found;
  }
}

/* What count() counted: its line, if there is a place for that, its index and its value. */
__global__ void NAME(compress)(long lines, long length, const T *from, long per_line, long per_index, INDICES(offsets),
                               long base, long index_base, OUTPUT_INDICES(line_to), OUTPUT_INDICES(index_to),
                               T *values) {
  for (long line = first_index(); line < lines; line += all_threads()) {
    long k = AT(offsets, line) - base;
    for (long i = 0; i < length; i++) {
      T value = from[line * per_line + i * per_index];
      if (is_zero(value))
        continue;
      if (line_to_narrow != NULL || line_to_wide != NULL)
        put_index(PASSED(line_to), k, line + index_base);
      put_index(PASSED(index_to), k, i + index_base);
      values[k] = value;
      k++;
    }
  }
}
