/* SPDX-License-Identifier: MIT */
/* managed - see managed.h. */
#include "cuda/managed.h"

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "module/variable.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { IS_MANAGED = 8 /* among the flags of pinned memory; CUDA's own for it are below */ };

bool vptr__cuda_is_managed(const vptr__pinned_place *place) {
  return place->kind == VPTR__PINNED_OURS && (place->flags & IS_MANAGED) != 0;
}

/* Makes memory reachable to kernels: in place if the device can, else by copies. */
static vptr_status introduce(vptr_mapper *mapper, void *host, size_t size, const void *site) {
  void *device;
  const vptr__variable variable = {
    .key = host, .name = "memory of cudaMallocManaged()", .size = size, .site = site, .is_managed = true
  };
  vptr__error_try();
  bool in_place = mapper->device->host_unified && vptr__pinned_device_address(host, &device) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return in_place ? VPTR_SUCCESS : vptr__variable_register(&variable);
}

static vptr_status make(vptr_mapper *mapper, size_t size, const void *site, void **host_out) {
  void *host;
  vptr_status status = vptr__pinned_allocate(mapper, size, IS_MANAGED, &host);
  if (status != VPTR_SUCCESS)
    return status;
  status = introduce(mapper, host, size, site);
  if (status != VPTR_SUCCESS) {
    vptr__pinned_free(host);
    return status;
  }
  *host_out = host;
  return VPTR_SUCCESS;
}

static cudaError_t allocate(void **ptr, size_t size, unsigned flags, const void *site) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (ptr == NULL)
    return vptr__cuda_null_output("cudaMallocManaged", "devPtr");
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaMallocManaged: flags are 0x%x, and can be cudaMemAttachGlobal or cudaMemAttachHost", flags);
    return cudaErrorInvalidValue;
  }
  void *made = NULL;
  vptr_status status = size > 0 ? make(mapper, size, site, &made) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    *ptr = made;
  return status == VPTR_ERROR_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
}

/* Forgotten first, so that whoever gets the address next can be known by it; and known again if it could not be freed. */
cudaError_t vptr__cuda_free_managed(void *ptr) {
  vptr__variable variable;
  bool is_copied = vptr__variable_find(ptr, &variable);
  if (is_copied) {
    variable.places = NULL;
    variable.place_count = 0;
    vptr__variable_forget(ptr);
  }
  vptr_status status = vptr__pinned_free(ptr);
  if (status != VPTR_SUCCESS && is_copied)
    vptr__variable_register(&variable);
  return vptr__cuda_from_status(status);
}

/* ---- reset ---------------------------------------------------------------------------------------------- */

static bool is_of(const vptr__variable *variable, void *context) {
  vptr__pinned_place place = vptr__pinned_find(variable->key);
  return vptr__cuda_is_managed(&place) && place.mapper == context;
}

void vptr__cuda_forget_managed(const vptr_mapper *mapper) {
  const void *key;
  while ((key = vptr__variable_find_if(is_of, (void *)(uintptr_t)mapper)) != NULL)
    vptr__variable_forget(key);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
  return vptr__cuda_record(allocate(devPtr, size, flags, __builtin_return_address(0)));
}
