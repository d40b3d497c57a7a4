/* SPDX-License-Identifier: MIT */
/* vptr_clang_launch - what clang calls for k<<<grid, block, shared, stream>>>(...). The kernel's stub calls
 * cudaLaunchKernel(), and libvptr-cudart has the rest. And what kernels say to the graph that launches them. */
#ifndef VPTR_CUDA_CLANG_LAUNCH_H
#define VPTR_CUDA_CLANG_LAUNCH_H

extern "C" {
/* The first half: anything but 0, and the kernel is not called. */
VPTR_CUDA_API unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                       void *stream = 0);
}

/* CUDA 11.6's name, by which Thrust and CUB wait without a warning. */
static inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
  return ::cudaDeviceSynchronize();
}

/* A condition's handle is the address of its word (lib/cudart/graph/condition.h). */
extern "C" __device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)handle = value;
}

#endif
