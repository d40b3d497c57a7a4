/* SPDX-License-Identifier: MIT */
/*
 * launch - CUDA's launches: cudaLaunchKernel() and its kin, and the two halves of k<<<...>>>().
 *
 * What a launch is made of is lib/cudart/module's; here CUDA's handles become a stream and a function, and the verdicts
 * CUDA's errors. The configurations between push and pop are the thread's own, in the thread-local `pushed`. No lock of
 * its own: where a texture or surface reference is bound, a launch takes the static `binding` of reference.c, of rank
 * REFERENCE, for a moment; other locks are lib/cudart/module's. Called by the stubs that vptrcc writes, by
 * binary_call.c for those of other compilers, by replay/send.c for what a launch came to, by programs, and by the
 * loader, which runs the constructor that has launches recorded. It does not wait for the kernel; but a kernel's first
 * launch on a device has the driver build it, which blocks.
 */
#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/function.h"
#include "cuda/launch_attribute.h"
#include "cuda/lost.h"
#include "cuda/reference.h"
#include "cuda/registration.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "module/module.h"
#include "record/recorder.h"

#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_kernel.h>

/* ---- errors --------------------------------------------------------------------------------------------- */

static cudaError_t error_of_build(vptr_status status) {
  if (status == VPTR_ERROR_UNSUPPORTED)
    return cudaErrorNoKernelImageForDevice;
  if (status != VPTR_ERROR_OPENCL)
    return vptr__cuda_from_status(status);
  switch (vptr_last_cl_error()) {
  case CL_BUILD_PROGRAM_FAILURE:
  case CL_COMPILE_PROGRAM_FAILURE:
  case CL_LINK_PROGRAM_FAILURE:
  case CL_INVALID_BINARY:
  case CL_INVALID_PROGRAM_EXECUTABLE:
  case CL_INVALID_KERNEL_NAME:
    return cudaErrorInvalidKernelImage;
  default:
    return vptr__cuda_from_status(status);
  }
}

/* Drivers say CL_OUT_OF_RESOURCES for a kernel that asks too much, and for one that went astray before; after the
 * latter the device is lost. */
static cudaError_t error_of_sending(vptr_status status) {
  cudaError_t error = vptr__cuda_from_status(status);
  if (status != VPTR_ERROR_OPENCL)
    return error;
  switch (vptr_last_cl_error()) {
  case CL_OUT_OF_RESOURCES:
    return vptr__cuda_lost() == cudaSuccess ? cudaErrorLaunchOutOfResources : error;
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE:
  case CL_INVALID_GLOBAL_WORK_SIZE:
    return cudaErrorInvalidValue;
  default:
    return error;
  }
}

cudaError_t vptr__cuda_launch_sent(vptr_status status, const vptr__launch *launch) {
  if (status == VPTR_SUCCESS)
    return cudaSuccess;
  switch (launch->fault) {
  case VPTR__LAUNCH_BUILD:
    return error_of_build(status);
  case VPTR__LAUNCH_SHAPE:
    return cudaErrorInvalidValue;
  case VPTR__LAUNCH_RESOURCES:
    return cudaErrorLaunchOutOfResources;
  case VPTR__LAUNCH_SHARED:
    return cudaErrorInvalidValue;
  case VPTR__LAUNCH_FITS:
    break;
  }
  return error_of_sending(status);
}

/* ---- recording ------------------------------------------------------------------------------------------ */

__attribute__((constructor)) static void watch_launches(void) {
  vptr__recorder_watch();
}

/* ---- launching ------------------------------------------------------------------------------------------ */

/* A kernel belongs to the current device, and so must its stream. */
VPTR__HOT static cudaError_t check_device(const char *call, const vptr__stream *stream) {
  int current = vptr__cuda_current_device(), own = vptr__stream_mapper(stream)->device->ordinal;
  if (own == current)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_OTHER_MAPPER,
              "%s: the stream belongs to device %d, and the current device is %d; call cudaSetDevice(%d) before",
              call, own, current, own);
  return cudaErrorInvalidResourceHandle;
}

VPTR__HOT static cudaError_t send_launch(const void *func, vptr__launch *it, cudaStream_t handle) {
  vptr__stream *stream;
  vptr__function *function = NULL;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess)
    error = vptr__cuda_function(it->what, func, &function);
  if (error == cudaSuccess)
    error = check_device(it->what, stream);
  if (error == cudaSuccess && vptr__captures_any() && vptr__capture_launch(func, function, it, stream, &error))
    return error;
  if (error == cudaSuccess)
    error = vptr__cuda_references_update(vptr__stream_mapper(stream));
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__function_launch(function, stream, it);
  return status == VPTR_SUCCESS ? cudaSuccess : vptr__cuda_launch_sent(status, it);
}

/* Grid and block are copied as they come in, 8 and 4 bytes: compilers that gather their members wait for the stores. */
VPTR__HOT static cudaError_t launch_kernel(const char *call, const void *func, dim3 grid, dim3 block,
                                           void **arguments, size_t shared, cudaStream_t handle) {
  vptr__launch it = { .what = call, .shared = shared, .arguments = arguments };
  _Static_assert(sizeof it.grid == sizeof grid && sizeof it.block == sizeof block, "x, y and z");
  memcpy(it.grid, &grid, sizeof grid);
  memcpy(it.block, &block, sizeof block);
  return send_launch(func, &it, handle);
}

VPTR__HOT cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                       cudaStream_t stream) {
  return vptr__cuda_record(launch_kernel("cudaLaunchKernel", func, gridDim, blockDim, args, sharedMem, stream));
}

cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                  cudaStream_t stream) {
  return cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, vptr__cuda_own_default(stream));
}

/* ---- with accesses -------------------------------------------------------------------------------------- */

static const char declared_call[] = "vptr_cuda_launch_declared";

static cudaError_t check_accesses(const int *accesses, size_t count) {
  if (accesses == NULL && count > 0)
    return vptr__cuda_null_output(declared_call, "accesses");
  for (size_t i = 0; i < count; i++)
    if (accesses[i] < 0 || accesses[i] > VPTR_CUDA_ACCESS_DISCARD_READ_WRITE) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: access %d of argument %zu is none, they are 0 to %d",
                  declared_call, accesses[i], i, VPTR_CUDA_ACCESS_DISCARD_READ_WRITE);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

cudaError_t vptr_cuda_launch_declared(const void *stub, dim3 grid, dim3 block, void **arguments, const int *accesses,
                                      size_t access_count, size_t shared, cudaStream_t stream) {
  vptr__launch it = { .what = declared_call,
                      .grid = { grid.x, grid.y, grid.z },
                      .block = { block.x, block.y, block.z },
                      .shared = shared,
                      .arguments = arguments,
                      .accesses = accesses,
                      .access_count = access_count };
  cudaError_t error = check_accesses(accesses, access_count);
  return vptr__cuda_record(error == cudaSuccess ? send_launch(stub, &it, stream) : error);
}

/* ---- with ranges ---------------------------------------------------------------------------------------- */

static const char ranges_call[] = "vptr_cuda_launch_ranges";

static cudaError_t check_ranges(const vptr_cuda_range *ranges, size_t count) {
  if (ranges == NULL && count > 0)
    return vptr__cuda_null_output(ranges_call, "ranges");
  for (size_t i = 0; i < count; i++) {
    if (ranges[i].access < 0 || ranges[i].access > VPTR_CUDA_ACCESS_DISCARD_READ_WRITE) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: access %d of argument %zu is none, they are 0 to %d", ranges_call,
                  ranges[i].access, i, VPTR_CUDA_ACCESS_DISCARD_READ_WRITE);
      return cudaErrorInvalidValue;
    }
    if (ranges[i].layer_bytes > ranges[i].bytes) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a layer of argument %zu has %zu bytes, and all of them %zu",
                  ranges_call, i, ranges[i].layer_bytes, ranges[i].bytes);
      return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

static cudaError_t launch_ranges(const void *stub, vptr__launch *it, const vptr_cuda_range *ranges,
                                 cudaStream_t stream) {
  const size_t count = it->access_count;
  vptr__launch_reach *reaches = vptr__memory_calloc(count + 1, sizeof *reaches + sizeof(int));
  if (reaches == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory((count + 1) * (sizeof *reaches + sizeof(int))));
  int *accesses = (int *)(reaches + count + 1);
  for (size_t i = 0; i < count; i++) {
    reaches[i] = (vptr__launch_reach){ ranges[i].bytes, ranges[i].layer_bytes };
    accesses[i] = ranges[i].access;
  }
  it->reaches = reaches;
  it->accesses = accesses;
  cudaError_t error = send_launch(stub, it, stream);
  vptr__memory_free(reaches);
  return error;
}

cudaError_t vptr_cuda_launch_ranges(const void *stub, dim3 grid, dim3 block, void **arguments,
                                    const vptr_cuda_range *ranges, size_t range_count, size_t shared,
                                    cudaStream_t stream) {
  vptr__launch it = { .what = ranges_call,
                      .grid = { grid.x, grid.y, grid.z },
                      .block = { block.x, block.y, block.z },
                      .shared = shared,
                      .arguments = arguments,
                      .access_count = range_count };
  cudaError_t error = check_ranges(ranges, range_count);
  return vptr__cuda_record(error == cudaSuccess ? launch_ranges(stub, &it, ranges, stream) : error);
}

/* ---- with attributes ------------------------------------------------------------------------------------ */

/* All blocks must be resident at once where they are the device's own, since they may wait for each other. */
static cudaError_t launch_cooperative(const char *call, const void *func, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream) {
  vptr__launch it = { .what = call,
                      .grid = { grid.x, grid.y, grid.z },
                      .block = { block.x, block.y, block.z },
                      .shared = shared,
                      .arguments = arguments,
                      .is_cooperative = true };
  cudaError_t error = vptr__cuda_resident_check(&it, func);
  return error == cudaSuccess ? send_launch(func, &it, stream) : error;
}

static cudaError_t launch_config(const cudaLaunchConfig_t *config, const void *func, void **args, bool is_own) {
  static const char call[] = "cudaLaunchKernelExC";
  bool is_cooperative;
  if (config == NULL)
    return vptr__cuda_null_output(call, "config");
  cudaError_t error = vptr__cuda_launch_attributes(call, config->attrs, config->numAttrs, &is_cooperative);
  if (error != cudaSuccess)
    return error;
  cudaStream_t stream = is_own ? vptr__cuda_own_default(config->stream) : config->stream;
  return (is_cooperative ? launch_cooperative : launch_kernel)(call, func, config->gridDim, config->blockDim, args,
                                                               config->dynamicSmemBytes, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
  return vptr__cuda_record(launch_config(config, func, args, false));
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args) {
  return vptr__cuda_record(launch_config(config, func, args, true));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                        cudaStream_t stream) {
  return vptr__cuda_record(
      launch_cooperative("cudaLaunchCooperativeKernel", func, gridDim, blockDim, args, sharedMem, stream));
}

cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                             size_t sharedMem, cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem, vptr__cuda_own_default(stream));
}

/* ---- k<<<...>>>() --------------------------------------------------------------------------------------- */

/* Compilers push before they evaluate a kernel's arguments, and those may launch. An exception among them leaves its
 * configuration behind, so the oldest gives way to what is one too many. */
enum { LEVELS = 8 };

typedef struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

static _Thread_local struct {
  configuration levels[LEVELS];
  unsigned top, count;
} pushed;

cudaError_t vptr_cuda_push_configuration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  pushed.top = (pushed.top + 1) % LEVELS;
  pushed.count += pushed.count < LEVELS;
  pushed.levels[pushed.top] = (configuration){ grid, block, shared, stream };
  return cudaSuccess;
}

cudaError_t vptr_cuda_pop_configuration(dim3 *grid_out, dim3 *block_out, size_t *shared_out,
                                        cudaStream_t *stream_out) {
  if (grid_out == NULL || block_out == NULL || shared_out == NULL || stream_out == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("vptr_cuda_pop_configuration", "one of the outputs"));
  if (pushed.count == 0) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "a kernel was called like a function: its grid and block are missing, k<<<grid, block>>>(...)");
    return vptr__cuda_record(cudaErrorMissingConfiguration);
  }
  const configuration *popped = &pushed.levels[pushed.top];
  *grid_out = popped->grid;
  *block_out = popped->block;
  *shared_out = popped->shared;
  *stream_out = popped->stream;
  pushed.top = (pushed.top + LEVELS - 1) % LEVELS;
  pushed.count--;
  return cudaSuccess;
}
