/* SPDX-License-Identifier: MIT */
/*
 * managed - cudaMallocManaged() and what else CUDA's calls ask of managed memory (managed/memory.h).
 *
 * Thread-safe; no state, no locks.
 */
#ifndef VPTR_CUDA_MANAGED_H
#define VPTR_CUDA_MANAGED_H

#include <stdbool.h>

#include <vptr/cuda/driver_types.h>

#include "mapper/mapper.h"
#include "pinned/pinned.h"

/* Whether a place of pinned memory is managed. */
bool vptr__cuda_is_managed(const vptr__pinned_place *place);

/* Waits for the kernels that use it, and frees it: ptr is where it begins. */
cudaError_t vptr__cuda_free_managed(void *ptr);

/* What a mapper's managed memory was to kernels is forgotten, since vptr__pinned_clear() will free it. */
void vptr__cuda_forget_managed(const vptr_mapper *mapper);

#endif
