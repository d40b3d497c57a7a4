/* SPDX-License-Identifier: MIT */
/*
 * array - CUDA's arrays: memory whose elements lie row behind row, and OpenCL images.
 *
 *     CUDA                         extent            image
 *     1D                           w, 0, 0           1D
 *     2D                           w, h, 0           2D
 *     3D                           w, h, d           3D
 *     1D layered, 2D layered       w, 0|h, layers    array of 1D, of 2D
 *     cubes                        w, w, 6 * layers  array of 2D
 *
 * Kernels in CUDA compute from an element's address what a texture reads. So where the device tells addresses an
 * array is plain memory, which stays where it is as long as the array lives. Kernels of the program's own in OpenCL
 * want an image (vptr_cuda_set_texture_arg()): for the first of them the content moves into one, on the device, and
 * back when the last object that was given to such a kernel ends. Until then launches of CUDA kernels that read
 * textures are refused, for they would read the memory (mapper/texel_table.h). Where the device tells no addresses an
 * array is an image from the beginning.
 *
 * CUDA decides with each texture whether 8- and 16-bit integers are read as they are; an OpenCL image is made for one
 * of the two. So an array changes its image when the first object wants the other reading. That is possible while no
 * other object uses the image that it has, and is refused while one does.
 *
 * An array lives as long as its handle and the objects over it. Commands keep its image alive themselves. A reset of
 * its device ends the handles of all three.
 *
 * Thread-safe. One lock, the static `lock` of array.c, of rank ARRAY, guards which image each array has: the fields
 * from `address` on. It is held while commands for an array are queued, and while an array changes its image. Used by
 * the files of this folder that make, copy and view arrays; lib/driver has CUDA's own calls.
 */
#ifndef VPTR_CUDA_ARRAY_H
#define VPTR_CUDA_ARRAY_H

#include <stdbool.h>

#include "cuda/copy.h"
#include "cuda/handle.h"
#include "mapper/mapper.h"
#include "mapper/texel_table.h"

typedef struct vptr__cuda_array {
  vptr__cuda_object object; /* first */
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent; /* as the program gave it */
  unsigned flags;
  uint64_t place;    /* of its elements in checkpoints: array_saved.c's alone; 0: none has it */
  size_t bytes;      /* of device memory that it was made with; 0: a level, which lies in another's */
  cl_mem elements;   /* the memory of all forms of it that are plain; NULL: the device tells no addresses */
  uint64_t address;  /* of that, the device's; 0: nobody asked yet. Guarded by the lock, as is what follows */
  vptr__image image; /* where its content is: the memory, or an image of some format */
  bool normalized;   /* integers in the image are read as floats */
  unsigned views;    /* texture and surface objects that use the image */
} vptr__cuda_array;

/* The array that a handle means, with a reference, which vptr__cuda_array_release() gives back.
 * Errors: cudaErrorInvalidResourceHandle, said of `what`. */
cudaError_t vptr__cuda_array_get(const char *what, cudaArray_const_t handle, vptr__cuda_array **array_out);
void vptr__cuda_array_release(vptr__cuda_array *array);

/* The image for a texture or surface that reads integers as floats, or not, into the object's own image, whose memory
 * is NULL before and retained behind; nothing to do if it is there. The array keeps that form until
 * vptr__cuda_array_unview(), which releases it. Errors: cudaErrorNotSupported (other objects use it in the other
 * way). */
cudaError_t vptr__cuda_array_view(vptr__cuda_array *array, bool normalized, vptr__image *image);
void vptr__cuda_array_unview(vptr__cuda_array *array, vptr__image *image);

/* Where the elements lie for CUDA kernels, without how they are read but for what they are. False in *is_there_out: the
 * device tells no addresses. */
cudaError_t vptr__cuda_array_texels(vptr__cuda_array *array, vptr__texel_entry *entry_out, bool *is_there_out);

/* An array of a checkpoint: under the handle that it had there, with undefined content. And the first array of a mapper
 * from *index on, as vptr__cuda_handle_next() tells it. */
cudaError_t vptr__cuda_array_again(vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                   const struct cudaExtent *extent, unsigned flags, uint64_t handle);
vptr__cuda_array *vptr__cuda_array_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out);

/* mipmap.c's: memory of so many bytes as an array without a handle, for levels to lie in; *array_out is NULL if it
 * fails. And a level, an array with a handle over some of that memory, which it holds: *handle, if that is not 0.
 * Errors: cudaErrorNotSupported (the device tells no addresses), cudaErrorMemoryAllocation. */
cudaError_t vptr__cuda_array_of_memory(const char *call, vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                       size_t bytes, vptr__cuda_array **array_out);
cudaError_t vptr__cuda_array_level(const char *call, vptr__cuda_array *memory, const struct cudaChannelFormatDesc *desc,
                                   const struct cudaExtent *extent, unsigned flags, size_t offset,
                                   cudaArray_t *handle);

/* Ends a handle, if it still is one. */
void vptr__cuda_array_end(cudaArray_t handle);

/* Bytes of a device's memory that its arrays take, of mipmapped ones too; without images that stand in for one while
 * the program's own kernels read it, and without what a driver adds. No lock. */
size_t vptr__cuda_array_bytes(const vptr__device *device);

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

/* Says that a device which can be exchanged gives no image to a kernel of the program's own; cudaSuccess of others.
 * texture_object.c. */
cudaError_t vptr__cuda_refuse_own_kernel(const char *what, const vptr__device *device);

void vptr__cuda_array_lock(void);
void vptr__cuda_array_unlock(void);

#endif
