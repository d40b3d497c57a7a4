/* SPDX-License-Identifier: MIT */
/*
 * texture - textures, of texture objects and of texture references; see texture.c.
 *
 * An object has a handle of its own, which goes with it. A reference has one, too, for as long as its program is there,
 * and what is bound to it is a texture under that handle: kernels find the one that is bound when they are launched.
 * So the table of handles has both, and a reference's place in it is known by nobody who looks for a texture.
 *
 * Locks: the static `textures` of texture.c, the table of handles, has one of rank LEAF. `desc` and `handle` of a
 * reference's texture change under the static `binding` of reference.c, of rank REFERENCE; `image` and `sampler` as
 * texture_object.c says. Called by texture_object.c and reference.c.
 */
#ifndef VPTR_CUDA_TEXTURE_MADE_H
#define VPTR_CUDA_TEXTURE_MADE_H

#include <stdbool.h>

#include <vptr/cuda/cuda_runtime_api.h>

#include "cuda/array.h"
#include "cuda/handle.h"
#include "cuda/mipmap.h"
#include "cuda/view.h"
#include "image/image.h"

/* Of cudaResourceDesc and cudaResourceViewDesc in CUDA 11 and 12. */
enum { VPTR__CUDA_RESOURCE_BYTES = 64, VPTR__CUDA_VIEW_BYTES = 48 };

typedef struct vptr__cuda_texture {
  vptr__cuda_object object;  /* first */
  const char *call;          /* that makes it, for messages */
  uint64_t handle;           /* under which kernels find it; 0: under none */
  vptr__cuda_mipmap *mipmap; /* NULL: of one level */
  vptr__cuda_array *array;   /* NULL: over memory; of a mipmapped one the first level that is seen */
  vptr__image image;  /* its format is that of the reading, its buffer the memory; its memory NULL until it is made */
  cl_sampler sampler; /* NULL: not made yet, or linear memory, which is read without */
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
  struct cudaResourceViewDesc view;
  bool has_view;
  vptr__cuda_view seen; /* of the array */
  bool is_of_reference; /* kernels in OpenCL never get it */
} vptr__cuda_texture;

/* Makes one and enters it for kernels. mapper is the current device's: who calls with a lock asks for that before.
 * `reference` is 0: under a handle of its own, *handle_out, whose table has it. Else under that reference's handle, and
 * *made_out has its first count. view: NULL, or all zeros: none. Errors: those of cudaCreateTextureObject(). */
cudaError_t vptr__cuda_texture_make(vptr_mapper *mapper, const char *call, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view,
                                    uint64_t reference, uint64_t *handle_out, vptr__cuda_texture **made_out);

/* An object of a checkpoint, under the handle that it had there. Errors: as above. And the first object of a mapper
 * from *index on, as vptr__cuda_handle_next() tells it. */
cudaError_t vptr__cuda_texture_again(vptr_mapper *mapper, const struct cudaResourceDesc *resource,
                                     const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view,
                                     uint64_t handle);
vptr__cuda_texture *vptr__cuda_texture_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out);

/* It is read otherwise from now on. Errors: cudaErrorInvalidValue, cudaErrorInvalidFilterSetting, and it is as it was;
 * cudaErrorMemoryAllocation. */
cudaError_t vptr__cuda_texture_change(vptr__cuda_texture *texture, const struct cudaTextureDesc *desc);

/* Coordinates that a sampler addresses. */
int vptr__cuda_texture_dimensions(const vptr__image *image);

/* The texture object of a handle, with a reference; said of `what`. Errors: cudaErrorInvalidValue. */
cudaError_t vptr__cuda_texture_get(const char *what, cudaTextureObject_t handle, vptr__cuda_texture **texture_out);
void vptr__cuda_texture_end(cudaTextureObject_t handle);

/* A texture reference's handle; object is what its place is. vptr__cuda_texture_give_up() lets go of that. */
vptr_status vptr__cuda_texture_reserve(vptr__cuda_object *object, uint64_t *handle_out);
void vptr__cuda_texture_give_up(uint64_t handle);

#endif
