/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_texture - reads through texture objects. tex2D<T>() and its kin become calls of three functions that are
 * declared and never defined, by the kind of T's components:
 *
 *     float4 vptr_tex2D_float(cudaTextureObject_t, float x, float y)    as read_imagef()
 *     int4 vptr_tex2D_int(...)                                          as read_imagei()
 *     uint4 vptr_tex2D_uint(...)                                        as read_imageui()
 */
#ifndef VPTR_CUDA_CLANG_TEXTURE_H
#define VPTR_CUDA_CLANG_TEXTURE_H

#include "texture_types.h"
#include "vptr_clang_texel.h"

#define VPTR_CLANG_TEXTURE_KIND(name, quad, kind, parameters, arguments)                                               \
  extern "C" __device__ __attribute__((pure, nothrow)) quad vptr_##name##_##kind parameters;                           \
  template <> struct vptr_clang_##name<quad> {                                                                         \
    VPTR_CLANG_DEVICE quad read parameters { return ::vptr_##name##_##kind arguments; }                                \
  };
#define VPTR_CLANG_TEXTURE(name, parameters, arguments)                                                                \
  template <class Quad> struct vptr_clang_##name;                                                                      \
  VPTR_CLANG_TEXTURE_KIND(name, float4, float, parameters, arguments)                                                  \
  VPTR_CLANG_TEXTURE_KIND(name, int4, int, parameters, arguments)                                                      \
  VPTR_CLANG_TEXTURE_KIND(name, uint4, uint, parameters, arguments)                                                    \
  template <class T> VPTR_CLANG_DEVICE T name parameters {                                                             \
    typedef vptr_clang_texel<T> texel;                                                                                 \
    return texel::narrow(vptr_clang_##name<typename texel::quad>::read arguments);                                     \
  }                                                                                                                    \
  template <class T> VPTR_CLANG_DEVICE void name(T *result, VPTR_CLANG_LIST parameters) { *result = name<T> arguments; }

VPTR_CLANG_TEXTURE(tex1Dfetch, (cudaTextureObject_t texture, int x), (texture, x))
VPTR_CLANG_TEXTURE(tex1D, (cudaTextureObject_t texture, float x), (texture, x))
VPTR_CLANG_TEXTURE(tex1DLod, (cudaTextureObject_t texture, float x, float level), (texture, x, level))
VPTR_CLANG_TEXTURE(tex1DGrad, (cudaTextureObject_t texture, float x, float dx, float dy), (texture, x, dx, dy))
VPTR_CLANG_TEXTURE(tex1DLayered, (cudaTextureObject_t texture, float x, int layer), (texture, x, layer))
VPTR_CLANG_TEXTURE(tex1DLayeredLod, (cudaTextureObject_t texture, float x, int layer, float level),
                   (texture, x, layer, level))
VPTR_CLANG_TEXTURE(tex1DLayeredGrad, (cudaTextureObject_t texture, float x, int layer, float dx, float dy),
                   (texture, x, layer, dx, dy))

VPTR_CLANG_TEXTURE(tex2D, (cudaTextureObject_t texture, float x, float y), (texture, x, y))
VPTR_CLANG_TEXTURE(tex2DLod, (cudaTextureObject_t texture, float x, float y, float level), (texture, x, y, level))
VPTR_CLANG_TEXTURE(tex2DGrad, (cudaTextureObject_t texture, float x, float y, float2 dx, float2 dy),
                   (texture, x, y, dx, dy))
VPTR_CLANG_TEXTURE(tex2Dgather, (cudaTextureObject_t texture, float x, float y, int component = 0),
                   (texture, x, y, component))
VPTR_CLANG_TEXTURE(tex2DLayered, (cudaTextureObject_t texture, float x, float y, int layer), (texture, x, y, layer))
VPTR_CLANG_TEXTURE(tex2DLayeredLod, (cudaTextureObject_t texture, float x, float y, int layer, float level),
                   (texture, x, y, layer, level))
VPTR_CLANG_TEXTURE(tex2DLayeredGrad,
                   (cudaTextureObject_t texture, float x, float y, int layer, float2 dx, float2 dy),
                   (texture, x, y, layer, dx, dy))

VPTR_CLANG_TEXTURE(tex3D, (cudaTextureObject_t texture, float x, float y, float z), (texture, x, y, z))
VPTR_CLANG_TEXTURE(tex3DLod, (cudaTextureObject_t texture, float x, float y, float z, float level),
                   (texture, x, y, z, level))
VPTR_CLANG_TEXTURE(tex3DGrad, (cudaTextureObject_t texture, float x, float y, float z, float4 dx, float4 dy),
                   (texture, x, y, z, dx, dy))

VPTR_CLANG_TEXTURE(texCubemap, (cudaTextureObject_t texture, float x, float y, float z), (texture, x, y, z))
VPTR_CLANG_TEXTURE(texCubemapLod, (cudaTextureObject_t texture, float x, float y, float z, float level),
                   (texture, x, y, z, level))
VPTR_CLANG_TEXTURE(texCubemapGrad, (cudaTextureObject_t texture, float x, float y, float z, float4 dx, float4 dy),
                   (texture, x, y, z, dx, dy))
VPTR_CLANG_TEXTURE(texCubemapLayered, (cudaTextureObject_t texture, float x, float y, float z, int layer),
                   (texture, x, y, z, layer))
VPTR_CLANG_TEXTURE(texCubemapLayeredLod,
                   (cudaTextureObject_t texture, float x, float y, float z, int layer, float level),
                   (texture, x, y, z, layer, level))
VPTR_CLANG_TEXTURE(texCubemapLayeredGrad,
                   (cudaTextureObject_t texture, float x, float y, float z, int layer, float4 dx, float4 dy),
                   (texture, x, y, z, layer, dx, dy))

#undef VPTR_CLANG_TEXTURE
#undef VPTR_CLANG_TEXTURE_KIND

#endif
