/* SPDX-License-Identifier: MIT */
/*
 * advice - cuMemAdvise() and the other calls about managed memory: the runtime's, whose enumerators and locations have
 * the same values and layout. The versions that take an ordinal for a location are those of before CUDA 12.2. No state,
 * no locks.
 *
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include <assert.h>

#include "cuda/advice_12.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

static_assert(sizeof(CUmemLocation) == sizeof(struct cudaMemLocation) &&
                  sizeof(CUmem_range_attribute) == sizeof(enum cudaMemRangeAttribute),
              "both interfaces lay them out alike");

static const void *address_of(CUdeviceptr ptr) {
  return (const void *)(uintptr_t)ptr;
}

static struct cudaMemLocation location_of(CUmemLocation location) {
  return (struct cudaMemLocation){ (enum cudaMemLocationType)location.type, location.id };
}

/* ---- prefetches ----------------------------------------------------------------------------------------- */

CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                               CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPrefetchAsync(address_of(devPtr), count, location_of(location), flags, hStream));
}

CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                                    CUstream hStream) {
  return cuMemPrefetchAsync_v2(devPtr, count, location, flags, vptr__driver_own_default(hStream));
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(vptr__cuda_mem_prefetch_async_12(address_of(devPtr), count, dstDevice, hStream));
}

CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream) {
  return cuMemPrefetchAsync(devPtr, count, dstDevice, vptr__driver_own_default(hStream));
}

/* ---- advice --------------------------------------------------------------------------------------------- */

CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaMemAdvise(address_of(devPtr), count, (enum cudaMemoryAdvise)advice, location_of(location)));
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      vptr__cuda_mem_advise_12(address_of(devPtr), count, (enum cudaMemoryAdvise)advice, device));
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                size_t count) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaMemRangeGetAttribute(data, dataSize, (enum cudaMemRangeAttribute)attribute, address_of(devPtr), count));
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemRangeGetAttributes(data, dataSizes, (enum cudaMemRangeAttribute *)attributes,
                                                       numAttributes, address_of(devPtr), count));
}

/* ---- attaching ------------------------------------------------------------------------------------------ */

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaStreamAttachMemAsync(hStream, (void *)(uintptr_t)dptr, length, flags));
}

CUresult cuStreamAttachMemAsync_ptsz(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags) {
  return cuStreamAttachMemAsync(vptr__driver_own_default(hStream), dptr, length, flags);
}
