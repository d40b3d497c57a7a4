/* SPDX-License-Identifier: MIT */
/*
 * copy_peer - copies whose devices are named: cudaMemcpyPeer(), cudaMemcpy3DPeer() and their asynchronous forms.
 *
 * An address knows its device, so the ordinals are only checked: each has to be a device's. No data but constants, no
 * locks. The copies, and what they wait for, are those of copy.c and copy_rect.c, of the kind cudaMemcpyDeviceToDevice.
 * Called by programs, and by driver/copy.c.
 */
#include "cuda/copy_rect.h"

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t check_devices(const vptr__cuda_call *call, int to, int from) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(call->destination, to);
  return error == cudaSuccess ? vptr__cuda_check_ordinal(call->source, from) : error;
}

static cudaError_t copy_between_devices(const vptr__cuda_call *call, void *dst, int dst_device, const void *src,
                                        int src_device, size_t count, vptr__cuda_when when) {
  cudaError_t error = count > 0 ? check_devices(call, dst_device, src_device) : vptr__cuda_device_exists();
  return error == cudaSuccess ? vptr__cuda_copy_line(call, dst, src, count, cudaMemcpyDeviceToDevice, when) : error;
}

static cudaError_t copy_3d(const vptr__cuda_call *call, const struct cudaMemcpy3DPeerParms *p, vptr__cuda_when when) {
  if (p == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: p is NULL, and all that is to be done stands there", call->name);
    return cudaErrorInvalidValue;
  }
  cudaError_t error = check_devices(call, p->dstDevice, p->srcDevice);
  if (error != cudaSuccess)
    return error;
  const vptr__cuda_endpoint to = { call->destination, p->dstArray, &p->dstPtr, &p->dstPos };
  const vptr__cuda_endpoint from = { call->source, p->srcArray, &p->srcPtr, &p->srcPos };
  return vptr__cuda_copy_3d(call, &to, &from, &p->extent, cudaMemcpyDeviceToDevice, when);
}

static const vptr__cuda_call call_line = { "cudaMemcpyPeer", "cudaMemcpyPeer destination", "cudaMemcpyPeer source" };
static const vptr__cuda_call call_line_async = { "cudaMemcpyPeerAsync", "cudaMemcpyPeerAsync destination",
                                                 "cudaMemcpyPeerAsync source" };
static const vptr__cuda_call call_3d = { "cudaMemcpy3DPeer", "cudaMemcpy3DPeer destination",
                                         "cudaMemcpy3DPeer source" };
static const vptr__cuda_call call_3d_async = { "cudaMemcpy3DPeerAsync", "cudaMemcpy3DPeerAsync destination",
                                               "cudaMemcpy3DPeerAsync source" };

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  return vptr__cuda_record(copy_between_devices(&call_line, dst, dstDevice, src, srcDevice, count, vptr__cuda_now()));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  return vptr__cuda_record(
      copy_between_devices(&call_line_async, dst, dstDevice, src, srcDevice, count, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p) {
  return vptr__cuda_record(copy_3d(&call_3d, p, vptr__cuda_now()));
}

cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *p) {
  return vptr__cuda_record(copy_3d(&call_3d, p, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  return vptr__cuda_record(copy_3d(&call_3d_async, p, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  return cudaMemcpy3DPeerAsync(p, vptr__cuda_own_default(stream));
}
