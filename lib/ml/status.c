/* SPDX-License-Identifier: MIT */
/*
 * status - see status.h.
 *
 * Constant; no locks. Called by programs, for texts; and by the files of lib/ml, for what they return. Nothing blocks.
 */
#include "ml/status.h"

#include <string.h>

#include "base/error.h"

nvmlReturn_t vptr__ml_invalid(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t vptr__ml_not_told(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL does not tell %s", call, what);
  return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t vptr__ml_return_of(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return NVML_SUCCESS;
  case cudaErrorNoDevice:
    return NVML_ERROR_DRIVER_NOT_LOADED;
  case cudaErrorMemoryAllocation:
    return NVML_ERROR_MEMORY;
  default:
    return NVML_ERROR_UNKNOWN;
  }
}

nvmlReturn_t vptr__ml_put_text(const char *call, const char *text, char *place, unsigned length) {
  size_t size = strlen(text) + 1;
  if (size > length) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is room for %u bytes, and the text takes %zu", call, length,
                size);
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  memcpy(place, text, size);
  return NVML_SUCCESS;
}

const char *nvmlErrorString(nvmlReturn_t result) {
  static const char *const texts[] = {
    [NVML_SUCCESS] = "Success",
    [NVML_ERROR_UNINITIALIZED] = "Uninitialized",
    [NVML_ERROR_INVALID_ARGUMENT] = "Invalid Argument",
    [NVML_ERROR_NOT_SUPPORTED] = "Not Supported",
    [NVML_ERROR_NO_PERMISSION] = "Insufficient Permissions",
    [NVML_ERROR_ALREADY_INITIALIZED] = "Already Initialized",
    [NVML_ERROR_NOT_FOUND] = "Not Found",
    [NVML_ERROR_INSUFFICIENT_SIZE] = "Insufficient Size",
    [NVML_ERROR_INSUFFICIENT_POWER] = "Insufficient External Power",
    [NVML_ERROR_DRIVER_NOT_LOADED] = "Driver Not Loaded",
    [NVML_ERROR_TIMEOUT] = "Timeout",
    [NVML_ERROR_IRQ_ISSUE] = "Interrupt Request Issue",
    [NVML_ERROR_LIBRARY_NOT_FOUND] = "NVML Shared Library Not Found",
    [NVML_ERROR_FUNCTION_NOT_FOUND] = "Function Not Found",
    [NVML_ERROR_CORRUPTED_INFOROM] = "Corrupted infoROM",
    [NVML_ERROR_GPU_IS_LOST] = "GPU is lost",
    [NVML_ERROR_RESET_REQUIRED] = "GPU requires restart",
    [NVML_ERROR_OPERATING_SYSTEM] = "Blocked by the operating system",
    [NVML_ERROR_LIB_RM_VERSION_MISMATCH] = "Library and driver are of different versions",
    [NVML_ERROR_IN_USE] = "In use by another client",
    [NVML_ERROR_MEMORY] = "Insufficient Memory",
    [NVML_ERROR_NO_DATA] = "No data",
    [NVML_ERROR_VGPU_ECC_NOT_SUPPORTED] = "vGPU with ECC not supported",
    [NVML_ERROR_INSUFFICIENT_RESOURCES] = "Insufficient Resources",
    [NVML_ERROR_FREQ_NOT_SUPPORTED] = "Frequency not supported",
    [NVML_ERROR_ARGUMENT_VERSION_MISMATCH] = "The structure's version is not supported",
    [NVML_ERROR_DEPRECATED] = "Deprecated",
    [NVML_ERROR_NOT_READY] = "Not ready",
    [NVML_ERROR_GPU_NOT_FOUND] = "No GPU was found",
    [NVML_ERROR_INVALID_STATE] = "Invalid State",
  };
  unsigned number = (unsigned)result;
  return number < sizeof texts / sizeof *texts ? texts[number] : "Unknown Error";
}
