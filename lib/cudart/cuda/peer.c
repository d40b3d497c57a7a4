/* SPDX-License-Identifier: MIT */
/*
 * peer - cudaDeviceCanAccessPeer() and its kin, which answer that no device reaches another one's memory.
 *
 * Each device has an OpenCL context of its own, and a kernel reaches its own context's buffers only. So peer access
 * cannot be had, which CUDA programs must cope with anyway; they copy instead, and copies between devices always work.
 * No data, no locks. Called by programs, and by driver/device.c and context_call.c. A call blocks only while no device
 * has been found yet: then it looks for devices, under the static `lock` of vptr/device/platform.c, of rank DEVICE.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t check_pair(const char *call, int device, int peer) {
  cudaError_t error = vptr__cuda_check_ordinal(call, device);
  return error != cudaSuccess ? error : vptr__cuda_check_ordinal(call, peer);
}

static cudaError_t can_access(int *canAccessPeer, int device, int peerDevice) {
  cudaError_t error = check_pair("cudaDeviceCanAccessPeer", device, peerDevice);
  if (error != cudaSuccess)
    return error;
  if (canAccessPeer == NULL)
    return vptr__cuda_null_output("cudaDeviceCanAccessPeer", "canAccessPeer");
  *canAccessPeer = 0;
  return cudaSuccess;
}

/* A device is not its own peer. */
static cudaError_t refuse_self(const char *call, int device) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: device %d is not a peer of itself", call, device);
  return cudaErrorInvalidDevice;
}

static cudaError_t enable_peer(int peerDevice, unsigned flags) {
  cudaError_t error = vptr__cuda_check_ordinal("cudaDeviceEnablePeerAccess", peerDevice);
  if (error != cudaSuccess)
    return error;
  if (flags != 0) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceEnablePeerAccess: flags are 0x%x, and must be 0", flags);
    return cudaErrorInvalidValue;
  }
  vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "cudaDeviceEnablePeerAccess: device %d does not reach the memory of device %d as a peer's; copy it over",
      vptr__cuda_current_device(), peerDevice);
  return cudaErrorPeerAccessUnsupported;
}

static cudaError_t disable_peer(int peerDevice) {
  cudaError_t error = vptr__cuda_check_ordinal("cudaDeviceDisablePeerAccess", peerDevice);
  if (error != cudaSuccess)
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceDisablePeerAccess: access to device %d was not enabled",
              peerDevice);
  return cudaErrorPeerAccessNotEnabled;
}

static cudaError_t get_attribute(int *value, enum cudaDeviceP2PAttr attr, int source, int destination) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && value == NULL)
    error = vptr__cuda_null_output("cudaDeviceGetP2PAttribute", "value");
  if (error == cudaSuccess)
    error = check_pair("cudaDeviceGetP2PAttribute", source, destination);
  if (error != cudaSuccess)
    return error;
  if (source == destination)
    return refuse_self("cudaDeviceGetP2PAttribute", source);
  if (attr < cudaDevP2PAttrPerformanceRank || attr > cudaDevP2PAttrOnlyPartialNativeAtomicSupported) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceGetP2PAttribute: %d is no enumerator of cudaDeviceP2PAttr",
                (int)attr);
    return cudaErrorInvalidValue;
  }
  *value = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice) {
  return vptr__cuda_record(can_access(canAccessPeer, device, peerDevice));
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return vptr__cuda_record(enable_peer(peerDevice, flags));
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return vptr__cuda_record(disable_peer(peerDevice));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  return vptr__cuda_record(get_attribute(value, attr, srcDevice, dstDevice));
}
