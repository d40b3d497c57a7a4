/* SPDX-License-Identifier: MIT */
/*
 * level1 - vectors. An increment may be negative; the pointer is that of the first element in the vector's order.
 *
 * A scalar is a value, or lies at an address if that is not NULL: the same kernel for both of cuBLAS's pointer modes,
 * and the host never waits for one.
 */
__global__ void NAME(scal)(long n, T alpha, const T *alpha_at, T *x, long incx) {
  T by = scalar(alpha, alpha_at);
  for (long i = first_index(); i < n; i += all_threads())
    x[i * incx] = times(by, x[i * incx]);
}

/* A factor of this type from a real one, or the conjugate of one, for calls that need it so. */
__global__ void NAME(factor_of)(const R *real_at, const T *at, int conjugates, T *place) {
  *place = real_at != NULL ? FROM_REAL(*real_at) : conjugate_if(*at, conjugates);
}

/* By a real number: only complex vectors are asked for that. */
__global__ void NAME(rscal)(long n, R alpha, const R *alpha_at, T *x, long incx) {
  R by = scalar(alpha, alpha_at);
  for (long i = first_index(); i < n; i += all_threads())
    x[i * incx] = scaled(x[i * incx], by);
}

__global__ void NAME(axpy)(long n, T alpha, const T *alpha_at, const T *x, long incx, T *y, long incy) {
  T by = scalar(alpha, alpha_at);
  if (is_zero(by))
    return;
  for (long i = first_index(); i < n; i += all_threads())
    y[i * incy] = plus(times(by, x[i * incx]), y[i * incy]);
}

__global__ void NAME(copy)(long n, const T *x, long incx, T *y, long incy) {
  for (long i = first_index(); i < n; i += all_threads())
    y[i * incy] = x[i * incx];
}

__global__ void NAME(swap)(long n, T *x, long incx, T *y, long incy) {
  for (long i = first_index(); i < n; i += all_threads()) {
    T kept = x[i * incx];
    x[i * incx] = y[i * incy];
    y[i * incy] = kept;
  }
}

__global__ void NAME(rot)(long n, T *x, long incx, T *y, long incy, R cosine, const R *cosine_at, T sine,
                          const T *sine_at) {
  R c = scalar(cosine, cosine_at);
  T s = scalar(sine, sine_at);
  for (long i = first_index(); i < n; i += all_threads()) {
    T a = x[i * incx], b = y[i * incy];
    x[i * incx] = plus(scaled(a, c), times(s, b));
    y[i * incy] = minus(scaled(b, c), times(conjugate_if(s, 1), a));
  }
}

/* ---- results: a number for each block, which the second kernel adds up --------------------------------------- */

__global__ void NAME(dot)(long n, const T *x, long incx, const T *y, long incy, int conjugates, T *sums) {
  __shared__ T shared[REDUCERS];
  T sum = ZERO;
  for (long i = first_index(); i < n; i += all_threads())
    sum = plus(sum, times(conjugate_if(x[i * incx], conjugates), y[i * incy]));
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = REDUCERS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = plus(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = shared[0];
}

__global__ void NAME(sum)(long n, const T *sums, T *result) {
  __shared__ T shared[REDUCERS];
  T sum = ZERO;
  for (long i = threadIdx.x; i < n; i += REDUCERS)
    sum = plus(sum, sums[i]);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = REDUCERS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = plus(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *result = shared[0];
}

__global__ void NAME(asum)(long n, const T *x, long incx, R *sums) {
  __shared__ R shared[REDUCERS];
  R sum = 0;
  for (long i = first_index(); i < n; i += all_threads())
    sum += size_of(x[i * incx]);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = REDUCERS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = shared[0];
}

/* Two numbers for each block: scale and squares. */
__global__ void NAME(nrm2)(long n, const T *x, long incx, R *sums) {
  __shared__ R scales[REDUCERS], squares[REDUCERS];
  R scale = 0, square = 0;
  for (long i = first_index(); i < n; i += all_threads()) {
    T value = x[i * incx];
    add_squares(&scale, &square, size_of(real_part(value)), (R)1);
    add_squares(&scale, &square, size_of(imaginary_part(value)), (R)1);
  }
  scales[threadIdx.x] = scale;
  squares[threadIdx.x] = square;
  __syncthreads();
  for (int half = REDUCERS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      scale = scales[threadIdx.x];
      square = squares[threadIdx.x];
      add_squares(&scale, &square, scales[threadIdx.x + half], squares[threadIdx.x + half]);
      scales[threadIdx.x] = scale;
      squares[threadIdx.x] = square;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[2 * blockIdx.x] = scales[0];
    sums[2 * blockIdx.x + 1] = squares[0];
  }
}

/* The first element that is largest, or smallest if turns is -1, by |re| + |im|; NaN is none, unless there is nothing
 * else. A block without any tells index n. */
__global__ void NAME(amax)(long n, const T *x, long incx, int turns, R *values, long *places) {
  __shared__ R best[REDUCERS];
  __shared__ long where[REDUCERS];
  R value = 0;
  long place = n;
  for (long i = first_index(); i < n; i += all_threads()) {
    R size = size_of(x[i * incx]) * turns;
    if (size == size && (place == n || size > value)) {
      value = size;
      place = i;
    }
  }
  best[threadIdx.x] = value;
  where[threadIdx.x] = place;
  __syncthreads();
  for (int half = REDUCERS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      long mine = where[threadIdx.x], other = where[threadIdx.x + half];
      R a = best[threadIdx.x], b = best[threadIdx.x + half];
      if (other < n && (mine == n || b > a || (b == a && other < mine))) {
        best[threadIdx.x] = b;
        where[threadIdx.x] = other;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    values[blockIdx.x] = best[0];
    places[blockIdx.x] = where[0];
  }
}
