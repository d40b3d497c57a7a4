/* SPDX-License-Identifier: MIT */
/*
 * memory - cuMem*(): device memory and pinned host memory, as the runtime has them.
 *
 * CUDA's driver refuses what its runtime lets pass: no bytes, and freeing nothing. No state, no locks. Called by
 * programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "base/error.h"
#include "cuda/site.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "driver/pointer.h"

#include <vptr/cuda/cuda_runtime_api.h>

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemGetInfo(free, total)) : result;
}

CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize) {
  void *ptr;
  CUresult result = vptr__driver_enter_allocation("cuMemAlloc", dptr, bytesize);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(vptr__cuda_malloc_at(&ptr, bytesize, __builtin_return_address(0)));
  if (result == CUDA_SUCCESS)
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

/* A row begins at good addresses for elements of 4, 8 or 16 bytes, which CUDA wants to be told; all do. */
CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes) {
  void *ptr;
  size_t pitch;
  CUresult result =
      vptr__driver_enter_allocation("cuMemAllocPitch", pPitch != NULL ? dptr : NULL, WidthInBytes != 0 ? Height : 0);
  if (result == CUDA_SUCCESS && ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
    result = vptr__driver_invalid("cuMemAllocPitch", "elements have 4, 8 or 16 bytes");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(
        vptr__cuda_malloc_pitch_at(&ptr, &pitch, WidthInBytes, Height, __builtin_return_address(0)));
  if (result == CUDA_SUCCESS) {
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
    *pPitch = pitch;
  }
  return result;
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  void *ptr;
  CUresult result = vptr__driver_enter_allocation("cuMemAllocManaged", dptr, bytesize);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(vptr__cuda_malloc_managed_at(&ptr, bytesize, flags, __builtin_return_address(0)));
  if (result == CUDA_SUCCESS)
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuMemFree_v2(CUdeviceptr dptr) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && dptr == 0)
    result = vptr__driver_invalid("cuMemFree", "the address is 0");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFree((void *)(uintptr_t)dptr)) : result;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__driver_range range = vptr__driver_range_of(dptr);
  const void *ptr = (const void *)(uintptr_t)dptr;
  if (range.size == 0) {
    vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "cuMemGetAddressRange: %p lies in no allocation", ptr);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  if (pbase != NULL)
    *pbase = range.begin;
  if (psize != NULL)
    *psize = range.size;
  return CUDA_SUCCESS;
}

/* ---- pinned host memory --------------------------------------------------------------------------------- */

CUresult cuMemAllocHost_v2(void **pp, size_t bytesize) {
  CUresult result = vptr__driver_enter_allocation("cuMemAllocHost", pp, bytesize);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      vptr__cuda_host_alloc_at("cuMemAllocHost", pp, bytesize, cudaHostAllocDefault, __builtin_return_address(0)));
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags) {
  CUresult result = vptr__driver_enter_allocation("cuMemHostAlloc", pp, bytesize);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      vptr__cuda_host_alloc_at("cuMemHostAlloc", pp, bytesize, Flags, __builtin_return_address(0)));
}

CUresult cuMemFreeHost(void *p) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMemFreeHost", p, "the address");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFreeHost(p)) : result;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags) {
  void *ptr;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMemHostGetDevicePointer", pdptr, "the output");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaHostGetDevicePointer(&ptr, p, Flags));
  if (result == CUDA_SUCCESS)
    *pdptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMemHostGetFlags", pFlags, "the output");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaHostGetFlags(pFlags, p)) : result;
}

CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaHostRegister(p, bytesize, Flags)) : result;
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags) {
  return cuMemHostRegister_v2(p, bytesize, Flags);
}

CUresult cuMemHostUnregister(void *p) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaHostUnregister(p)) : result;
}
