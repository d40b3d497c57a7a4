/* SPDX-License-Identifier: MIT */
/*
 * version - what does not depend on a program: versions, architectures, names of errors.
 *
 * The tables are constant, so there is no lock. Called by programs alone. Nothing blocks.
 */
#include <string.h>

#include <vptr/cuda/nvrtc.h>

static const int architectures[] = { 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121 };

static const char *const names[] = {
  [NVRTC_SUCCESS] = "NVRTC_SUCCESS",
  [NVRTC_ERROR_OUT_OF_MEMORY] = "NVRTC_ERROR_OUT_OF_MEMORY",
  [NVRTC_ERROR_PROGRAM_CREATION_FAILURE] = "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
  [NVRTC_ERROR_INVALID_INPUT] = "NVRTC_ERROR_INVALID_INPUT",
  [NVRTC_ERROR_INVALID_PROGRAM] = "NVRTC_ERROR_INVALID_PROGRAM",
  [NVRTC_ERROR_INVALID_OPTION] = "NVRTC_ERROR_INVALID_OPTION",
  [NVRTC_ERROR_COMPILATION] = "NVRTC_ERROR_COMPILATION",
  [NVRTC_ERROR_BUILTIN_OPERATION_FAILURE] = "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
  [NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION] = "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
  [NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION] = "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
  [NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID] = "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
  [NVRTC_ERROR_INTERNAL_ERROR] = "NVRTC_ERROR_INTERNAL_ERROR",
  [NVRTC_ERROR_TIME_FILE_WRITE_FAILED] = "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
  [NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED] = "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
  [NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED] = "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
  [NVRTC_ERROR_PCH_CREATE] = "NVRTC_ERROR_PCH_CREATE",
  [NVRTC_ERROR_CANCELLED] = "NVRTC_ERROR_CANCELLED",
  [NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED] = "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
};

const char *nvrtcGetErrorString(nvrtcResult result) {
  size_t value = (size_t)result;
  return value < sizeof names / sizeof *names ? names[value] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (major == NULL || minor == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs) {
  if (numArchs == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = (int)(sizeof architectures / sizeof *architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs) {
  if (supportedArchs == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  memcpy(supportedArchs, architectures, sizeof architectures);
  return NVRTC_SUCCESS;
}
