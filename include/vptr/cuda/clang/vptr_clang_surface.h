/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_surface - reads and writes through surface objects: surf2Dread<T>() and its kin, each a call of
 * vptr_surface_read() or vptr_surface_write() (vptr_clang_texel.h). x is in bytes, and the bytes of a T go as they are.
 * What lies outside in cudaBoundaryModeTrap, which is CUDA's default, ends the kernel.
 */
#ifndef VPTR_CUDA_CLANG_SURFACE_H
#define VPTR_CUDA_CLANG_SURFACE_H

#include "surface_types.h"
#include "vptr_clang_texel.h"

VPTR_CLANG_DEVICE void vptr_clang_surface_check(unsigned int is_inside, cudaSurfaceBoundaryMode mode) {
  if (mode == cudaBoundaryModeTrap && is_inside == 0)
    __trap();
}

template <class T>
VPTR_CLANG_DEVICE T vptr_clang_surface_read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an element of a surface has 1, 2, 4, 8 or 16 bytes");
  T value;
  vptr_clang_place place = ::vptr_surface_read(surface, static_cast<int>(sizeof(T)), x, y, z, mode);
  vptr_clang_surface_check(place.is_inside, mode);
  __builtin_memcpy(&value, &place, sizeof(T));
  return value;
}

template <class T>
VPTR_CLANG_DEVICE void vptr_clang_surface_write(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                                                cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an element of a surface has 1, 2, 4, 8 or 16 bytes");
  vptr_clang_words words = { 0, 0, 0, 0 };
  __builtin_memcpy(&words, &value, sizeof(T));
  vptr_clang_surface_check(
      ::vptr_surface_write(surface, static_cast<int>(sizeof(T)), x, y, z, mode, words.x, words.y, words.z, words.w),
      mode);
}

/* arguments: x, y and z of vptr_surface_read() */
#define VPTR_CLANG_SURFACE(name, parameters, arguments)                                                              \
  template <class T>                                                                                                 \
  VPTR_CLANG_DEVICE T name##read(cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,                            \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
    return vptr_clang_surface_read<T>(surface, VPTR_CLANG_LIST arguments, mode);                                     \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  VPTR_CLANG_DEVICE void name##read(T *result, cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,              \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
    *result = vptr_clang_surface_read<T>(surface, VPTR_CLANG_LIST arguments, mode);                                  \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  VPTR_CLANG_DEVICE void name##write(T value, cudaSurfaceObject_t surface, VPTR_CLANG_LIST parameters,               \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
    vptr_clang_surface_write<T>(value, surface, VPTR_CLANG_LIST arguments, mode);                                    \
  }

VPTR_CLANG_SURFACE(surf1D, (int x), (x, 0, 0))
VPTR_CLANG_SURFACE(surf2D, (int x, int y), (x, y, 0))
VPTR_CLANG_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
VPTR_CLANG_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
VPTR_CLANG_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
VPTR_CLANG_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
VPTR_CLANG_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))

#undef VPTR_CLANG_SURFACE

#endif
