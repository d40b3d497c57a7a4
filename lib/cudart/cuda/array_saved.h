/* SPDX-License-Identifier: MIT */
/*
 * array_saved - arrays, mipmapped arrays, texture objects and surface objects in checkpoints; see array_saved.c.
 *
 * Locks: what array_saved.c has, and vptr__cuda_array.place, the lock of checkpoint/kept.c guards, of rank CHECKPOINT,
 * which callers of the table's functions hold; an array's form that of array.c, of rank ARRAY. Used by array.c.
 */
#ifndef VPTR_CUDA_ARRAY_SAVED_H
#define VPTR_CUDA_ARRAY_SAVED_H

#include "base/subsystem.h"
#include "cuda/array.h"

/* The table of VPTR__SUBSYSTEM_ARRAY. */
extern const vptr__subsystem vptr__cuda_arrays_subsystem;

/* array_content.c: copies bytes of an array's elements, one behind the other, from an offset on, which is an element's,
 * as the size is; to host memory or from it. Errors: those of transfers and of a staging buffer. */
vptr_status vptr__cuda_array_copy_content(vptr__cuda_array *array, size_t offset, void *host, size_t size,
                                          bool to_host);

#endif
