/* SPDX-License-Identifier: MIT */
/*
 * sharing - memory, events and pools for other processes: refused, since OpenCL shares nothing between processes.
 *
 * Programs that try to share and go on without find these calls and their error; device attributes say so
 * beforehand. No state, no locks. Called by programs. Nothing waits.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t refuse_sharing(const char *call, const char *what) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL shares no %s between processes", call, what);
  return cudaErrorNotSupported;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  (void)handle, (void)event;
  return vptr__cuda_record(refuse_sharing("cudaIpcGetEventHandle", "events"));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  (void)event, (void)handle;
  return vptr__cuda_record(refuse_sharing("cudaIpcOpenEventHandle", "events"));
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr) {
  (void)handle, (void)devPtr;
  return vptr__cuda_record(refuse_sharing("cudaIpcGetMemHandle", "memory"));
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
  (void)devPtr, (void)handle, (void)flags;
  return vptr__cuda_record(refuse_sharing("cudaIpcOpenMemHandle", "memory"));
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr) {
  (void)devPtr;
  return vptr__cuda_record(refuse_sharing("cudaIpcCloseMemHandle", "memory"));
}

cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                               enum cudaMemAllocationHandleType handleType, unsigned int flags) {
  (void)shareableHandle, (void)memPool, (void)handleType, (void)flags;
  return vptr__cuda_record(refuse_sharing("cudaMemPoolExportToShareableHandle", "pools of memory"));
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                 enum cudaMemAllocationHandleType handleType, unsigned int flags) {
  (void)memPool, (void)shareableHandle, (void)handleType, (void)flags;
  return vptr__cuda_record(refuse_sharing("cudaMemPoolImportFromShareableHandle", "pools of memory"));
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr) {
  (void)exportData, (void)ptr;
  return vptr__cuda_record(refuse_sharing("cudaMemPoolExportPointer", "memory"));
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData *exportData) {
  (void)ptr, (void)memPool, (void)exportData;
  return vptr__cuda_record(refuse_sharing("cudaMemPoolImportPointer", "memory"));
}
