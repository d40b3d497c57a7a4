/* SPDX-License-Identifier: MIT */
/*
 * property_12 - the layout of struct cudaDeviceProp before CUDA 13.
 *
 * Objects compiled for CUDA 12 call cudaGetDeviceProperties_v2() with all of it; those of CUDA 11 call
 * cudaGetDeviceProperties@libcudart.so.12 with what comes before hostRegisterSupported.
 *
 * The functions are property.c's, without data or locks; property_table.c has the fields' offsets. Called by programs
 * that were built for CUDA 11 and 12.
 */
#ifndef VPTR_CUDA_PROPERTY_12_H
#define VPTR_CUDA_PROPERTY_12_H

#include <assert.h>
#include <stddef.h>

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct vptr__cuda_properties_12 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
  int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
  int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
  int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
  int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;

  /* since 12 */
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63];
} vptr__cuda_properties_12;

static_assert(sizeof(vptr__cuda_properties_12) == 1032 && offsetof(vptr__cuda_properties_12, totalGlobalMem) == 288 &&
                  offsetof(vptr__cuda_properties_12, major) == 360 &&
                  offsetof(vptr__cuda_properties_12, surfaceAlignment) == 568 &&
                  offsetof(vptr__cuda_properties_12, regsPerMultiprocessor) == 648 &&
                  offsetof(vptr__cuda_properties_12, sharedMemPerBlockOptin) == 696 &&
                  offsetof(vptr__cuda_properties_12, reservedSharedMemPerBlock) == 720 &&
                  offsetof(vptr__cuda_properties_12, hostRegisterSupported) == 728 &&
                  offsetof(vptr__cuda_properties_12, reserved) == 780,
              "CUDA 12's cudaDeviceProp has 1032 bytes, of which CUDA 11 has the first 728");

/* What objects of CUDA 12 call; sources of today never mean this one. */
#undef cudaGetDeviceProperties_v2
VPTR_CUDA_API cudaError_t cudaGetDeviceProperties_v2(void *prop, int device);

/* What objects of CUDA 11 reach under the name that their symbol has in CUDA 12's library; see
 * lib/cudart-versions.awk. Exported under that name alone: the default visibility is for the alias to inherit. */
VPTR_CUDA_API cudaError_t vptr__cuda_get_device_properties_11(void *prop, int device);

enum { VPTR__CUDA_PROPERTIES_11_SIZE = offsetof(vptr__cuda_properties_12, hostRegisterSupported) };

#endif
