/* SPDX-License-Identifier: MIT */
/*
 * status - the version of cuSOLVER that this is, and statuses; see status.h.
 *
 * Constant; no locks. Called by programs; and by the other files of this folder, for what they return. Nothing blocks.
 */
#include "cusolver/status.h"

#include "base/error.h"

cusolverStatus_t vptr__solver_invalid(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t vptr__solver_status_of(vptr_status status) {
  switch (status) {
  case VPTR_SUCCESS:
    return CUSOLVER_STATUS_SUCCESS;
  case VPTR_ERROR_OUT_OF_DEVICE_MEMORY:
  case VPTR_ERROR_OUT_OF_HOST_MEMORY:
  case VPTR_ERROR_OUT_OF_ADDRESSES:
    return CUSOLVER_STATUS_ALLOC_FAILED;
  case VPTR_ERROR_UNSUPPORTED:
    return CUSOLVER_STATUS_ARCH_MISMATCH;
  default:
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

cusolverStatus_t vptr__solver_status_of_blas(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return CUSOLVER_STATUS_SUCCESS;
  case CUBLAS_STATUS_ALLOC_FAILED:
    return CUSOLVER_STATUS_ALLOC_FAILED;
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  case CUBLAS_STATUS_ARCH_MISMATCH:
    return CUSOLVER_STATUS_ARCH_MISMATCH;
  default:
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = { CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH };
  if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return vptr__solver_invalid("cusolverGetProperty",
                                value == NULL ? "the output is NULL" : "there is no such property");
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version) {
  if (version == NULL)
    return vptr__solver_invalid("cusolverGetVersion", "the output is NULL");
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
