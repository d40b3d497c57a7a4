/* SPDX-License-Identifier: MIT */
/*
 * level2 - matrices and vectors. y is not read where beta is 0, nor the matrix where alpha is 0, as in BLAS.
 *
 * Products with whole matrices, the most used by far, have kernels of their own; all the other kinds of matrices share
 * one, which asks element.cuh.
 */
static __device__ T NAME(blend)(T alpha, T sum, T beta, const T *y) {
  T value = is_zero(alpha) ? ZERO : times(alpha, sum);
  return is_zero(beta) ? value : plus(value, times(beta, *y));
}

/* Sixty-four rows a block, four threads for each: neighbours read neighbours. */
__global__ void NAME(gemv_n)(long m, long n, T alpha, const T *alpha_at, const T *a, long lda, const T *x, long incx,
                             T beta, const T *beta_at, T *y, long incy) {
  __shared__ T sums[256];
  T by = scalar(alpha, alpha_at), kept = scalar(beta, beta_at), sum = ZERO;
  long row = (long)blockIdx.x * 64 + threadIdx.x % 64;
  if (row < m && !is_zero(by))
    for (long j = threadIdx.x / 64; j < n; j += 4)
      sum = plus(sum, times(a[row + j * lda], x[j * incx]));
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 64 && row < m) {
    sum =
        plus(plus(sums[threadIdx.x], sums[threadIdx.x + 64]), plus(sums[threadIdx.x + 128], sums[threadIdx.x + 192]));
    y[row * incy] = NAME(blend)(by, sum, kept, y + row * incy);
  }
}

/* A block for a column, and for more where there are many. */
__global__ void NAME(gemv_t)(long m, long n, int conjugates, T alpha, const T *alpha_at, const T *a, long lda,
                             const T *x, long incx, T beta, const T *beta_at, T *y, long incy) {
  __shared__ T sums[64];
  T by = scalar(alpha, alpha_at), kept = scalar(beta, beta_at);
  for (long column = blockIdx.x; column < n; column += gridDim.x) {
    T sum = ZERO;
    if (!is_zero(by))
      for (long i = threadIdx.x; i < m; i += 64)
        sum = plus(sum, times(conjugate_if(a[i + column * lda], conjugates), x[i * incx]));
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
      if (threadIdx.x < half)
        sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
      __syncthreads();
    }
    if (threadIdx.x == 0)
      y[column * incy] = NAME(blend)(by, sums[0], kept, y + column * incy);
    __syncthreads();
  }
}

/* A row of op(A) a thread; columns from `below` before the diagonal to `above` behind it. */
__global__ void NAME(matvec)(long rows, long columns, int transposes, int conjugates, long below, long above,
                             MATRIX_PARAMETERS, T alpha, const T *alpha_at, const T *x, long incx, T beta,
                             const T *beta_at, T *y, long incy) {
  T by = scalar(alpha, alpha_at), kept = scalar(beta, beta_at);
  for (long row = first_index(); row < rows; row += all_threads()) {
    long from = row > below ? row - below : 0, to = above < columns - 1 - row ? row + above : columns - 1;
    T sum = ZERO;
    if (!is_zero(by))
      for (long j = from; j <= to; j++) {
        T value = NAME(element)(MATRIX_ARGUMENTS, transposes ? j : row, transposes ? row : j);
        sum = plus(sum, times(conjugate_if(value, conjugates), x[j * incx]));
      }
    y[row * incy] = NAME(blend)(by, sum, kept, y + row * incy);
  }
}

/* op(A) x = b by one block, an unknown after the other, each of which is taken out of the equations behind it. */
__global__ void NAME(solve)(int transposes, int conjugates, long reach, MATRIX_PARAMETERS, T *x, long incx) {
  bool forward = (triangle == 1) != (transposes != 0);
  for (long step = 0; step < n; step++) {
    long i = forward ? step : n - 1 - step;
    if (threadIdx.x == 0 && !unit)
      x[i * incx] = over(x[i * incx], conjugate_if(NAME(element)(MATRIX_ARGUMENTS, i, i), conjugates));
    __syncthreads();
    T known = x[i * incx];
    for (long next = step + 1 + threadIdx.x; next < n && next - step <= reach; next += blockDim.x) {
      long row = forward ? next : n - 1 - next;
      T value = NAME(element)(MATRIX_ARGUMENTS, transposes ? i : row, transposes ? row : i);
      x[row * incx] = minus(x[row * incx], times(conjugate_if(value, conjugates), known));
    }
    __syncthreads();
  }
}

/* A += alpha x op(y), and with `twice` also op(alpha) y op(x); op conjugates if that is wanted. Of a hermitian matrix
 * the diagonal is made real. */
__global__ void NAME(rank)(long m, long n, T alpha, const T *alpha_at, const T *x, long incx, const T *y, long incy,
                           int conjugates, int twice, T *a, long lda, int is_packed, int triangle, int is_hermitian) {
  T by = scalar(alpha, alpha_at);
  if (is_zero(by))
    return;
  for (long j = (long)blockIdx.y * blockDim.y + threadIdx.y; j < n; j += (long)gridDim.y * blockDim.y) {
    T factor = times(by, conjugate_if(y[j * incy], conjugates));
    T second = twice ? times(conjugate_if(by, conjugates), conjugate_if(x[j * incx], conjugates)) : ZERO;
    for (long i = first_index(); i < m; i += all_threads()) {
      if ((triangle == 1 && i < j) || (triangle == 2 && i > j))
        continue;
      long index = !is_packed ? i + j * lda : triangle == 2 ? i + j * (j + 1) / 2 : i + j * (2 * n - j - 1) / 2;
      T value = plus(a[index], times(x[i * incx], factor));
      if (twice)
        value = plus(value, times(y[i * incy], second));
      a[index] = is_hermitian && i == j ? only_real(value) : value;
    }
  }
}
