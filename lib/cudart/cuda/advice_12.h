/* SPDX-License-Identifier: MIT */
/*
 * advice_12 - calls about managed memory as CUDA 12 has them.
 *
 * Objects compiled for CUDA 12 call cudaMemAdvise() and cudaMemPrefetchAsync() with an ordinal, or cudaCpuDeviceId, for
 * a location. The functions that have these names in CUDA 13 are cudaMemAdvise_v2() and cudaMemPrefetchAsync_v2() for
 * them.
 *
 * The functions are in advice_call.c: no data and no lock of their own. Called by programs that were built for CUDA 12,
 * and by driver/advice.c for the older versions of the driver's calls.
 */
#ifndef VPTR_CUDA_ADVICE_12_H
#define VPTR_CUDA_ADVICE_12_H

#include <vptr/cuda/cuda_runtime_api.h>

#undef cudaMemAdvise_v2
#undef cudaMemPrefetchAsync_v2
VPTR_CUDA_API cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                           struct cudaMemLocation location);
VPTR_CUDA_API cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
                                                  unsigned int flags, cudaStream_t stream);
VPTR_CUDA_API cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *devPtr, size_t count,
                                                       struct cudaMemLocation location, unsigned int flags,
                                                       cudaStream_t stream);

/* Where lib/cudart-versions.awk leads the names that CUDA 12's library has, and the driver's older versions. Errors:
 * cudaErrorInvalidDevice for an ordinal that is none, where the advice looks at it. */
VPTR_CUDA_API cudaError_t vptr__cuda_mem_advise_12(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                                   int device);
VPTR_CUDA_API cudaError_t vptr__cuda_mem_prefetch_async_12(const void *devPtr, size_t count, int dstDevice,
                                                           cudaStream_t stream);
VPTR_CUDA_API cudaError_t vptr__cuda_mem_prefetch_async_12_ptsz(const void *devPtr, size_t count, int dstDevice,
                                                                cudaStream_t stream);

#endif
