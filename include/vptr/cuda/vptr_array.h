/* SPDX-License-Identifier: MIT */
/*
 * vptr_array - arrays, and texture and surface objects over them; part of cuda_runtime_api.h.
 *
 * An array has elements that kernels read through texture objects and write through surface objects: 1, 2 or 4 channels
 * of 8, 16 or 32 bits. Sparse, compressed and planar arrays are refused with cudaErrorNotSupported.
 */
#ifndef VPTR_CUDA_VPTR_ARRAY_H
#define VPTR_CUDA_VPTR_ARRAY_H

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays --------------------------------------------------------------------------------------------- */

/* Channels of an element in words of the descriptor. In C++ cudaCreateChannelDesc<T>() says it for a type. */
VPTR_CUDA_API struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                           enum cudaChannelFormatKind f);

/* Makes an array on the current device, content undefined, committed. height 0: one row. The flags that serve are
 * cudaArraySurfaceLoadStore (needed for surface objects) and cudaArrayTextureGather.
 * Errors: cudaErrorInvalidValue (a NULL argument, no width, flags; larger than images of the device can be),
 * cudaErrorInvalidChannelDescriptor, cudaErrorNotSupported, cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                                    size_t width, size_t height VPTR_CUDA_DEFAULT(0),
                                                    unsigned int flags VPTR_CUDA_DEFAULT(0));

/* The same of three dimensions; with cudaArrayLayered the depth counts layers of one (height 0) or two, with
 * cudaArrayCubemap it is six, or with both a multiple of it. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                                      struct cudaExtent extent,
                                                      unsigned int flags VPTR_CUDA_DEFAULT(0));

/* Frees it, after waiting as cudaFree() does; texture objects may still use it. NULL is nothing to do.
 * All of these: cudaErrorInvalidResourceHandle for what is no array. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array);

/* An array of several levels, each half of the one before along each axis but layers, down to one element; of
 * numLevels those that there are. A level is an array, to be copied to, which ends with the whole. Kernels read all
 * of them through a texture object (cudaResourceTypeMipmappedArray), at the level that tex2DLod() and its kin name or
 * gradients choose. Errors: those of cudaMalloc3DArray(); cudaErrorNotSupported also for cubes, and where the device
 * tells no addresses; cudaErrorInvalidValue (no such level), cudaErrorInvalidResourceHandle (no such array). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                                             const struct cudaChannelFormatDesc *desc,
                                                             struct cudaExtent extent, unsigned int numLevels,
                                                             unsigned int flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                                               cudaMipmappedArray_const_t mipmappedArray,
                                                               unsigned int level);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);

/* What an array was made as; outputs may be NULL. cudaGetChannelDesc() wants its own: cudaErrorInvalidValue. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                                     unsigned int *flags, cudaArray_t array);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);

/* Copy a rectangle of width bytes and height rows to, from and between arrays: wOffset bytes into row hOffset, of
 * slice 0. cudaMemcpy3D() reaches the other slices. Memory may be host or device memory; the asynchronous forms wait
 * for pageable host memory only.
 * Errors: cudaErrorInvalidValue (the rectangle leaves the array or the memory, or has no whole elements),
 * cudaErrorInvalidPitchValue (less than the width), cudaErrorInvalidMemcpyDirection (kind: arrays are device memory):
 * nothing is copied. Between two devices they wait for the stream, go through host memory, and are done when they
 * return. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                        const void *src, size_t spitch, size_t width, size_t height,
                                                        enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                             const void *src, size_t spitch, size_t width,
                                                             size_t height, enum cudaMemcpyKind kind,
                                                             cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src,
                                                          size_t wOffset, size_t hOffset, size_t width,
                                                          size_t height, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                                               size_t wOffset, size_t hOffset, size_t width,
                                                               size_t height, enum cudaMemcpyKind kind,
                                                               cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                             cudaArray_const_t src, size_t wOffsetSrc,
                                                             size_t hOffsetSrc, size_t width, size_t height,
                                                             enum cudaMemcpyKind kind
                                                                 VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToDevice));

/* The same of count bytes in a line that runs on from row to row; old, and still here. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                                      size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                           const void *src, size_t count, enum cudaMemcpyKind kind,
                                                           cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset,
                                                        size_t hOffset, size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                                             size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                                             cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                           cudaArray_const_t src, size_t wOffsetSrc,
                                                           size_t hOffsetSrc, size_t count,
                                                           enum cudaMemcpyKind kind
                                                               VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToDevice));

/* Variants with the thread's own stream for the default one. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DToArray_ptds(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                             const void *src, size_t spitch, size_t width,
                                                             size_t height, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                                  const void *src, size_t spitch, size_t width,
                                                                  size_t height, enum cudaMemcpyKind kind,
                                                                  cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DFromArray_ptds(void *dst, size_t dpitch, cudaArray_const_t src,
                                                               size_t wOffset, size_t hOffset, size_t width,
                                                               size_t height, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync_ptsz(void *dst, size_t dpitch, cudaArray_const_t src,
                                                                    size_t wOffset, size_t hOffset, size_t width,
                                                                    size_t height, enum cudaMemcpyKind kind,
                                                                    cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray_ptds(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                                  cudaArray_const_t src, size_t wOffsetSrc,
                                                                  size_t hOffsetSrc, size_t width, size_t height,
                                                                  enum cudaMemcpyKind kind
                                                                      VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToDevice));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToArray_ptds(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                           const void *src, size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToArrayAsync_ptsz(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                                const void *src, size_t count, enum cudaMemcpyKind kind,
                                                                cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromArray_ptds(void *dst, cudaArray_const_t src, size_t wOffset,
                                                             size_t hOffset, size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromArrayAsync_ptsz(void *dst, cudaArray_const_t src, size_t wOffset,
                                                                  size_t hOffset, size_t count,
                                                                  enum cudaMemcpyKind kind,
                                                                  cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyArrayToArray_ptds(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                                cudaArray_const_t src, size_t wOffsetSrc,
                                                                size_t hOffsetSrc, size_t count,
                                                                enum cudaMemcpyKind kind
                                                                    VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToDevice));

/* ---- textures and surfaces ------------------------------------------------------------------------------ */

/* A texture object reads an array, or memory, by coordinates: kernels in CUDA by themselves (doc/kernels.md), in
 * OpenCL as an image and a sampler, by vptr_cuda_set_texture_arg() (vptr_texture.h). pResViewDesc is NULL or says
 * what the array is anyway. Linear memory is read by index alone. The object keeps the array, or the memory.
 * maxAnisotropy may be anything, and is told back: reads with gradients are of one level, or between two.
 * Errors: cudaErrorInvalidValue (a NULL or unknown value; memory that is not there, or not aligned),
 * cudaErrorInvalidResourceHandle (the array), cudaErrorInvalidFilterSetting (linear, of integers as they are),
 * cudaErrorNotSupported (other views, a linear filter across the seams of a cube). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                                            const struct cudaResourceDesc *pResDesc,
                                                            const struct cudaTextureDesc *pTexDesc,
                                                            const struct cudaResourceViewDesc *pResViewDesc);

/* Ends it; kernels that are queued may still use it. All of these: cudaErrorInvalidValue for what is no object. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDestroyTextureObject(cudaTextureObject_t texObject);

/* What it was made with. The view, if there was none, is all zeros. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                                                     cudaTextureObject_t texObject);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                                                    cudaTextureObject_t texObject);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                                         cudaTextureObject_t texObject);

/* How many elements a texture over linear memory may have: images over buffers, and no more than fit into the device.
 * Errors: cudaErrorInvalidValue (the output or fmtDesc is NULL), cudaErrorInvalidChannelDescriptor,
 * cudaErrorInvalidDevice. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                                         const struct cudaChannelFormatDesc *fmtDesc,
                                                                         int device);

/* A surface object lets kernels write an array that was made with cudaArraySurfaceLoadStore; those in OpenCL by
 * vptr_cuda_set_surface_arg(). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                                            const struct cudaResourceDesc *pResDesc);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                                                     cudaSurfaceObject_t surfObject);

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMemcpy2DToArray cudaMemcpy2DToArray_ptds
#define cudaMemcpy2DToArrayAsync cudaMemcpy2DToArrayAsync_ptsz
#define cudaMemcpy2DFromArray cudaMemcpy2DFromArray_ptds
#define cudaMemcpy2DFromArrayAsync cudaMemcpy2DFromArrayAsync_ptsz
#define cudaMemcpy2DArrayToArray cudaMemcpy2DArrayToArray_ptds
#define cudaMemcpyToArray cudaMemcpyToArray_ptds
#define cudaMemcpyToArrayAsync cudaMemcpyToArrayAsync_ptsz
#define cudaMemcpyFromArray cudaMemcpyFromArray_ptds
#define cudaMemcpyFromArrayAsync cudaMemcpyFromArrayAsync_ptsz
#define cudaMemcpyArrayToArray cudaMemcpyArrayToArray_ptds
#endif

#endif
