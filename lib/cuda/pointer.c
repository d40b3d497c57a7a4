/* SPDX-License-Identifier: MIT */
/*
 * pointer - what an address stands for, in CUDA's terms.
 *
 * Libraries that take any memory (MPI, UCX) ask this for every buffer that they are handed, host memory most of
 * all. So it is a look-up without words and without a lock, and it opens no device: an address is recognised by
 * the reservation it lies in, and where no mapper was made yet, there is no such address. Pinned memory is recognised by
 * its region. Only the device address of pinned memory needs a lock, to find the way back to the host's.
 */
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/managed.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"

#include <vptr/cuda/cuda_runtime_api.h>

static void describe_host(struct cudaPointerAttributes *attributes, const void *ptr) {
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = cudaInvalidDeviceId;
  attributes->devicePointer = NULL;
  attributes->hostPointer = (void *)(uintptr_t)ptr;
}

/* A device that vptr_config named and that is none of the chosen ones has no ordinal. */
static void describe_device(struct cudaPointerAttributes *attributes, const void *ptr, int ordinal) {
  attributes->type = cudaMemoryTypeDevice;
  attributes->device = ordinal >= 0 ? ordinal : cudaInvalidDeviceId;
  attributes->devicePointer = (void *)(uintptr_t)ptr;
  attributes->hostPointer = NULL;
}

/* Pinned memory has a device address only after somebody asked for it: cudaHostGetDevicePointer(). */
static void describe_pinned(struct cudaPointerAttributes *attributes, const void *ptr,
                            const vptr__pinned_place *place) {
  void *device = NULL;
  if (place->has_device_address && vptr__pinned_device_address(ptr, &device) != VPTR_SUCCESS)
    device = NULL;
  if (vptr__cuda_is_managed(place))
    device = (void *)(uintptr_t)ptr;
  attributes->type = vptr__cuda_is_managed(place) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
  attributes->device = place->mapper->device->ordinal;
  attributes->devicePointer = device;
  attributes->hostPointer = (void *)(uintptr_t)ptr;
}

/* An address of no mapper's. */
static void describe_other(struct cudaPointerAttributes *attributes, const void *ptr) {
  vptr__pinned_place place = vptr__pinned_find(ptr);
  if (place.kind != VPTR__PINNED_NONE)
    describe_pinned(attributes, ptr, &place);
  else
    describe_host(attributes, ptr);
}

/* Attached memory may be the host's own. */
static void describe_attached(struct cudaPointerAttributes *attributes, const void *ptr, int ordinal) {
  void *host = vptr__pinned_host_address(ptr);
  describe_device(attributes, ptr, ordinal);
  if (host == NULL)
    return;
  attributes->type = cudaMemoryTypeHost;
  attributes->hostPointer = host;
}

static cudaError_t get_attributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (attributes == NULL)
    return vptr__cuda_null_output("cudaPointerGetAttributes", "attributes");
  vptr_location location;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    describe_other(attributes, ptr);
  else if (vptr__mapper_locate(owner, ptr, 1, &location) != VPTR_SUCCESS)
    describe_host(attributes, ptr);
  else if (location.kind == VPTR_KIND_ATTACHED)
    describe_attached(attributes, ptr, location.device);
  else
    describe_device(attributes, ptr, location.device);
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  return vptr__cuda_record(get_attributes(attributes, ptr));
}
