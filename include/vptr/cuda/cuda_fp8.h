/* SPDX-License-Identifier: MIT */
/*
 * cuda_fp8 - numbers of 8 bits on both sides: e4m3 (up to 448, without infinities), e5m2 (the upper half of half
 * precision) and e8m0 (a power of two, for scales).
 *
 * They are kept and converted, and calculated in wider ones. Numbers are rounded to the nearest, scales upwards or
 * towards zero. What lies beyond the largest number becomes it (__NV_SATFINITE), or infinity, or NaN where there is no
 * infinity. For C++11 and later.
 */
#ifndef VPTR_CUDA_CUDA_FP8_H
#define VPTR_CUDA_CUDA_FP8_H
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "device_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined __cplusplus && __cplusplus >= 201103L
#define __CUDA_FP8_TYPES_EXIST__

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

/* ---- one number of 8 bits -------------------------------------------------------------------------------------- */

/* Of a float there is one NaN; of a double it keeps the sign, and e5m2's the first bits of the fraction, as CUDA's. */
VPTR_NARROW __nv_fp8_storage_t vptr_fp8_nan(const float, const __nv_fp8_interpretation_t) {
  return 0x7f;
}
VPTR_NARROW __nv_fp8_storage_t vptr_fp8_nan(const double value, const __nv_fp8_interpretation_t kind) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  const unsigned int fraction = kind == __NV_E4M3 ? 0x7fu : 0x7eu | (bits >> 50 & 3u);
  return static_cast<__nv_fp8_storage_t>(bits >> 63 << 7 | fraction);
}

template <class Wide>
VPTR_NARROW __nv_fp8_storage_t vptr_fp8_of(const Wide value, const __nv_saturation_t saturate,
                                           const __nv_fp8_interpretation_t kind) {
  const bool is_e4m3 = kind == __NV_E4M3, is_negative = signbit(value);
  const unsigned int greatest = is_e4m3 ? 0x7eu : 0x7bu;
  if (value != value)
    return vptr_fp8_nan(value, kind);
  unsigned int bits = 0x10000u;
  if (value - value == 0)
    bits = vptr_rounded(vptr_magnitude_of(value), is_negative, is_e4m3 ? 3 : 2, is_e4m3 ? 4 : 5, VPTR_TO_NEAREST);
  if (bits > greatest)
    bits = saturate == __NV_SATFINITE ? greatest : greatest + 1;
  return static_cast<__nv_fp8_storage_t>(bits | (is_negative ? 0x80u : 0u));
}

/* Both are exact in half precision. */
VPTR_NARROW unsigned short vptr_fp8_to(const __nv_fp8_storage_t bits, const __nv_fp8_interpretation_t kind) {
  const unsigned int sign = (bits & 0x80u) << 8, size = bits & 0x7fu;
  if (kind == __NV_E5M2)
    return static_cast<unsigned short>(size > 0x7cu ? 0x7fffu : sign | size << 8);
  if (size == 0x7fu)
    return 0x7fff;
  const float value =
      size < 8 ? static_cast<float>(size) * 0.001953125f : vptr_float_of_bits((size << 20) + (120u << 23));
  return static_cast<unsigned short>(sign | vptr_cuda_half_of(value));
}

/* ---- scales: the exponent of a magnitude ----------------------------------------------------------------------- */

VPTR_NARROW __nv_fp8_storage_t vptr_scale_of(const vptr_magnitude value, const __nv_saturation_t saturate,
                                             const enum cudaRoundMode rounding) {
  if (value.significand == 0)
    return 0;
  const bool is_up = rounding == cudaRoundPosInf && (value.significand << 1) != 0;
  const int exponent = value.exponent + 63 + is_up + 127;
  if (exponent > 254) /* cut off, it is finite */
    return saturate == __NV_SATFINITE || rounding == cudaRoundZero ? 254 : 255;
  return static_cast<__nv_fp8_storage_t>(exponent < 0 ? 0 : exponent);
}
template <class Wide>
VPTR_NARROW __nv_fp8_storage_t vptr_scale_of(const Wide value, const __nv_saturation_t saturate,
                                             const enum cudaRoundMode rounding) {
  if (value != value)
    return 255;
  if (value - value != 0)
    return saturate == __NV_SATFINITE ? 254 : 255;
  return vptr_scale_of(vptr_magnitude_of(value), saturate, rounding);
}
VPTR_NARROW unsigned short vptr_scale_to(const __nv_fp8_storage_t bits) {
  return static_cast<unsigned short>(bits == 255 ? 0x7fff : bits == 0 ? 0x40 : bits << 7);
}

/* A whole number on its way to a scale, all of whose bits count. */
struct vptr_whole_number {
  vptr_magnitude size;
  vptr_whole_number(const long long value)
      : size(vptr_magnitude_of(
            value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value), 0)) {}
  vptr_whole_number(const unsigned long long value) : size(vptr_magnitude_of(value, 0)) {}
  vptr_whole_number(const int value) : vptr_whole_number(static_cast<long long>(value)) {}
  vptr_whole_number(const unsigned int value) : vptr_whole_number(static_cast<long long>(value)) {}
  vptr_whole_number(const long value) : vptr_whole_number(static_cast<long long>(value)) {}
  vptr_whole_number(const unsigned long value) : vptr_whole_number(static_cast<unsigned long long>(value)) {}
};

/* ---- CUDA's functions ------------------------------------------------------------------------------------------ */

VPTR_NARROW __nv_fp8x2_storage_t vptr_fp8x2_of(const __nv_fp8_storage_t low, const __nv_fp8_storage_t high) {
  return static_cast<__nv_fp8x2_storage_t>(high << 8 | low);
}
VPTR_NARROW __nv_fp8x4_storage_t vptr_fp8x4_of(const __nv_fp8x2_storage_t low, const __nv_fp8x2_storage_t high) {
  return static_cast<__nv_fp8x4_storage_t>(high) << 16 | low;
}
VPTR_NARROW float vptr_float_of_raw(const __half_raw raw) {
  return vptr_cuda_half_to(raw.x);
}
VPTR_NARROW float vptr_float_of_raw(const __nv_bfloat16_raw raw) {
  return vptr_cuda_bfloat16_to(raw.x);
}
VPTR_NARROW float vptr_float_of_raw(const float value) {
  return value;
}
VPTR_NARROW double vptr_float_of_raw(const double value) {
  return value;
}

#define VPTR_FP8_ONE(name, type, function, kind_type)                                                                \
  VPTR_NARROW __nv_fp8_storage_t name(const type x, const __nv_saturation_t saturate, const kind_type kind) {        \
    return function(vptr_float_of_raw(x), saturate, kind);                                                           \
  }
#define VPTR_FP8_TWO(name, one, type, function, kind_type)                                                           \
  VPTR_NARROW __nv_fp8x2_storage_t name(const type pair, const __nv_saturation_t saturate, const kind_type kind) {   \
    const one low = { pair.x }, high = { pair.y };                                                                   \
    return vptr_fp8x2_of(function(vptr_float_of_raw(low), saturate, kind),                                           \
                         function(vptr_float_of_raw(high), saturate, kind));                                         \
  }
VPTR_FP8_ONE(__nv_cvt_double_to_fp8, double, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_ONE(__nv_cvt_float_to_fp8, float, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_ONE(__nv_cvt_halfraw_to_fp8, __half_raw, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_ONE(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_TWO(__nv_cvt_double2_to_fp8x2, double, double2, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_TWO(__nv_cvt_float2_to_fp8x2, float, float2, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_TWO(__nv_cvt_halfraw2_to_fp8x2, __half_raw, __half2_raw, vptr_fp8_of, __nv_fp8_interpretation_t)
VPTR_FP8_TWO(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat16_raw, __nv_bfloat162_raw, vptr_fp8_of,
             __nv_fp8_interpretation_t)
VPTR_FP8_ONE(__nv_cvt_double_to_e8m0, double, vptr_scale_of, enum cudaRoundMode)
VPTR_FP8_ONE(__nv_cvt_float_to_e8m0, float, vptr_scale_of, enum cudaRoundMode)
VPTR_FP8_ONE(__nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw, vptr_scale_of, enum cudaRoundMode)
VPTR_FP8_TWO(__nv_cvt_double2_to_e8m0x2, double, double2, vptr_scale_of, enum cudaRoundMode)
VPTR_FP8_TWO(__nv_cvt_float2_to_e8m0x2, float, float2, vptr_scale_of, enum cudaRoundMode)
VPTR_FP8_TWO(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat16_raw, __nv_bfloat162_raw, vptr_scale_of,
             enum cudaRoundMode)
#undef VPTR_FP8_ONE
#undef VPTR_FP8_TWO

VPTR_NARROW __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
  __half_raw raw = { vptr_fp8_to(x, kind) };
  return raw;
}
VPTR_NARROW __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                   const __nv_fp8_interpretation_t kind) {
  __half2_raw raw = { vptr_fp8_to(static_cast<__nv_fp8_storage_t>(x), kind),
                      vptr_fp8_to(static_cast<__nv_fp8_storage_t>(x >> 8), kind) };
  return raw;
}
VPTR_NARROW __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  __nv_bfloat16_raw raw = { vptr_scale_to(x) };
  return raw;
}
VPTR_NARROW __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  __nv_bfloat162_raw raw = { vptr_scale_to(static_cast<__nv_fp8_storage_t>(x)),
                             vptr_scale_to(static_cast<__nv_fp8_storage_t>(x >> 8)) };
  return raw;
}

/* ---- classes --------------------------------------------------------------------------------------------------- */

#define VPTR_FP8_KIND_OF(kind)                                                                                       \
  VPTR_NARROW __nv_fp8_storage_t vptr_fp8_of_##kind(const float value) {                                             \
    return vptr_fp8_of(value, __NV_SATFINITE, kind);                                                                 \
  }                                                                                                                  \
  VPTR_NARROW __nv_fp8_storage_t vptr_fp8_of_##kind(const double value) {                                            \
    return vptr_fp8_of(value, __NV_SATFINITE, kind);                                                                 \
  }                                                                                                                  \
  VPTR_NARROW float vptr_fp8_to_##kind(const __nv_fp8_storage_t bits) {                                              \
    return vptr_cuda_half_to(vptr_fp8_to(bits, kind));                                                               \
  }
VPTR_FP8_KIND_OF(__NV_E4M3)
VPTR_FP8_KIND_OF(__NV_E5M2)
#undef VPTR_FP8_KIND_OF

VPTR_NARROW __nv_fp8_storage_t vptr_scale_up(const float value) {
  return vptr_scale_of(value, __NV_SATFINITE, cudaRoundPosInf);
}
VPTR_NARROW __nv_fp8_storage_t vptr_scale_up(const double value) {
  return vptr_scale_of(value, __NV_SATFINITE, cudaRoundPosInf);
}
VPTR_NARROW __nv_fp8_storage_t vptr_scale_up(const vptr_whole_number value) {
  return vptr_scale_of(value.size, __NV_SATFINITE, cudaRoundPosInf);
}
VPTR_NARROW float vptr_scale_float(const __nv_fp8_storage_t bits) {
  return vptr_cuda_bfloat16_to(vptr_scale_to(bits));
}

#define VPTR_FP8 __nv_fp8_e5m2
#define VPTR_FP8X2 __nv_fp8x2_e5m2
#define VPTR_FP8X4 __nv_fp8x4_e5m2
#define VPTR_FP8_OF vptr_fp8_of___NV_E5M2
#define VPTR_FP8_TO vptr_fp8_to___NV_E5M2
#define VPTR_FP8_LONG float
#define VPTR_FP8X2_TO_BFLOAT16
#include "narrow/byte.h"
#undef VPTR_FP8
#undef VPTR_FP8X2
#undef VPTR_FP8X4
#undef VPTR_FP8_OF
#undef VPTR_FP8_TO

#define VPTR_FP8 __nv_fp8_e4m3
#define VPTR_FP8X2 __nv_fp8x2_e4m3
#define VPTR_FP8X4 __nv_fp8x4_e4m3
#define VPTR_FP8_OF vptr_fp8_of___NV_E4M3
#define VPTR_FP8_TO vptr_fp8_to___NV_E4M3
#include "narrow/byte.h"
#undef VPTR_FP8
#undef VPTR_FP8X2
#undef VPTR_FP8X4
#undef VPTR_FP8_OF
#undef VPTR_FP8_TO
#undef VPTR_FP8_LONG
#undef VPTR_FP8X2_TO_BFLOAT16

#define VPTR_FP8 __nv_fp8_e8m0
#define VPTR_FP8X2 __nv_fp8x2_e8m0
#define VPTR_FP8X4 __nv_fp8x4_e8m0
#define VPTR_FP8_OF vptr_scale_up
#define VPTR_FP8_TO vptr_scale_float
#define VPTR_FP8_LONG vptr_whole_number
#define VPTR_FP8X2_TO_BFLOAT16                                                                                       \
  explicit operator __nv_bfloat162() const {                                                                         \
    return __nv_cvt_e8m0x2_to_bf162raw(__x);                                                                         \
  }
#include "narrow/byte.h"
#undef VPTR_FP8
#undef VPTR_FP8X2
#undef VPTR_FP8X4
#undef VPTR_FP8_OF
#undef VPTR_FP8_TO
#undef VPTR_FP8_LONG
#undef VPTR_FP8X2_TO_BFLOAT16

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif

#endif

#endif
