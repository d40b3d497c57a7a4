/* SPDX-License-Identifier: MIT */
/*
 * mipmap - CUDA's mipmapped arrays: arrays that lie one behind the other in one piece of memory, each half of the one
 * before along each axis. A level is an array like others, which the program gets and copies to; only a texture over
 * all of them sees that they are one.
 *
 * They are memory alone: where the device tells no addresses there are none, nor is there an image of several levels
 * for kernels in OpenCL. A mipmapped array lives as long as its handle and the textures over it, and its levels'
 * handles end with its own.
 *
 * Thread-safe: nothing in one changes. The table of their handles is a static of mipmap.c, with a lock of rank LEAF.
 * Called by texture.c, lacking.c and reset.c.
 */
#ifndef VPTR_CUDA_MIPMAP_H
#define VPTR_CUDA_MIPMAP_H

#include "cuda/array.h"

enum { VPTR__CUDA_MOST_LEVELS = 32 };

typedef struct vptr__cuda_mipmap {
  vptr__cuda_object object; /* first */
  unsigned count;
  cudaArray_t levels[VPTR__CUDA_MOST_LEVELS];
} vptr__cuda_mipmap;

/* The mipmapped array that a handle means, with a reference, which vptr__cuda_object_release() gives back.
 * Errors: cudaErrorInvalidResourceHandle, said of `what`. */
cudaError_t vptr__cuda_mipmap_get(const char *what, cudaMipmappedArray_const_t handle, vptr__cuda_mipmap **mipmap_out);

/* One of a checkpoint, under the handles that it and its levels had there, of the extent of the first level. And the
 * first of a mapper from *index on, as vptr__cuda_handle_next() tells it. */
cudaError_t vptr__cuda_mipmap_again(vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                    const struct cudaExtent *extent, unsigned flags, uint64_t handle,
                                    const vptr__cuda_mipmap *like);
vptr__cuda_mipmap *vptr__cuda_mipmap_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out);

/* Ends the handles of a device's. */
void vptr__cuda_mipmaps_end_all(const vptr_mapper *mapper);

#endif
