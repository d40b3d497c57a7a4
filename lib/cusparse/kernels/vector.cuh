/* SPDX-License-Identifier: MIT */
/*
 * vector - a sparse vector beside a dense one. No index is there twice, as cuSPARSE has it.
 */
__global__ void NAME(axpy)(long entries, INDICES(indices), long base, const T *x, T *y, T alpha_value,
                           const T *alpha_at) {
  T alpha = scalar(alpha_value, alpha_at);
  for (long k = first_index(); k < entries; k += all_threads()) {
    long i = AT(indices, k) - base;
    y[i] = plus(y[i], times(alpha, x[k]));
  }
}

__global__ void NAME(gather)(long entries, INDICES(indices), long base, const T *y, T *x) {
  for (long k = first_index(); k < entries; k += all_threads())
    x[k] = y[AT(indices, k) - base];
}

__global__ void NAME(scatter)(long entries, INDICES(indices), long base, const T *x, T *y) {
  for (long k = first_index(); k < entries; k += all_threads())
    y[AT(indices, k) - base] = x[k];
}

__global__ void NAME(rotate)(long entries, INDICES(indices), long base, T *x, T *y, T c_value, const T *c_at, T s_value,
                             const T *s_at) {
  T c = scalar(c_value, c_at), s = scalar(s_value, s_at);
  for (long k = first_index(); k < entries; k += all_threads()) {
    long i = AT(indices, k) - base;
    T a = x[k], b = y[i];
    x[k] = plus(times(c, a), times(s, b));
    y[i] = minus(times(c, b), times(s, a));
  }
}

/* A sum for each block; and, of one block with x NULL, the sum of those. */
__global__ void NAME(dot)(long entries, INDICES(indices), long base, const T *x, const T *y, int conjugates, T *to) {
  __shared__ T sums[THREADS];
  T sum = ZERO;
  for (long k = first_index(); k < entries; k += all_threads()) {
    if (x == NULL)
      sum = plus(sum, y[k]);
    else
      sum = plus(sum, times(conjugate_if(x[k], conjugates), y[AT(indices, k) - base]));
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    to[blockIdx.x] = sums[0];
}
