/* SPDX-License-Identifier: MIT */
/*
 * vptr_driver_external - the driver's names for memory of a descriptor, mapped; part of cuda.h. They are the runtime's
 * by other names, and vptr_external.h says what they do.
 */
#ifndef VPTR_CUDA_VPTR_DRIVER_EXTERNAL_H
#define VPTR_CUDA_VPTR_DRIVER_EXTERNAL_H

#include "vptr_driver_types.h"

typedef struct CUexternalMemory_st *CUexternalMemory;

typedef enum CUexternalMemoryHandleType_enum {
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7,
  CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8
} CUexternalMemoryHandleType;

#define CUDA_EXTERNAL_MEMORY_DEDICATED 0x1

typedef struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
  CUexternalMemoryHandleType type;
  union {
    int fd;
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *nvSciBufObject;
  } handle;
  vptr_unsigned_long_long size;
  unsigned int flags;
  unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
typedef CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 CUDA_EXTERNAL_MEMORY_HANDLE_DESC;

typedef struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
  vptr_unsigned_long_long offset;
  vptr_unsigned_long_long size;
  unsigned int flags;
  unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
typedef CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 CUDA_EXTERNAL_MEMORY_BUFFER_DESC;

#ifdef __cplusplus
extern "C" {
#endif

VPTR_CUDA_API CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory *extMem_out,
                                                      const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
VPTR_CUDA_API CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                                               const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
VPTR_CUDA_API CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory extMem);
VPTR_CUDA_API CUresult CUDAAPI cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId);

#ifdef __cplusplus
}
#endif

#endif
