/* SPDX-License-Identifier: MIT */
/*
 * vptr_narrow - floating-point numbers of 16 bits and fewer: what cuda_fp16.h, cuda_bf16.h and cuda_fp8.h calculate by.
 *
 * A narrow number is its bits. All sums, products and quotients of two are calculated in float and rounded once more,
 * which is the same as rounding once: float has more than twice their bits. Where that does not hold (a product and a
 * sum at once, numbers that are wider than float) the first result is made odd where something was lost, so that the
 * second rounding never takes it for the middle between two numbers. So nothing here needs double on a device but for
 * what is given as one.
 *
 * For C++11 and later: for the host by any compiler, for both sides by clang's CUDA.
 */
#ifndef VPTR_CUDA_NARROW_H
#define VPTR_CUDA_NARROW_H

#include "vector_types.h"

#include <math.h>
#include <string.h>

#if defined __cplusplus && __cplusplus >= 201103L

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

#define VPTR_NARROW static inline

enum vptr_narrow_rounding { VPTR_TO_NEAREST, VPTR_TO_ZERO, VPTR_DOWNWARDS, VPTR_UPWARDS };

VPTR_NARROW unsigned int vptr_float_bits(float value) {
  unsigned int bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
VPTR_NARROW float vptr_float_of_bits(unsigned int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
VPTR_NARROW bool vptr_is_nan(float value) {
  return (vptr_float_bits(value) & 0x7fffffffu) > 0x7f800000u;
}

/* ---- rounding -------------------------------------------------------------------------------------------------- */

/* A magnitude with all its bits: significand * 2^exponent, whose uppermost bit is set; 0 is a significand of 0. */
struct vptr_magnitude {
  unsigned long long significand;
  int exponent;
};

VPTR_NARROW vptr_magnitude vptr_magnitude_of(unsigned long long whole, int exponent) {
  vptr_magnitude magnitude = { whole, exponent };
  if (whole != 0) {
    const int zeros = __builtin_clzll(whole);
    magnitude.significand <<= zeros;
    magnitude.exponent -= zeros;
  }
  return magnitude;
}

/* Of a finite float or double, without its sign. */
VPTR_NARROW vptr_magnitude vptr_magnitude_of(float value) {
  const unsigned int bits = vptr_float_bits(value) & 0x7fffffffu, exponent = bits >> 23;
  const unsigned int fraction = exponent != 0 ? (bits & 0x7fffffu) | 0x800000u : bits;
  return vptr_magnitude_of(static_cast<unsigned long long>(fraction),
                           static_cast<int>(exponent != 0 ? exponent : 1) - 150);
}
VPTR_NARROW vptr_magnitude vptr_magnitude_of(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= 0x7fffffffffffffffull;
  const int exponent = static_cast<int>(bits >> 52);
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  return exponent != 0 ? vptr_magnitude_of(fraction | 0x10000000000000ull, exponent - 1075)
                       : vptr_magnitude_of(fraction, -1074);
}

/* The bits of a magnitude with so many bits of fraction and exponent, rounded, without a sign; as if there were no
 * largest number, but never more than 0x10000. A number that lies below none is rounded as the negative one it is. */
VPTR_NARROW unsigned int vptr_rounded(vptr_magnitude magnitude, bool is_negative, int fraction, int exponent_bits,
                                      vptr_narrow_rounding rounding) {
  const int bias = (1 << (exponent_bits - 1)) - 1, leading = magnitude.exponent + 63;
  if (magnitude.significand == 0)
    return 0;
  if (leading > bias + 1)
    return 0x10000u;
  const bool is_normal = leading >= 1 - bias;
  const int lost = 63 - fraction + (is_normal ? 0 : 1 - bias - leading);
  unsigned long long kept = 0, rest = 1, middle = 2; /* less than half of the smallest */
  if (lost < 64) {
    kept = magnitude.significand >> lost;
    rest = magnitude.significand & ((1ull << lost) - 1);
    middle = 1ull << (lost - 1);
  } else if (lost == 64) {
    rest = magnitude.significand;
    middle = 1ull << 63;
  }
  bool is_up = false;
  if (rounding == VPTR_TO_NEAREST)
    is_up = rest > middle || (rest == middle && (kept & 1) != 0);
  else if (rounding != VPTR_TO_ZERO)
    is_up = rest != 0 && is_negative == (rounding == VPTR_DOWNWARDS);
  return (is_normal ? static_cast<unsigned int>(leading + bias - 1) << fraction : 0u) +
         static_cast<unsigned int>(kept) + is_up;
}

/* Formats with infinities, whose NaN is 0x7fff. */
template <int Fraction, int Exponent>
VPTR_NARROW unsigned short vptr_narrow_of(vptr_magnitude magnitude, bool is_negative, vptr_narrow_rounding rounding) {
  const unsigned int infinity = ((1u << Exponent) - 1u) << Fraction;
  unsigned int bits = vptr_rounded(magnitude, is_negative, Fraction, Exponent, rounding);
  if (bits >= infinity) {
    const bool is_beyond =
        rounding == VPTR_TO_NEAREST || (rounding != VPTR_TO_ZERO && is_negative == (rounding == VPTR_DOWNWARDS));
    bits = is_beyond ? infinity : infinity - 1;
  }
  return static_cast<unsigned short>(bits | (is_negative ? 0x8000u : 0u));
}

/* Of a float or a double. */
template <int Fraction, int Exponent, class Wide>
VPTR_NARROW unsigned short vptr_narrow_of_wide(Wide value, bool is_negative, vptr_narrow_rounding rounding) {
  if (value != value)
    return 0x7fff;
  if (value - value != 0) /* infinite, which no rounding makes less */
    return static_cast<unsigned short>((((1u << Exponent) - 1u) << Fraction) | (is_negative ? 0x8000u : 0u));
  return vptr_narrow_of<Fraction, Exponent>(vptr_magnitude_of(value), is_negative, rounding);
}
template <int Fraction, int Exponent>
VPTR_NARROW unsigned short vptr_narrow_of_number(float value, vptr_narrow_rounding rounding) {
  return vptr_narrow_of_wide<Fraction, Exponent>(value, vptr_float_bits(value) >> 31 != 0, rounding);
}
template <int Fraction, int Exponent>
VPTR_NARROW unsigned short vptr_narrow_of_number(double value, vptr_narrow_rounding rounding) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return vptr_narrow_of_wide<Fraction, Exponent>(value, bits >> 63 != 0, rounding);
}
template <int Fraction, int Exponent>
VPTR_NARROW unsigned short vptr_narrow_of_number(long long value, vptr_narrow_rounding rounding) {
  const unsigned long long bits = static_cast<unsigned long long>(value);
  return vptr_narrow_of<Fraction, Exponent>(vptr_magnitude_of(value < 0 ? 0 - bits : bits, 0), value < 0, rounding);
}
template <int Fraction, int Exponent>
VPTR_NARROW unsigned short vptr_narrow_of_number(unsigned long long value, vptr_narrow_rounding rounding) {
  return vptr_narrow_of<Fraction, Exponent>(vptr_magnitude_of(value, 0), false, rounding);
}

/* ---- whole numbers --------------------------------------------------------------------------------------------- */

VPTR_NARROW float vptr_whole(float value, vptr_narrow_rounding rounding) {
  return rounding == VPTR_TO_NEAREST  ? ::rintf(value)
         : rounding == VPTR_TO_ZERO   ? ::truncf(value)
         : rounding == VPTR_DOWNWARDS ? ::floorf(value)
                                      : ::ceilf(value);
}

/* What lies outside of the type becomes its least or greatest; NaN becomes 0, in 64 bits the uppermost bit alone. */
template <class Integer> VPTR_NARROW Integer vptr_integer_of(float value, vptr_narrow_rounding rounding) {
  const bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(1);
  const int bits = 8 * static_cast<int>(sizeof(Integer)) - is_signed;
  const unsigned long long uppermost = 1ull << (bits - 1 + is_signed);
  const Integer greatest = static_cast<Integer>(uppermost - 1 + (is_signed ? 0 : uppermost));
  const float whole = vptr_whole(value, rounding), limit = 2.0f * static_cast<float>(1ull << (bits - 1));
  if (vptr_is_nan(value))
    return static_cast<Integer>(sizeof(Integer) == 8 ? uppermost : 0);
  if (whole >= limit)
    return greatest;
  if (whole < (is_signed ? -limit : 0.0f))
    return static_cast<Integer>(is_signed ? uppermost : 0);
  return static_cast<Integer>(whole);
}

/* ---- a product and a sum, rounded once ------------------------------------------------------------------------- */

/* a + b, whose last bit is set where that is not the sum: neither is so small or large that the sum is not in float. */
VPTR_NARROW float vptr_odd_sum(float a, float b) {
  const float sum = a + b, second = sum - a, lost = (a - (sum - second)) + (b - second);
  const unsigned int bits = vptr_float_bits(sum);
  if ((lost > 0 || lost < 0) && (bits & 1u) == 0)
    return vptr_float_of_bits((lost > 0) == (sum > 0) ? bits + 1u : bits - 1u);
  return sum;
}

/* a * b + c of bfloat16's numbers, made odd in the same way where the float is in the middle between two of them. There
 * the product, or c, is within a factor of 2, and what is left is exact but for a last rounding that keeps the sign. */
VPTR_NARROW float vptr_odd_product_sum(float a, float b, float c) {
  const float sum = ::fmaf(a, b, c);
  const unsigned int bits = vptr_float_bits(sum), size = bits & 0x7fffffffu;
  if ((bits & 0xffffu) != 0x8000u || size > 0x7f800000u)
    return sum;
  const float half = 0.5f * sum;
  float rest = 0;
  if (::fabsf(c) < ::fabsf(half))
    rest = ::fmaf(a, b, -sum) + c;
  else if (::fabsf(c) <= 2 * ::fabsf(sum) && (c > 0) == (sum > 0))
    rest = ::fmaf(a, b, c - sum);
  if (rest == 0)
    return sum;
  return vptr_float_of_bits((rest > 0) == (sum > 0) ? bits + 1u : bits - 1u);
}

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif

#endif

#endif
