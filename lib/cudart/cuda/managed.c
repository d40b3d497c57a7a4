/* SPDX-License-Identifier: MIT */
/*
 * managed - cudaMallocManaged(), and the end of such memory (managed.h).
 *
 * There is no data and no lock here; the memory is managed/managed.c's, whose head names the locks, and what was said
 * about it advice.c's, under its static `lock`, of rank LEAF. Called by programs; by memory.c for cudaFree(); by
 * reset.c, which frees all; by driver/memory.c; and by the loader, which has vptr__cuda_advice_forget() hear of each
 * free of managed memory. To free waits for the work that uses the memory; to allocate may wait for the driver to pin.
 * driver/memory.c allocates by the function of site.h.
 */
#include "cuda/managed.h"

#include "base/error.h"
#include "cuda/advice.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/site.h"
#include "graph/capture.h"
#include "mapper/ledger.h"
#include "managed/managed.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* As of other memory, CUDA stores NULL where none is given, and looks at nothing else where no bytes are wanted. */
static cudaError_t allocate_managed(void **ptr, size_t size, unsigned flags, const void *site) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (ptr == NULL)
    return vptr__cuda_null_output("cudaMallocManaged", "devPtr");
  *ptr = NULL;
  if (size == 0)
    return cudaSuccess;
  if (vptr__captures_any())
    error = vptr__capture_unsafe("cudaMallocManaged");
  if (error != cudaSuccess)
    return error;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaMallocManaged: flags are 0x%x, and can be cudaMemAttachGlobal or cudaMemAttachHost", flags);
    return cudaErrorInvalidValue;
  }
  void *made = NULL;
  vptr_status status = vptr__managed_allocate(mapper, size, &made);
  if (made != NULL)
    vptr__ledger_enter(VPTR__LEDGER_MANAGED, mapper, made, size, site);
  *ptr = made;
  return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
}

cudaError_t vptr__cuda_free_managed(void *ptr) {
  return vptr__cuda_from_status(vptr__managed_free(ptr));
}

void vptr__cuda_clear_managed(const vptr_mapper *mapper) {
  vptr__managed_clear(mapper);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
  return vptr__cuda_record(allocate_managed(devPtr, size, flags, __builtin_return_address(0)));
}

cudaError_t vptr__cuda_malloc_managed_at(void **ptr, size_t size, unsigned flags, const void *site) {
  return vptr__cuda_record(allocate_managed(ptr, size, flags, site));
}

/* vptr_usm_free() frees managed memory too, and knows nothing of advice. */
__attribute__((constructor)) static void watch_managed_frees(void) {
  vptr__managed_watch_frees(vptr__cuda_advice_forget);
}
