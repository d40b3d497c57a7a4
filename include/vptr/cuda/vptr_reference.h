/* SPDX-License-Identifier: MIT */
/*
 * vptr_reference - calls on texture and surface references, which CUDA had up to version 11.
 *
 * A reference is a variable at file scope, `texture<float, 2> image;` (cuda_texture_types.h), that kernels name and the
 * host binds to memory. Here it is a texture object that the library holds, with one number for as long as the program
 * runs. What is bound to it, and the fields that say how it reads, are those of the moment of a launch: kernels that
 * were launched before keep what they had. Each device has a binding of its own, and a call is about the current one's.
 * What is bound stays until something else is, also if it is freed before. A reference that nothing is bound to reads
 * zeros, and what is written through it goes nowhere.
 *
 * cuda_runtime.h has forms of these for C++ that take the reference itself, and find out the format. All of them are
 * thread-safe; but to write a reference's fields while another thread launches is a race.
 */
#ifndef VPTR_CUDA_REFERENCE_H
#define VPTR_CUDA_REFERENCE_H

#include <stddef.h>

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Binds linear memory, for tex1Dfetch(); desc says what its elements are. size: bytes; UINT_MAX and more: to the end of
 * the allocation. It need not be aligned to more than an element, so *offset, if there is one, becomes 0. Errors of
 * these four: cudaErrorInvalidTexture (no reference of a kernel's), cudaErrorInvalidValue (desc is NULL or not the
 * array's; memory that is not there, or not aligned), cudaErrorInvalidResourceHandle (the array),
 * cudaErrorInvalidFilterSetting (linear, of integers as they are). What was bound before stays then. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaBindTexture(size_t *offset, const struct textureReference *texref,
                                                    const void *devPtr, const struct cudaChannelFormatDesc *desc,
                                                    size_t size);

/* Binds rows of memory: width and height in elements, pitch in bytes. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaBindTexture2D(size_t *offset, const struct textureReference *texref,
                                                      const void *devPtr, const struct cudaChannelFormatDesc *desc,
                                                      size_t width, size_t height, size_t pitch);

VPTR_CUDA_API cudaError_t CUDARTAPI cudaBindTextureToArray(const struct textureReference *texref,
                                                           cudaArray_const_t array,
                                                           const struct cudaChannelFormatDesc *desc);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                                                    cudaMipmappedArray_const_t mipmappedArray,
                                                                    const struct cudaChannelFormatDesc *desc);

/* Nothing is bound from now on, as before the first call. Errors: cudaErrorInvalidTexture. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaUnbindTexture(const struct textureReference *texref);

/* The offset that binding told: 0. Errors: cudaErrorInvalidValue, cudaErrorInvalidTexture,
 * cudaErrorInvalidTextureBinding (nothing is bound). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetTextureAlignmentOffset(size_t *offset,
                                                                  const struct textureReference *texref);

/* The reference that a variable is. Errors: cudaErrorInvalidValue, cudaErrorInvalidTexture. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetTextureReference(const struct textureReference **texref,
                                                            const void *symbol);

/* Binds an array that was made with cudaArraySurfaceLoadStore. Errors: cudaErrorInvalidSurface (no reference of a
 * kernel's), cudaErrorInvalidValue (another array; desc is NULL or not the array's), cudaErrorInvalidResourceHandle. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaBindSurfaceToArray(const struct surfaceReference *surfref,
                                                           cudaArray_const_t array,
                                                           const struct cudaChannelFormatDesc *desc);

/* Errors: cudaErrorInvalidValue, cudaErrorInvalidSurface. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetSurfaceReference(const struct surfaceReference **surfref,
                                                            const void *symbol);

#ifdef __cplusplus
}
#endif

#endif
