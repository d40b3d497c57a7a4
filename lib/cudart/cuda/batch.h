/* SPDX-License-Identifier: MIT */
/*
 * batch - what calls for several operations have in common: their stream, and lists of which each entry holds from an
 * index on.
 *
 * No data, no locks. Called by batch.c and batch_managed.c.
 */
#ifndef VPTR_CUDA_BATCH_H
#define VPTR_CUDA_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/cuda/driver_types.h>

#include "stream/stream.h"

/* The stream, which is not the default one by NULL or cudaStreamLegacy, where there is anything to do: count, lists
 * that are not NULL, and flags, which can only be 0. Errors as the calls have them. */
cudaError_t vptr__cuda_batch_enter(const char *call, size_t count, bool has_lists, unsigned long long flags,
                                   cudaStream_t handle, vptr__stream **stream_out);

/* Whether indices begin with 0 and rise, all below count: cudaErrorInvalidValue if not. */
cudaError_t vptr__cuda_batch_check_indices(const char *call, const size_t *indices, size_t index_count, size_t count);

/* Which entry holds for an operation, by the one that held for the operation before. */
static inline size_t vptr__cuda_batch_entry(const size_t *indices, size_t index_count, size_t operation,
                                            size_t entry) {
  return entry + 1 < index_count && indices[entry + 1] == operation ? entry + 1 : entry;
}

#endif
