/* SPDX-License-Identifier: MIT */
/*
 * surface - surfaces that are bound to surface references; see surface.c, and texture.h for what a reference is.
 *
 * Locks: the static `surfaces` of surface.c, the table of handles, has one of rank LEAF; reference.c calls with its
 * static `binding` held, of rank REFERENCE, to make and to replace one. Called by reference.c alone.
 */
#ifndef VPTR_CUDA_SURFACE_MADE_H
#define VPTR_CUDA_SURFACE_MADE_H

#include "cuda/array.h"
#include "cuda/handle.h"

/* Makes one of an array and enters it for kernels under a reference's handle. The caller has its first reference.
 * Errors: cudaErrorInvalidValue (the array is not for surfaces), cudaErrorMemoryAllocation. */
cudaError_t vptr__cuda_surface_make(const char *call, cudaArray_t array, uint64_t reference,
                                    vptr__cuda_object **made_out);

/* An object of a checkpoint, under the handle that it had there. Errors: as above. And the first object of a mapper
 * from *index on, as vptr__cuda_handle_next() tells it, with the handle of its array. */
cudaError_t vptr__cuda_surface_again(cudaArray_t array, uint64_t handle);
vptr__cuda_object *vptr__cuda_surface_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out,
                                           cudaArray_t *array_out);

/* Kernels find it no longer under its handle, which has another one by now. */
void vptr__cuda_surface_replaced(vptr__cuda_object *surface);

/* A surface reference's handle; object is what its place is. vptr__cuda_surface_give_up() lets go of that. */
vptr_status vptr__cuda_surface_reserve(vptr__cuda_object *object, uint64_t *handle_out);
void vptr__cuda_surface_give_up(uint64_t handle);

#endif
