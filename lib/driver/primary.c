/* SPDX-License-Identifier: MIT */
/*
 * primary - cuDevicePrimaryCtx*(): the contexts that the runtime works in.
 *
 * They are counted, and active while they are retained or the runtime has used the device. CUDA destroys one with its
 * last release; here it stays, since nobody can tell whether the runtime is still to be used. No state beyond the
 * count, which is a context's, under its lock (context.h). Called by programs, directly or by the table in entry.c. To
 * retain one opens its device, which may take a second; to reset one waits for its work.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* A call of the runtime's on a device that need not be current. */
static CUresult on_device(CUdevice device, cudaError_t (*call)(void *argument), void *argument) {
  CUcontext primary = vptr__driver_primary(device);
  CUresult result = vptr__driver_push(primary);
  if (result != CUDA_SUCCESS)
    return result;
  result = vptr__driver_result(call(argument));
  vptr__driver_pop(NULL);
  return result;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) {
  vptr_mapper *mapper;
  CUresult result = vptr__driver_check_pointer(vptr__driver_check_device("cuDevicePrimaryCtxRetain", dev),
                                               "cuDevicePrimaryCtxRetain", pctx, "pctx");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__mapper_for_device(dev, &mapper));
  if (result != CUDA_SUCCESS)
    return result;
  *pctx = vptr__driver_primary(dev);
  vptr__driver_retain(*pctx, 1);
  return CUDA_SUCCESS;
}

static CUresult release_primary(CUdevice device) {
  CUresult result = vptr__driver_check_device("cuDevicePrimaryCtxRelease", device);
  if (result != CUDA_SUCCESS || vptr__driver_retain(vptr__driver_primary(device), -1))
    return result;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuDevicePrimaryCtxRelease: device %d's is not retained", device);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  return release_primary(dev);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
  return release_primary(dev);
}

static cudaError_t set_flags(void *flags) {
  return cudaSetDeviceFlags(*(unsigned *)flags);
}

static cudaError_t get_flags(void *flags) {
  return cudaGetDeviceFlags(flags);
}

static cudaError_t reset_current_device(void *nothing) {
  (void)nothing;
  return cudaDeviceReset();
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  CUresult result = vptr__driver_check_device("cuDevicePrimaryCtxSetFlags", dev);
  return result == CUDA_SUCCESS ? on_device(dev, set_flags, &flags) : result;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  return cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

static CUresult get_state(CUdevice device, unsigned *flags, int *active) {
  CUcontext primary = vptr__driver_primary(device);
  CUresult result = on_device(device, get_flags, flags);
  if (result != CUDA_SUCCESS)
    return result;
  *flags &= ~(unsigned)CU_CTX_MAP_HOST; /* which the runtime adds to what was set */
  *active = primary->retained > 0 || vptr__cuda_device_is_used(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active) {
  CUresult result = vptr__driver_check_device("cuDevicePrimaryCtxGetState", dev);
  if (result == CUDA_SUCCESS && (flags == NULL || active == NULL))
    result = vptr__driver_invalid("cuDevicePrimaryCtxGetState", "an output is NULL");
  return result == CUDA_SUCCESS ? get_state(dev, flags, active) : result;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  CUresult result = vptr__driver_check_device("cuDevicePrimaryCtxReset", dev);
  return result == CUDA_SUCCESS ? on_device(dev, reset_current_device, NULL) : result;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  return cuDevicePrimaryCtxReset_v2(dev);
}
