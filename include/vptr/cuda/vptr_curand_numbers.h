/* SPDX-License-Identifier: MIT */
/*
 * vptr_curand_numbers - random bits as numbers: uniform ones above 0 and up to 1, as cuRAND's, and normal ones by Box
 * and Muller (1958) from two uniform ones, or from one by the inverse of the distribution function, Wichura's (1988).
 *
 * Uniform numbers are cuRAND's to the last bit. Normal ones stand on the logarithm, sine and cosine of where they are
 * computed: a few units in the last place are the device's.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef VPTR_CURAND_NUMBERS_H_
#define VPTR_CURAND_NUMBERS_H_

#include <math.h>

#include "curand_mrg32k3a.h"
#include "vptr_curand_types.h"

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define CURAND_2PI (6.2831855f)
#define CURAND_PI_DOUBLE (3.1415926535897932)

VPTR_CURAND_FUNCTION float vptr_curand_float(unsigned int x) {
  return (float)x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}

VPTR_CURAND_FUNCTION double vptr_curand_double_of_word(unsigned int x) {
  return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}

VPTR_CURAND_FUNCTION double vptr_curand_double_of_long(unsigned long long x) {
  return (double)(x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

VPTR_CURAND_FUNCTION double vptr_curand_double(unsigned int x, unsigned int y) {
  unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << (53 - 32);
  return (double)z * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

/* ---- Box and Muller ----------------------------------------------------------------------------------------- */

VPTR_CURAND_FUNCTION float2 vptr_curand_polar(float u, float angle) {
  float radius = sqrtf(-2.0f * logf(u));
  float2 pair;
  pair.x = radius * sinf(angle);
  pair.y = radius * cosf(angle);
  return pair;
}

/* The angle in halves of a turn. */
VPTR_CURAND_FUNCTION double2 vptr_curand_polar_double(double u, double angle) {
  double radius = sqrt(-2.0 * log(u));
  double2 pair;
  pair.x = radius * sin(angle * CURAND_PI_DOUBLE);
  pair.y = radius * cos(angle * CURAND_PI_DOUBLE);
  return pair;
}

VPTR_CURAND_FUNCTION float2 vptr_curand_normals(unsigned int x, unsigned int y) {
  return vptr_curand_polar(vptr_curand_float(x), (float)y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}

VPTR_CURAND_FUNCTION double2 vptr_curand_normals_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                                        unsigned int y1) {
  unsigned long long y = (unsigned long long)y0 ^ (unsigned long long)y1 << (53 - 32);
  return vptr_curand_polar_double(vptr_curand_double(x0, x1),
                                  (double)y * (CURAND_2POW53_INV_DOUBLE * 2.0) + CURAND_2POW53_INV_DOUBLE);
}

/* MRG32k3a's own numbers have no 32 bits to take apart. */
VPTR_CURAND_FUNCTION float vptr_curand_mrg_float(struct curandStateMRG32k3a *state) {
  return (float)(vptr_curand_mrg_value(state) * MRG32K3A_NORM);
}

VPTR_CURAND_FUNCTION double vptr_curand_mrg_double(struct curandStateMRG32k3a *state) {
  return vptr_curand_mrg_value(state) * MRG32K3A_NORM;
}

VPTR_CURAND_FUNCTION float2 vptr_curand_mrg_normals(struct curandStateMRG32k3a *state) {
  float u = vptr_curand_mrg_float(state);
  return vptr_curand_polar(u, vptr_curand_mrg_float(state) * CURAND_2PI);
}

VPTR_CURAND_FUNCTION double2 vptr_curand_mrg_normals_double(struct curandStateMRG32k3a *state) {
  double u = vptr_curand_mrg_double(state);
  return vptr_curand_polar_double(u, vptr_curand_mrg_double(state) * 2.0);
}

/* ---- the inverse of the normal distribution function --------------------------------------------------------- */

/* Both polynomials of a quotient, of degree 7, by Horner's rule. */
#define VPTR_CURAND_QUOTIENT(x, n7, n6, n5, n4, n3, n2, n1, n0, d7, d6, d5, d4, d3, d2, d1)                          \
  (((((((((n7) * (x) + (n6)) * (x) + (n5)) * (x) + (n4)) * (x) + (n3)) * (x) + (n2)) * (x) + (n1)) * (x) + (n0)) /     \
   ((((((((d7) * (x) + (d6)) * (x) + (d5)) * (x) + (d4)) * (x) + (d3)) * (x) + (d2)) * (x) + (d1)) * (x) + 1.0))

VPTR_CURAND_FUNCTION double vptr_curand_inverse_tail(double r) {
  if (r <= 5) {
    r -= 1.6;
    return VPTR_CURAND_QUOTIENT(
        r, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
        3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734,
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187);
  }
  r -= 5;
  return VPTR_CURAND_QUOTIENT(
      r, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
      2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720,
      2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
      1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1);
}

/* Of p in (0, 0.5]: at most 0. */
VPTR_CURAND_FUNCTION double vptr_curand_inverse(double p) {
  double q = p - 0.5, r = 0.180625 - q * q;
  if (p < 0.075)
    return -vptr_curand_inverse_tail(sqrt(-log(p)));
  return q * VPTR_CURAND_QUOTIENT(
                 r, 2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
                 1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080,
                 5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
                 5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1);
}

/* The middle of each of 2^32 equal parts, and of 2^53; cuRAND mirrors the upper half, so that tails are as fine. */
VPTR_CURAND_FUNCTION double vptr_curand_inverse_of_word(unsigned int x) {
  int is_upper = x > 0x80000000u;
  double p = (is_upper ? 0xffffffffu - x : x) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0;
  return is_upper ? -vptr_curand_inverse(p) : vptr_curand_inverse(p);
}

VPTR_CURAND_FUNCTION double vptr_curand_inverse_of_long(unsigned long long x) {
  unsigned long long z = x >> 11;
  int is_upper = z > 0x10000000000000ull;
  double p = (double)(is_upper ? 0x1fffffffffffffull - z : z) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
  return is_upper ? -vptr_curand_inverse(p) : vptr_curand_inverse(p);
}

#endif
