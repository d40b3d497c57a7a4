// SPDX-License-Identifier: MIT
// arrays - private arrays that all threads of a block together make large: a launch works or is refused, with CUDA's code.
#include "kernels.h"

enum { WIDE = 8192, HALF = 2048, MOST_THREADS = 1024 };

// Its elements are read where another index than theirs was written, so that no compiler leaves the array out.
__device__ int filled(int *own, int length, int factor, int thread) {
  for (int i = 0; i < length; i++)
    own[i] = i * factor + thread;
  int sum = 0;
  for (int i = 0; i < length; i++)
    sum += own[(i * factor + thread) % length] ^ i;
  return sum;
}

__host__ int expected(int length, int factor, int thread) {
  int sum = 0;
  for (int i = 0; i < length; i++)
    sum += (((i * factor + thread) % length) * factor + thread) ^ i;
  return sum;
}

__global__ void wide(int *out, int factor) {
  int own[WIDE];
  out[threadIdx.x] = filled(own, WIDE, factor, threadIdx.x);
}

__global__ void wide_with_barrier(int *out, int factor) {
  int own[WIDE];
  own[threadIdx.x] = factor;
  __syncthreads();
  out[threadIdx.x] = filled(own, WIDE, factor, threadIdx.x);
}

__device__ int half(int factor, int thread) {
  int own[HALF];
  return filled(own, HALF, factor, thread);
}

__global__ void by_calls(int *out, int factor) {
  int first = half(factor, threadIdx.x);
  out[threadIdx.x] = first ^ half(factor + 2, threadIdx.x);
}

static int of_wide(int thread) {
  return expected(WIDE, 3, thread);
}

static int of_calls(int thread) {
  return expected(HALF, 3, thread) ^ expected(HALF, 5, thread);
}

static void try_block(void (*kernel)(int *, int), int (*value)(int), int threads) {
  static int seen[MOST_THREADS];
  int *out;
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
  CHECK(cudaMalloc(&out, sizeof seen));
  CHECK(cudaMemset(out, 0xff, sizeof seen));
  kernel<<<1, threads>>>(out, 3);
  cudaError_t error = cudaGetLastError();
  EXPECT(error, threads <= attributes.maxThreadsPerBlock ? cudaSuccess : cudaErrorLaunchOutOfResources);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; i++)
    EXPECT(seen[i], error == cudaSuccess ? value(i) : -1);
  CHECK(cudaFree(out));
}

static void try_kernel(void (*kernel)(int *, int), int (*value)(int)) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
  EXPECT(attributes.maxThreadsPerBlock >= 32, true);
  try_block(kernel, value, 32);
  try_block(kernel, value, attributes.maxThreadsPerBlock);
  for (int threads = 128; threads <= MOST_THREADS; threads *= 2)
    try_block(kernel, value, threads);
  int blocks = 0, best = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &best, kernel));
  EXPECT(best > 0 && best <= attributes.maxThreadsPerBlock, true);
}

int main(void) {
  try_kernel(wide, of_wide);
  try_kernel(wide_with_barrier, of_wide);
  try_kernel(by_calls, of_calls);
  return verdict("arrays");
}
