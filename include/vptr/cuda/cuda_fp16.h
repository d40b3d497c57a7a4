/* SPDX-License-Identifier: MIT */
/*
 * cuda_fp16 - half precision: 16 bits of IEEE 754, kept in memory, converted and calculated in float.
 *
 * Programs have all of it on both sides where clang compiles them, and on the host with any compiler, but for what CUDA
 * has on the device alone (narrow/device.h). Kernels in C have no half precision: there this header is empty, and
 * what names its types is refused. C, and C++ before 11, have the representations and two conversions.
 *
 * Any NaN becomes 0x7fff, as CUDA's. vptr_narrow.h says how numbers are rounded, narrow/functions.h what there is.
 */
#ifndef VPTR_CUDA_CUDA_FP16_H
#define VPTR_CUDA_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "vector_types.h"

#include <string.h>

#include "vptr_narrow.h"

/* For clang's CUDA they are for both sides. */
#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

typedef struct __align__(2) {
  unsigned short x;
}
__half_raw;
typedef struct __align__(4) {
  unsigned short x, y;
}
__half2_raw;

/* The bits of a float in half precision. */
static __inline__ unsigned short vptr_cuda_half_of(float value) {
#if defined(__clang__) && defined(__CUDA_ARCH__)
  return static_cast<unsigned short>(__nv_float2half_rn(value));
#else
  unsigned int bits, sign, rest, shift, half, lost, middle;
  memcpy(&bits, &value, sizeof bits);
  sign = bits >> 16 & 0x8000u;
  rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return 0x7fff;
  if (rest >= 0x477ff000u) /* 65520, which lies between the largest and the next, and all above */
    return (sign | 0x7c00u) & 0xffffu;
  if (rest < 0x33000000u) /* below half of the smallest */
    return sign & 0xffffu;
  if (rest >= 0x38800000u) { /* normal numbers: the exponent's bias changes */
    shift = 13;
    rest -= 0x38000000u;
  } else { /* denormal ones: the leading bit is written out */
    shift = 126 - (rest >> 23);
    rest = (rest & 0x7fffffu) | 0x800000u;
  }
  half = rest >> shift;
  lost = rest & ((1u << shift) - 1u);
  middle = 1u << (shift - 1);
  half += lost > middle || (lost == middle && (half & 1u) != 0); /* into the exponent, if need be */
  return (sign | half) & 0xffffu;
#endif
}

#ifdef __cplusplus
#define vptr_cuda_half_float(value) static_cast<float>(value)
#else
#define vptr_cuda_half_float(value) ((float)(value))
#endif

static __inline__ float vptr_cuda_half_to(unsigned short half) {
#if defined(__clang__) && defined(__CUDA_ARCH__)
  return __nv_half2float(static_cast<short>(half));
#else
  unsigned int sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu, bits;
  float value;
  if (exponent == 0x1f) {
    bits = fraction != 0 ? 0x7fffffffu : sign | 0x7f800000u;
  } else if (exponent != 0) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else { /* a multiple of 2^-24 */
    value = vptr_cuda_half_float(fraction) * 5.9604644775390625e-8f;
    memcpy(&bits, &value, sizeof bits);
    bits |= sign;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

#if defined __cplusplus && __cplusplus >= 201103L

struct __nv_bfloat16;

#define VPTR_SHORT __half
#define VPTR_SHORT2 __half2
#define VPTR_SHORT_RAW __half_raw
#define VPTR_SHORT2_RAW __half2_raw
#define VPTR_SHORT_NAME half
#define VPTR_SHORT_FORMAT 10, 5
#define VPTR_SHORT_OF vptr_cuda_half_of
#define VPTR_SHORT_TO vptr_cuda_half_to
#define VPTR_SHORT_ONE 0x3c00
#define VPTR_SHORT_MIDDLE vptr_odd_sum(x *y, z)
#define VPTR_SHORT_FROM_OTHER explicit __half(const __nv_bfloat16 value);
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define VPTR_SHORT_CONVERTS 1
#else
#define VPTR_SHORT_CONVERTS 0
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define VPTR_SHORT_OPERATORS 1
#else
#define VPTR_SHORT_OPERATORS 0
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define VPTR_SHORT_OPERATORS2 1
#else
#define VPTR_SHORT_OPERATORS2 0
#endif
#include "narrow/type.h"

#include "narrow/functions.h"

static inline __half2 __half2half2(const __half a) {
  return __half2(a, a);
}

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))

typedef __half __nv_half, nv_half;
typedef __half2 __nv_half2, nv_half2;
typedef __half_raw __nv_half_raw, nv_half_raw;
typedef __half2_raw __nv_half2_raw, nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#endif

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#include "narrow/device.h"
#endif

#undef VPTR_SHORT
#undef VPTR_SHORT2
#undef VPTR_SHORT_RAW
#undef VPTR_SHORT2_RAW
#undef VPTR_SHORT_NAME
#undef VPTR_SHORT_FORMAT
#undef VPTR_SHORT_OF
#undef VPTR_SHORT_TO
#undef VPTR_SHORT_ONE
#undef VPTR_SHORT_MIDDLE
#undef VPTR_SHORT_FROM_OTHER
#undef VPTR_SHORT_CONVERTS
#undef VPTR_SHORT_OPERATORS
#undef VPTR_SHORT_OPERATORS2

#endif
