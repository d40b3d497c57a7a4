/* SPDX-License-Identifier: MIT */
/*
 * accumulate - the values of a product of two sparse matrices, whose pattern is there.
 *
 * Threads of a block share a row of A, and for each entry of it a row of B, in order: so each value is added up in the
 * order of A's entries, the same each time. An index that a row of B has twice would be added to by two at once.
 */

/* C = alpha A B + beta C. Columns of C's rows are in order. */
__global__ void NAME(accumulate)(FACTORS, const T *a, const T *b, INDICES(offsets), long base, INDICES(indices),
                                 long index_base, T *c, T alpha_value, const T *alpha_at, T beta_value,
                                 const T *beta_at) {
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    long first = AT(offsets, row) - base, last = AT(offsets, row + 1) - base;
    for (long i = first + threadIdx.x; i < last; i += blockDim.x)
      c[i] = is_zero(beta) ? ZERO : times(beta, c[i]);
    __syncthreads();
    long a_end = SHARED_AT(a_offsets, row + 1) - a_base;
    for (long k = SHARED_AT(a_offsets, row) - a_base; k < a_end; k++) {
      T factor = times(alpha, a[k]);
      long line = AT(a_indices, k) - a_index_base, end = AT(b_offsets, line + 1) - b_base;
      for (long i = AT(b_offsets, line) - b_base + threadIdx.x; i < end; i += blockDim.x) {
        long column = AT(b_indices, i) - b_index_base + index_base, low = first, high = last;
        while (low < high) {
          long middle = low + (high - low) / 2;
          if (AT(indices, middle) < column)
            low = middle + 1;
          else
            high = middle;
        }
        if (low < last && AT(indices, low) == column)
          c[low] = plus(c[low], times(factor, b[i]));
      }
      __syncthreads();
    }
  }
}

/* y = x + beta y; a factor of 0 does not read y. */
__global__ void NAME(blend)(long n, const T *x, T *y, T beta_value, const T *beta_at) {
  T beta = scalar(beta_value, beta_at);
  for (long i = first_index(); i < n; i += all_threads())
    y[i] = is_zero(beta) ? x[i] : plus(x[i], times(beta, y[i]));
}
