/* SPDX-License-Identifier: MIT */
/*
 * batch - cuMemcpyBatchAsync() and its kin: the runtime's (cuda/batch.c), whose arrays have the same bytes.
 *
 * No state, no locks. Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait
 * for.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUdeviceptr) == sizeof(void *) &&
                   sizeof(CUmemcpyAttributes) == sizeof(struct cudaMemcpyAttributes) &&
                   sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(struct cudaMemcpy3DBatchOp) &&
                   sizeof(CUmemLocation) == sizeof(struct cudaMemLocation),
               "the runtime's, by other names");

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                               CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaMemcpyBatchAsync((void *)dsts, (void *)srcs, sizes, count, (void *)attrs, attrsIdxs, numAttrs, hStream));
}

CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                    CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream) {
  return cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                               vptr__driver_own_default(hStream));
}

CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                                 CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemcpy3DBatchAsync(numOps, (void *)opList, flags, hStream));
}

CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                                      CUstream hStream) {
  return cuMemcpy3DBatchAsync_v2(numOps, opList, flags, vptr__driver_own_default(hStream));
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                 size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                 CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemPrefetchBatchAsync((void *)dptrs, sizes, count, (void *)prefetchLocs,
                                                       prefetchLocIdxs, numPrefetchLocs, flags, hStream));
}

CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      CUstream hStream) {
  return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                 vptr__driver_own_default(hStream));
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemDiscardBatchAsync((void *)dptrs, sizes, count, flags, hStream));
}

CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     CUstream hStream) {
  return cuMemDiscardBatchAsync(dptrs, sizes, count, flags, vptr__driver_own_default(hStream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                           CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                           size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaMemDiscardAndPrefetchBatchAsync((void *)dptrs, sizes, count, (void *)prefetchLocs,
                                                                 prefetchLocIdxs, numPrefetchLocs, flags, hStream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                                CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  return cuMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                           vptr__driver_own_default(hStream));
}
