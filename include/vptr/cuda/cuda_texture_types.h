/* SPDX-License-Identifier: MIT */
/*
 * cuda_texture_types - in C++, texture references, which CUDA had up to version 11, and the calls that bind them.
 *
 *     texture<float, cudaTextureType2D, cudaReadModeElementType> image;      at file scope
 *
 *     image.filterMode = cudaFilterModeLinear;                               on the host
 *     cudaBindTextureToArray(image, array);
 *     ... tex2D(image, x, y) ...                                             in kernels
 *
 * CUDA 12 took them away, and with them two names that programs of today may have for something else: where
 * VPTR_CUDA_NO_REFERENCES is defined, neither `texture` nor `surface` (cuda_surface_types.h) is declared.
 */
#ifndef VPTR_CUDA_TEXTURE_REFERENCE_H
#define VPTR_CUDA_TEXTURE_REFERENCE_H
#define __CUDA_TEXTURE_TYPES_H__

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

#if defined(__cplusplus) && !defined(VPTR_CUDA_NO_REFERENCES)

#include <limits.h>

/* clang makes a number of 64 bits of it on the device, and registers the variable. Of the type nothing reaches LLVM but
 * the alignment, so that this tells vptr-kernelc the mode (tools/kernelc/reference.c); the size is 128 bytes either
 * way. */
#if defined(__clang__) && defined(__CUDA__)
#define VPTR_CUDA_TEXTURE_TYPE(mode)                                                                                 \
  __attribute__((device_builtin_texture_type, aligned((mode) == cudaReadModeNormalizedFloat ? 64 : 8)))
#else
#define VPTR_CUDA_TEXTURE_TYPE(mode) __attribute__((aligned(8)))
#endif

template <class T, int texType = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct VPTR_CUDA_TEXTURE_TYPE(mode) texture : public textureReference {
  texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp) {
    set(norm, filter, address, cudaCreateChannelDesc<T>());
  }
  texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc desc) {
    set(norm, filter, address, desc);
  }

 private:
  void set(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
           const struct cudaChannelFormatDesc &desc) {
    static_cast<textureReference &>(*this) = textureReference();
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

/* ---- binding by the reference itself; without desc the format is the reference's, of an array its own ----------- */

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, type, mode> &tex, const void *devPtr,
                                          const struct cudaChannelFormatDesc &desc, size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, size);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, type, mode> &tex, const void *devPtr,
                                          size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, static_cast<const textureReference *>(&tex), devPtr, &tex.channelDesc, size);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, type, mode> &tex,
                                            const void *devPtr, const struct cudaChannelFormatDesc &desc, size_t width,
                                            size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, width, height, pitch);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, type, mode> &tex,
                                            const void *devPtr, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, static_cast<const textureReference *>(&tex), devPtr, &tex.channelDesc, width,
                             height, pitch);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const struct texture<T, type, mode> &tex, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToArray(static_cast<const textureReference *>(&tex), array, &desc);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const struct texture<T, type, mode> &tex, cudaArray_const_t array) {
  struct cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? cudaBindTextureToArray(tex, array, desc) : error;
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const struct texture<T, type, mode> &tex,
                                                          cudaMipmappedArray_const_t mipmappedArray,
                                                          const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToMipmappedArray(static_cast<const textureReference *>(&tex), mipmappedArray, &desc);
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const struct texture<T, type, mode> &tex,
                                                          cudaMipmappedArray_const_t mipmappedArray) {
  cudaArray_t level;
  struct cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetMipmappedArrayLevel(&level, mipmappedArray, 0);
  if (error == cudaSuccess)
    error = cudaGetChannelDesc(&desc, level);
  return error == cudaSuccess ? cudaBindTextureToMipmappedArray(tex, mipmappedArray, desc) : error;
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const struct texture<T, type, mode> &tex) {
  return ::cudaUnbindTexture(static_cast<const textureReference *>(&tex));
}

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct texture<T, type, mode> &tex) {
  return ::cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference *>(&tex));
}

#endif

#endif
