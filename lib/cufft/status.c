/* SPDX-License-Identifier: MIT */
/*
 * status - cufftGetVersion(), cufftGetProperty(), and what becomes of vptr's verdicts; see status.h.
 *
 * Constant; no locks. Called by programs; and by the other files of this folder, for what they return. Nothing blocks.
 */
#include "cufft/status.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

cufftResult vptr__fft_refuse(cufftResult result, const char *call, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, text);
  return result;
}

cufftResult vptr__fft_result_of(vptr_status status) {
  switch (status) {
  case VPTR_SUCCESS:
    return CUFFT_SUCCESS;
  case VPTR_ERROR_OUT_OF_DEVICE_MEMORY:
  case VPTR_ERROR_OUT_OF_HOST_MEMORY:
  case VPTR_ERROR_OUT_OF_ADDRESSES:
    return CUFFT_ALLOC_FAILED;
  case VPTR_ERROR_UNSUPPORTED:
    return CUFFT_NOT_SUPPORTED;
  default:
    return CUFFT_EXEC_FAILED;
  }
}

cufftResult cufftGetVersion(int *version) {
  if (version == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, "cufftGetVersion", "the output is NULL");
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = { CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH };
  if (type != MAJOR_VERSION && type != MINOR_VERSION && type != PATCH_LEVEL)
    return vptr__fft_refuse(CUFFT_INVALID_TYPE, "cufftGetProperty", "there is no property %d", (int)type);
  if (value == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, "cufftGetProperty", "the output is NULL");
  *value = parts[type];
  return CUFFT_SUCCESS;
}
