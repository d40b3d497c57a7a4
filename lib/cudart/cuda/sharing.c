/* SPDX-License-Identifier: MIT */
/*
 * sharing - events for other processes (cuda/shared_event.h), and memory for them where device memory is the host's
 * (virtual/shared_memory.h); pools are refused, since OpenCL shares nothing between processes.
 *
 * Programs that try to share and go on without find these calls and their error; device attributes say so beforehand.
 * No data, and no locks here: the list of such memory is virtual/shared_memory.c's, with the lock of its static
 * `shared`, of rank LEAF, and that of events cuda/shared_event.c's. Called by programs, and by driver/process.c,
 * driver/pool.c and driver/pointer.c. Opening waits for the system, closing for the device's work.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/shared_event.h"
#include "pool/pool.h"
#include "virtual/shared_memory.h"
#include "virtual/virtual_range.h"

#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t refuse_sharing(const char *call, const char *what) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL shares no %s between processes", call, what);
  return cudaErrorNotSupported;
}

/* ---- events --------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(vptr__shared_event_name) <= sizeof(cudaIpcEventHandle_t), "it has to fit");

static cudaError_t get_event(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  static const char call[] = "cudaIpcGetEventHandle";
  vptr__shared_event_name name;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && handle == NULL)
    error = vptr__cuda_null_output(call, "handle");
  if (error != cudaSuccess)
    return error;
  if (!vptr__event_is_live(event) || !vptr__shared_event_tell((vptr__event *)event, &name)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no event of cudaEventInterprocess", call, (void *)event);
    return cudaErrorInvalidResourceHandle;
  }
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
  return cudaSuccess;
}

/* As in CUDA, not by the process whose event it is. */
static cudaError_t open_event(cudaEvent_t *event_out, const cudaIpcEventHandle_t *handle) {
  static const char call[] = "cudaIpcOpenEventHandle";
  vptr__shared_event_name name;
  vptr_mapper *mapper;
  vptr__event *event = NULL;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess && event_out == NULL)
    error = vptr__cuda_null_output(call, "event");
  if (error != cudaSuccess)
    return error;
  memcpy(&name, handle, sizeof name);
  if (name.process == getpid()) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the event is this process's own", call);
    return cudaErrorDeviceUninitialized;
  }
  error = vptr__cuda_from_status(vptr__event_create(mapper, cudaEventInterprocess | cudaEventDisableTiming, &event));
  if (error != cudaSuccess)
    return error;
  error = vptr__cuda_from_status(vptr__shared_event_open(&name, event));
  if (error == cudaSuccess)
    *event_out = (cudaEvent_t)event;
  else
    vptr__pool_event_destroy(event);
  return error;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return vptr__cuda_record(get_event(handle, event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return vptr__cuda_record(open_event(event, &handle));
}

/* ---- memory --------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(vptr__shared_memory_name) <= sizeof(cudaIpcMemHandle_t), "it has to fit");

static cudaError_t find_mapper(const char *call, vptr_mapper **mapper_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = vptr__cuda_current_mapper(mapper_out);
  if (error != cudaSuccess || vptr__virtual_range_is_possible(*mapper_out))
    return error;
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: OpenCL shares no memory between processes, and this device's memory is not the host's", call);
  return cudaErrorNotSupported;
}

static cudaError_t get_memory(cudaIpcMemHandle_t *handle, const void *ptr) {
  static const char call[] = "cudaIpcGetMemHandle";
  vptr__shared_memory_name name;
  vptr_mapper *mapper;
  cudaError_t error = find_mapper(call, &mapper);
  if (error == cudaSuccess && handle == NULL)
    error = vptr__cuda_null_output(call, "handle");
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__shared_memory_tell(call, ptr, &name));
  if (error != cudaSuccess)
    return error;
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
  return cudaSuccess;
}

/* As in CUDA, not by the process whose memory it is. */
static cudaError_t open_memory(void **ptr_out, const cudaIpcMemHandle_t *handle, unsigned flags) {
  static const char call[] = "cudaIpcOpenMemHandle";
  vptr__shared_memory_name name;
  vptr_mapper *mapper;
  cudaError_t error = find_mapper(call, &mapper);
  if (error == cudaSuccess && ptr_out == NULL)
    error = vptr__cuda_null_output(call, "devPtr");
  if (error != cudaSuccess)
    return error;
  if (flags > cudaIpcMemLazyEnablePeerAccess) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are cudaIpcMemLazyEnablePeerAccess or 0, and not %u", call,
                flags);
    return cudaErrorInvalidValue;
  }
  memcpy(&name, handle, sizeof name);
  if (name.process == getpid()) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the memory is this process's own", call);
    return cudaErrorDeviceUninitialized;
  }
  return vptr__cuda_from_status(vptr__shared_memory_open(mapper, &name, ptr_out));
}

static cudaError_t close_memory(void *ptr) {
  vptr_mapper *mapper;
  cudaError_t error = find_mapper("cudaIpcCloseMemHandle", &mapper);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__shared_memory_close(ptr)) : error;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr) {
  return vptr__cuda_record(get_memory(handle, devPtr));
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
  return vptr__cuda_record(open_memory(devPtr, &handle, flags));
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr) {
  return vptr__cuda_record(close_memory(devPtr));
}

/* ---- pools ---------------------------------------------------------------------------------------------- */

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
