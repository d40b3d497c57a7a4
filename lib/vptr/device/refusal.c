/* SPDX-License-Identifier: MIT */
/*
 * refusal - the status and the words for a buffer or an image that cannot be made.
 *
 * Drivers tell "no room" in many ways: the code differs between creating a buffer and committing it, and
 * CL_OUT_OF_HOST_MEMORY of a CPU device means the memory that the device has. For a caller there are two questions
 * only: would it help to free something (OUT_OF_DEVICE_MEMORY), or can this size never be had (INVALID_SIZE)? The two
 * kinds of device share this file, so that the heap meets the same answers on both.
 *
 * No data, no locks. Called by opencl_buffer.c, opencl_span.c, opencl_image.c and fake.c, when a buffer or an image was
 * refused, and before, about a size that can never be had.
 */
#include "device/device.h"

#include "base/error.h"

static bool means_no_room(cl_int code) {
  switch (code) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES:
  case CL_OUT_OF_HOST_MEMORY:
    return true;
  default:
    return false;
  }
}

vptr_status vptr__device_refuse(const vptr__device *device, cl_int code, size_t bytes) {
  if (code == CL_INVALID_BUFFER_SIZE) {
    vptr__error_cl(code, "%s takes no buffer of %zu bytes: one buffer may have %llu; ask for less, in parts",
                   device->name, bytes, (unsigned long long)device->max_buffer_bytes);
    return VPTR_ERROR_INVALID_SIZE;
  }
  if (means_no_room(code)) {
    vptr__error_cl(code, "%s has no room for a buffer of %zu bytes (memory in all: %llu); free something first",
                   device->name, bytes, (unsigned long long)device->memory_bytes);
    return VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  return vptr__error_cl(code, "making a buffer of %zu bytes on %s", bytes, device->name);
}

vptr_status vptr__device_refuse_full(const vptr__device *device, size_t bytes, uint64_t used) {
  return vptr__error_cl(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        "%s has no room for a buffer of %zu bytes (%llu of %llu are in use); free something first",
                        device->name, bytes, (unsigned long long)used, (unsigned long long)device->memory_bytes);
}

vptr_status vptr__device_check_size(const vptr__device *device, size_t bytes) {
  if (bytes > device->memory_bytes)
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "%zu bytes are more than %s has (%llu); ask for less", bytes,
                       device->name, (unsigned long long)device->memory_bytes);
  if (device->quirk.trusts_max_buffer && bytes > device->max_buffer_bytes)
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%zu bytes are more than one buffer of %s may have (%llu); ask for less, in parts", bytes,
                       device->name, (unsigned long long)device->max_buffer_bytes);
  return VPTR_SUCCESS;
}
