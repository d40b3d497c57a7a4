// SPDX-License-Identifier: MIT
// plugin - a shared object with kernels, for those who open and close it while they run.
#include <cstdio>
#include <vector>

__device__ int total;
__constant__ int step = 3;

__global__ void count(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = i * step;
    atomicAdd(&total, 1);
  }
}

// Long enough that the plugin is closed meanwhile.
__global__ void linger(int *a, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; i < n && round < rounds; round++)
    a[i] = a[i] * 1664525 + round;
}

// Behind the other: it has not begun when the plugin is closed.
__global__ void follow(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total, a[i]);
}

// 0: all is as it should be; else what failed first.
extern "C" int plugin_run(int n) {
  int *a = nullptr, sum = -1, zero = 0;
  std::vector<int> back(n);
  if (cudaMalloc((void **)&a, n * sizeof *a) != cudaSuccess)
    return 1;
  if (cudaMemcpyToSymbol(total, &zero, sizeof zero) != cudaSuccess)
    return 2;
  count<<<(n + 255) / 256, 256>>>(a, n);
  if (cudaGetLastError() != cudaSuccess)
    return 3;
  if (cudaMemcpy(back.data(), a, n * sizeof *a, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 4;
  if (cudaMemcpyFromSymbol(&sum, total, sizeof sum) != cudaSuccess || sum != n || back[n - 1] != 3 * (n - 1))
    return 5;
  return cudaFree(a) == cudaSuccess ? 0 : 6;
}

// Leaves kernels, and their memory to them. A driver may load a kernel's code when that begins, as PoCL does: with the
// loader's lock, which dlclose() holds.
extern "C" int plugin_start(int n) {
  int *a = nullptr;
  if (cudaMallocAsync((void **)&a, n * sizeof *a, 0) != cudaSuccess)
    return 1;
  linger<<<(n + 255) / 256, 256>>>(a, n, 2000);
  follow<<<(n + 255) / 256, 256>>>(a, n);
  if (cudaGetLastError() != cudaSuccess)
    return 2;
  return cudaFreeAsync(a, 0) == cudaSuccess ? 0 : 3;
}
