/* SPDX-License-Identifier: MIT */
/*
 * vptr_external - memory of a descriptor, mapped: cudaImportExternalMemory() and its kin; part of cuda_runtime_api.h.
 *
 * OpenCL devices name no memory to other interfaces (cl_khr_external_memory is Vulkan's side of it, and rare). Where
 * device memory is the host's, memory of cuMemCreate() is a file of the system's, and its descriptor, of this process
 * or another, is cudaExternalMemoryHandleTypeOpaqueFd here: what cuMemExportToShareableHandle() gave.
 */
#ifndef VPTR_CUDA_VPTR_EXTERNAL_H
#define VPTR_CUDA_VPTR_EXTERNAL_H

#include "driver_types.h"

typedef struct CUexternalMemory_st *cudaExternalMemory_t;

enum cudaExternalMemoryHandleType {
  cudaExternalMemoryHandleTypeOpaqueFd = 1,
  cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
  cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
  cudaExternalMemoryHandleTypeD3D12Heap = 4,
  cudaExternalMemoryHandleTypeD3D12Resource = 5,
  cudaExternalMemoryHandleTypeD3D11Resource = 6,
  cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
  cudaExternalMemoryHandleTypeNvSciBuf = 8
};

#define cudaExternalMemoryDedicated 0x1

struct cudaExternalMemoryHandleDesc {
  enum cudaExternalMemoryHandleType type;
  union {
    int fd;
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *nvSciBufObject;
  } handle;
  vptr_unsigned_long_long size; /* bytes, at most as many as there are */
  unsigned int flags;           /* 0, or cudaExternalMemoryDedicated, which changes nothing */
  unsigned int reserved[16];
};

struct cudaExternalMemoryBufferDesc {
  vptr_unsigned_long_long offset, size; /* bytes; within those that were imported */
  unsigned int flags;                   /* 0 */
  unsigned int reserved[16];
};

#ifdef __cplusplus
extern "C" {
#endif

/* On the current device. With cudaSuccess the descriptor is the library's, which closes it. Errors:
 * cudaErrorNotSupported (the device's memory is not the host's, or another type), cudaErrorInvalidValue (it is no such
 * descriptor; it has fewer bytes). Thread-safe; none waits for the device. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaImportExternalMemory(cudaExternalMemory_t *extMem_out,
                                                             const struct cudaExternalMemoryHandleDesc *memHandleDesc);

/* Device memory over a part of it, for kernels and copies, until cudaFree(). Each call maps it anew: all see the same
 * bytes. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaExternalMemoryGetMappedBuffer(
    void **devPtr, cudaExternalMemory_t extMem, const struct cudaExternalMemoryBufferDesc *bufferDesc);

/* What was mapped stays until it is freed. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDestroyExternalMemory(cudaExternalMemory_t extMem);

/* NVIDIA's own libraries ask by it for functions that have no documentation: there are none (cudaErrorInvalidValue). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetExportTable(const void **ppExportTable, const cudaUUID_t *pExportTableId);

#ifdef __cplusplus
}
#endif

#endif
