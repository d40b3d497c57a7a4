/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_texture - reads through texture objects: tex2D<T>() and its kin, each a call of vptr_texture() or one of
 * its kin (vptr_clang_texel.h). A level is that of a mipmapped array; of gradients the one is
 * read in which the longer step is one element. Cubes have one level.
 */
#ifndef VPTR_CUDA_CLANG_TEXTURE_H
#define VPTR_CUDA_CLANG_TEXTURE_H

#include "texture_types.h"
#include "vptr_clang_texel.h"

/* Levels and gradients of cubes have nothing to choose. */
template <class... T> VPTR_CLANG_DEVICE void vptr_clang_ignore(T...) {}

/* The level in which the longer of two steps is one element. */
VPTR_CLANG_DEVICE float vptr_clang_level(cudaTextureObject_t texture, float ax, float ay, float az, float bx,
                                         float by, float bz) {
  vptr_clang_words q = ::vptr_texture_scale(texture);
  float x = __builtin_bit_cast(float, q.x), y = __builtin_bit_cast(float, q.y), z = __builtin_bit_cast(float, q.z);
  float a = ax * x * ax * x + ay * y * ay * y + az * z * az * z,
        b = bx * x * bx * x + by * y * by * y + bz * z * bz * z;
  return 0.5f * log2f(a > b ? a : b);
}

/* passed: by their names; arguments: of the function, behind the texture */
#define VPTR_CLANG_TEXTURE(name, parameters, passed, function, arguments)                                            \
  template <class T> VPTR_CLANG_DEVICE T name(cudaTextureObject_t texture, VPTR_CLANG_LIST parameters) {             \
    vptr_clang_ignore(VPTR_CLANG_LIST passed);                                                                       \
    return vptr_clang_texel<T>::narrow(::function(texture, VPTR_CLANG_LIST arguments));                              \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  VPTR_CLANG_DEVICE void name(T *result, cudaTextureObject_t texture, VPTR_CLANG_LIST parameters) {                  \
    *result = name<T>(texture, VPTR_CLANG_LIST passed);                                                              \
  }

VPTR_CLANG_TEXTURE(tex1Dfetch, (int x), (x), vptr_texture_fetch, (x))
VPTR_CLANG_TEXTURE(tex1D, (float x), (x), vptr_texture, (1, x, 0.0f, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex1DLod, (float x, float level), (x, level), vptr_texture_level, (1, x, 0.0f, 0.0f, 0, level))
VPTR_CLANG_TEXTURE(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), vptr_texture_level,
                   (1, x, 0.0f, 0.0f, 0, vptr_clang_level(texture, dx, 0.0f, 0.0f, dy, 0.0f, 0.0f)))
VPTR_CLANG_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), vptr_texture, (1, x, 0.0f, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), vptr_texture_level,
                   (1, x, 0.0f, 0.0f, layer, level))
VPTR_CLANG_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy), vptr_texture_level,
                   (1, x, 0.0f, 0.0f, layer, vptr_clang_level(texture, dx, 0.0f, 0.0f, dy, 0.0f, 0.0f)))

VPTR_CLANG_TEXTURE(tex2D, (float x, float y), (x, y), vptr_texture, (2, x, y, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), vptr_texture_level,
                   (2, x, y, 0.0f, 0, level))
VPTR_CLANG_TEXTURE(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), vptr_texture_level,
                   (2, x, y, 0.0f, 0, vptr_clang_level(texture, dx.x, dx.y, 0.0f, dy.x, dy.y, 0.0f)))
VPTR_CLANG_TEXTURE(tex2Dgather, (float x, float y, int component = 0), (x, y, component), vptr_texture_gather,
                   (x, y, component))
VPTR_CLANG_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), vptr_texture, (2, x, y, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level),
                   vptr_texture_level, (2, x, y, 0.0f, layer, level))
VPTR_CLANG_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                   vptr_texture_level,
                   (2, x, y, 0.0f, layer, vptr_clang_level(texture, dx.x, dx.y, 0.0f, dy.x, dy.y, 0.0f)))

VPTR_CLANG_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), vptr_texture, (3, x, y, z, 0))
VPTR_CLANG_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), vptr_texture_level,
                   (3, x, y, z, 0, level))
VPTR_CLANG_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                   vptr_texture_level, (3, x, y, z, 0, vptr_clang_level(texture, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))

VPTR_CLANG_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), vptr_texture_cube, (x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), vptr_texture_cube,
                   (x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                   vptr_texture_cube, (x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), vptr_texture_cube,
                   (x, y, z, layer))
VPTR_CLANG_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
                   vptr_texture_cube, (x, y, z, layer))
VPTR_CLANG_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
                   (x, y, z, layer, dx, dy), vptr_texture_cube, (x, y, z, layer))

#undef VPTR_CLANG_TEXTURE

#endif
