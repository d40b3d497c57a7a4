/* SPDX-License-Identifier: MIT */
/*
 * half - for the programs half_*.cu: what numbers of 16 and 8 bits are, calculated from their definition in double, and
 * one way to write a test for __half and __nv_bfloat16.
 */
#ifndef HALF_H
#define HALF_H

#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum rounding { NEAREST, ZERO, DOWN, UP };
enum { ALL = 65536 };

/* What is told of a kind of number: bits of fraction and exponent. */
struct format {
  int fraction, exponent;
  int bias() const {
    return (1 << (exponent - 1)) - 1;
  }
  unsigned infinity() const {
    return ((1u << exponent) - 1) << fraction;
  }
  int width() const {
    return 1 + fraction + exponent;
  }
  unsigned sign() const {
    return 1u << (fraction + exponent);
  }
  bool is_nan(unsigned bits) const {
    return (bits & (sign() - 1)) > infinity();
  }
};

inline double value_of(format f, unsigned bits) {
  const unsigned size = bits & (f.sign() - 1);
  if (size > f.infinity())
    return NAN;
  const int exponent = (int)(size >> f.fraction), fraction = (int)(size & ((1u << f.fraction) - 1));
  const double value = size == f.infinity() ? INFINITY
                       : exponent == 0      ? ldexp(fraction, 1 - f.bias() - f.fraction)
                                            : ldexp(fraction + (1 << f.fraction), exponent - f.bias() - f.fraction);
  return bits & f.sign() ? -value : value;
}

/* The bits of x, by the distance to its neighbours: x is exact, or odd in its last bit where something was lost. */
inline unsigned rounded(format f, double x, rounding way) {
  if (isnan(x))
    return 0x7fff;
  const unsigned sign = signbit(x) ? f.sign() : 0;
  double size = fabs(x);
  if (isinf(size))
    return sign | f.infinity();
  int exponent = 1 - f.bias();
  if (size > 0 && ilogb(size) > exponent)
    exponent = ilogb(size);
  const double units = ldexp(size, f.fraction - exponent);
  double whole = way == NEAREST                                ? rint(units)
                 : way == ZERO || (way == DOWN) == (sign == 0) ? floor(units)
                                                               : ceil(units);
  double result = ldexp(whole, exponent - f.fraction), greatest = value_of(f, f.infinity() - 1);
  if (result > greatest)
    return sign | (way == NEAREST || way == (sign ? DOWN : UP) ? f.infinity() : f.infinity() - 1);
  for (unsigned low = 0, high = f.infinity();;) { /* the bits without a sign are in the order of the numbers */
    const unsigned middle = (low + high) / 2;
    const double there = value_of(f, middle);
    if (there == result)
      return sign | middle;
    if (there < result)
      low = middle;
    else
      high = middle;
  }
}

/* a + b in double, odd where that is not the sum, so that it is on the right side of any middle. */
inline double odd_sum(double a, double b) {
  const double sum = a + b, second = sum - a, lost = (a - (sum - second)) + (b - second);
  unsigned long long bits;
  memcpy(&bits, &sum, sizeof bits);
  if (isfinite(sum) && lost != 0 && (bits & 1) == 0)
    return nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return sum;
}

/* The value rounds to those bits; or, where the exact result is next to the middle, to its other neighbour: CUDA's
 * devices approximate in float. */
inline bool is_close(format f, unsigned got, double exact) {
  const double apart = fabs(exact) * 0x1p-20;
  return got == rounded(f, exact, NEAREST) || got == rounded(f, exact - apart, NEAREST) ||
         got == rounded(f, exact + apart, NEAREST);
}

template <class T> struct kind_of;
template <> struct kind_of<__half> {
  typedef __half2 pair;
  static format form() {
    return { 10, 5 };
  }
  static __host__ __device__ __half of(unsigned bits) {
    return __ushort_as_half((unsigned short)bits);
  }
};
template <> struct kind_of<__nv_bfloat16> {
  typedef __nv_bfloat162 pair;
  static format form() {
    return { 7, 8 };
  }
  static __host__ __device__ __nv_bfloat16 of(unsigned bits) {
    return __ushort_as_bfloat16((unsigned short)bits);
  }
};
__host__ __device__ inline unsigned bits_of(__half a) {
  return __half_as_ushort(a);
}
__host__ __device__ inline unsigned bits_of(__nv_bfloat16 a) {
  return __bfloat16_as_ushort(a);
}

/* Pairs of bits that matter: all kinds of numbers, equal ones, neighbours, opposite ones, and any. */
inline unsigned next_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(*state >> 33);
}
inline unsigned edge_bits(format f, unsigned i) {
  const unsigned edges[] = { 0,
                             1,
                             2,
                             f.infinity(),
                             f.infinity() - 1,
                             f.infinity() + 1,
                             0x7fff,
                             1u << f.fraction,
                             (1u << f.fraction) - 1,
                             (unsigned)f.bias() << f.fraction,
                             ((unsigned)f.bias() << f.fraction) + 1,
                             ((unsigned)f.bias() << f.fraction) - 1 };
  const unsigned count = sizeof edges / sizeof *edges;
  return edges[i / 2 % count] | (i % 2 ? 0x8000u : 0u);
}
inline void sample(format f, unsigned i, unsigned long long *state, unsigned *a, unsigned *b, unsigned *c) {
  *a = next_random(state) & 0xffff;
  *b = next_random(state) & 0xffff;
  *c = next_random(state) & 0xffff;
  if (i < 24 * 24 * 24) {
    *a = edge_bits(f, i % 24);
    *b = edge_bits(f, i / 24 % 24);
    *c = edge_bits(f, i / (24 * 24));
  } else if (i % 4 == 1) {
    *b = (*a ^ (next_random(state) & 0x8000)) + next_random(state) % 3 - 1;
  } else if (i % 4 == 2) { /* a sum next to a middle: the third is far below the product, or the other way round */
    *c = *c % (4u << f.fraction) | (*c & 0x8000);
    *a = ((unsigned)(f.bias() + (int)(*a >> 8) % 4) << f.fraction) | (*a & ((1u << f.fraction) - 1));
    *b = ((unsigned)(f.bias() + (int)(*b >> 8) % 4) << f.fraction) | (*b & ((1u << f.fraction) - 1));
  } else if (i % 4 == 3) {
    *a = *a & 0xfff;
    *b = *b & 0xfff;
  }
  *b &= 0xffff;
}

#endif
