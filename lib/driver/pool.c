/* SPDX-License-Identifier: MIT */
/*
 * pool - cuMemAllocAsync() and cuMemPool*(): the runtime's pools; their structures and attributes have the same
 * layout and values in both interfaces, which tests/cuda/test_cuda_driver.c checks. No state, no locks.
 *
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "cuda/site.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

static CUresult allocate_async(CUdeviceptr *dptr, size_t bytesize, CUstream hStream, const void *site) {
  void *ptr;
  CUresult result = vptr__driver_enter_allocation("cuMemAllocAsync", dptr, bytesize);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(vptr__cuda_malloc_async_at(&ptr, bytesize, hStream, site));
  if (result == CUDA_SUCCESS)
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  return allocate_async(dptr, bytesize, hStream, __builtin_return_address(0));
}

CUresult cuMemAllocAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  return allocate_async(dptr, bytesize, vptr__driver_own_default(hStream), __builtin_return_address(0));
}

static CUresult allocate_from(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream,
                              const void *site) {
  void *ptr;
  CUresult result = vptr__driver_enter_allocation("cuMemAllocFromPoolAsync", dptr, bytesize);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(vptr__cuda_malloc_from_pool_at(&ptr, bytesize, pool, hStream, site));
  if (result == CUDA_SUCCESS)
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  return allocate_from(dptr, bytesize, pool, hStream, __builtin_return_address(0));
}

CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  return allocate_from(dptr, bytesize, pool, vptr__driver_own_default(hStream), __builtin_return_address(0));
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && dptr == 0)
    result = vptr__driver_invalid("cuMemFreeAsync", "the address is 0");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFreeAsync((void *)(uintptr_t)dptr, hStream)) : result;
}

CUresult cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream) {
  return cuMemFreeAsync(dptr, vptr__driver_own_default(hStream));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPoolCreate(pool, (const struct cudaMemPoolProps *)poolProps));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemPoolDestroy(pool)) : result;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemPoolTrimTo(pool, minBytesToKeep)) : result;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

/* ---- who has access, and whose they are ------------------------------------------------------------------ */

_Static_assert(sizeof(CUmemAccessDesc) == sizeof(struct cudaMemAccessDesc) &&
                   sizeof(CUmemLocation) == sizeof(struct cudaMemLocation) &&
                   sizeof(CUmemAccess_flags) == sizeof(enum cudaMemAccessFlags) &&
                   sizeof(CUmemPoolPtrExportData) == sizeof(struct cudaMemPoolPtrExportData),
               "the runtime's, by other names");

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemPoolSetAccess(pool, (const void *)map, count)) : result;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemPoolGetAccess((void *)flags, memPool, (void *)location))
                                : result;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemGetDefaultMemPool(pool_out, (void *)location, (enum cudaMemAllocationType)type));
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemGetMemPool(pool, (void *)location, (enum cudaMemAllocationType)type));
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemSetMemPool((void *)location, (enum cudaMemAllocationType)type, pool));
}

/* ---- other processes ------------------------------------------------------------------------------------ */

CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
                                          vptr_unsigned_long_long flags) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPoolExportToShareableHandle(
      handle_out, pool, (enum cudaMemAllocationHandleType)handleType, (unsigned)flags));
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                            CUmemAllocationHandleType handleType, vptr_unsigned_long_long flags) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPoolImportFromShareableHandle(
      pool_out, handle, (enum cudaMemAllocationHandleType)handleType, (unsigned)flags));
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaMemPoolExportPointer((void *)shareData_out, (void *)(uintptr_t)ptr))
             : result;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData) {
  void *ptr = NULL;
  CUresult result = vptr__driver_begun();
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaMemPoolImportPointer(&ptr, pool, (void *)shareData));
  if (result == CUDA_SUCCESS)
    *ptr_out = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}
