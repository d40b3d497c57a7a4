/* SPDX-License-Identifier: MIT */
/*
 * memory - how much memory of a device is left, for callers that do not make the device current.
 *
 * No data, no locks. Called by memory.c, for cudaMemGetInfo(), and by ml/memory.c.
 */
#ifndef VPTR_CUDA_MEMORY_H
#define VPTR_CUDA_MEMORY_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>

#include "mapper/mapper.h"

/* cudaMemGetInfo() of a mapper's device, without a trace in the last error; an output may be NULL. */
VPTR_API cudaError_t vptr__cuda_memory_of(vptr_mapper *mapper, size_t *free, size_t *total);

#endif
