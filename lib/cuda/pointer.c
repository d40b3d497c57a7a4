/* SPDX-License-Identifier: MIT */
/*
 * pointer - what an address stands for, in CUDA's terms.
 *
 * Libraries that take any memory (MPI, UCX) ask this for every buffer that they are handed, host memory most of
 * all. So it is a look-up without words and without a lock, and it opens no device: an address is recognised by
 * the reservation it lies in, and where no mapper was made yet, there is no such address.
 */
#include "cuda/device.h"
#include "cuda/error.h"
#include "mapper/mapper.h"

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

static cudaError_t get_attributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (attributes == NULL)
    return vptr__cuda_null_output("cudaPointerGetAttributes", "attributes");
  vptr_location location;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner != NULL && vptr__mapper_locate(owner, ptr, 1, &location) == VPTR_SUCCESS)
    describe_device(attributes, ptr, location.device);
  else
    describe_host(attributes, ptr);
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  return vptr__cuda_record(get_attributes(attributes, ptr));
}
