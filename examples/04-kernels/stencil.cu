/* SPDX-License-Identifier: MIT */
/* stencil - sums over a window of a line, through shared memory. The kernel is handed pointers that lie inside their
 * allocations, behind a margin of zeros, and reads before them. */
#include "check.h"

enum { LENGTH = 50000, RADIUS = 5, BLOCK = 128 };

__global__ void window_sum(const int *in, int *out, int length) {
  __shared__ int near[BLOCK + 2 * RADIUS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = threadIdx.x + RADIUS;
  near[at] = i < length + RADIUS ? in[i] : 0;
  if (threadIdx.x < RADIUS) {
    near[at - RADIUS] = in[i - RADIUS];
    near[at + BLOCK] = i + BLOCK < length + RADIUS ? in[i + BLOCK] : 0;
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    sum += near[at + offset];
  if (i < length)
    out[i] = sum;
}

static int in[LENGTH + 2 * RADIUS], out[LENGTH];

int main(void) {
  int *from, *to;
  for (int i = 0; i < LENGTH; i++)
    in[RADIUS + i] = i % 101 - 50;
  CHECK(cudaMalloc((void **)&from, sizeof in));
  CHECK(cudaMalloc((void **)&to, sizeof out));
  CHECK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
  window_sum<<<(LENGTH + BLOCK - 1) / BLOCK, BLOCK>>>(from + RADIUS, to, LENGTH);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < LENGTH; i++) {
    int sum = 0;
    for (int offset = 0; offset <= 2 * RADIUS; offset++)
      sum += in[i + offset];
    wrong += sum != out[i];
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return verdict("stencil", wrong);
}
