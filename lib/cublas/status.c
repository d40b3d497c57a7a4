/* SPDX-License-Identifier: MIT */
/*
 * status - cublasGetStatusName(), cublasGetStatusString(), and the version; see status.h.
 *
 * Constant; no locks. Called by programs; and by the other files of this folder, for what they return. Nothing blocks.
 */
#include "cublas/status.h"

#include "base/error.h"

#include <stdio.h>

typedef struct status_text {
  cublasStatus_t status;
  const char *name, *text;
} status_text;

static const status_text texts[] = {
  { CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "the call succeeded" },
  { CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
    "the library, or the handle, was not initialized" },
  { CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "memory could not be allocated" },
  { CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument has a value that is not allowed" },
  { CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks what this function needs" },
  { CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "device memory could not be reached" },
  { CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel could not be sent, or failed" },
  { CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an operation inside of the library failed" },
  { CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "what was asked for is not supported" },
  { CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a licence was refused" },
};

static const status_text *find_status(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].status == status)
      return &texts[i];
  return NULL;
}

const char *cublasGetStatusName(cublasStatus_t status) {
  const status_text *found = find_status(status);
  return found != NULL ? found->name : "unknown cublasStatus_t";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  const status_text *found = find_status(status);
  return found != NULL ? found->text : "there is no such status";
}

cublasStatus_t vptr__blas_invalid(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t vptr__blas_status_of(vptr_status status) {
  switch (status) {
  case VPTR_SUCCESS:
    return CUBLAS_STATUS_SUCCESS;
  case VPTR_ERROR_OUT_OF_DEVICE_MEMORY:
  case VPTR_ERROR_OUT_OF_HOST_MEMORY:
  case VPTR_ERROR_OUT_OF_ADDRESSES:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case VPTR_ERROR_UNSUPPORTED:
    return CUBLAS_STATUS_ARCH_MISMATCH;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

/* ---- version ---------------------------------------------------------------------------------------------- */

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = { CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH };
  if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return vptr__blas_invalid("cublasGetProperty",
                              value == NULL ? "the output is NULL" : "there is no such property");
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

/* Any handle will do, or none. */
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
  (void)handle;
  if (version == NULL)
    return vptr__blas_invalid("cublasGetVersion", "the output is NULL");
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) {
  return 13000;
}

/* cuBLAS prints, too. */
void cublasXerbla(const char *srName, int info) {
  fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", srName, info);
}
