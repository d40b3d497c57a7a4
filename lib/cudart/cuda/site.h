/* SPDX-License-Identifier: MIT */
/*
 * site - the calls that allocate, for callers on behalf of a program: with the place in the program's code that a trace
 * shall name. The calls under CUDA's names take the place that they return to.
 *
 * They are in memory.c, pitched.c, managed.c, pool.c and host.c, each beside the call of CUDA's. No data, no locks.
 * Called by driver/memory.c and driver/pool.c.
 */
#ifndef VPTR_CUDA_SITE_H
#define VPTR_CUDA_SITE_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>

#include "mapper/mapper.h"

VPTR_API cudaError_t vptr__cuda_malloc_at(void **ptr, size_t size, const void *site);
VPTR_API cudaError_t vptr__cuda_malloc_pitch_at(void **ptr, size_t *pitch, size_t width, size_t height,
                                                const void *site);
VPTR_API cudaError_t vptr__cuda_malloc_managed_at(void **ptr, size_t size, unsigned flags, const void *site);
VPTR_API cudaError_t vptr__cuda_malloc_async_at(void **ptr, size_t size, cudaStream_t stream, const void *site);
VPTR_API cudaError_t vptr__cuda_malloc_from_pool_at(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream,
                                                    const void *site);
VPTR_API cudaError_t vptr__cuda_host_alloc_at(const char *call, void **ptr, size_t size, unsigned flags,
                                              const void *site);

#endif
