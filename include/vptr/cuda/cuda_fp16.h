/* SPDX-License-Identifier: MIT */
/*
 * cuda_fp16 - half precision for the host: 16 bits of IEEE 754, kept in memory, converted and calculated in float.
 *
 * Kernels in C have no half precision: there this header is empty, and what names its types is refused. Large headers
 * of others (Eigen's) include it in any file for a CUDA compiler, and use it on the host. Through clang kernels have
 * all of it, and the rest of CUDA's functions (vptr_clang_half.h).
 *
 * Conversions round to nearest, ties to even, and know denormals, infinities and NaN, which is always the same one, as
 * CUDA's. Sums, differences, products and quotients of float, rounded once more, are those of half precision: float has
 * more than twice its bits. C, and C++ before 11, have the representations alone.
 */
#ifndef VPTR_CUDA_CUDA_FP16_H
#define VPTR_CUDA_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "vector_types.h"

#include <string.h>

/* For clang's CUDA they are for both sides. */
#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

typedef struct __align__(2) { unsigned short x; } __half_raw;
typedef struct __align__(4) { unsigned short x, y; } __half2_raw;

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

struct __align__(2) __half {
  __half() = default;
  __half(const __half_raw &raw) : __x(raw.x) {}
  __half(float value) : __x(vptr_cuda_half_of(value)) {}
  __half(double value);
  __half(int value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(unsigned int value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(short value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(unsigned short value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(long value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(unsigned long value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(long long value) : __x(vptr_cuda_half_of(float(value))) {}
  __half(unsigned long long value) : __x(vptr_cuda_half_of(float(value))) {}
  operator float() const { return vptr_cuda_half_to(__x); }
  operator __half_raw() const {
    __half_raw raw = { __x };
    return raw;
  }

protected:
  unsigned short __x;
};

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __half2(const __half &low, const __half &high) : x(low), y(high) {}
  __half2(const __half2_raw &raw) {
    __half_raw low = { raw.x }, high = { raw.y };
    x = low;
    y = high;
  }
  operator __half2_raw() const {
    __half2_raw raw = { static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x };
    return raw;
  }
};

typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;
typedef __half_raw __nv_half_raw, nv_half_raw;
typedef __half2_raw __nv_half2_raw, nv_half2_raw;

/* ---- bits -------------------------------------------------------------------------------------------------- */

static inline unsigned short __half_as_ushort(const __half a) { return static_cast<__half_raw>(a).x; }
static inline short __half_as_short(const __half a) { return short(__half_as_ushort(a)); }
static inline __half __ushort_as_half(const unsigned short bits) {
  __half_raw raw = { bits };
  return raw;
}
static inline __half __short_as_half(const short bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }

/* ---- conversions ------------------------------------------------------------------------------------------- */

static inline __half __float2half(const float a) { return a; }
static inline __half __float2half_rn(const float a) { return a; }
static inline float __half2float(const __half a) { return a; }

/* By a float whose last bit tells that there was more: what is rounded twice must not come to lie in the middle. */
static inline __half __double2half(const double a) {
  float value = float(a);
  unsigned int bits;
  memcpy(&bits, &value, sizeof bits);
  if (value == value && double(value) != a && (bits & 0x7fffffffu) != 0x7f800000u && (bits & 1u) == 0) {
    bool is_beyond = (a < 0 ? -double(value) : double(value)) > (a < 0 ? -a : a);
    bits = is_beyond ? bits - 1u : bits + 1u;
    memcpy(&value, &bits, sizeof value);
  }
  return value;
}
inline __half::__half(double value) : __x(__half_as_ushort(__double2half(value))) {}

static inline __half __int2half_rn(const int a) { return a; }
static inline int __half2int_rz(const __half a) { return int(float(a)); }

static inline __half2 make_half2(const __half x, const __half y) { return __half2(x, y); }
static inline __half2 __halves2half2(const __half low, const __half high) { return __half2(low, high); }
static inline __half2 __half2half2(const __half a) { return __half2(a, a); }
static inline __half2 __float2half2_rn(const float a) { return __half2(a, a); }
static inline __half2 __floats2half2_rn(const float low, const float high) { return __half2(low, high); }
static inline __half2 __float22half2_rn(const float2 a) { return __half2(a.x, a.y); }
static inline float __low2float(const __half2 a) { return a.x; }
static inline float __high2float(const __half2 a) { return a.y; }
static inline __half __low2half(const __half2 a) { return a.x; }
static inline __half __high2half(const __half2 a) { return a.y; }
static inline __half2 __lowhigh2highlow(const __half2 a) { return __half2(a.y, a.x); }
static inline float2 __half22float2(const __half2 a) {
  float2 both = { a.x, a.y };
  return both;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

static inline __half __hadd(const __half a, const __half b) { return float(a) + float(b); }
static inline __half __hsub(const __half a, const __half b) { return float(a) - float(b); }
static inline __half __hmul(const __half a, const __half b) { return float(a) * float(b); }
static inline __half __hdiv(const __half a, const __half b) { return float(a) / float(b); }
static inline __half __hneg(const __half a) { return -float(a); }
static inline __half __habs(const __half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fffu); }
static inline bool __heq(const __half a, const __half b) { return float(a) == float(b); }
static inline bool __hne(const __half a, const __half b) {
  return float(a) != float(b) && float(a) == float(a) && float(b) == float(b);
}
static inline bool __hlt(const __half a, const __half b) { return float(a) < float(b); }
static inline bool __hle(const __half a, const __half b) { return float(a) <= float(b); }
static inline bool __hgt(const __half a, const __half b) { return float(a) > float(b); }
static inline bool __hge(const __half a, const __half b) { return float(a) >= float(b); }
static inline bool __hisnan(const __half a) { return float(a) != float(a); }
static inline int __hisinf(const __half a) {
  return __half_as_ushort(a) == 0x7c00u ? 1 : __half_as_ushort(a) == 0xfc00u ? -1 : 0;
}

#ifndef __CUDA_NO_HALF_OPERATORS__
static inline __half operator+(const __half &a, const __half &b) { return __hadd(a, b); }
static inline __half operator-(const __half &a, const __half &b) { return __hsub(a, b); }
static inline __half operator*(const __half &a, const __half &b) { return __hmul(a, b); }
static inline __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
static inline __half operator-(const __half &a) { return __hneg(a); }
static inline __half operator+(const __half &a) { return a; }
static inline __half &operator+=(__half &a, const __half &b) { return a = a + b; }
static inline __half &operator-=(__half &a, const __half &b) { return a = a - b; }
static inline __half &operator*=(__half &a, const __half &b) { return a = a * b; }
static inline __half &operator/=(__half &a, const __half &b) { return a = a / b; }
static inline bool operator==(const __half &a, const __half &b) { return float(a) == float(b); }
static inline bool operator!=(const __half &a, const __half &b) { return float(a) != float(b); }
static inline bool operator<(const __half &a, const __half &b) { return __hlt(a, b); }
static inline bool operator<=(const __half &a, const __half &b) { return __hle(a, b); }
static inline bool operator>(const __half &a, const __half &b) { return __hgt(a, b); }
static inline bool operator>=(const __half &a, const __half &b) { return __hge(a, b); }
#endif

#endif

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#include "clang/vptr_clang_half.h"
#endif

#endif
