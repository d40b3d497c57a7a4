/* SPDX-License-Identifier: MIT */
/*
 * blocked - matrices of blocks, BSR and blocked ELL, beside dense ones (places.cuh).
 */
/* C = alpha A B + beta C. Threads of a block share a row of blocks: side by side they have columns of C, then rows; if
 * there are threads left, these take every so many products, and sums are added up in one order. */
__global__ void NAME(multiply_blocked)(BLOCKED, const T *values, long columns, const T *b, long b_down, long b_along,
                                       int b_conjugates, T *c, long c_down, long c_along, T alpha_value,
                                       const T *alpha_at, T beta_value, const T *beta_at) {
  __shared__ T sums[THREADS];
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  long items = height * columns;
  int stripes = items < blockDim.x ? blockDim.x / (int)items : 1, lanes = blockDim.x / stripes;
  int stripe = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    long first = FIRST_OF(row), products = (FIRST_OF(row + 1) - first) * width;
    for (long item = (long)blockIdx.y * lanes; item < items; item += (long)gridDim.y * lanes) {
      long own = item + lane, line = own / columns, column = own % columns;
      T sum = ZERO;
      if (own < items && stripe < stripes)
        for (long i = stripe; i < products; i += stripes) {
          long k = i / width, inner = i % width, index = AT(indices, first + k) - base;
          if (index >= 0)
            sum = plus(sum, times(values[PLACE(first, k, line, inner)],
                                  conjugate_if(b[(index * width + inner) * b_down + column * b_along], b_conjugates)));
        }
      sums[threadIdx.x] = sum;
      __syncthreads();
      if (stripe == 0 && own < items) {
        for (int other = 1; other < stripes; other++)
          sum = plus(sum, sums[other * lanes + lane]);
        NAME(put)(c, (row * height + line) * c_down + column * c_along, sum, alpha, beta);
      }
      __syncthreads();
    }
  }
}

/* The elements of A B where C has blocks: C = alpha A B + beta C. */
__global__ void NAME(sample_blocked)(BLOCKED, T *values, long depth, const T *a, long a_down, long a_along,
                                     int a_conjugates, const T *b, long b_down, long b_along, int b_conjugates,
                                     T alpha_value, const T *alpha_at, T beta_value, const T *beta_at) {
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    long first = FIRST_OF(row), area = (long)height * width, count = (FIRST_OF(row + 1) - first) * area;
    for (long i = threadIdx.x; i < count; i += blockDim.x) {
      long k = i / area, line = i % area / width, inner = i % width, index = AT(indices, first + k) - base;
      if (index < 0)
        continue;
      T sum = ZERO;
      for (long d = 0; d < depth; d++)
        sum = plus(sum, times(conjugate_if(a[(row * height + line) * a_down + d * a_along], a_conjugates),
                              conjugate_if(b[d * b_down + (index * width + inner) * b_along], b_conjugates)));
      NAME(put)(values, PLACE(first, k, line, inner), sum, alpha, beta);
    }
  }
}
