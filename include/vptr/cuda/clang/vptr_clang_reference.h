/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_reference - reads and writes through texture and surface references (cuda_texture_types.h), which are
 * those through objects: on the device a reference is a variable with an object's number. That is asked for by a
 * function that is never defined: clang has no content for a reference that is static, and LLVM would not read it.
 */
#ifndef VPTR_CUDA_CLANG_REFERENCE_H
#define VPTR_CUDA_CLANG_REFERENCE_H

#include "cuda_surface_types.h"
#include "cuda_texture_types.h"
#include "vptr_clang_surface.h"
#include "vptr_clang_texture.h"

#ifndef VPTR_CUDA_NO_REFERENCES

extern "C" __device__ __attribute__((pure, nothrow)) unsigned long long vptr_reference(const void *reference);

/* What reads have: T, or floats in its place. */
template <int count, bool is_vector> struct vptr_clang_floats { typedef float type; };
template <> struct vptr_clang_floats<1, true> { typedef float1 type; };
template <> struct vptr_clang_floats<2, true> { typedef float2 type; };
template <> struct vptr_clang_floats<4, true> { typedef float4 type; };
template <class T, class Channel> struct vptr_clang_is_vector { enum { value = 1 }; };
template <class T> struct vptr_clang_is_vector<T, T> { enum { value = 0 }; };

template <class T, cudaTextureReadMode mode> struct vptr_clang_read { typedef T type; };
template <class T> struct vptr_clang_read<T, cudaReadModeNormalizedFloat> {
  typedef vptr_cuda_channel::shape<T> shape;
  typedef typename vptr_clang_floats<shape::count, vptr_clang_is_vector<T, typename shape::channel>::value>::type type;
};

/* Four of a channel, for gathering. */
template <class Channel> struct vptr_clang_four { typedef float4 type; };
template <> struct vptr_clang_four<char> { typedef char4 type; };
template <> struct vptr_clang_four<signed char> { typedef char4 type; };
template <> struct vptr_clang_four<unsigned char> { typedef uchar4 type; };
template <> struct vptr_clang_four<short> { typedef short4 type; };
template <> struct vptr_clang_four<unsigned short> { typedef ushort4 type; };
template <> struct vptr_clang_four<int> { typedef int4 type; };
template <> struct vptr_clang_four<unsigned int> { typedef uint4 type; };

/* ---- textures ------------------------------------------------------------------------------------------------- */

/* type: the second argument of texture<>; passed: parameters by their names */
#define VPTR_CLANG_REFERENCE(name, type_of, parameters, passed)                                                      \
  template <class T, cudaTextureReadMode mode>                                                                       \
  VPTR_CLANG_DEVICE typename vptr_clang_read<T, mode>::type name(const texture<T, type_of, mode> &reference,         \
                                                                 VPTR_CLANG_LIST parameters) {                       \
    return ::name<typename vptr_clang_read<T, mode>::type>(::vptr_reference(&reference), VPTR_CLANG_LIST passed);    \
  }

VPTR_CLANG_REFERENCE(tex1Dfetch, cudaTextureType1D, (int x), (x))
VPTR_CLANG_REFERENCE(tex1D, cudaTextureType1D, (float x), (x))
VPTR_CLANG_REFERENCE(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
VPTR_CLANG_REFERENCE(tex1DGrad, cudaTextureType1D, (float x, float dx, float dy), (x, dx, dy))
VPTR_CLANG_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
VPTR_CLANG_REFERENCE(tex1DLayeredLod, cudaTextureType1DLayered, (float x, int layer, float level), (x, layer, level))
VPTR_CLANG_REFERENCE(tex1DLayeredGrad, cudaTextureType1DLayered, (float x, int layer, float dx, float dy),
                     (x, layer, dx, dy))
VPTR_CLANG_REFERENCE(tex2D, cudaTextureType2D, (float x, float y), (x, y))
VPTR_CLANG_REFERENCE(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
VPTR_CLANG_REFERENCE(tex2DGrad, cudaTextureType2D, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
VPTR_CLANG_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
VPTR_CLANG_REFERENCE(tex2DLayeredLod, cudaTextureType2DLayered, (float x, float y, int layer, float level),
                     (x, y, layer, level))
VPTR_CLANG_REFERENCE(tex2DLayeredGrad, cudaTextureType2DLayered, (float x, float y, int layer, float2 dx, float2 dy),
                     (x, y, layer, dx, dy))
VPTR_CLANG_REFERENCE(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
VPTR_CLANG_REFERENCE(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
VPTR_CLANG_REFERENCE(tex3DGrad, cudaTextureType3D, (float x, float y, float z, float4 dx, float4 dy),
                     (x, y, z, dx, dy))
VPTR_CLANG_REFERENCE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
VPTR_CLANG_REFERENCE(texCubemapLod, cudaTextureTypeCubemap, (float x, float y, float z, float level), (x, y, z, level))
VPTR_CLANG_REFERENCE(texCubemapGrad, cudaTextureTypeCubemap, (float x, float y, float z, float4 dx, float4 dy),
                     (x, y, z, dx, dy))
VPTR_CLANG_REFERENCE(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer),
                     (x, y, z, layer))
VPTR_CLANG_REFERENCE(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
                     (float x, float y, float z, int layer, float level), (x, y, z, layer, level))
VPTR_CLANG_REFERENCE(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered,
                     (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy))

#undef VPTR_CLANG_REFERENCE

template <class T>
VPTR_CLANG_DEVICE typename vptr_clang_four<typename vptr_cuda_channel::shape<T>::channel>::type
tex2Dgather(const texture<T, cudaTextureType2D, cudaReadModeElementType> &reference, float x, float y,
            int component = 0) {
  typedef typename vptr_clang_four<typename vptr_cuda_channel::shape<T>::channel>::type four;
  return ::tex2Dgather<four>(::vptr_reference(&reference), x, y, component);
}
template <class T>
VPTR_CLANG_DEVICE float4 tex2Dgather(const texture<T, cudaTextureType2D, cudaReadModeNormalizedFloat> &reference,
                                     float x, float y, int component = 0) {
  return ::tex2Dgather<float4>(::vptr_reference(&reference), x, y, component);
}

/* ---- surfaces ------------------------------------------------------------------------------------------------- */

#define VPTR_CLANG_REFERENCE(name, type_of, parameters, passed)                                                      \
  template <class T, class S>                                                                                        \
  VPTR_CLANG_DEVICE T name##read(const surface<S, type_of> &reference, VPTR_CLANG_LIST parameters,                   \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
    return ::name##read<T>(::vptr_reference(&reference), VPTR_CLANG_LIST passed, mode);                              \
  }                                                                                                                  \
  template <class T, class S>                                                                                        \
  VPTR_CLANG_DEVICE void name##read(T *result, const surface<S, type_of> &reference, VPTR_CLANG_LIST parameters,     \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
    *result = ::name##read<T>(::vptr_reference(&reference), VPTR_CLANG_LIST passed, mode);                           \
  }                                                                                                                  \
  template <class T, class S>                                                                                        \
  VPTR_CLANG_DEVICE void name##write(T value, const surface<S, type_of> &reference, VPTR_CLANG_LIST parameters,      \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
    ::name##write<T>(value, ::vptr_reference(&reference), VPTR_CLANG_LIST passed, mode);                             \
  }

VPTR_CLANG_REFERENCE(surf1D, cudaSurfaceType1D, (int x), (x))
VPTR_CLANG_REFERENCE(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
VPTR_CLANG_REFERENCE(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
VPTR_CLANG_REFERENCE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
VPTR_CLANG_REFERENCE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
VPTR_CLANG_REFERENCE(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int face), (x, y, face))
VPTR_CLANG_REFERENCE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layer_face),
                     (x, y, layer_face))

#undef VPTR_CLANG_REFERENCE

#endif

#endif
