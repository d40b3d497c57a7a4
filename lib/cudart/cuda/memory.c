/* SPDX-License-Identifier: MIT */
/*
 * memory - cudaMalloc(), cudaFree() and how much is left.
 *
 * Allocation and cudaMemGetInfo() go to the current device, cudaFree(), which takes managed memory too, to the device
 * that owns the address. cudaMalloc() asks the heap itself rather than vptr_malloc(), for the sake of reports: a trace
 * shall name the program's code that called cudaMalloc(), and not this file. On a full device it looks for modules that
 * were given up behind work in flight, and tries again. No data, no locks of its own: an allocation is the heap's,
 * under the heap's lock, of rank HEAP, or one of virtual/shared_memory.c's, under its lock, of rank LEAF. Called by
 * programs, by driver/memory.c, which allocates by the function of site.h, by ml/memory.c, which asks what is left, and
 * by cublas/legacy.c and tuning.c. cudaFree() waits for work of the device that may use the memory, and then looks for
 * failed asserts (lost.h).
 */
#include "base/option.h"
#include "base/error.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/managed.h"
#include "cuda/memory.h"
#include "cuda/site.h"
#include "cuda/stream.h"
#include "cuda/thread.h"
#include "graph/capture.h"
#include "mirror/address_index.h"
#include "mirror/resident_set.h"
#include "mapper/mapper.h"
#include "module/leaving.h"
#include "pinned/pinned.h"
#include "managed/managed.h"
#include "stream/stream.h"
#include "virtual/shared_memory.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* A module that was given up behind work in flight may be all that fills the device. */
static vptr_status allocate_bytes(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out) {
  if (vptr__option_flag(VPTR__OPTION_IPC) && vptr__shared_memory_is_wanted(mapper))
    return vptr__shared_memory_allocate(mapper, size, ptr_out);
  vptr_status status = vptr__mapper_allocate_for_program(mapper, size, site, ptr_out);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__leaving_look())
    status = vptr__mapper_allocate_for_program(mapper, size, site, ptr_out);
  return status;
}

/* CUDA stores NULL where there is no room, and programs that look at the pointer alone rely on it. */
static cudaError_t allocate_memory(void **devPtr, size_t size, const void *site) {
  vptr_mapper *mapper = vptr__cuda_at_hand();
  cudaError_t error = mapper != NULL ? cudaSuccess : vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (devPtr == NULL)
    return vptr__cuda_null_output("cudaMalloc", "devPtr");
  if (vptr__captures_any() && size > 0)
    error = vptr__capture_unsafe("cudaMalloc");
  if (error != cudaSuccess)
    return error;
  void *ptr = NULL;
  vptr_status status = size > 0 ? allocate_bytes(mapper, size, site, &ptr) : VPTR_SUCCESS;
  *devPtr = ptr;
  return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
}

/* As in CUDA, a free returns when the device's work is done, that of all streams and whatever it uses
 * (doc/decisions/2026-11-22-frees-wait.md).
 *
 * Only the start of a live allocation can be freed. Looking first costs a few nanoseconds and names cudaFree() in the
 * sentence; whether the memory may go now is vptr_free()'s to decide. */
static vptr_status check_start(vptr_mapper *mapper, const void *ptr) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(mapper, ptr, 1, &location);
  if (status == VPTR_SUCCESS && location.base != ptr && !vptr__shared_memory_begins_at(ptr))
    status = VPTR_ERROR_INTERIOR;
  if (status == VPTR_SUCCESS && location.kind == VPTR_KIND_ATTACHED && vptr__pinned_host_address(ptr) != NULL)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                       "cudaFree: %p is what the device calls pinned host memory; cudaFreeHost() the host address",
                       ptr);
  return status == VPTR_SUCCESS ? status : vptr__mapper_explain(mapper, status, "cudaFree", ptr, 1);
}

static cudaError_t release_managed(vptr_mapper *mapper, void *ptr) {
  vptr_status status = vptr__mapper_holds_frees(mapper) ? vptr__streams_drain(mapper) : VPTR_SUCCESS;
  cudaError_t error = status == VPTR_SUCCESS ? vptr__cuda_free_managed(ptr) : vptr__cuda_from_status(status);
  return vptr__cuda_poll_failure(error, mapper->device->ordinal);
}

static cudaError_t release_with_care(vptr_mapper *mapper, void *ptr) {
  vptr_status status = check_start(mapper, ptr);
  if (status == VPTR_SUCCESS && vptr__mapper_holds_frees(mapper))
    status = vptr__streams_drain(mapper);
  if (status == VPTR_SUCCESS && !vptr__shared_memory_free(ptr, &status))
    status = vptr_free(mapper, ptr);
  return vptr__cuda_from_status(status);
}

static cudaError_t free_memory(void *ptr) {
  cudaError_t error = vptr__cuda_at_hand() != NULL ? cudaSuccess : vptr__cuda_permitted();
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe("cudaFree"); /* of NULL, too */
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper = vptr__mapper_owning(ptr);
  vptr__managed_place place;
  vptr_status status;
  if (mapper != NULL && vptr__graph_memory_any() && vptr__graph_memory_free(ptr, NULL, &status))
    return vptr__cuda_poll_failure(vptr__cuda_from_status(status), mapper->device->ordinal);
  if (mapper == NULL && vptr__managed_find(ptr, &place))
    return release_managed(place.mapper, ptr);
  if (mapper == NULL && vptr__address_index_was(ptr))
    return vptr__cuda_free_managed(ptr);
  if (mapper == NULL) {
    error = vptr__cuda_current_mapper(&mapper);
    if (error != cudaSuccess || ptr == NULL)
      return error;
  }
  if (vptr__mapper_holds_frees(mapper) || !vptr__mapper_free_at_once(mapper, ptr))
    error = release_with_care(mapper, ptr);
  return vptr__cuda_poll_failure(error, mapper->device->ordinal);
}

/* What attached buffers take is the program's own use of the device, but nothing that vptr could count on: two
 * attachments may be one buffer. So only what vptr holds itself counts as used. */
cudaError_t vptr__cuda_memory_of(vptr_mapper *mapper, size_t *free, size_t *total) {
  vptr_stats stats = { .struct_size = sizeof stats };
  vptr_status status = vptr_get_stats(mapper, &stats);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  size_t used = stats.buffer_bytes - stats.idle_bytes + (size_t)vptr__resident_set_bytes(mapper->device) +
                vptr__cuda_array_bytes(mapper->device);
  if (free != NULL)
    *free = used < stats.device_bytes ? stats.device_bytes - used : 0;
  if (total != NULL)
    *total = stats.device_bytes;
  return cudaSuccess;
}

static cudaError_t get_info(size_t *free, size_t *total) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  return error == cudaSuccess ? vptr__cuda_memory_of(mapper, free, total) : error;
}

cudaError_t cudaMalloc(void **devPtr, size_t size) {
  return vptr__cuda_record(allocate_memory(devPtr, size, __builtin_return_address(0)));
}

cudaError_t vptr__cuda_malloc_at(void **ptr, size_t size, const void *site) {
  return vptr__cuda_record(allocate_memory(ptr, size, site));
}

cudaError_t cudaFree(void *devPtr) {
  return vptr__cuda_record(free_memory(devPtr));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return vptr__cuda_record(get_info(free, total));
}
