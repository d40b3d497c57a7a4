/* SPDX-License-Identifier: MIT */
/*
 * copy_array - cuMemcpyAtoH() and its kin: bytes from a byte of an array on.
 *
 * Each is the runtime's copy of a line with the kind that its name says. Rects are in copy_rect.c. No state, no locks.
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaArray_t to_runtime_array(CUarray array) {
  return (cudaArray_t)array;
}

static const void *to_const_pointer(CUdeviceptr address) {
  return (const void *)(uintptr_t)address;
}

static CUresult copy_to(CUarray dst, size_t offset, const void *src, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyToArray(to_runtime_array(dst), offset, 0, src, count, kind))
             : result;
}

static CUresult copy_to_ptds(CUarray dst, size_t offset, const void *src, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyToArray_ptds(to_runtime_array(dst), offset, 0, src, count, kind))
             : result;
}

static CUresult copy_from(void *dst, CUarray src, size_t offset, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyFromArray(dst, to_runtime_array(src), offset, 0, count, kind))
             : result;
}

static CUresult copy_from_ptds(void *dst, CUarray src, size_t offset, size_t count, enum cudaMemcpyKind kind) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyFromArray_ptds(dst, to_runtime_array(src), offset, 0, count, kind))
             : result;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount) {
  return copy_to(dstArray, dstOffset, srcHost, ByteCount, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyHtoA_v2_ptds(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount) {
  return copy_to_ptds(dstArray, dstOffset, srcHost, ByteCount, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_to(dstArray, dstOffset, to_const_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyDtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_to_ptds(dstArray, dstOffset, to_const_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoH_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_from(dstHost, srcArray, srcOffset, ByteCount, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyAtoH_v2_ptds(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_from_ptds(dstHost, srcArray, srcOffset, ByteCount, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_from((void *)to_const_pointer(dstDevice), srcArray, srcOffset, ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_from_ptds((void *)to_const_pointer(dstDevice), srcArray, srcOffset, ByteCount,
                        cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpyArrayToArray(to_runtime_array(dstArray), dstOffset, 0,
                                                                             to_runtime_array(srcArray), srcOffset, 0,
                                                                             ByteCount, cudaMemcpyDeviceToDevice))
                                : result;
}

CUresult cuMemcpyAtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                              size_t ByteCount) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyArrayToArray_ptds(to_runtime_array(dstArray), dstOffset, 0,
                                                               to_runtime_array(srcArray), srcOffset, 0, ByteCount,
                                                               cudaMemcpyDeviceToDevice))
             : result;
}

CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                              CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyToArrayAsync(to_runtime_array(dstArray), dstOffset, 0, srcHost,
                                                          ByteCount, cudaMemcpyHostToDevice, hStream))
             : result;
}

CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                                   CUstream hStream) {
  return cuMemcpyHtoAAsync_v2(dstArray, dstOffset, srcHost, ByteCount, vptr__driver_own_default(hStream));
}

CUresult cuMemcpyAtoHAsync_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemcpyFromArrayAsync(dstHost, to_runtime_array(srcArray), srcOffset, 0,
                                                            ByteCount, cudaMemcpyDeviceToHost, hStream))
             : result;
}

CUresult cuMemcpyAtoHAsync_v2_ptsz(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                                   CUstream hStream) {
  return cuMemcpyAtoHAsync_v2(dstHost, srcArray, srcOffset, ByteCount, vptr__driver_own_default(hStream));
}
