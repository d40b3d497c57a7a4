/* SPDX-License-Identifier: MIT */
/*
 * launch - cuLaunchKernel(), cuLaunchKernelEx(), cuLaunchCooperativeKernel(): arguments by their addresses, or packed.
 * No state, no locks.
 *
 * Called by programs, directly or by the table in entry.c. They do not wait for the kernel; its first launch on a
 * device blocks while the driver builds it, and so does the count of a cooperative launch's blocks where all must be
 * resident at once.
 */
#include "base/error.h"
#include "cuda/function.h"
#include "cuda/launch_attribute.h"
#include "cuda/reference.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "graph/capture.h"
#include "module/module.h"

#include <stddef.h>

/* More words than these are no list that ever ends. */
enum { MOST_WORDS = 16 };

/* extra: words with their values behind them, in any order. */
static CUresult read_extra(void **extra, vptr__launch *launch) {
  const size_t *size = NULL;
  for (int i = 0; i < MOST_WORDS; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_END) {
      if (launch->packed == NULL || size == NULL)
        break;
      launch->packed_size = *size;
      return CUDA_SUCCESS;
    }
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      launch->packed = extra[i + 1];
    else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = extra[i + 1];
    else
      break;
  }
  return vptr__driver_invalid(launch->what, "extra is a buffer, its size, and CU_LAUNCH_PARAM_END behind them");
}

static CUresult read_arguments(const vptr__image_kernel *image, void **params, void **extra, vptr__launch *launch) {
  if (params != NULL && extra != NULL)
    return vptr__driver_invalid(launch->what, "arguments come in kernelParams or in extra, not in both");
  if (extra != NULL)
    return read_extra(extra, launch);
  if (params == NULL && image->param_count > 0)
    return vptr__driver_invalid(launch->what, "the kernel has parameters, and there are no arguments");
  launch->arguments = params;
  return CUDA_SUCCESS;
}

/* What does not fit is an invalid value to the driver, but for too many threads. */
static CUresult result_of(vptr_status status, const vptr__launch *launch) {
  if (status == VPTR_ERROR_INVALID_ARGUMENT && launch->fault == VPTR__LAUNCH_RESOURCES)
    return vptr__driver_refuse(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  return vptr__driver_status(status);
}

static CUresult find_function_and_stream(const char *call, CUfunction handle, CUstream stream_handle,
                                         vptr__function **function_out, vptr__stream **stream_out) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  *function_out = handle != NULL ? vptr__function_of(handle) : NULL;
  if (*function_out == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no function of a module that is loaded", call,
                (void *)handle);
    return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
  }
  return vptr__driver_result_of(vptr__cuda_stream(stream_handle, stream_out));
}

static CUresult send_launch(vptr__launch *launch, CUfunction handle, CUstream stream_handle, void **params,
                            void **extra) {
  vptr__function *function;
  vptr__stream *stream;
  cudaError_t error;
  CUresult result = find_function_and_stream(launch->what, handle, stream_handle, &function, &stream);
  if (result == CUDA_SUCCESS)
    result = read_arguments(vptr__function_image(function), params, extra, launch);
  if (result == CUDA_SUCCESS && vptr__captures_any() &&
      vptr__capture_launch(handle, function, launch, stream, &error))
    return vptr__driver_result_of(error);
  if (result == CUDA_SUCCESS && launch->is_cooperative)
    result = vptr__driver_result_of(vptr__cuda_resident_check(launch, handle));
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result_of(vptr__cuda_references_update(vptr__stream_mapper(stream)));
  return result == CUDA_SUCCESS ? result_of(vptr__function_launch(function, stream, launch), launch) : result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra) {
  vptr__launch launch = { .what = "cuLaunchKernel",
                          .grid = { gridDimX, gridDimY, gridDimZ },
                          .block = { blockDimX, blockDimY, blockDimZ },
                          .shared = sharedMemBytes };
  return send_launch(&launch, f, hStream, kernelParams, extra);
}

CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                             unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                             unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra) {
  return cuLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                        vptr__driver_own_default(hStream), kernelParams, extra);
}

_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute) &&
                   offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val),
               "the runtime's, by another name");

static CUresult launch_config(const CUlaunchConfig *config, CUfunction f, CUstream stream, void **params,
                              void **extra) {
  vptr__launch launch = { .what = "cuLaunchKernelEx",
                          .grid = { config->gridDimX, config->gridDimY, config->gridDimZ },
                          .block = { config->blockDimX, config->blockDimY, config->blockDimZ },
                          .shared = config->sharedMemBytes };
  cudaError_t error =
      vptr__cuda_launch_attributes(launch.what, (const cudaLaunchAttribute *)(const void *)config->attrs,
                                   config->numAttrs, &launch.is_cooperative);
  return error == cudaSuccess ? send_launch(&launch, f, stream, params, extra) : vptr__driver_result_of(error);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && config == NULL)
    return vptr__driver_invalid("cuLaunchKernelEx", "config is NULL");
  return result == CUDA_SUCCESS ? launch_config(config, f, config->hStream, kernelParams, extra) : result;
}

CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS || config == NULL)
    return cuLaunchKernelEx(config, f, kernelParams, extra);
  return launch_config(config, f, vptr__driver_own_default(config->hStream), kernelParams, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                   unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream, void **kernelParams) {
  vptr__launch launch = { .what = "cuLaunchCooperativeKernel",
                          .grid = { gridDimX, gridDimY, gridDimZ },
                          .block = { blockDimX, blockDimY, blockDimZ },
                          .shared = sharedMemBytes,
                          .is_cooperative = true };
  return send_launch(&launch, f, hStream, kernelParams, NULL);
}

CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                        void **kernelParams) {
  return cuLaunchCooperativeKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                                   vptr__driver_own_default(hStream), kernelParams);
}
