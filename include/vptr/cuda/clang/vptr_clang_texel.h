/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_texel - elements of textures and surfaces as words of 32 bits, which is how the functions that are
 * declared here and never defined hand them over. Whoever reads the IR knows these by name (vptr_clang_declared.h).
 */
#ifndef VPTR_CUDA_CLANG_TEXEL_H
#define VPTR_CUDA_CLANG_TEXEL_H

/* Four channels: integers widened to 32 bits, or the bits of floats. */
struct vptr_clang_words {
  unsigned int x, y, z, w;
};

/* The bytes of an element from its first on, and whether it lies in the surface. */
struct vptr_clang_place {
  unsigned int x, y, z, w, is_inside;
};

extern "C" {
/* axes: how many coordinates there are, 1 to 3 */
__device__ __attribute__((pure, nothrow)) vptr_clang_words vptr_texture(cudaTextureObject_t texture, int axes,
                                                                        float x, float y, float z, int layer);
__device__ __attribute__((pure, nothrow)) vptr_clang_words
vptr_texture_level(cudaTextureObject_t texture, int axes, float x, float y, float z, int layer, float level);
/* the bits of floats: how many elements a step of 1 is, along each axis */
__device__ __attribute__((pure, nothrow)) vptr_clang_words vptr_texture_scale(cudaTextureObject_t texture);
__device__ __attribute__((pure, nothrow)) vptr_clang_words vptr_texture_cube(cudaTextureObject_t texture, float x,
                                                                             float y, float z, int layer);
__device__ __attribute__((pure, nothrow)) vptr_clang_words vptr_texture_fetch(cudaTextureObject_t texture, int x);
/* the channel of the four elements around x and y */
__device__ __attribute__((pure, nothrow)) vptr_clang_words vptr_texture_gather(cudaTextureObject_t texture, float x,
                                                                               float y, int channel);
/* bytes: of the element, whose first is byte x of the row; z: slice or layer; mode: cudaSurfaceBoundaryMode */
__device__ __attribute__((nothrow)) vptr_clang_place vptr_surface_read(cudaSurfaceObject_t surface, int bytes, int x,
                                                                       int y, int z, int mode);
__device__ __attribute__((nothrow)) unsigned int vptr_surface_write(cudaSurfaceObject_t surface, int bytes, int x,
                                                                    int y, int z, int mode, unsigned int a,
                                                                    unsigned int b, unsigned int c, unsigned int d);
}

/* narrow() makes of four words the type that a texture is read as. Other types have none. */
template <class T> struct vptr_clang_texel;

#define VPTR_CLANG_TEXEL(T, component, ...)                                                                          \
  template <> struct vptr_clang_texel<T> {                                                                           \
    __device__ static component part(unsigned int word) {                                                            \
      return vptr_clang_part(word, static_cast<component>(0));                                                       \
    }                                                                                                                \
    __device__ static T narrow(vptr_clang_words q) {                                                                 \
      return __VA_ARGS__;                                                                                            \
    }                                                                                                                \
  };
#define VPTR_CLANG_TEXELS(scalar, vector)                                                                            \
  VPTR_CLANG_TEXEL(scalar, scalar, part(q.x))                                                                        \
  VPTR_CLANG_TEXEL(vector##1, scalar, vector##1 { part(q.x) })                                                       \
  VPTR_CLANG_TEXEL(vector##2, scalar, vector##2 { part(q.x), part(q.y) })                                            \
  VPTR_CLANG_TEXEL(vector##4, scalar, vector##4 { part(q.x), part(q.y), part(q.z), part(q.w) })

template <class Integer> VPTR_CLANG_DEVICE Integer vptr_clang_part(unsigned int word, Integer) {
  return static_cast<Integer>(word);
}
VPTR_CLANG_DEVICE float vptr_clang_part(unsigned int word, float) {
  return __builtin_bit_cast(float, word);
}

VPTR_CLANG_TEXELS(signed char, char)
VPTR_CLANG_TEXELS(unsigned char, uchar)
VPTR_CLANG_TEXELS(short, short)
VPTR_CLANG_TEXELS(unsigned short, ushort)
VPTR_CLANG_TEXELS(int, int)
VPTR_CLANG_TEXELS(unsigned int, uint)
VPTR_CLANG_TEXELS(float, float)
VPTR_CLANG_TEXEL(char, char, part(q.x))
#undef VPTR_CLANG_TEXELS
#undef VPTR_CLANG_TEXEL

#define VPTR_CLANG_LIST(...) __VA_ARGS__

#endif
