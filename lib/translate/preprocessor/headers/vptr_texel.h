/* SPDX-License-Identifier: MIT */
/*
 * vptr_texel.h - what reads and writes by texture and surface references call (syntax/texture.c). It is read behind the
 * text that has them, so that all names here are of no program's: its macros are in force.
 *
 * vptr_tex2D() and its kin are what kernels call without vptr_, and have four words of 32 bits, of which
 * vptr_texel_float4() and its kin make a type. vptr_at_surf2D() has the place of an element, which vptr_surface_read()
 * and its kin take; those without tame_ end the kernel where it lies outside.
 */
#pragma once

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

typedef unsigned long long vptr_handle;

__device__ inline uint4 vptr_words(const unsigned int *vptr_out) {
  return make_uint4(vptr_out[0], vptr_out[1], vptr_out[2], vptr_out[3]);
}

#define VPTR_READ(vptr_name, vptr_arguments, vptr_function, ...) \
  __device__ inline uint4 vptr_##vptr_name vptr_arguments {      \
    unsigned int vptr_out[4];                                    \
    vptr_function(vptr_t, __VA_ARGS__, vptr_out);                \
    return vptr_words(vptr_out);                                 \
  }

/* The level in which the longer of two steps is one element. */
__device__ inline float vptr_texel_level(vptr_handle vptr_t, float vptr_ax, float vptr_ay, float vptr_az, float vptr_bx,
                                         float vptr_by, float vptr_bz) {
  unsigned int vptr_out[4];
  __vptr_texture_scale(vptr_t, vptr_out);
  float vptr_x = __uint_as_float(vptr_out[0]), vptr_y = __uint_as_float(vptr_out[1]);
  float vptr_z = __uint_as_float(vptr_out[2]);
  vptr_ax *= vptr_x, vptr_ay *= vptr_y, vptr_az *= vptr_z;
  vptr_bx *= vptr_x, vptr_by *= vptr_y, vptr_bz *= vptr_z;
  float vptr_a = vptr_ax * vptr_ax + vptr_ay * vptr_ay + vptr_az * vptr_az;
  float vptr_b = vptr_bx * vptr_bx + vptr_by * vptr_by + vptr_bz * vptr_bz;
  return 0.5f * log2f(vptr_a > vptr_b ? vptr_a : vptr_b);
}

VPTR_READ(tex1Dfetch, (vptr_handle vptr_t, int vptr_x), __vptr_texture_fetch,
          vptr_x)
VPTR_READ(tex1D, (vptr_handle vptr_t, float vptr_x), __vptr_texture,
          1, vptr_x, 0.0f, 0.0f, 0)
VPTR_READ(tex1DLod, (vptr_handle vptr_t, float vptr_x, float vptr_level), __vptr_texture_level,
          1, vptr_x, 0.0f, 0.0f, 0, vptr_level)
VPTR_READ(tex1DGrad, (vptr_handle vptr_t, float vptr_x, float vptr_dx, float vptr_dy), __vptr_texture_level,
          1, vptr_x, 0.0f, 0.0f, 0,
          vptr_texel_level(vptr_t, vptr_dx, 0.0f, 0.0f, vptr_dy, 0.0f, 0.0f))
VPTR_READ(tex1DLayered, (vptr_handle vptr_t, float vptr_x, int vptr_layer), __vptr_texture,
          1, vptr_x, 0.0f, 0.0f, vptr_layer)
VPTR_READ(tex1DLayeredLod, (vptr_handle vptr_t, float vptr_x, int vptr_layer, float vptr_level),
          __vptr_texture_level,
          1, vptr_x, 0.0f, 0.0f, vptr_layer, vptr_level)
VPTR_READ(tex1DLayeredGrad, (vptr_handle vptr_t, float vptr_x, int vptr_layer, float vptr_dx, float vptr_dy),
          __vptr_texture_level,
          1, vptr_x, 0.0f, 0.0f, vptr_layer,
          vptr_texel_level(vptr_t, vptr_dx, 0.0f, 0.0f, vptr_dy, 0.0f, 0.0f))
VPTR_READ(tex2D, (vptr_handle vptr_t, float vptr_x, float vptr_y), __vptr_texture,
          2, vptr_x, vptr_y, 0.0f, 0)
VPTR_READ(tex2DLod, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_level), __vptr_texture_level,
          2, vptr_x, vptr_y, 0.0f, 0, vptr_level)
VPTR_READ(tex2DGrad, (vptr_handle vptr_t, float vptr_x, float vptr_y, float2 vptr_dx, float2 vptr_dy),
          __vptr_texture_level,
          2, vptr_x, vptr_y, 0.0f, 0,
          vptr_texel_level(vptr_t, vptr_dx.x, vptr_dx.y, 0.0f, vptr_dy.x, vptr_dy.y, 0.0f))
VPTR_READ(tex2DLayered, (vptr_handle vptr_t, float vptr_x, float vptr_y, int vptr_layer), __vptr_texture,
          2, vptr_x, vptr_y, 0.0f, vptr_layer)
VPTR_READ(tex2DLayeredLod, (vptr_handle vptr_t, float vptr_x, float vptr_y, int vptr_layer, float vptr_level),
          __vptr_texture_level,
          2, vptr_x, vptr_y, 0.0f, vptr_layer, vptr_level)
VPTR_READ(tex2DLayeredGrad, (vptr_handle vptr_t, float vptr_x, float vptr_y, int vptr_layer, float2 vptr_dx,
           float2 vptr_dy),
          __vptr_texture_level,
          2, vptr_x, vptr_y, 0.0f, vptr_layer,
          vptr_texel_level(vptr_t, vptr_dx.x, vptr_dx.y, 0.0f, vptr_dy.x, vptr_dy.y, 0.0f))
VPTR_READ(tex3D, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z), __vptr_texture,
          3, vptr_x, vptr_y, vptr_z, 0)
VPTR_READ(tex3DLod, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z, float vptr_level),
          __vptr_texture_level,
          3, vptr_x, vptr_y, vptr_z, 0, vptr_level)
VPTR_READ(tex3DGrad, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z, float4 vptr_dx, float4 vptr_dy),
          __vptr_texture_level,
          3, vptr_x, vptr_y, vptr_z, 0,
          vptr_texel_level(vptr_t, vptr_dx.x, vptr_dx.y, vptr_dx.z, vptr_dy.x, vptr_dy.y, vptr_dy.z))
VPTR_READ(tex2Dgather, (vptr_handle vptr_t, float vptr_x, float vptr_y, int vptr_component = 0),
          __vptr_texture_gather,
          vptr_x, vptr_y, vptr_component)
VPTR_READ(texCubemap, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z), __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, 0)
VPTR_READ(texCubemapLod, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z, float vptr_level),
          __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, 0)
VPTR_READ(texCubemapGrad, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z, float4 vptr_dx,
           float4 vptr_dy),
          __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, 0)
VPTR_READ(texCubemapLayered, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z, int vptr_layer),
          __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, vptr_layer)
VPTR_READ(texCubemapLayeredLod, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z,
           int vptr_layer, float vptr_level),
          __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, vptr_layer)
VPTR_READ(texCubemapLayeredGrad, (vptr_handle vptr_t, float vptr_x, float vptr_y, float vptr_z,
           int vptr_layer, float4 vptr_dx, float4 vptr_dy),
          __vptr_texture_cube,
          vptr_x, vptr_y, vptr_z, vptr_layer)
#undef VPTR_READ

#define VPTR_TEXEL(vptr_type, vptr_name, vptr_part)                                           \
  __device__ inline vptr_type vptr_texel_##vptr_name(uint4 vptr_q) {                          \
    return vptr_part(vptr_q.x);                                                               \
  }                                                                                           \
  __device__ inline vptr_name##1 vptr_texel_##vptr_name##1(uint4 vptr_q) {                    \
    return make_##vptr_name##1(vptr_part(vptr_q.x));                                          \
  }                                                                                           \
  __device__ inline vptr_name##2 vptr_texel_##vptr_name##2(uint4 vptr_q) {                    \
    return make_##vptr_name##2(vptr_part(vptr_q.x), vptr_part(vptr_q.y));                     \
  }                                                                                           \
  __device__ inline vptr_name##4 vptr_texel_##vptr_name##4(uint4 vptr_q) {                    \
    return make_##vptr_name##4(vptr_part(vptr_q.x), vptr_part(vptr_q.y), vptr_part(vptr_q.z), \
                               vptr_part(vptr_q.w));                                          \
  }
VPTR_TEXEL(signed char, char, (signed char))
VPTR_TEXEL(unsigned char, uchar, (unsigned char))
VPTR_TEXEL(short, short, (short))
VPTR_TEXEL(unsigned short, ushort, (unsigned short))
VPTR_TEXEL(int, int, (int))
VPTR_TEXEL(unsigned int, uint, (unsigned int))
VPTR_TEXEL(float, float, __uint_as_float)
#undef VPTR_TEXEL

/* ---- surfaces ------------------------------------------------------------------------------------------------- */

struct vptr_at { int vptr_x, vptr_y, vptr_z, vptr_mode; };

#define VPTR_AT(vptr_name, vptr_arguments, vptr_y_value, vptr_z_value)                  \
  __device__ inline vptr_at vptr_at_##vptr_name vptr_arguments {                        \
    vptr_at vptr_place = { vptr_x, vptr_y_value, vptr_z_value, (int)vptr_mode };        \
    return vptr_place;                                                                  \
  }
VPTR_AT(surf1D, (int vptr_x, int vptr_mode = 2), 0, 0)
VPTR_AT(surf2D, (int vptr_x, int vptr_y, int vptr_mode = 2), vptr_y, 0)
VPTR_AT(surf3D, (int vptr_x, int vptr_y, int vptr_z, int vptr_mode = 2), vptr_y, vptr_z)
VPTR_AT(surf1DLayered, (int vptr_x, int vptr_layer, int vptr_mode = 2), 0, vptr_layer)
VPTR_AT(surf2DLayered, (int vptr_x, int vptr_y, int vptr_layer, int vptr_mode = 2), vptr_y, vptr_layer)
VPTR_AT(surfCubemap, (int vptr_x, int vptr_y, int vptr_face, int vptr_mode = 2), vptr_y, vptr_face)
VPTR_AT(surfCubemapLayered, (int vptr_x, int vptr_y, int vptr_face, int vptr_mode = 2), vptr_y, vptr_face)
#undef VPTR_AT

__device__ inline void vptr_tame(int vptr_is_inside) {}
__device__ inline void vptr_wild(int vptr_is_inside) {
  if (!vptr_is_inside)
    __trap();
}

/* vptr_check: what is done where it lies outside */
#define VPTR_SURFACE(vptr_type, vptr_prefix, vptr_name, vptr_check)                                                  \
  __device__ inline vptr_type vptr_prefix##read_##vptr_name(vptr_handle vptr_s, vptr_at vptr_p) {                    \
    unsigned int vptr_out[4];                                                                                        \
    vptr_type vptr_value;                                                                                            \
    vptr_check(__vptr_surface(vptr_s, 0, (int)sizeof(vptr_type), vptr_p.vptr_x, vptr_p.vptr_y, vptr_p.vptr_z,        \
                              vptr_p.vptr_mode, vptr_out));                                                          \
    memcpy(&vptr_value, vptr_out, sizeof(vptr_type));                                                                \
    return vptr_value;                                                                                               \
  }                                                                                                                  \
  __device__ inline void vptr_prefix##read(vptr_type *vptr_to, vptr_handle vptr_s, vptr_at vptr_p) {                 \
    *vptr_to = vptr_prefix##read_##vptr_name(vptr_s, vptr_p);                                                        \
  }                                                                                                                  \
  __device__ inline void vptr_prefix##write(vptr_type vptr_value, vptr_handle vptr_s, vptr_at vptr_p) {              \
    unsigned int vptr_out[4] = { 0, 0, 0, 0 };                                                                       \
    memcpy(vptr_out, &vptr_value, sizeof(vptr_type));                                                                \
    vptr_check(__vptr_surface(vptr_s, 1, (int)sizeof(vptr_type), vptr_p.vptr_x, vptr_p.vptr_y, vptr_p.vptr_z,        \
                              vptr_p.vptr_mode, vptr_out));                                                          \
  }
#define VPTR_SURFACE_BOTH(vptr_type, vptr_name)                     \
  VPTR_SURFACE(vptr_type, vptr_surface_, vptr_name, vptr_wild)      \
  VPTR_SURFACE(vptr_type, vptr_surface_tame_, vptr_name, vptr_tame)
#define VPTR_SURFACES(vptr_type, vptr_name)          \
  VPTR_SURFACE_BOTH(vptr_type, vptr_name)            \
  VPTR_SURFACE_BOTH(vptr_name##1, vptr_name##1)      \
  VPTR_SURFACE_BOTH(vptr_name##2, vptr_name##2)
#define VPTR_SURFACES_OF_FOUR(vptr_type, vptr_name)  \
  VPTR_SURFACES(vptr_type, vptr_name)                \
  VPTR_SURFACE_BOTH(vptr_name##4, vptr_name##4)
VPTR_SURFACE_BOTH(char, plain_char)
VPTR_SURFACES_OF_FOUR(signed char, char)
VPTR_SURFACES_OF_FOUR(unsigned char, uchar)
VPTR_SURFACES_OF_FOUR(short, short)
VPTR_SURFACES_OF_FOUR(unsigned short, ushort)
VPTR_SURFACES_OF_FOUR(int, int)
VPTR_SURFACES_OF_FOUR(unsigned int, uint)
VPTR_SURFACES_OF_FOUR(float, float)
VPTR_SURFACES(long long, longlong)
VPTR_SURFACES(unsigned long long, ulonglong)
#undef VPTR_SURFACE
#undef VPTR_SURFACE_BOTH
#undef VPTR_SURFACES
#undef VPTR_SURFACES_OF_FOUR
