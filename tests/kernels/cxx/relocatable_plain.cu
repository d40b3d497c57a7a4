/* SPDX-License-Identifier: MIT */
/* relocatable_plain - the C of the relocatable program: what vptrcc's own front end reads. */
#include <stdio.h>

#include <vector>

#include "relocatable.h"

std::vector<int> of_the_host;

__device__ __managed__ int launches;
__constant__ float factors[4];
static __device__ int mine = 3;

__device__ float plain_add(float x, float y) { return x + y; }

namespace plain {
__global__ void fill(int *x, amount a) {
  x[threadIdx.x] = a.value + (int)threadIdx.x;
  if (threadIdx.x == 0)
    atomicAdd(&launches, 1);
}
} // namespace plain

static __global__ void change(int *x) { x[threadIdx.x] -= mine; }

/* With a barrier, over a function of the other file's that is given shared memory. */
__global__ void sums(int *x) {
  __shared__ int all[32];
  all[threadIdx.x] = (int)threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = (int)cxx_twice((float)cxx_largest(all, 32)) + all[31];
}

void plain_starts_cxx(int *x) { from_cxx<<<1, 32>>>(x, amount{ 0, 9 }); }

void plain_changes(int *x, int by) {
  of_the_host.push_back(by);
  cudaMemcpyToSymbol(mine, of_the_host.data(), sizeof(int));
  change<<<1, 32>>>(x);
}

void plain_sums(int *x) {
  sums<<<1, 32>>>(x);
}
