/* SPDX-License-Identifier: MIT */
/*
 * managed - cudaMallocManaged() and what else CUDA's calls ask of managed memory (managed/managed.h).
 *
 * Thread-safe; no data, no locks here (managed/managed.h). Called by memory.c and reset.c.
 */
#ifndef VPTR_CUDA_MANAGED_H
#define VPTR_CUDA_MANAGED_H

#include <vptr/cuda/driver_types.h>

#include "mapper/mapper.h"

/* Waits for the kernels that use it, and frees it: ptr is where it begins. */
cudaError_t vptr__cuda_free_managed(void *ptr);

/* Frees a mapper's managed memory, but what vptr__pinned_clear() will free. */
void vptr__cuda_clear_managed(const vptr_mapper *mapper);

#endif
