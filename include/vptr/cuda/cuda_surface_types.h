/* SPDX-License-Identifier: MIT */
/*
 * cuda_surface_types - in C++, surface references, which CUDA had up to version 11, and the calls that bind them:
 * `surface<void, cudaSurfaceType2D> image;` at file scope. cuda_texture_types.h says what else is to be said.
 */
#ifndef VPTR_CUDA_SURFACE_REFERENCE_H
#define VPTR_CUDA_SURFACE_REFERENCE_H
#define __CUDA_SURFACE_TYPES_H__

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

#if defined(__cplusplus) && !defined(VPTR_CUDA_NO_REFERENCES)

#if defined(__clang__) && defined(__CUDA__)
#define VPTR_CUDA_SURFACE_TYPE __attribute__((device_builtin_surface_type, aligned(8)))
#else
#define VPTR_CUDA_SURFACE_TYPE __attribute__((aligned(8)))
#endif

/* T is void in most programs, and of no meaning in the others: elements are bytes to kernels. */
template <class T, int dim = cudaSurfaceType1D> struct VPTR_CUDA_SURFACE_TYPE surface : public surfaceReference {
  surface() { channelDesc = cudaChannelFormatDesc(); }
  surface(struct cudaChannelFormatDesc desc) { channelDesc = desc; }
};

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindSurfaceToArray(static_cast<const surfaceReference *>(&surf), array, &desc);
}

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf, cudaArray_const_t array) {
  struct cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? cudaBindSurfaceToArray(surf, array, desc) : error;
}

#endif

#endif
