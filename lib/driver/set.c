/* SPDX-License-Identifier: MIT */
/*
 * set - cuMemset*(): lines and rows of elements of 1, 2 or 4 bytes. No state, no locks.
 *
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include <string.h>

#include "cuda/copy.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

/* The elements lie in memory as the host's numbers do, which are those of OpenCL's devices here: little-endian. */
static CUresult set_elements(const char *call, CUdeviceptr ptr, size_t pitch, unsigned value, size_t size,
                             size_t width, size_t height, vptr__cuda_when when) {
  vptr__element element = { .size = size };
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  memcpy(element.bytes, &value, sizeof value);
  return vptr__driver_result_of(
      vptr__cuda_set_elements(call, (void *)(uintptr_t)ptr, pitch, &element, width, height, when));
}

CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return set_elements("cuMemsetD8", dstDevice, 0, uc, 1, N, 1, vptr__cuda_now());
}

CUresult cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return set_elements("cuMemsetD8", dstDevice, 0, uc, 1, N, 1, vptr__cuda_now_ptds());
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD8Async", dstDevice, 0, uc, 1, N, 1, vptr__cuda_on(hStream));
}

CUresult cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD8Async", dstDevice, 0, uc, 1, N, 1, vptr__cuda_on(vptr__driver_own_default(hStream)));
}

CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return set_elements("cuMemsetD16", dstDevice, 0, us, 2, N, 1, vptr__cuda_now());
}

CUresult cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return set_elements("cuMemsetD16", dstDevice, 0, us, 2, N, 1, vptr__cuda_now_ptds());
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD16Async", dstDevice, 0, us, 2, N, 1, vptr__cuda_on(hStream));
}

CUresult cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD16Async", dstDevice, 0, us, 2, N, 1,
                      vptr__cuda_on(vptr__driver_own_default(hStream)));
}

CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return set_elements("cuMemsetD32", dstDevice, 0, ui, 4, N, 1, vptr__cuda_now());
}

CUresult cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return set_elements("cuMemsetD32", dstDevice, 0, ui, 4, N, 1, vptr__cuda_now_ptds());
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD32Async", dstDevice, 0, ui, 4, N, 1, vptr__cuda_on(hStream));
}

CUresult cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
  return set_elements("cuMemsetD32Async", dstDevice, 0, ui, 4, N, 1,
                      vptr__cuda_on(vptr__driver_own_default(hStream)));
}

CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return set_elements("cuMemsetD2D8", dstDevice, dstPitch, uc, 1, Width, Height, vptr__cuda_now());
}

CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return set_elements("cuMemsetD2D8", dstDevice, dstPitch, uc, 1, Width, Height, vptr__cuda_now_ptds());
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                           CUstream hStream) {
  return set_elements("cuMemsetD2D8Async", dstDevice, dstPitch, uc, 1, Width, Height, vptr__cuda_on(hStream));
}

CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                                CUstream hStream) {
  return set_elements("cuMemsetD2D8Async", dstDevice, dstPitch, uc, 1, Width, Height,
                      vptr__cuda_on(vptr__driver_own_default(hStream)));
}

CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
  return set_elements("cuMemsetD2D16", dstDevice, dstPitch, us, 2, Width, Height, vptr__cuda_now());
}

CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                               size_t Height) {
  return set_elements("cuMemsetD2D16", dstDevice, dstPitch, us, 2, Width, Height, vptr__cuda_now_ptds());
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
                            CUstream hStream) {
  return set_elements("cuMemsetD2D16Async", dstDevice, dstPitch, us, 2, Width, Height, vptr__cuda_on(hStream));
}

CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                                 size_t Height, CUstream hStream) {
  return set_elements("cuMemsetD2D16Async", dstDevice, dstPitch, us, 2, Width, Height,
                      vptr__cuda_on(vptr__driver_own_default(hStream)));
}

CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return set_elements("cuMemsetD2D32", dstDevice, dstPitch, ui, 4, Width, Height, vptr__cuda_now());
}

CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return set_elements("cuMemsetD2D32", dstDevice, dstPitch, ui, 4, Width, Height, vptr__cuda_now_ptds());
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
                            CUstream hStream) {
  return set_elements("cuMemsetD2D32Async", dstDevice, dstPitch, ui, 4, Width, Height, vptr__cuda_on(hStream));
}

CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
                                 CUstream hStream) {
  return set_elements("cuMemsetD2D32Async", dstDevice, dstPitch, ui, 4, Width, Height,
                      vptr__cuda_on(vptr__driver_own_default(hStream)));
}
