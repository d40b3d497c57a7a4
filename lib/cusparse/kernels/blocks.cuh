/* SPDX-License-Identifier: MIT */
/*
 * blocks - a matrix of square blocks times a vector. A block of threads has a row of blocks: side by side they have the
 * block's rows, and behind those, if there are threads left, every so many columns. Each row is added up the same way
 * each time.
 */

/* Of all rows, or of those that the mask lists, whose entries then end where `ends` says. */
__global__ void NAME(multiply_blocks)(long rows, const int *mask, const int *offsets, const int *ends, int base,
                                      const int *columns, const T *values, int side, int by_columns, const T *x, T *y,
                                      T alpha_value, const T *alpha_at, T beta_value, const T *beta_at) {
  __shared__ T sums[THREADS];
  T alpha = scalar(alpha_value, alpha_at), beta = scalar(beta_value, beta_at);
  int stripes = side < blockDim.x ? blockDim.x / side : 1, height = blockDim.x / stripes;
  int stripe = threadIdx.x / height, lane = threadIdx.x % height;
  for (long listed = blockIdx.x; listed < rows; listed += gridDim.x) {
    long row = mask != NULL ? mask[listed] - base : listed;
    int begin = offsets[row] - base, end = ends[row] - base;
    for (int first = 0; first < side; first += height) {
      int own = first + lane;
      T sum = ZERO;
      if (own < side && stripe < stripes)
        for (long i = stripe; i < (long)(end - begin) * side; i += stripes) {
          long block = begin + i / side;
          int column = (int)(i % side);
          const T *at = values + block * side * side;
          sum = plus(sum, times(by_columns ? at[column * side + own] : at[own * side + column],
                                x[(long)(columns[block] - base) * side + column]));
        }
      sums[threadIdx.x] = sum;
      __syncthreads();
      if (stripe == 0 && own < side) {
        for (int other = 1; other < stripes; other++)
          sum = plus(sum, sums[other * height + lane]);
        NAME(put)(y, row * side + own, sum, alpha, beta);
      }
      __syncthreads();
    }
  }
}
