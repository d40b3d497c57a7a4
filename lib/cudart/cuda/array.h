/* SPDX-License-Identifier: MIT */
/*
 * array - CUDA's arrays: OpenCL images.
 *
 *     CUDA                         extent            image
 *     1D                           w, 0, 0           1D
 *     2D                           w, h, 0           2D
 *     3D                           w, h, d           3D
 *     1D layered, 2D layered       w, 0|h, layers    array of 1D, of 2D
 *
 * CUDA decides with each texture whether 8- and 16-bit integers are read as they are; an OpenCL image is made for one
 * of the two. So an array changes its image when the first texture wants the other reading: its content moves, on the
 * device, and its handle stays. That is possible while no texture or surface object uses the image that it has, and is
 * refused while one does; nobody sees it, for an array can be reached through its handle and such objects alone.
 *
 * An array lives as long as its handle and the objects over it. Commands keep its image alive themselves. A reset of
 * its device ends the handles of all three.
 *
 * Thread-safe. One lock, the static `lock` of array.c, of rank ARRAY, guards which image each array has. It is held
 * while commands for an array are queued, and while an array changes its image.
 */
#ifndef VPTR_CUDA_ARRAY_H
#define VPTR_CUDA_ARRAY_H

#include <stdbool.h>

#include "cuda/copy.h"
#include "cuda/handle.h"
#include "mapper/mapper.h"

typedef struct vptr__cuda_array {
  vptr__cuda_object object; /* first */
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent; /* as the program gave it */
  unsigned flags;
  vptr__image image; /* its memory and format, and what follows: guarded by the lock */
  bool normalized;   /* integers are read as floats */
  unsigned views;    /* texture and surface objects that use the image */
} vptr__cuda_array;

/* The array that a handle means, with a reference, which vptr__cuda_array_release() gives back.
 * Errors: cudaErrorInvalidResourceHandle, said of `what`. */
cudaError_t vptr__cuda_array_get(const char *what, cudaArray_const_t handle, vptr__cuda_array **array_out);
void vptr__cuda_array_release(vptr__cuda_array *array);

/* The image for a texture or surface that reads integers as floats, or not; its memory is retained, and the array keeps
 * it until vptr__cuda_array_unview(). Errors: cudaErrorNotSupported (other objects use it in the other way). */
cudaError_t vptr__cuda_array_view(vptr__cuda_array *array, bool normalized, vptr__image *image_out);
void vptr__cuda_array_unview(vptr__cuda_array *array);

/* array_shape.c: the kind of image, by which of the extents are there. Errors: cudaErrorInvalidValue,
 * cudaErrorNotSupported. */
cudaError_t vptr__cuda_array_shape(const char *call, int device, const struct cudaExtent *extent, unsigned flags,
                                   cl_mem_object_type *type_out);

/* Says why CUDA has no such array; cudaErrorInvalidValue. */
cudaError_t vptr__cuda_array_refuse_shape(const char *call, const struct cudaExtent *extent, unsigned flags,
                                          const char *why);

/* ---- copies: array_copy.c ------------------------------------------------------------------------------- */

/* One endpoint of a copy: an array from an element on, or memory. */
typedef struct vptr__cuda_array_endpoint {
  cudaArray_const_t array; /* NULL: memory */
  size_t at[3];            /* element, row, slice */
  vptr__operand operand;   /* ptr, row and slice; the rest is filled in */
} vptr__cuda_array_endpoint;

/* A copy with an array at one endpoint at least. */
typedef struct vptr__cuda_array_copy {
  const vptr__cuda_call *call;
  vptr__cuda_array_endpoint to, from;
  size_t region[3]; /* elements, rows, slices */
  enum cudaMemcpyKind kind;
  vptr__cuda_when when;
} vptr__cuda_array_copy;

/* Does it; bounds are checked, to the element, before anything moves. Errors: cudaErrorInvalidResourceHandle,
 * cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection. */
cudaError_t vptr__cuda_array_copy_rect(vptr__cuda_array_copy *copy);

/* The bytes of an element. Errors: cudaErrorInvalidResourceHandle. */
cudaError_t vptr__cuda_array_element(const char *what, cudaArray_const_t handle, size_t *bytes_out);

/* Ends the handles of a device's arrays; array.c. The same for texture objects and surface objects in their files. */
void vptr__cuda_arrays_end_all(const vptr_mapper *mapper);
void vptr__cuda_textures_end_all(const vptr_mapper *mapper);
void vptr__cuda_surfaces_end_all(const vptr_mapper *mapper);

void vptr__cuda_array_lock(void);
void vptr__cuda_array_unlock(void);

#endif
