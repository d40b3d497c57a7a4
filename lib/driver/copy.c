/* SPDX-License-Identifier: MIT */
/*
 * copy - cuMemcpy() and its kin for lines of bytes; rects are in copy_rect.c.
 *
 * Each is the runtime's copy with the kind that its name says. No state, no locks. Called by programs, directly or by
 * the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

static void *to_pointer(CUdeviceptr address) {
  return (void *)(uintptr_t)address;
}

static CUresult copy_bytes(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy(dst, src, count, kind)) : result;
}

static CUresult copy_ptds(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy_ptds(dst, src, count, kind)) : result;
}

static CUresult copy_async(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, CUstream stream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpyAsync(dst, src, count, kind, stream)) : result;
}

static CUresult copy_peer(void *dst, CUcontext dst_context, const void *src, CUcontext src_context, size_t count) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuMemcpyPeer", dst_context);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuMemcpyPeer", src_context);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyPeer(dst, dst_context->device, src, src_context->device, count))
             : result;
}

static CUresult copy_peer_async(void *dst, CUcontext dst_context, const void *src, CUcontext src_context,
                                size_t count, CUstream stream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuMemcpyPeerAsync", dst_context);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuMemcpyPeerAsync", src_context);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpyPeerAsync(dst, dst_context->device, src,
                                                                          src_context->device, count, stream))
                                : result;
}

/* ---- calls that wait ------------------------------------------------------------------------------------ */

CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount) {
  return copy_bytes(to_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount) {
  return copy_ptds(to_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_bytes(dstHost, to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_ptds(dstHost, to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_bytes(to_pointer(dstDevice), to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_ptds(to_pointer(dstDevice), to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy_bytes(to_pointer(dst), to_pointer(src), ByteCount, cudaMemcpyDefault);
}

CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy_ptds(to_pointer(dst), to_pointer(src), ByteCount, cudaMemcpyDefault);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                      size_t ByteCount) {
  return copy_peer(to_pointer(dstDevice), dstContext, to_pointer(srcDevice), srcContext, ByteCount);
}

/* Nothing tells the two apart: a copy between devices is done when the call returns. */
CUresult cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount) {
  return copy_peer(to_pointer(dstDevice), dstContext, to_pointer(srcDevice), srcContext, ByteCount);
}

/* ---- calls on streams ----------------------------------------------------------------------------------- */

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream);
}

CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice,
                    vptr__driver_own_default(hStream));
}

CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_async(dstHost, to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream);
}

CUresult cuMemcpyDtoHAsync_v2_ptsz(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_async(dstHost, to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost,
                    vptr__driver_own_default(hStream));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dstDevice), to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, hStream);
}

CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dstDevice), to_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice,
                    vptr__driver_own_default(hStream));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dst), to_pointer(src), ByteCount, cudaMemcpyDefault, hStream);
}

CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return copy_async(to_pointer(dst), to_pointer(src), ByteCount, cudaMemcpyDefault,
                    vptr__driver_own_default(hStream));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount, CUstream hStream) {
  return copy_peer_async(to_pointer(dstDevice), dstContext, to_pointer(srcDevice), srcContext, ByteCount, hStream);
}

CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                CUcontext srcContext, size_t ByteCount, CUstream hStream) {
  return copy_peer_async(to_pointer(dstDevice), dstContext, to_pointer(srcDevice), srcContext, ByteCount,
                         vptr__driver_own_default(hStream));
}
