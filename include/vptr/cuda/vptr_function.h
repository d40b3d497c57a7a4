/* SPDX-License-Identifier: MIT */
/*
 * vptr_function - what kernels are: attributes, and how many blocks of one a multiprocessor holds.
 *
 * Enumerators and the layout of struct cudaFuncAttributes are CUDA 13's; CUDA 12's is the same, and 11's its beginning.
 */
#ifndef VPTR_CUDA_FUNCTION_H
#define VPTR_CUDA_FUNCTION_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a kernel on the current device. What OpenCL does not tell is said so. */
struct cudaFuncAttributes {
  size_t sharedSizeBytes;            /* static shared memory of a block */
  size_t constSizeBytes;             /* of the __constant__ variables that it uses */
  size_t localSizeBytes;             /* of private memory for each thread, as far as the driver tells */
  int maxThreadsPerBlock;            /* by the driver, and by __launch_bounds__ */
  int numRegs;                       /* not told: 0 */
  int ptxVersion, binaryVersion;     /* of vptrcc's -arch: __CUDA_ARCH__ / 10 */
  int cacheModeCA;                   /* 0 */
  int maxDynamicSharedSizeBytes;     /* that a launch may ask for */
  int preferredShmemCarveout;        /* what was set; -1: nothing */
  int clusterDimMustBeSet;           /* clusters have one block: 0 in these two lines */
  int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
  int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed; /* what was set */
  int reserved[16];
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
  cudaFuncAttributeMax = 16
};

enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};

#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

/* func is the kernel's stub, in all of these. Each but cudaFuncGetName() and cudaFuncGetParamInfo() builds the
 * kernel for the current device if that was not done, and blocks meanwhile. Errors of all:
 * cudaErrorInvalidDeviceFunction (no kernel), cudaErrorInvalidValue (an output is NULL), and those of building.
 * Thread-safe. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);

/* The dynamic shared memory that launches may ask for, in bytes, or a wish that is told and changes nothing (the
 * carveout, in percent; whether clusters may be large, and how they are scheduled). Errors: cudaErrorInvalidValue also
 * for more than the device has, and for clusters' sizes. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);

/* A wish that changes nothing. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);

/* Its name as the linker has it; stays while the kernel is registered. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncGetName(const char **name, const void *func);

/* Where a parameter lies among the others, and its size, in bytes. paramSize may be NULL. Errors: cudaErrorInvalidValue
 * also where there is no such parameter. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
                                                         size_t *paramSize);

/* Blocks that a multiprocessor can hold at once, by threads, blocks and shared memory; OpenCL does not tell registers.
 * 0 for blocks that cannot be launched. dynamicSMemSize in bytes. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                                                  int blockSize,
                                                                                  size_t dynamicSMemSize);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                                           const void *func,
                                                                                           int blockSize,
                                                                                           size_t dynamicSMemSize,
                                                                                           unsigned int flags);

/* Bytes of dynamic shared memory that each of numBlocks blocks on a multiprocessor can have. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                                              const void *func, int numBlocks,
                                                                              int blockSize);

#ifdef __cplusplus
}
#endif

#endif
