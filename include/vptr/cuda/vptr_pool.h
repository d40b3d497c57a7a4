/* SPDX-License-Identifier: MIT */
/*
 * vptr_pool - memory in the order of streams, and the pools that it comes from; part of cuda_runtime_api.h.
 */
#ifndef VPTR_CUDA_VPTR_POOL_H
#define VPTR_CUDA_VPTR_POOL_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates on the stream's device, from its current pool, or from a pool of that device. The stream's later work may
 * use the memory, and what comes behind that. Size 0: NULL and success. If there is no room, *devPtr becomes NULL.
 * Errors: cudaErrorInvalidValue (devPtr is NULL, no pool, or one of another device), cudaErrorMemoryAllocation,
 * cudaErrorInvalidResourceHandle (no stream). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocAsync_ptsz(void **devPtr, size_t size, cudaStream_t hStream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                                            cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size, cudaMemPool_t memPool,
                                                                 cudaStream_t stream);

/* Frees memory that any of the two above or cudaMalloc() returned, behind the work that the stream has now. The address
 * is a freed one at once; the stream gets the memory again without waiting, others when that work is done. NULL is
 * nothing to free, and success. Errors: as cudaFree(). cudaFree() takes memory of pools too, and waits. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFreeAsync(void *devPtr, cudaStream_t hStream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFreeAsync_ptsz(void *devPtr, cudaStream_t hStream);

/* A pool of a device. Its last memory to be freed takes a destroyed pool along; until then only the handle is gone.
 * Errors: cudaErrorInvalidValue (no such kind of pool or device, no pool, a device's default pool is destroyed),
 * cudaErrorNotSupported (memory to be shared with other processes). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t *memPool,
                                                      const struct cudaMemPoolProps *poolProps);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t memPool);

/* Gives up memory whose free is done while more than so many bytes are reserved. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);

/* value points to an int or a 64-bit number, by attribute: see enum cudaMemPoolAttr. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr,
                                                            void *value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr,
                                                            void *value);

/* The pool's own device has access, and no other can get it: cudaErrorPeerAccessUnsupported. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                                         const struct cudaMemAccessDesc *descList, size_t count);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                                         struct cudaMemLocation *location);

/* The pool that a device has from the beginning, and the one that cudaMallocAsync() takes from. The last three are
 * CUDA 13's names for the same, for locations; where that is no device, cudaErrorNotSupported. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemGetDefaultMemPool(cudaMemPool_t *memPool,
                                                             struct cudaMemLocation *location,
                                                             enum cudaMemAllocationType type);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                                      enum cudaMemAllocationType type);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemSetMemPool(struct cudaMemLocation *location,
                                                      enum cudaMemAllocationType type, cudaMemPool_t memPool);

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMallocAsync cudaMallocAsync_ptsz
#define cudaMallocFromPoolAsync cudaMallocFromPoolAsync_ptsz
#define cudaFreeAsync cudaFreeAsync_ptsz
#endif

#endif
