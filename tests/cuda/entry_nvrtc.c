/* SPDX-License-Identifier: MIT */
/* entry_nvrtc - rows of run-time compilation. */
#include "entry.h"

#include <nvrtc.h>
#include <stdlib.h>

static void supported(void) {
  int major = 0, minor = -1, count = 0, architectures[256] = { 0 };
  ENTRY_HOLDS(nvrtcGetErrorString,
              strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
  ENTRY(nvrtcVersion, (&major, &minor), NVRTC_SUCCESS, major >= 12 && minor >= 0, (NULL, &minor),
        NVRTC_ERROR_INVALID_INPUT);
  ENTRY(nvrtcGetNumSupportedArchs, (&count), NVRTC_SUCCESS, count > 0 && count <= 256, (NULL),
        NVRTC_ERROR_INVALID_INPUT);
  ENTRY(nvrtcGetSupportedArchs, (architectures), NVRTC_SUCCESS, architectures[count - 1] > 0, (NULL),
        NVRTC_ERROR_INVALID_INPUT);
}

/* Images for NVIDIA's devices: there are none. */
static void no_images(nvrtcProgram program) {
  size_t size = 99;
  char image[16] = "";
  const nvrtcResult refused = NVRTC_ERROR_INVALID_INPUT;
  ENTRY(nvrtcGetCUBINSize, (program, &size), NVRTC_SUCCESS, size == 0, (program, NULL), refused);
  ENTRY(nvrtcGetCUBIN, (program, image), NVRTC_SUCCESS, image[0] == '\0', (NULL, image), NVRTC_ERROR_INVALID_PROGRAM);
  size = 99;
  ENTRY(nvrtcGetLTOIRSize, (program, &size), NVRTC_SUCCESS, size == 0, (program, NULL), refused);
  ENTRY(nvrtcGetLTOIR, (program, image), NVRTC_SUCCESS, image[0] == '\0', (NULL, image), NVRTC_ERROR_INVALID_PROGRAM);
  size = 99;
  ENTRY(nvrtcGetOptiXIRSize, (program, &size), NVRTC_SUCCESS, size == 0, (program, NULL), refused);
  ENTRY(nvrtcGetOptiXIR, (program, image), NVRTC_SUCCESS, image[0] == '\0', (NULL, image),
        NVRTC_ERROR_INVALID_PROGRAM);
}

void entry_nvrtc(void) {
  nvrtcProgram program = NULL, none = NULL;
  size_t size = 0;
  const char *lowered = NULL, *const text = "namespace a { __global__ void set(int *x) { *x = 1; } }\n";
  supported();
  ENTRY(nvrtcCreateProgram, (&program, text, "set.cu", 0, NULL, NULL), NVRTC_SUCCESS, program != NULL,
        (&none, NULL, "set.cu", 0, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
  ENTRY(nvrtcAddNameExpression, (program, "a::set"), NVRTC_SUCCESS, 1, (program, NULL), NVRTC_ERROR_INVALID_INPUT);
  ENTRY(nvrtcCompileProgram, (program, 0, NULL), NVRTC_SUCCESS, 1, (NULL, 0, NULL), NVRTC_ERROR_INVALID_PROGRAM);
  ENTRY(nvrtcGetLoweredName, (program, "a::set", &lowered), NVRTC_SUCCESS, strstr(lowered, "set") != NULL,
        (program, "a::other", &lowered), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  ENTRY(nvrtcGetProgramLogSize, (program, &size), NVRTC_SUCCESS, size >= 1, (program, NULL),
        NVRTC_ERROR_INVALID_INPUT);
  char *log = calloc(size, 1);
  NEED(log != NULL);
  ENTRY(nvrtcGetProgramLog, (program, log), NVRTC_SUCCESS, strlen(log) == size - 1, (program, NULL),
        NVRTC_ERROR_INVALID_INPUT);
  free(log);
  ENTRY(nvrtcGetPTXSize, (program, &size), NVRTC_SUCCESS, size > 1, (program, NULL), NVRTC_ERROR_INVALID_INPUT);
  char *image = calloc(size, 1);
  NEED(image != NULL);
  ENTRY(nvrtcGetPTX, (program, image), NVRTC_SUCCESS, strlen(image) == size - 1, (program, NULL),
        NVRTC_ERROR_INVALID_INPUT);
  free(image);
  no_images(program);
  ENTRY(nvrtcDestroyProgram, (&program), NVRTC_SUCCESS, program == NULL, (NULL), NVRTC_ERROR_INVALID_PROGRAM);
}
