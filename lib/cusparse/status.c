/* SPDX-License-Identifier: MIT */
/*
 * status - cusparseGetErrorName(), cusparseGetErrorString(), and the version; see status.h.
 *
 * Constant; no locks. Called by programs; and by the other files of this folder, for what they return. Nothing blocks.
 */
#include "cusparse/status.h"

#include "base/error.h"

typedef struct status_text {
  const char *name, *text;
} status_text;

#define STATUS(name, text) [CUSPARSE_STATUS_##name] = { "CUSPARSE_STATUS_" #name, text }
static const status_text texts[] = {
  STATUS(SUCCESS, "the call succeeded"),
  STATUS(NOT_INITIALIZED, "the library, or the handle, was not initialized"),
  STATUS(ALLOC_FAILED, "memory could not be allocated"),
  STATUS(INVALID_VALUE, "an argument has a value that is not allowed"),
  STATUS(ARCH_MISMATCH, "the device lacks what this function needs"),
  STATUS(MAPPING_ERROR, "device memory could not be reached"),
  STATUS(EXECUTION_FAILED, "a kernel could not be sent, or failed"),
  STATUS(INTERNAL_ERROR, "an operation inside of the library failed"),
  STATUS(MATRIX_TYPE_NOT_SUPPORTED, "the function has no such type of matrix"),
  STATUS(ZERO_PIVOT, "a diagonal entry is missing or zero"),
  STATUS(NOT_SUPPORTED, "what was asked for is not supported"),
  STATUS(INSUFFICIENT_RESOURCES, "memory or other resources do not suffice for this algorithm"),
};

static const status_text *find_text(cusparseStatus_t status) {
  return (size_t)status < sizeof texts / sizeof *texts ? &texts[status] : NULL;
}

const char *cusparseGetErrorName(cusparseStatus_t status) {
  const status_text *found = find_text(status);
  return found != NULL ? found->name : "unknown cusparseStatus_t";
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
  const status_text *found = find_text(status);
  return found != NULL ? found->text : "there is no such status";
}

cusparseStatus_t vptr__sparse_invalid(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t vptr__sparse_status_of(vptr_status status) {
  switch (status) {
  case VPTR_SUCCESS:
    return CUSPARSE_STATUS_SUCCESS;
  case VPTR_ERROR_OUT_OF_DEVICE_MEMORY:
  case VPTR_ERROR_OUT_OF_HOST_MEMORY:
  case VPTR_ERROR_OUT_OF_ADDRESSES:
    return CUSPARSE_STATUS_ALLOC_FAILED;
  case VPTR_ERROR_UNSUPPORTED:
    return CUSPARSE_STATUS_ARCH_MISMATCH;
  default:
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = { CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH };
  if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return vptr__sparse_invalid("cusparseGetProperty",
                                value == NULL ? "the output is NULL" : "there is no such property");
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
