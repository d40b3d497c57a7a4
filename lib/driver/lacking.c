/* SPDX-License-Identifier: MIT */
/*
 * lacking - questions about what no device has here, and about clusters, which have one block: the runtime's
 * (cuda/lacking.c, cuda/cluster.c) by other names.
 *
 * No state, no locks. Called by programs, directly or by the table in entry.c. The count of clusters has the driver
 * build the kernel, which blocks.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUatomicOperation) == sizeof(enum cudaAtomicOperation), "the runtime's, by another name");

CUresult cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities, const CUatomicOperation *operations,
                                           unsigned int count, CUdevice dev) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaDeviceGetHostAtomicCapabilities(capabilities, (const void *)operations, count, dev));
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities, const CUatomicOperation *operations,
                                          unsigned int count, CUdevice srcDevice, CUdevice dstDevice) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaDeviceGetP2PAtomicCapabilities(capabilities, (const void *)operations, count, srcDevice, dstDevice));
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaDeviceFlushGPUDirectRDMAWrites((enum cudaFlushGPUDirectRDMAWritesTarget)target,
                                                                (enum cudaFlushGPUDirectRDMAWritesScope)scope));
}

/* ---- clusters ------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "the runtime's, by another name");

/* NULL stays NULL: the runtime says so. */
static const cudaLaunchConfig_t *config_of(const CUlaunchConfig *from, cudaLaunchConfig_t *room) {
  if (from == NULL)
    return NULL;
  *room = (cudaLaunchConfig_t){ .gridDim = { from->gridDimX, from->gridDimY, from->gridDimZ },
                                .blockDim = { from->blockDimX, from->blockDimY, from->blockDimZ },
                                .dynamicSmemBytes = from->sharedMemBytes,
                                .stream = from->hStream,
                                .attrs = (void *)from->attrs,
                                .numAttrs = from->numAttrs };
  return room;
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config) {
  cudaLaunchConfig_t room;
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaOccupancyMaxPotentialClusterSize(clusterSize, func, config_of(config, &room)));
}

CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config) {
  cudaLaunchConfig_t room;
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaOccupancyMaxActiveClusters(numClusters, func, config_of(config, &room)));
}
