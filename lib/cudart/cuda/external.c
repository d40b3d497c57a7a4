/* SPDX-License-Identifier: MIT */
/*
 * external - memory of a descriptor, mapped, where device memory is the host's: cudaImportExternalMemory() and its kin.
 *
 * What is imported is a physical's handle (virtual/physical.h), and what is mapped an allocation over its file
 * (virtual/shared_memory.h), which cudaFree() ends. No table of functions is exported.
 *
 * The static `memories` has the list of what is imported, and its lock, of rank LEAF, guards it; nothing is called
 * under it. An object is freed when the program destroys it, while no other thread may use it. Called by programs, and
 * by driver/external.c. It waits for the system alone.
 */
#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "mapper/mapper.h"
#include "virtual/physical.h"
#include "virtual/shared_memory.h"
#include "virtual/virtual_range.h"

#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime_api.h>

struct CUexternalMemory_st {
  struct CUexternalMemory_st *next;
  vptr_mapper *mapper;
  uint64_t handle;
  uint64_t bytes; /* that the program may map */
};

static struct {
  vptr__lock lock;
  cudaExternalMemory_t first;
} memories = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- the list ------------------------------------------------------------------------------------------- */

static void enter(cudaExternalMemory_t it) {
  vptr__lock_take(&memories.lock);
  it->next = memories.first;
  memories.first = it;
  vptr__lock_give(&memories.lock);
}

/* Under the lock: where the list has it, or its end. */
static cudaExternalMemory_t *place_of(cudaExternalMemory_t it) {
  cudaExternalMemory_t *place = &memories.first;
  while (*place != NULL && *place != it)
    place = &(*place)->next;
  return place;
}

static cudaError_t find(const char *call, cudaExternalMemory_t handle, bool takes_out) {
  vptr__lock_take(&memories.lock);
  cudaExternalMemory_t *place = place_of(handle);
  const bool is_there = handle != NULL && *place == handle;
  if (is_there && takes_out)
    *place = handle->next;
  vptr__lock_give(&memories.lock);
  if (is_there)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no external memory: it was destroyed, or never imported", call,
              (void *)handle);
  return cudaErrorInvalidResourceHandle;
}

/* ---- importing ------------------------------------------------------------------------------------------ */

static cudaError_t refuse(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

static cudaError_t refuse_device(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s", call, why);
  return cudaErrorNotSupported;
}

static cudaError_t check_handle(const char *call, vptr_mapper *mapper,
                                const struct cudaExternalMemoryHandleDesc *from) {
  struct stat about;
  if (from->type != cudaExternalMemoryHandleTypeOpaqueFd)
    return refuse_device(call, "OpenCL names no memory to graphics: only cudaExternalMemoryHandleTypeOpaqueFd, of "
                               "cuMemExportToShareableHandle(), can be imported");
  if (!vptr__virtual_range_is_possible(mapper))
    return refuse_device(call, "this device's memory is not the host's, and its driver has no descriptor for it");
  if ((from->flags & ~(unsigned)cudaExternalMemoryDedicated) != 0)
    return refuse(call, "flags are cudaExternalMemoryDedicated or 0");
  if (from->size == 0 || fstat(from->handle.fd, &about) != 0 || from->size > (uint64_t)about.st_size)
    return refuse(call, "size is 0, or more than the descriptor has");
  return cudaSuccess;
}

static cudaError_t import_memory(cudaExternalMemory_t *out, const struct cudaExternalMemoryHandleDesc *from) {
  static const char call[] = "cudaImportExternalMemory";
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess && (out == NULL || from == NULL))
    error = refuse(call, "the output or the description is NULL");
  if (error == cudaSuccess)
    error = check_handle(call, mapper, from);
  if (error != cudaSuccess)
    return error;
  cudaExternalMemory_t it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *it));
  *it = (struct CUexternalMemory_st){ .mapper = mapper, .bytes = from->size };
  vptr_status status = vptr__physical_import(mapper->device->ordinal, from->handle.fd, &it->handle);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(it);
    return vptr__cuda_from_status(status);
  }
  close(from->handle.fd); /* which is the library's now, and the handle has its own */
  enter(it);
  *out = it;
  return cudaSuccess;
}

/* ---- mapping and ending --------------------------------------------------------------------------------- */

static cudaError_t map_buffer(void **ptr_out, cudaExternalMemory_t memory,
                              const struct cudaExternalMemoryBufferDesc *from) {
  static const char call[] = "cudaExternalMemoryGetMappedBuffer";
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && (ptr_out == NULL || from == NULL))
    error = refuse(call, "the output or the description is NULL");
  if (error == cudaSuccess)
    error = find(call, memory, false);
  if (error != cudaSuccess)
    return error;
  if (from->flags != 0 || from->size == 0 || from->size > memory->bytes || from->offset > memory->bytes - from->size)
    return refuse(call, "flags are not 0, or the part is not within what was imported");
  return vptr__cuda_from_status(
      vptr__shared_memory_map(memory->mapper, memory->handle, from->offset, from->size, ptr_out));
}

static cudaError_t destroy(cudaExternalMemory_t memory) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = find("cudaDestroyExternalMemory", memory, true);
  if (error != cudaSuccess)
    return error;
  vptr__physical_release(memory->handle);
  vptr__memory_free(memory);
  return cudaSuccess;
}

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *extMem_out,
                                     const struct cudaExternalMemoryHandleDesc *memHandleDesc) {
  return vptr__cuda_record(import_memory(extMem_out, memHandleDesc));
}

cudaError_t cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t extMem,
                                              const struct cudaExternalMemoryBufferDesc *bufferDesc) {
  return vptr__cuda_record(map_buffer(devPtr, extMem, bufferDesc));
}

cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem) {
  return vptr__cuda_record(destroy(extMem));
}

/* ---- tables --------------------------------------------------------------------------------------------- */

cudaError_t cudaGetExportTable(const void **ppExportTable, const cudaUUID_t *pExportTableId) {
  (void)ppExportTable, (void)pExportTableId;
  return vptr__cuda_record(
      refuse("cudaGetExportTable", "no table has that name: what NVIDIA's have is documented nowhere"));
}
