/* SPDX-License-Identifier: MIT */
/*
 * lu - many small systems at once: a block factors a matrix, with the largest element of a column as its pivot; then a
 * thread solves for a right-hand side. The arrays of pointers lie in memory of the device.
 */
static __device__ void NAME(factor)(long n, T *a, long lda, int *pivots, int *info) {
  __shared__ R best[LU_THREADS];
  __shared__ long where[LU_THREADS];
  int singular = 0;
  for (long k = 0; k < n; k++) {
    R value = -1;
    long place = k;
    for (long i = k + threadIdx.x; i < (pivots != NULL ? n : k + 1); i += LU_THREADS) {
      R size = size_of(a[i + k * lda]);
      if (size > value) {
        value = size;
        place = i;
      }
    }
    best[threadIdx.x] = value;
    where[threadIdx.x] = place;
    __syncthreads();
    for (int half = LU_THREADS / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        R other = best[threadIdx.x + half];
        if (other > best[threadIdx.x] ||
            (other == best[threadIdx.x] && where[threadIdx.x + half] < where[threadIdx.x])) {
          best[threadIdx.x] = other;
          where[threadIdx.x] = where[threadIdx.x + half];
        }
      }
      __syncthreads();
    }
    long pivot = where[0];
    if (threadIdx.x == 0 && pivots != NULL)
      pivots[k] = (int)pivot + 1;
    for (long j = threadIdx.x; j < n; j += LU_THREADS) {
      T kept = a[k + j * lda], moved = a[pivot + j * lda];
      a[pivot + j * lda] = kept;
      a[k + j * lda] = moved;
    }
    __syncthreads();
    T diagonal = a[k + k * lda];
    if (is_zero(diagonal)) {
      singular = singular == 0 ? (int)k + 1 : singular;
    } else {
      for (long i = k + 1 + threadIdx.x; i < n; i += LU_THREADS)
        a[i + k * lda] = over(a[i + k * lda], diagonal);
    }
    __syncthreads();
    long rest = n - k - 1;
    for (long at = threadIdx.x; at < rest * rest; at += LU_THREADS) {
      long i = k + 1 + at % rest, j = k + 1 + at / rest;
      a[i + j * lda] = minus(a[i + j * lda], times(a[i + k * lda], a[k + j * lda]));
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *info = singular;
}

/* One right-hand side by the factors. */
static __device__ void NAME(solve_factored)(int transposes, int conjugates, long n, const T *a, long lda,
                                            const int *pivots, T *b) {
  if (!transposes) {
    for (long k = 0; k < n && pivots != NULL; k++) {
      T kept = b[k];
      b[k] = b[pivots[k] - 1];
      b[pivots[k] - 1] = kept;
    }
    NAME(substitute)(n, ONE, a, 1, lda, 0, 1, 1, b, 1);
    NAME(substitute)(n, ONE, a, 1, lda, 0, 0, 0, b, 1);
    return;
  }
  NAME(substitute)(n, ONE, a, lda, 1, conjugates, 1, 0, b, 1);
  NAME(substitute)(n, ONE, a, lda, 1, conjugates, 0, 1, b, 1);
  for (long k = n - 1; k >= 0 && pivots != NULL; k--) {
    T kept = b[k];
    b[k] = b[pivots[k] - 1];
    b[pivots[k] - 1] = kept;
  }
}

__global__ void NAME(getrf)(long n, T *const *as, long lda, int *pivots, int *infos, long batch) {
  for (long it = blockIdx.x; it < batch; it += gridDim.x)
    NAME(factor)(n, as[it], lda, pivots != NULL ? pivots + it * n : NULL, infos + it);
}

__global__ void NAME(getrs)(int transposes, int conjugates, long n, long count, const T *const *as, long lda,
                            const int *pivots, T *const *bs, long ldb, long batch) {
  for (long it = blockIdx.y; it < batch; it += gridDim.y)
    for (long j = first_index(); j < count; j += all_threads())
      NAME(solve_factored)(transposes, conjugates, n, as[it], lda, pivots != NULL ? pivots + it * n : NULL,
                           bs[it] + j * ldb);
}

/* The inverse's columns are what the unit vectors are solved to. */
static __device__ void NAME(invert_column)(long n, const T *a, long lda, const int *pivots, T *c, long ldc, long j) {
  for (long i = 0; i < n; i++)
    c[i + j * ldc] = i == j ? ONE : ZERO;
  NAME(solve_factored)(0, 0, n, a, lda, pivots, c + j * ldc);
}

static __device__ int NAME(zero_on_diagonal)(long n, const T *a, long lda) {
  for (long i = 0; i < n; i++)
    if (is_zero(a[i + i * lda]))
      return (int)i + 1;
  return 0;
}

__global__ void NAME(getri)(long n, const T *const *as, long lda, const int *pivots, T *const *cs, long ldc,
                            int *infos, long batch) {
  for (long it = blockIdx.y; it < batch; it += gridDim.y)
    for (long j = first_index(); j < n; j += all_threads()) {
      int zero = NAME(zero_on_diagonal)(n, as[it], lda);
      if (j == 0)
        infos[it] = zero;
      if (zero == 0)
        NAME(invert_column)(n, as[it], lda, pivots != NULL ? pivots + it * n : NULL, cs[it], ldc, j);
    }
}

/* A copy is factored in w, of n by n for each matrix. */
__global__ void NAME(matinv)(long n, const T *const *as, long lda, T *const *cs, long ldc, int *infos, T *w,
                             int *pivots, long batch) {
  for (long it = blockIdx.x; it < batch; it += gridDim.x) {
    T *mine = w + it * n * n;
    const T *a = as[it];
    for (long at = threadIdx.x; at < n * n; at += LU_THREADS)
      mine[at] = a[at % n + at / n * lda];
    __syncthreads();
    NAME(factor)(n, mine, n, pivots + it * n, infos + it);
    __syncthreads();
    if (infos[it] == 0)
      for (long j = threadIdx.x; j < n; j += LU_THREADS)
        NAME(invert_column)(n, mine, n, pivots + it * n, cs[it], ldc, j);
  }
}
