/* SPDX-License-Identifier: MIT */
/*
 * managed - cudaMallocManaged(): memory with one address for host and kernels.
 *
 * It is pinned memory of the host's, so copies and sets take it like any other. Where the device works on host memory
 * in place, kernels get its device address, and nothing is copied. Elsewhere it is known as a managed variable is
 * (module/managed.c): written to the device before a kernel that is given a pointer into it, read back behind it.
 *
 * Thread-safe; no locks of its own.
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
