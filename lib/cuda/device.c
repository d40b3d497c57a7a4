/* SPDX-License-Identifier: MIT */
/*
 * device - counting, choosing and waiting for devices; see device.h.
 *
 * cudaSetDevice() opens the device, as CUDA's does since 12: programs call it where they can afford the second
 * that a driver may take, and time what comes after. No locks: the current device is thread-local, and opening
 * is the registry's to guard.
 */
#include "cuda/device.h"

#include "base/error.h"
#include "cuda/error.h"
#include "device/device.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

static _Thread_local int current_device;

/* The list itself says what is missing; it is asked only when there is nothing to count. */
cudaError_t vptr__cuda_device_exists(void) {
  if (vptr__device_count() > 0)
    return cudaSuccess;
  const vptr__device_entry *entries;
  int count;
  vptr_status status = vptr__device_list(&entries, &count);
  return vptr__cuda_from_status(status != VPTR_SUCCESS ? status : VPTR_ERROR_NO_DEVICE);
}

cudaError_t vptr__cuda_current_mapper(vptr_mapper **mapper_out) {
  return vptr__cuda_from_status(vptr__mapper_for_device(current_device, mapper_out));
}

static cudaError_t get_count(int *count) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (count == NULL)
    return vptr__cuda_null_output("cudaGetDeviceCount", "count");
  *count = vptr__device_count();
  return cudaSuccess;
}

static cudaError_t get_current(int *device) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (device == NULL)
    return vptr__cuda_null_output("cudaGetDevice", "device");
  *device = current_device;
  return cudaSuccess;
}

static cudaError_t set_current(int device) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  int count = vptr__device_count();
  if (device < 0 || device >= count) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaSetDevice: there is no device %d, ordinals are 0 to %d; VPTR_PLATFORM and VPTR_DEVICE choose "
                "the devices (see vptr-info)",
                device, count - 1);
    return cudaErrorInvalidDevice;
  }
  vptr_mapper *mapper;
  error = vptr__cuda_from_status(vptr__mapper_for_device(device, &mapper));
  if (error == cudaSuccess)
    current_device = device;
  return error;
}

static cudaError_t wait_for_current(void) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  return error != cudaSuccess ? error : vptr__cuda_from_status(vptr_finish(mapper));
}

static cudaError_t get_version(const char *call, int *version) {
  if (version == NULL)
    return vptr__cuda_null_output(call, "the version");
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  return vptr__cuda_record(get_count(count));
}

cudaError_t cudaGetDevice(int *device) {
  return vptr__cuda_record(get_current(device));
}

cudaError_t cudaSetDevice(int device) {
  return vptr__cuda_record(set_current(device));
}

cudaError_t cudaDeviceSynchronize(void) {
  return vptr__cuda_record(wait_for_current());
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) {
  return vptr__cuda_record(get_version("cudaRuntimeGetVersion", runtimeVersion));
}

cudaError_t cudaDriverGetVersion(int *driverVersion) {
  return vptr__cuda_record(get_version("cudaDriverGetVersion", driverVersion));
}
