/* SPDX-License-Identifier: MIT */
/*
 * cuda_bf16 - bfloat16, the upper half of a float: kept in memory, calculated in float. All else is as it is for half
 * precision (cuda_fp16.h).
 */
#ifndef VPTR_CUDA_CUDA_BF16_H
#define VPTR_CUDA_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

typedef struct __align__(2) {
  unsigned short x;
}
__nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x, y;
}
__nv_bfloat162_raw;

#if defined __cplusplus && __cplusplus >= 201103L

VPTR_NARROW unsigned short vptr_cuda_bfloat16_of(float value) {
  const unsigned int bits = vptr_float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
VPTR_NARROW float vptr_cuda_bfloat16_to(unsigned short upper) {
  return vptr_float_of_bits(static_cast<unsigned int>(upper) << 16);
}

#define VPTR_SHORT __nv_bfloat16
#define VPTR_SHORT2 __nv_bfloat162
#define VPTR_SHORT_RAW __nv_bfloat16_raw
#define VPTR_SHORT2_RAW __nv_bfloat162_raw
#define VPTR_SHORT_NAME bfloat16
#define VPTR_SHORT_FORMAT 7, 8
#define VPTR_SHORT_OF vptr_cuda_bfloat16_of
#define VPTR_SHORT_TO vptr_cuda_bfloat16_to
#define VPTR_SHORT_ONE 0x3f80
#define VPTR_SHORT_MIDDLE vptr_odd_product_sum(x, y, z)
#define VPTR_SHORT_FROM_OTHER                                                                                        \
  explicit __nv_bfloat16(const __half value) : __x(vptr_cuda_bfloat16_of(vptr_float(value))) {}
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define VPTR_SHORT_CONVERTS 1
#else
#define VPTR_SHORT_CONVERTS 0
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define VPTR_SHORT_OPERATORS 1
#else
#define VPTR_SHORT_OPERATORS 0
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define VPTR_SHORT_OPERATORS2 1
#else
#define VPTR_SHORT_OPERATORS2 0
#endif
#include "narrow/type.h"

#include "narrow/functions.h"

static inline __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __half::__half(const __nv_bfloat16 value) : __x(vptr_cuda_half_of(vptr_float(value))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16_raw nv_bfloat16_raw;
typedef __nv_bfloat162_raw nv_bfloat162_raw;

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
