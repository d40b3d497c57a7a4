/* SPDX-License-Identifier: MIT */
/*
 * lacking - questions about what no device has here: they check their arguments, and answer as CUDA does for a device
 * or an array without it.
 *
 * No data but constants, and no locks here: to look an array up takes the lock of its table (handle.h), of rank LEAF.
 * Called by programs, and by driver/lacking.c. Nothing waits, but for the look for devices while none has been found
 * yet, and for work where another thread frees the array meanwhile. Declared in vptr_lacking.h and CUDA's headers.
 */
#include "base/error.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/mipmap.h"
#include "cuda/pool.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- arrays --------------------------------------------------------------------------------------------- */

static cudaError_t check_array(const char *call, cudaArray_const_t handle, const void *output) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, "the output");
  if (error == cudaSuccess)
    error = vptr__cuda_array_get(call, handle, &array);
  if (error == cudaSuccess)
    vptr__cuda_array_release(array);
  return error;
}

/* Of NULL these say that the value is wrong, and not that it is no handle. */
static cudaError_t check_known_array(const char *call, cudaArray_const_t handle, const void *output) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && handle == NULL)
    error = vptr__cuda_invalid(call, "the array is NULL");
  return error == cudaSuccess ? check_array(call, handle, output) : error;
}

static cudaError_t check_mipmap(const char *call, cudaMipmappedArray_const_t handle, const void *output) {
  vptr__cuda_mipmap *mipmap;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, "the output");
  if (error == cudaSuccess)
    error = vptr__cuda_mipmap_get(call, handle, &mipmap);
  if (error == cudaSuccess)
    vptr__cuda_object_release(&mipmap->object);
  return error;
}

static cudaError_t refuse_array(cudaError_t checked, const char *call, const char *what) {
  return checked == cudaSuccess ? vptr__cuda_invalid(call, what) : checked;
}

static const char not_deferred[] = "the array has had its memory since it was made: none is made without";
static const char not_sparse[] = "the array is not sparse, and none is";

cudaError_t cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx) {
  static const char call[] = "cudaArrayGetPlane";
  (void)planeIdx;
  return vptr__cuda_record(
      refuse_array(check_array(call, hArray, pPlaneArray), call, "the array has no planes, and none has"));
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
                                           int device) {
  static const char call[] = "cudaArrayGetMemoryRequirements";
  (void)device; /* whichever it is, the array has no such requirements */
  return vptr__cuda_record(refuse_array(check_known_array(call, array, memoryRequirements), call, not_deferred));
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                                                    cudaMipmappedArray_t mipmap, int device) {
  static const char call[] = "cudaMipmappedArrayGetMemoryRequirements";
  (void)device;
  return vptr__cuda_record(refuse_array(check_mipmap(call, mipmap, memoryRequirements), call, not_deferred));
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties, cudaArray_t array) {
  static const char call[] = "cudaArrayGetSparseProperties";
  return vptr__cuda_record(refuse_array(check_known_array(call, array, sparseProperties), call, not_sparse));
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                                                  cudaMipmappedArray_t mipmap) {
  static const char call[] = "cudaMipmappedArrayGetSparseProperties";
  return vptr__cuda_record(refuse_array(check_mipmap(call, mipmap, sparseProperties), call, not_sparse));
}

/* ---- devices -------------------------------------------------------------------------------------------- */

static cudaError_t flush_writes(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                enum cudaFlushGPUDirectRDMAWritesScope scope) {
  static const char call[] = "cudaDeviceFlushGPUDirectRDMAWrites";
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (target != cudaFlushGPUDirectRDMAWritesTargetCurrentDevice ||
      (scope != cudaFlushGPUDirectRDMAWritesToOwner && scope != cudaFlushGPUDirectRDMAWritesToAllDevices))
    return vptr__cuda_invalid(call, "the target or the scope is none of CUDA's");
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: no other hardware writes into OpenCL's buffers", call);
  return cudaErrorNotSupported;
}

static cudaError_t register_notification(int device, cudaAsyncCallback function, const void *handle_out) {
  static const char call[] = "cudaDeviceRegisterAsyncNotification";
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && (function == NULL || handle_out == NULL))
    error = vptr__cuda_invalid(call, "the function or the output is NULL");
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(call, device);
  if (error != cudaSuccess)
    return error;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL sets no budget of memory, and tells of none", call);
  return cudaErrorNotSupported;
}

static cudaError_t unregister_notification(int device, cudaAsyncCallbackHandle_t handle) {
  static const char call[] = "cudaDeviceUnregisterAsyncNotification";
  cudaError_t error = handle != NULL ? vptr__cuda_check_ordinal(call, device) : vptr__cuda_device_exists();
  return error == cudaSuccess ? vptr__cuda_invalid(call, "no such function is registered") : error;
}

/* devices: up to two ordinals. */
static cudaError_t get_atomics(const char *call, unsigned *capabilities, const enum cudaAtomicOperation *operations,
                               unsigned count, const int *devices, int device_count) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && (capabilities == NULL || operations == NULL || count == 0))
    error = vptr__cuda_invalid(call, "an array is NULL, or has nothing in it");
  for (int i = 0; i < device_count && error == cudaSuccess; i++)
    error = vptr__cuda_check_ordinal(call, devices[i]);
  if (error != cudaSuccess)
    return error;
  for (unsigned i = 0; i < count; i++)
    if ((unsigned)operations[i] > cudaAtomicOperationFloatMax)
      return vptr__cuda_invalid(call, "an operation is none of cudaAtomicOperation*");
  if (device_count > 1 && devices[0] == devices[1]) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: device %d is asked about itself", call, devices[0]);
    return cudaErrorInvalidDevice;
  }
  for (unsigned i = 0; i < count; i++)
    capabilities[i] = 0;
  return cudaSuccess;
}

static cudaError_t get_peer_atomics(unsigned *capabilities, const enum cudaAtomicOperation *operations,
                                    unsigned count, int from, int to) {
  const int devices[] = { from, to };
  return get_atomics("cudaDeviceGetP2PAtomicCapabilities", capabilities, operations, count, devices, 2);
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope) {
  return vptr__cuda_record(flush_writes(target, scope));
}

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void *userData,
                                                cudaAsyncCallbackHandle_t *callback) {
  (void)userData;
  return vptr__cuda_record(register_notification(device, callbackFunc, callback));
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback) {
  return vptr__cuda_record(unregister_notification(device, callback));
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                const enum cudaAtomicOperation *operations, unsigned int count,
                                                int device) {
  return vptr__cuda_record(
      get_atomics("cudaDeviceGetHostAtomicCapabilities", capabilities, operations, count, &device, 1));
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities, const enum cudaAtomicOperation *operations,
                                               unsigned int count, int srcDevice, int dstDevice) {
  return vptr__cuda_record(get_peer_atomics(capabilities, operations, count, srcDevice, dstDevice));
}
