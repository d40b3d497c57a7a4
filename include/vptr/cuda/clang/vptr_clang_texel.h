/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_texel - the types that textures and surfaces are read as: each as four components of one of three kinds,
 * which is what OpenCL's images give and take.
 */
#ifndef VPTR_CUDA_CLANG_TEXEL_H
#define VPTR_CUDA_CLANG_TEXEL_H

/* of<T>::quad is float4, int4 or uint4; narrow() makes a T of it and widen() one of a T. Other types have none. */
template <class T> struct vptr_clang_texel;

#define VPTR_CLANG_TEXEL(T, component, four, narrowed, ...)                                                            \
  template <> struct vptr_clang_texel<T> {                                                                             \
    typedef four quad;                                                                                                 \
    typedef component part;                                                                                            \
    __device__ static T narrow(quad q) { return narrowed; }                                                            \
    __device__ static quad widen(T t) { return quad{ __VA_ARGS__ }; }                                                  \
  };
#define VPTR_CLANG_TEXELS(scalar, vector, four)                                                                        \
  VPTR_CLANG_TEXEL(scalar, scalar, four, static_cast<part>(q.x), t, 0, 0, 0)                                           \
  VPTR_CLANG_TEXEL(vector##1, scalar, four, vector##1{ static_cast<part>(q.x) }, t.x, 0, 0, 0)                         \
  VPTR_CLANG_TEXEL(vector##2, scalar, four, (vector##2{ static_cast<part>(q.x), static_cast<part>(q.y) }), t.x, t.y,   \
                   0, 0)                                                                                               \
  VPTR_CLANG_TEXEL(vector##4, scalar, four,                                                                            \
                   (vector##4{ static_cast<part>(q.x), static_cast<part>(q.y), static_cast<part>(q.z),                 \
                               static_cast<part>(q.w) }),                                                              \
                   t.x, t.y, t.z, t.w)
VPTR_CLANG_TEXELS(signed char, char, int4)
VPTR_CLANG_TEXELS(unsigned char, uchar, uint4)
VPTR_CLANG_TEXELS(short, short, int4)
VPTR_CLANG_TEXELS(unsigned short, ushort, uint4)
VPTR_CLANG_TEXELS(int, int, int4)
VPTR_CLANG_TEXELS(unsigned int, uint, uint4)
VPTR_CLANG_TEXELS(float, float, float4)
VPTR_CLANG_TEXEL(char, char, int4, static_cast<part>(q.x), t, 0, 0, 0)
#undef VPTR_CLANG_TEXELS
#undef VPTR_CLANG_TEXEL

#define VPTR_CLANG_LIST(...) __VA_ARGS__

#endif
