/* SPDX-License-Identifier: MIT */
/*
 * external - cuImportExternalMemory() and its kin, and cuGetExportTable(): the runtime's (cuda/external.c) by other
 * names.
 *
 * No state, no locks. Called by programs, directly or by the table in entry.c. Calls wait for the system alone.
 */
#include <stddef.h>

#include "driver/context.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == sizeof(struct cudaExternalMemoryHandleDesc) &&
                   offsetof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, size) ==
                       offsetof(struct cudaExternalMemoryHandleDesc, size) &&
                   sizeof(CUDA_EXTERNAL_MEMORY_BUFFER_DESC) == sizeof(struct cudaExternalMemoryBufferDesc),
               "the runtime's, by other names");

CUresult cuImportExternalMemory(CUexternalMemory *extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaImportExternalMemory(extMem_out, (const void *)memHandleDesc))
             : result;
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc) {
  void *ptr = NULL;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuExternalMemoryGetMappedBuffer", devPtr, "devPtr");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaExternalMemoryGetMappedBuffer(&ptr, extMem, (const void *)bufferDesc));
  if (result == CUDA_SUCCESS)
    *devPtr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuDestroyExternalMemory(CUexternalMemory extMem) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDestroyExternalMemory(extMem)) : result;
}

CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId) {
  return vptr__driver_result(cudaGetExportTable(ppExportTable, pExportTableId));
}
