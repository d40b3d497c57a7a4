/* SPDX-License-Identifier: MIT */
/*
 * level3 - what stands around the products of matrices: sums, diagonals, whole matrices made of triangles, and
 * triangular systems small enough for one thread a right-hand side.
 */

/* C = alpha op(A) + beta op(B), element by element, in a triangle or everywhere; a matrix whose factor is 0 is not
 * read. B may be C, as it is. */
__global__ void NAME(geam)(long m, long n, T alpha, const T *alpha_at, const T *a, long a_row, long a_column,
                           int a_conjugates, T beta, const T *beta_at, const T *b, long b_row, long b_column,
                           int b_conjugates, T *c, long ldc, int triangle, int is_hermitian) {
  T by = scalar(alpha, alpha_at), other = scalar(beta, beta_at);
  for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
    for (long i = first_index(); i < m; i += all_threads()) {
      if ((triangle == 1 && i < j) || (triangle == 2 && i > j))
        continue;
      T value = ZERO;
      if (!is_zero(by))
        value = times(by, conjugate_if(a[i * a_row + j * a_column], a_conjugates));
      if (!is_zero(other)) {
        T second = conjugate_if(b[i * b_row + j * b_column], b_conjugates);
        value = plus(value, times(other, is_hermitian && i == j ? only_real(second) : second));
      }
      c[i + j * ldc] = is_hermitian && i == j ? only_real(value) : value;
    }
}

__global__ void NAME(dgmm)(long m, long n, int from_right, const T *a, long lda, const T *x, long incx, T *c,
                           long ldc) {
  for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
    for (long i = first_index(); i < m; i += all_threads())
      c[i + j * ldc] = times(a[i + j * lda], x[(from_right ? j : i) * incx]);
}

/* The whole of a matrix of which a triangle is stored. */
__global__ void NAME(expand)(MATRIX_PARAMETERS, T *w, long ldw) {
  for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
    for (long i = first_index(); i < n; i += all_threads())
      w[i + j * ldw] = NAME(element)(MATRIX_ARGUMENTS, i, j);
}

/* Between a packed triangle and one in columns. */
__global__ void NAME(pack)(long n, int triangle, int packs, T *packed, T *a, long lda) {
  for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y)
    for (long i = first_index(); i < n; i += all_threads()) {
      if (triangle == 1 ? i < j : i > j)
        continue;
      long index = triangle == 2 ? i + j * (j + 1) / 2 : i + j * (2 * n - j - 1) / 2;
      if (packs)
        packed[index] = a[i + j * lda];
      else
        a[i + j * lda] = packed[index];
    }
}

/* A x = alpha b in place, for one right-hand side: A(i, j) lies at a[i * a_row + j * a_column]. */
static __device__ void NAME(substitute)(long n, T alpha, const T *a, long a_row, long a_column, int conjugates,
                                        int forward, int unit, T *b, long b_row) {
  if (is_zero(alpha)) {
    for (long i = 0; i < n; i++)
      b[i * b_row] = ZERO;
    return;
  }
  for (long step = 0; step < n; step++) {
    long i = forward ? step : n - 1 - step;
    T value = times(alpha, b[i * b_row]);
    for (long before = 0; before < step; before++) {
      long j = forward ? before : n - 1 - before;
      value = minus(value, times(conjugate_if(a[i * a_row + j * a_column], conjugates), b[j * b_row]));
    }
    b[i * b_row] = unit ? value : over(value, conjugate_if(a[i * a_row + i * a_column], conjugates));
  }
}

/* The right-hand sides have been multiplied by alpha, which tells whether A is read. */
__global__ void NAME(trsm)(long n, long count, T alpha, const T *alpha_at, const T *a, long a_row, long a_column,
                           int conjugates, int forward, int unit, T *b, long b_row, long b_column) {
  T by = scalar(alpha, alpha_at);
  for (long j = first_index(); j < count; j += all_threads())
    NAME(substitute)(n, is_zero(by) ? ZERO : ONE, a, a_row, a_column, conjugates, forward, unit, b + j * b_column,
                     b_row);
}

__global__ void NAME(trsm_batched)(long n, long count, T alpha, const T *alpha_at, const T *const *as, long a_row,
                                   long a_column, int conjugates, int forward, int unit, T *const *bs, long b_row,
                                   long b_column, long batch) {
  T by = scalar(alpha, alpha_at);
  for (long it = blockIdx.y; it < batch; it += gridDim.y)
    for (long j = first_index(); j < count; j += all_threads())
      NAME(substitute)(n, by, as[it], a_row, a_column, conjugates, forward, unit, bs[it] + j * b_column, b_row);
}
