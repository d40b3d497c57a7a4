// SPDX-License-Identifier: MIT
// compiled - what clang needs to know of CUDA to compile the host's half of this folder's files; the device's half is
// vptrcc's.
#pragma once
#include <cstdlib>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
#include <cuda_runtime_api.h>
#include <vptr_binary.h>

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = nullptr);
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
__device__ int atomicAdd(int *at, int by);

template <class T> cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size) {
  return cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, size, 0, cudaMemcpyHostToDevice);
}

template <class T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size) {
  return cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), size, 0, cudaMemcpyDeviceToHost);
}
