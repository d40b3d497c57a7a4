/* SPDX-License-Identifier: MIT */
/*
 * reference - texture and surface references of the program's (vptr_reference.h); see reference.c.
 *
 * Locks: the static `lock` of reference.c, of rank LEAF, guards the list of references, and which have left it; the
 * static `binding`, of rank REFERENCE, what is bound to each, and is held while that changes. The count of bindings is
 * atomic. Called by launch.c, reference_call.c, registration.c and reset.c, by replay/send.c, and by driver/launch.c,
 * reference.c and reference_call.c.
 */
#ifndef VPTR_CUDA_REFERENCE_MADE_H
#define VPTR_CUDA_REFERENCE_MADE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <vptr/cuda/vptr_kernel.h>

#include "mapper/mapper.h"
#include "module/leaving.h"

typedef struct vptr__cuda_reference vptr__cuda_reference;

/* Makes known a reference that a module brings: a variable with one of the flags of references. *number_out is where
 * its number is, which kernels read in the variable's place; it stays until the module's are forgotten. Errors:
 * cudaErrorInvalidSymbol (the shadow is one's already), cudaErrorMemoryAllocation. */
VPTR_API cudaError_t vptr__cuda_reference_know(const vptr_cuda_variable *variable, const void *module,
                                      const uint64_t **number_out);

/* Files may share a shadow. */
bool vptr__cuda_reference_is_known(const void *shadow);

/* Forgets those of a module. Waits for no device: what is bound goes when the work in flight is over. */
VPTR_API void vptr__cuda_references_forget(const void *module, vptr__leaving_when when);

/* The reference of a shadow; said of `call`. Errors: cudaErrorInvalidTexture, cudaErrorInvalidSurface. */
VPTR_API cudaError_t vptr__cuda_reference_find(const char *call, const void *shadow, bool is_surface,
                                      vptr__cuda_reference **found_out);

/* How a texture reads, beside its fields: integers as floats, across the edges of a cube's faces, and the colour of a
 * border. */
VPTR_API void vptr__cuda_reference_read(vptr__cuda_reference *of, bool reads_floats, bool is_seamless,
                                      const float border[4]);

/* Binds memory or an array, on its own device; what was bound there stays if it fails. */
VPTR_API cudaError_t vptr__cuda_reference_bind(const char *call, vptr__cuda_reference *to,
                                      const struct cudaResourceDesc *resource);
VPTR_API cudaError_t vptr__cuda_reference_bind_surface(const char *call, vptr__cuda_reference *to, cudaArray_t array);

/* On a device. To unbind what is not bound is nothing. */
VPTR_API void vptr__cuda_reference_unbind(vptr__cuda_reference *from, const vptr_mapper *mapper);
bool vptr__cuda_reference_is_bound(vptr__cuda_reference *seen, const vptr_mapper *mapper);

/* Unbinds all on a device. */
void vptr__cuda_references_unbind_all(const vptr_mapper *mapper);

/* How many bindings there are, on all devices. */
VPTR_API extern atomic_size_t vptr__cuda_references_bound;

/* In front of a launch: textures that are bound are read as their references' fields say by now. Errors: those of
 * fields that say nothing CUDA has. */
VPTR_API cudaError_t vptr__cuda_references_look(const vptr_mapper *mapper);

static inline cudaError_t vptr__cuda_references_update(const vptr_mapper *mapper) {
  return atomic_load_explicit(&vptr__cuda_references_bound, memory_order_acquire) == 0
             ? cudaSuccess
             : vptr__cuda_references_look(mapper);
}

#endif
