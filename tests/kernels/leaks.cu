// SPDX-License-Identifier: MIT
// leaks - memory of each kind that is never freed, each on a line that says LEAK, beside memory that the library takes
// for this program's sake: variables, parameters, buffers around pinned memory. See leaks.sh.
#include <cassert>
#include <cstdio>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

__device__ int table[1000];
__managed__ int total;

struct Large {
  int values[2000];
};

__global__ void use(int *p) {
  p[threadIdx.x] = table[threadIdx.x] + total;
  assert(p[0] >= 0);
}

__global__ void spill(int *p, Large large) {
  p[0] = large.values[7];
}

static int check(cudaError_t error) {
  if (error != cudaSuccess)
    fprintf(stderr, "leaks: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main(int argc, char **) {
  float *device = nullptr, *pitched = nullptr;
  int *managed = nullptr, *pinned = nullptr, *large = nullptr, *mapped = nullptr, *freed = nullptr;
  void *in_order = nullptr;
  size_t pitch = 0;
  CUdeviceptr by_driver = 0;
  Large values;
  memset(&values, 0, sizeof values);
  int failed = check(cudaMallocManaged(&freed, 100)) || check(cudaFree(freed));
  failed |= check(cudaMallocHost(&freed, 100)) || check(cudaFreeHost(freed));
  failed |= check(cudaMalloc(&device, 1001));                                // LEAK 1001 device
  failed |= check(cudaMallocManaged(&managed, 2001));                        // LEAK 2001 managed
  failed |= check(cudaMallocHost(&pinned, 3001));                            // LEAK 3001 pinned
  failed |= check(cudaHostAlloc(&large, 4 << 20, cudaHostAllocMapped));      // LEAK 4194304 pinned
  failed |= check(cudaMallocAsync(&in_order, 5001, 0));                      // LEAK 5001 device
  failed |= check(cudaMallocPitch((void **)&pitched, &pitch, 512, 12));      // LEAK 6144 device
  failed |= cuMemAlloc(&by_driver, 7001) != CUDA_SUCCESS;                    // LEAK 7001 device
  failed |= check(cudaHostGetDevicePointer((void **)&mapped, pinned, 0));
  use<<<1, 4>>>((int *)device);
  spill<<<1, 1>>>((int *)device, values);
  failed |= check(cudaDeviceSynchronize());
  if (argc > 1)
    failed |= check(cudaFree(device)) || check(cudaFree(managed)) || check(cudaFreeHost(pinned)) ||
              check(cudaFreeHost(large)) || check(cudaFree(in_order)) || check(cudaFree(pitched)) ||
              cuMemFree(by_driver) != CUDA_SUCCESS;
  return failed;
}
