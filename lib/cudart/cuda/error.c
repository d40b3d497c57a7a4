/* SPDX-License-Identifier: MIT */
/*
 * error - the tables from verdicts and OpenCL codes to CUDA's errors, and the last error of a thread (error.h).
 *
 * Two constant tables do the translation: `statuses` for the verdicts, `codes` for the OpenCL codes behind
 * VPTR_ERROR_OPENCL. Addresses all become cudaErrorInvalidValue, for that is all CUDA ever says about them; the exact
 * verdict stays in words. No locks here: the last error is thread-local (vptr__cuda_mine, thread.h). When one is kept,
 * error_log.c is told, which takes its static `lock`, of rank LEAF, and calls functions of the program's, so no other
 * lock is held then. A code that may mean a device is lost has lost.c ask the device. Called by programs, by every file
 * of this folder that returns a cudaError_t, by the files of lib/cudart/replay, and by driver/result.c,
 * cudart/library/call.c, cusolver/call.c and transfer.c, and the files of lib/cublas, which translate on and take the
 * last error back. A call blocks only while no device has been found yet, which it looks for, and where lost.c has to
 * open the current device to ask it.
 */
#include "cuda/error.h"

#include "base/error.h"
#include "base/hot.h"
#include "cuda/error_log.h"
#include "cuda/error_text.h"
#include "cuda/lost.h"
#include "cuda/thread.h"
#include "device/device.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct translation {
  int from; /* a vptr_status, or an OpenCL code */
  cudaError_t to;
} translation;

static const translation statuses[] = {
  { VPTR_SUCCESS, cudaSuccess },
  { VPTR_ERROR_NULL_POINTER, cudaErrorInvalidValue },
  { VPTR_ERROR_UNKNOWN_ADDRESS, cudaErrorInvalidValue },
  { VPTR_ERROR_FREED, cudaErrorInvalidValue },
  { VPTR_ERROR_PAST_END, cudaErrorInvalidValue },
  { VPTR_ERROR_OUT_OF_BOUNDS, cudaErrorInvalidValue },
  { VPTR_ERROR_OTHER_MAPPER, cudaErrorInvalidValue },
  { VPTR_ERROR_INTERIOR, cudaErrorInvalidValue },
  { VPTR_ERROR_INVALID_ARGUMENT, cudaErrorInvalidValue },
  { VPTR_ERROR_INVALID_SIZE, cudaErrorInvalidValue }, /* of a transfer; cudaMalloc() calls it out of memory */
  { VPTR_ERROR_MAPPED, cudaErrorAlreadyMapped },
  { VPTR_ERROR_NOT_MAPPED, cudaErrorNotMapped },
  { VPTR_ERROR_UNSUPPORTED, cudaErrorNotSupported },
  { VPTR_ERROR_NOT_READY, cudaErrorNotReady },
  { VPTR_ERROR_FILE, cudaErrorOperatingSystem },
  { VPTR_ERROR_FORKED, cudaErrorInitializationError },
  { VPTR_ERROR_OUT_OF_DEVICE_MEMORY, cudaErrorMemoryAllocation },
  { VPTR_ERROR_OUT_OF_HOST_MEMORY, cudaErrorMemoryAllocation },
  { VPTR_ERROR_OUT_OF_ADDRESSES, cudaErrorMemoryAllocation },
  { VPTR_ERROR_NO_DEVICE, cudaErrorNoDevice },
  { VPTR_ERROR_CORRUPT, cudaErrorUnknown },
};

/* A kernel that crashed shows up in whatever call comes next, under different codes with different drivers:
 * NVIDIA's say CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE or -9999. */
static const translation codes[] = {
  { CL_DEVICE_NOT_FOUND, cudaErrorNoDevice },
  { CL_DEVICE_NOT_AVAILABLE, cudaErrorDevicesUnavailable },
  { CL_COMPILER_NOT_AVAILABLE, cudaErrorJitCompilerNotFound },
  { CL_OUT_OF_RESOURCES, cudaErrorLaunchFailure },
  { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cudaErrorLaunchFailure },
  { CL_INVALID_COMMAND_QUEUE, cudaErrorLaunchFailure },
  { -1001 /* CL_PLATFORM_NOT_FOUND_KHR */, cudaErrorNoDevice },
  { -9999, cudaErrorLaunchFailure },
};

static cudaError_t translate_code(const translation *table, size_t count, int from) {
  for (size_t i = 0; i < count; i++)
    if (table[i].from == from)
      return table[i].to;
  return cudaErrorUnknown;
}

VPTR__HOT cudaError_t vptr__cuda_from_status(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return cudaSuccess;
  if (status == VPTR_ERROR_OPENCL) {
    int code = vptr_last_cl_error(), told = vptr__cuda_error_of_code(code);
    cudaError_t error = told != 0 ? (cudaError_t)told : translate_code(codes, sizeof codes / sizeof *codes, code);
    if (error == cudaErrorLaunchFailure)
      vptr__cuda_classify_device(error);
    return error;
  }
  return translate_code(statuses, sizeof statuses / sizeof *statuses, (int)status);
}

cudaError_t vptr__cuda_keep(cudaError_t error) {
  vptr__cuda_mine.error_before = vptr__cuda_mine.last_error;
  if (error == cudaErrorNotReady)
    return error;
  vptr__cuda_mine.last_error = error;
  vptr__cuda_log_error(cudaGetErrorName(error));
  return error;
}

void vptr__cuda_unrecord(void) {
  vptr__cuda_mine.last_error = vptr__cuda_mine.error_before;
}

cudaError_t vptr__cuda_null_output(const char *call, const char *argument) {
  vptr__error(VPTR_ERROR_NULL_POINTER, "%s: %s is NULL, and the answer goes there", call, argument);
  return cudaErrorInvalidValue;
}

/* A runtime without a device fails whatever it is asked, these two included; and by a device that is lost
 * (cuda/lost.h). */
cudaError_t cudaPeekAtLastError(void) {
  cudaError_t last_error = vptr__cuda_mine.last_error;
  if (last_error == cudaSuccess && vptr__device_count() == 0)
    return cudaErrorNoDevice;
  return last_error != cudaSuccess ? last_error : vptr__cuda_lost();
}

cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  vptr__cuda_mine.last_error = cudaSuccess;
  return error;
}

const char *cudaGetErrorName(cudaError_t error) {
  const vptr__cuda_error_text *found = vptr__cuda_error_find(error);
  return found != NULL ? found->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const vptr__cuda_error_text *found = vptr__cuda_error_find(error);
  return found != NULL ? found->text : "unrecognized error code";
}
