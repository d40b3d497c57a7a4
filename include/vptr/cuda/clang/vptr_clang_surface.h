/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_surface - reads and writes through surface objects. As with textures, surf2Dread<T>() becomes a call of
 * one of three functions that are declared and never defined, by the kind of T's components:
 *
 *     float4 vptr_surf2Dread_float(cudaSurfaceObject_t, int size, int x, int y, int mode)
 *     void vptr_surf2Dwrite_float(float4 value, cudaSurfaceObject_t, int size, int x, int y, int mode)
 *
 * x is in bytes, as CUDA has it, and `size` is that of T: x / size is the element. mode: cudaSurfaceBoundaryMode.
 */
#ifndef VPTR_CUDA_CLANG_SURFACE_H
#define VPTR_CUDA_CLANG_SURFACE_H

#include "surface_types.h"
#include "vptr_clang_texel.h"

#define VPTR_CLANG_SURFACE_KIND(name, quad, kind, parameters, arguments)                                               \
  extern "C" __device__ quad vptr_##name##read_##kind(cudaSurfaceObject_t surface, int size,                           \
                                                      VPTR_CLANG_LIST parameters, int mode);                           \
  extern "C" __device__ void vptr_##name##write_##kind(quad value, cudaSurfaceObject_t surface, int size,              \
                                                       VPTR_CLANG_LIST parameters, int mode);                          \
  template <> struct vptr_clang_##name<quad> {                                                                         \
    VPTR_CLANG_DEVICE quad read(cudaSurfaceObject_t surface, int size, VPTR_CLANG_LIST parameters, int mode) {         \
      return ::vptr_##name##read_##kind(surface, size, VPTR_CLANG_LIST arguments, mode);                               \
    }                                                                                                                  \
    VPTR_CLANG_DEVICE void write(quad value, cudaSurfaceObject_t surface, int size, VPTR_CLANG_LIST parameters,        \
                                 int mode) {                                                                           \
      ::vptr_##name##write_##kind(value, surface, size, VPTR_CLANG_LIST arguments, mode);                              \
    }                                                                                                                  \
  };
#define VPTR_CLANG_SURFACE(name, parameters, arguments)                                                                \
  template <class Quad> struct vptr_clang_##name;                                                                      \
  VPTR_CLANG_SURFACE_KIND(name, float4, float, parameters, arguments)                                                  \
  VPTR_CLANG_SURFACE_KIND(name, int4, int, parameters, arguments)                                                      \
  VPTR_CLANG_SURFACE_KIND(name, uint4, uint, parameters, arguments)                                                    \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE T name##read(cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,                              \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                \
    typedef vptr_clang_texel<T> texel;                                                                                 \
    return texel::narrow(vptr_clang_##name<typename texel::quad>::read(surface, static_cast<int>(sizeof(T)),           \
                                                                       VPTR_CLANG_LIST arguments, mode));              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE void name##read(T *result, cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,                \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    *result = name##read<T>(surface, VPTR_CLANG_LIST arguments, mode);                                                 \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE void name##write(T value, cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,                 \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                            \
    typedef vptr_clang_texel<T> texel;                                                                                 \
    vptr_clang_##name<typename texel::quad>::write(texel::widen(value), surface, static_cast<int>(sizeof(T)),          \
                                                   VPTR_CLANG_LIST arguments, mode);                                   \
  }

VPTR_CLANG_SURFACE(surf1D, (int x), (x))
VPTR_CLANG_SURFACE(surf2D, (int x, int y), (x, y))
VPTR_CLANG_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
VPTR_CLANG_SURFACE(surf1DLayered, (int x, int layer), (x, layer))
VPTR_CLANG_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
VPTR_CLANG_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
VPTR_CLANG_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))

#undef VPTR_CLANG_SURFACE
#undef VPTR_CLANG_SURFACE_KIND

#endif
