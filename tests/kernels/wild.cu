// SPDX-License-Identifier: MIT
// wild - kernels that follow a wild pointer, by the program's argument; see wild.sh.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

__global__ void before(int *p, long long index) {
  p[index] = 1;
}

__global__ void through_null(int *p, int *result) {
  *result = p[threadIdx.x + 5];
}

__global__ void patient(volatile int *p, int rounds) {
  for (int i = 0; i < rounds; i++)
    p[threadIdx.x % 4] += i;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int *small, *large;
  cudaStream_t other;
  cudaMalloc(&small, 400);
  cudaMalloc(&large, 1 << 20); // ALLOCATED
  cudaMemset(small, 0, 400);
  cudaMemset(large, 0, 1 << 20);
  cudaStreamCreate(&other);
  patient<<<1, 1>>>(small, 10);
  cudaDeviceSynchronize();
  if (strcmp(what, "before") == 0)
    before<<<1, 1>>>(large, -(1ll << 38));
  else if (strcmp(what, "nowhere") == 0)
    before<<<1, 1>>>(large, 1ll << 60);
  else if (strcmp(what, "null") == 0)
    through_null<<<1, 1>>>(nullptr, small);
  else if (strcmp(what, "beside") == 0) {
    patient<<<1, 32, 0, other>>>(small, 1 << 20);
    before<<<1, 1>>>(large, -(1ll << 38));
  } else
    *(volatile int *)8 = 1; // the host's own fault
  cudaDeviceSynchronize();
  puts("it lives");
  return 0;
}
