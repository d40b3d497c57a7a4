/* SPDX-License-Identifier: MIT */
/* driver_kernels - what driver.cpp loads, as PTX and as a fat binary. */
__device__ int offset = 4;

extern "C" __global__ void add_offset(int *values, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += by + offset;
}

extern "C" __global__ void sum(const int *values, int *out) {
  extern __shared__ int parts[];
  parts[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      parts[threadIdx.x] += parts[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = parts[0];
}
