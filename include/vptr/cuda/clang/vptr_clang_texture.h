/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_texture - reads through texture objects: tex2D<T>() and its kin, each a call of vptr_texture()
 * (vptr_clang_texel.h). Arrays have one level, so that forms with a level, or with gradients to choose one, read that.
 */
#ifndef VPTR_CUDA_CLANG_TEXTURE_H
#define VPTR_CUDA_CLANG_TEXTURE_H

#include "texture_types.h"
#include "vptr_clang_texel.h"

/* arguments: kind, x, y, z and layer of vptr_texture() */
#define VPTR_CLANG_TEXTURE(name, parameters, passed, arguments)                                                        \
  template <class T> VPTR_CLANG_DEVICE T name(cudaTextureObject_t texture, VPTR_CLANG_LIST parameters) {               \
    return vptr_clang_texel<T>::narrow(::vptr_texture(texture, VPTR_CLANG_LIST arguments));                            \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE void name(T *result, cudaTextureObject_t texture, VPTR_CLANG_LIST parameters) {                    \
    *result = name<T>(texture, VPTR_CLANG_LIST passed);                                                                \
  }

VPTR_CLANG_TEXTURE(tex1Dfetch, (int x), (x), (0, 0.0f, 0.0f, 0.0f, x))
VPTR_CLANG_TEXTURE(tex1D, (float x), (x), (1, x, 0.0f, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex1DLod, (float x, float level), (x, level), (1, x, 0.0f, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), (1, x, 0.0f, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), (1, x, 0.0f, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), (1, x, 0.0f, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy),
                   (1, x, 0.0f, 0.0f, layer))

VPTR_CLANG_TEXTURE(tex2D, (float x, float y), (x, y), (2, x, y, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), (2, x, y, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), (2, x, y, 0.0f, 0))
VPTR_CLANG_TEXTURE(tex2Dgather, (float x, float y, int component = 0), (x, y, component), (5, x, y, 0.0f, component))
VPTR_CLANG_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), (2, x, y, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level),
                   (2, x, y, 0.0f, layer))
VPTR_CLANG_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                   (2, x, y, 0.0f, layer))

VPTR_CLANG_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), (3, x, y, z, 0))
VPTR_CLANG_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), (3, x, y, z, 0))
VPTR_CLANG_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), (3, x, y, z, 0))

VPTR_CLANG_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), (4, x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), (4, x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                   (4, x, y, z, 0))
VPTR_CLANG_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), (4, x, y, z, layer))
VPTR_CLANG_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
                   (4, x, y, z, layer))
VPTR_CLANG_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
                   (x, y, z, layer, dx, dy), (4, x, y, z, layer))

#undef VPTR_CLANG_TEXTURE

#endif
