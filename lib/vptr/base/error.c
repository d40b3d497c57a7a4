/* SPDX-License-Identifier: MIT */
/*
 * error - keeps the last error of each thread, in words and as OpenCL's code (error.h).
 *
 * The sentence lives in thread-local storage of a fixed size: saying that memory has run out must not need any. The
 * default TLS model is used on purpose. initial-exec would save a call and would make the library unloadable by
 * dlopen() once the loader's small static reserve is spent. The data are `last`, `draft` and `attempts`, of each thread
 * its own, so there are no locks; and the constant table `code_names`. Called by programs, which ask for the last
 * sentence, and by the files of lib/vptr, lib/cudart, lib/driver, lib/cublas, lib/cufft, lib/curand, lib/cusparse,
 * lib/cusolver and lib/ml, which say one. Nothing blocks, but that a line may go to stderr.
 */
#include "base/error.h"
#include "base/hot.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SENTENCE_SIZE = 512 };

/* What the caller may be shown, and the draft of an attempt that is under way. */
typedef struct spoken {
  char sentence[SENTENCE_SIZE];
  cl_int code;
} spoken;

static _Thread_local spoken last, draft;
static _Thread_local int attempts; /* under way, one inside the other */

VPTR__HOT static spoken *current_error(void) {
  return attempts > 0 ? &draft : &last;
}

typedef struct code_name {
  cl_int code;
  const char *name;
} code_name;

/* Numbers rather than CL/cl.h's macros: the list holds codes of versions and extensions that the header of the build
 * machine may not know. */
static const code_name code_names[] = {
  { 0, "CL_SUCCESS" },
  { -1, "CL_DEVICE_NOT_FOUND" },
  { -2, "CL_DEVICE_NOT_AVAILABLE" },
  { -3, "CL_COMPILER_NOT_AVAILABLE" },
  { -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE" },
  { -5, "CL_OUT_OF_RESOURCES" },
  { -6, "CL_OUT_OF_HOST_MEMORY" },
  { -7, "CL_PROFILING_INFO_NOT_AVAILABLE" },
  { -8, "CL_MEM_COPY_OVERLAP" },
  { -9, "CL_IMAGE_FORMAT_MISMATCH" },
  { -10, "CL_IMAGE_FORMAT_NOT_SUPPORTED" },
  { -11, "CL_BUILD_PROGRAM_FAILURE" },
  { -12, "CL_MAP_FAILURE" },
  { -13, "CL_MISALIGNED_SUB_BUFFER_OFFSET" },
  { -14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST" },
  { -15, "CL_COMPILE_PROGRAM_FAILURE" },
  { -16, "CL_LINKER_NOT_AVAILABLE" },
  { -17, "CL_LINK_PROGRAM_FAILURE" },
  { -18, "CL_DEVICE_PARTITION_FAILED" },
  { -19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE" },
  { -30, "CL_INVALID_VALUE" },
  { -31, "CL_INVALID_DEVICE_TYPE" },
  { -32, "CL_INVALID_PLATFORM" },
  { -33, "CL_INVALID_DEVICE" },
  { -34, "CL_INVALID_CONTEXT" },
  { -35, "CL_INVALID_QUEUE_PROPERTIES" },
  { -36, "CL_INVALID_COMMAND_QUEUE" },
  { -37, "CL_INVALID_HOST_PTR" },
  { -38, "CL_INVALID_MEM_OBJECT" },
  { -39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR" },
  { -40, "CL_INVALID_IMAGE_SIZE" },
  { -41, "CL_INVALID_SAMPLER" },
  { -42, "CL_INVALID_BINARY" },
  { -43, "CL_INVALID_BUILD_OPTIONS" },
  { -44, "CL_INVALID_PROGRAM" },
  { -45, "CL_INVALID_PROGRAM_EXECUTABLE" },
  { -46, "CL_INVALID_KERNEL_NAME" },
  { -47, "CL_INVALID_KERNEL_DEFINITION" },
  { -48, "CL_INVALID_KERNEL" },
  { -49, "CL_INVALID_ARG_INDEX" },
  { -50, "CL_INVALID_ARG_VALUE" },
  { -51, "CL_INVALID_ARG_SIZE" },
  { -52, "CL_INVALID_KERNEL_ARGS" },
  { -53, "CL_INVALID_WORK_DIMENSION" },
  { -54, "CL_INVALID_WORK_GROUP_SIZE" },
  { -55, "CL_INVALID_WORK_ITEM_SIZE" },
  { -56, "CL_INVALID_GLOBAL_OFFSET" },
  { -57, "CL_INVALID_EVENT_WAIT_LIST" },
  { -58, "CL_INVALID_EVENT" },
  { -59, "CL_INVALID_OPERATION" },
  { -60, "CL_INVALID_GL_OBJECT" },
  { -61, "CL_INVALID_BUFFER_SIZE" },
  { -62, "CL_INVALID_MIP_LEVEL" },
  { -63, "CL_INVALID_GLOBAL_WORK_SIZE" },
  { -64, "CL_INVALID_PROPERTY" },
  { -65, "CL_INVALID_IMAGE_DESCRIPTOR" },
  { -66, "CL_INVALID_COMPILER_OPTIONS" },
  { -67, "CL_INVALID_LINKER_OPTIONS" },
  { -68, "CL_INVALID_DEVICE_PARTITION_COUNT" },
  { -69, "CL_INVALID_PIPE_SIZE" },
  { -70, "CL_INVALID_DEVICE_QUEUE" },
  { -71, "CL_INVALID_SPEC_ID" },
  { -72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED" },
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR" },
  { -9999, "illegal access in a kernel (NVIDIA)" }, /* in no header; what NVIDIA's driver returns for it */
  /* CUDA's numbers, of what a kernel launched (cudart/module/child.c) */
  { -30001, "an argument of a kernel's launch of a kernel is no memory of the device" },
  { -30002, "no memory for a kernel's launch of a kernel" },
  { -30009, "a kernel launched a kernel with a grid, block or shared memory that it cannot have" },
  { -30065, "kernels launched kernels more than 24 levels deep" },
  { -30069, "a kernel launched more kernels than cudaLimitDevRuntimePendingLaunchCount" },
  { -30209, "a kernel that a kernel launched cannot be built for the device" },
  { -30801, "a kernel launched a kernel that only the host can launch" },
};

const char *vptr__cl_error_name(cl_int code) {
  for (size_t i = 0; i < sizeof code_names / sizeof *code_names; i++)
    if (code_names[i].code == code)
      return code_names[i].name;
  return "unknown OpenCL error";
}

/* Copied from a buffer of the caller's, never formatted in place: the new sentence may quote the last one. */
static void keep_sentence(const char *sentence) {
  memcpy(current_error()->sentence, sentence, SENTENCE_SIZE);
  if (attempts == 0)
    vptr__log(VPTR__LOG_ERROR, "%s", sentence);
}

vptr_status vptr__error(vptr_status status, const char *format, ...) {
  char sentence[SENTENCE_SIZE] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  keep_sentence(sentence);
  return status;
}

/* CL_OUT_OF_RESOURCES is not among them: drivers also return it for a kernel that crashed, and to call that "out of
 * memory" would send people the wrong way. */
static vptr_status status_of_code(cl_int code) {
  switch (code) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  case CL_OUT_OF_HOST_MEMORY:
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  default:
    return VPTR_ERROR_OPENCL;
  }
}

vptr_status vptr__error_cl(cl_int code, const char *format, ...) {
  char sentence[SENTENCE_SIZE] = "";
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (used >= 0 && used < SENTENCE_SIZE)
    snprintf(sentence + used, sizeof sentence - (size_t)used, ": %s (%d)", vptr__cl_error_name(code), (int)code);
  keep_sentence(sentence);
  current_error()->code = code;
  return status_of_code(code);
}

/* Transfers try, and there is mostly nothing to copy: no more than that. */
VPTR__HOT void vptr__error_try(void) {
  if (attempts++ > 0)
    return;
  draft.code = last.code;
  memcpy(draft.sentence, last.sentence, strlen(last.sentence) + 1);
}

VPTR__HOT vptr_status vptr__error_tried(vptr_status status) {
  if (--attempts > 0 || status == VPTR_SUCCESS)
    return status;
  last.code = draft.code;
  keep_sentence(draft.sentence);
  return status;
}

vptr_status vptr__error_host_memory(size_t size) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                     "the host has no memory for %zu bytes of vptr's own records; free some, or raise the limit "
                     "(ulimit -v, or that of the container)",
                     size);
}

const char *vptr_last_error(void) {
  return current_error()->sentence;
}

cl_int vptr_last_cl_error(void) {
  return current_error()->code;
}

bool vptr__error_is_tried(void) {
  return attempts > 0;
}
