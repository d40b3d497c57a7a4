/* SPDX-License-Identifier: MIT */
/*
 * pool - from CUDA's memory pool handles to vptr's pools.
 *
 * There is no data and no lock here: which values are live pools, the list in pool/pool.c tells, under its `live_lock`,
 * of rank LEAF. vptr__cuda_pool() is called by pool.c and pool_attribute.c for each call that is given a pool,
 * vptr__cuda_invalid() also by advice_call.c, batch.c, lacking.c and error_log.c.
 */
#ifndef VPTR_CUDA_POOL_H
#define VPTR_CUDA_POOL_H

#include <vptr/cuda/driver_types.h>

#include "pool/pool.h"

/* The pool that a handle means. Errors: cudaErrorInvalidValue, cudaErrorNotPermitted, cudaErrorNoDevice. */
cudaError_t vptr__cuda_pool(const char *call, cudaMemPool_t handle, vptr__pool **pool_out);

/* Says what is wrong with an argument of a call; returns cudaErrorInvalidValue. */
cudaError_t vptr__cuda_invalid(const char *call, const char *what);

#endif
