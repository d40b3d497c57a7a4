/* SPDX-License-Identifier: MIT */
/*
 * status - the version of cuRAND that this is, and statuses; see status.h.
 *
 * Constant; no locks. Called by programs; and by call.c, discrete.c, generator.c and table.c, for what they return.
 * Nothing blocks.
 */
#include "curand/status.h"

#include "base/error.h"

curandStatus_t vptr__rand_status_of(vptr_status status) {
  switch (status) {
  case VPTR_SUCCESS:
    return CURAND_STATUS_SUCCESS;
  case VPTR_ERROR_OUT_OF_DEVICE_MEMORY:
  case VPTR_ERROR_OUT_OF_HOST_MEMORY:
  case VPTR_ERROR_OUT_OF_ADDRESSES:
    return CURAND_STATUS_ALLOCATION_FAILED;
  case VPTR_ERROR_UNSUPPORTED:
    return CURAND_STATUS_ARCH_MISMATCH;
  default:
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

curandStatus_t curandGetVersion(int *version) {
  if (version == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "curandGetVersion: there is no place for the version");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = { CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH };
  if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "curandGetProperty: %s",
                value == NULL ? "there is no place for the value" : "there is no such property");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}
