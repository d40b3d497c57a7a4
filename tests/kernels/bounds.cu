// SPDX-License-Identifier: MIT
// bounds - a kernel that writes one element behind its array, which a checker below sees with VPTR_EXACT=1; see bounds.sh.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    x[i] *= 2; // BEYOND
}

int main() {
  const int n = 255;
  float *x, host[n] = { 1 };
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 256>>>(x, n);
  cudaError_t error = cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "%s, %g\n", cudaGetErrorString(error), host[0]);
  return 0;
}
