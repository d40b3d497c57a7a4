/* SPDX-License-Identifier: MIT */
/*
 * cuda_bf16 - bfloat16, the upper half of a float, for programs that clang compiles: kept in memory, calculated in
 * float. As cuda_fp16.h is for half precision: conversions round to nearest, ties to even, and any NaN is one.
 */
#ifndef VPTR_CUDA_CLANG_CUDA_BF16_H
#define VPTR_CUDA_CLANG_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "../cuda_fp16.h"

#pragma clang force_cuda_host_device begin

typedef struct __align__(2) { unsigned short x; } __nv_bfloat16_raw;
typedef struct __align__(4) { unsigned short x, y; } __nv_bfloat162_raw;

static inline unsigned short vptr_cuda_bfloat16_of(float value) {
  unsigned int bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
static inline float vptr_cuda_bfloat16_to(unsigned short upper) {
  const unsigned int bits = static_cast<unsigned int>(upper) << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* By way of a float whose last bit tells that there was more, for what is rounded twice. */
static inline unsigned short vptr_cuda_bfloat16_of(double a) {
  float value = static_cast<float>(a);
  unsigned int bits;
  memcpy(&bits, &value, sizeof bits);
  if (value == value && static_cast<double>(value) != a && (bits & 0x7fffffffu) != 0x7f800000u && (bits & 1u) == 0) {
    const bool is_beyond = (a < 0 ? -static_cast<double>(value) : static_cast<double>(value)) > (a < 0 ? -a : a);
    bits = is_beyond ? bits - 1u : bits + 1u;
    memcpy(&value, &bits, sizeof value);
  }
  return vptr_cuda_bfloat16_of(value);
}

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
  __nv_bfloat16(float value) : __x(vptr_cuda_bfloat16_of(value)) {}
  __nv_bfloat16(double value) : __x(vptr_cuda_bfloat16_of(value)) {}
  __nv_bfloat16(int value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  __nv_bfloat16(unsigned int value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  __nv_bfloat16(short value) : __x(vptr_cuda_bfloat16_of(static_cast<float>(value))) {}
  __nv_bfloat16(unsigned short value) : __x(vptr_cuda_bfloat16_of(static_cast<float>(value))) {}
  __nv_bfloat16(long value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  __nv_bfloat16(unsigned long value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  __nv_bfloat16(long long value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  __nv_bfloat16(unsigned long long value) : __x(vptr_cuda_bfloat16_of(static_cast<double>(value))) {}
  explicit __nv_bfloat16(__half value) : __x(vptr_cuda_bfloat16_of(static_cast<float>(value))) {}
  operator float() const { return vptr_cuda_bfloat16_to(__x); }
  operator __nv_bfloat16_raw() const {
    __nv_bfloat16_raw raw = { __x };
    return raw;
  }

protected:
  unsigned short __x;
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high) : x(low), y(high) {}
  __nv_bfloat162(const __nv_bfloat162_raw &raw) {
    __nv_bfloat16_raw low = { raw.x }, high = { raw.y };
    x = low;
    y = high;
  }
  operator __nv_bfloat162_raw() const {
    __nv_bfloat162_raw raw = { static_cast<__nv_bfloat16_raw>(x).x, static_cast<__nv_bfloat16_raw>(y).x };
    return raw;
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16_raw nv_bfloat16_raw;
typedef __nv_bfloat162_raw nv_bfloat162_raw;

/* ---- bits and conversions ---------------------------------------------------------------------------------- */

static inline unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a) {
  return static_cast<__nv_bfloat16_raw>(a).x;
}
static inline short __bfloat16_as_short(const __nv_bfloat16 a) { return static_cast<short>(__bfloat16_as_ushort(a)); }
static inline __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits) {
  __nv_bfloat16_raw raw = { bits };
  return raw;
}
static inline __nv_bfloat16 __short_as_bfloat16(const short bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}

static inline __nv_bfloat16 __float2bfloat16(const float a) { return a; }
static inline __nv_bfloat16 __float2bfloat16_rn(const float a) { return a; }
static inline __nv_bfloat16 __double2bfloat16(const double a) { return a; }
static inline float __bfloat162float(const __nv_bfloat16 a) { return a; }

static inline __nv_bfloat162 make_bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) { return { x, y }; }
static inline __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high) {
  return { low, high };
}
static inline __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) { return { a, a }; }
static inline __nv_bfloat162 __float2bfloat162_rn(const float a) { return { a, a }; }
static inline __nv_bfloat162 __floats2bfloat162_rn(const float low, const float high) { return { low, high }; }
static inline __nv_bfloat162 __float22bfloat162_rn(const float2 a) { return { a.x, a.y }; }
static inline float2 __bfloat1622float2(const __nv_bfloat162 a) { return make_float2(a.x, a.y); }
static inline float __low2float(const __nv_bfloat162 a) { return a.x; }
static inline float __high2float(const __nv_bfloat162 a) { return a.y; }
static inline __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a) { return a.x; }
static inline __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a) { return a.y; }
static inline __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 a) { return { a.x, a.x }; }
static inline __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 a) { return { a.y, a.y }; }
static inline __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 a) { return { a.y, a.x }; }

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

static inline __nv_bfloat16 __hadd(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) + float(b); }
static inline __nv_bfloat16 __hsub(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) - float(b); }
static inline __nv_bfloat16 __hmul(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) * float(b); }
static inline __nv_bfloat16 __hdiv(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) / float(b); }
static inline __nv_bfloat16 __hneg(const __nv_bfloat16 a) { return -float(a); }
static inline __nv_bfloat16 __habs(const __nv_bfloat16 a) {
  return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fffu);
}
static inline bool __heq(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) == float(b); }
static inline bool __hne(const __nv_bfloat16 a, const __nv_bfloat16 b) {
  return float(a) != float(b) && float(a) == float(a) && float(b) == float(b);
}
static inline bool __hlt(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) < float(b); }
static inline bool __hle(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) <= float(b); }
static inline bool __hgt(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) > float(b); }
static inline bool __hge(const __nv_bfloat16 a, const __nv_bfloat16 b) { return float(a) >= float(b); }
static inline bool __hisnan(const __nv_bfloat16 a) { return float(a) != float(a); }
static inline int __hisinf(const __nv_bfloat16 a) {
  return __bfloat16_as_ushort(a) == 0x7f80u ? 1 : __bfloat16_as_ushort(a) == 0xff80u ? -1 : 0;
}

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
static inline __nv_bfloat16 operator+(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hadd(a, b); }
static inline __nv_bfloat16 operator-(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hsub(a, b); }
static inline __nv_bfloat16 operator*(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hmul(a, b); }
static inline __nv_bfloat16 operator/(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hdiv(a, b); }
static inline __nv_bfloat16 operator-(const __nv_bfloat16 &a) { return __hneg(a); }
static inline __nv_bfloat16 operator+(const __nv_bfloat16 &a) { return a; }
static inline __nv_bfloat16 &operator+=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = a + b; }
static inline __nv_bfloat16 &operator-=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = a - b; }
static inline __nv_bfloat16 &operator*=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = a * b; }
static inline __nv_bfloat16 &operator/=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = a / b; }
static inline bool operator==(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return float(a) == float(b); }
static inline bool operator!=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return float(a) != float(b); }
static inline bool operator<(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hlt(a, b); }
static inline bool operator<=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hle(a, b); }
static inline bool operator>(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hgt(a, b); }
static inline bool operator>=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __hge(a, b); }
#endif

#pragma clang force_cuda_host_device end

#include "vptr_clang_bfloat16.h"

#endif
