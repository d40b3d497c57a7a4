/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_host - the host's half of the mathematics that CUDA offers on both sides and C libraries lack.
 *
 * Functions that are __host__ __device__ call them by the same name as the device's.
 */
#ifndef VPTR_CUDA_CLANG_HOST_H
#define VPTR_CUDA_CLANG_HOST_H

#include <features.h>

#include "vptr_special.h"

static inline float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
static inline float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
static inline float fdividef(float x, float y) { return x / y; }
static inline double fdivide(double x, double y) { return x / y; }

/* ---- sines of x * pi: the remainder by 2 is exact, and so are the differences that lead to the first octant ----- */

#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 41)
#define VPTR_HOST_PI 3.14159265358979323846264338327950288L
static inline double sinpi(double x) {
  const long double rest = ::remainder(x, 2.0), a = ::fabsl(rest);
  const long double sine = a <= 0.25L   ? ::sinl(VPTR_HOST_PI * a)
                           : a <= 0.75L ? ::cosl(VPTR_HOST_PI * (a - 0.5L))
                                        : ::sinl(VPTR_HOST_PI * (1 - a));
  return static_cast<double>(::copysignl(sine, rest));
}
static inline double cospi(double x) {
  const long double a = ::fabsl(::remainder(x, 2.0));
  return static_cast<double>(a <= 0.25L   ? ::cosl(VPTR_HOST_PI * a)
                             : a <= 0.75L ? ::sinl(VPTR_HOST_PI * (0.5L - a))
                                          : -::cosl(VPTR_HOST_PI * (1 - a)));
}
#undef VPTR_HOST_PI
static inline float sinpif(float x) { return static_cast<float>(::sinpi(static_cast<double>(x))); }
static inline float cospif(float x) { return static_cast<float>(::cospi(static_cast<double>(x))); }
#endif
static inline void sincospi(double x, double *sine, double *cosine) {
  *sine = ::sinpi(x);
  *cosine = ::cospi(x);
}
static inline void sincospif(float x, float *sine, float *cosine) {
  *sine = ::sinpif(x);
  *cosine = ::cospif(x);
}

/* ---- lengths ----------------------------------------------------------------------------------------------- */

static inline double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
static inline double norm4d(double x, double y, double z, double w) { return ::hypot(::hypot(x, y), ::hypot(z, w)); }
static inline double norm(int count, const double *x) {
  double length = 0;
  for (int i = 0; i < count; i++)
    length = ::hypot(length, x[i]);
  return length;
}
static inline double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
static inline double rnorm3d(double x, double y, double z) { return 1.0 / ::norm3d(x, y, z); }
static inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / ::norm4d(x, y, z, w); }
static inline double rnorm(int count, const double *x) { return 1.0 / ::norm(count, x); }

static inline float norm3df(float x, float y, float z) { return static_cast<float>(::norm3d(x, y, z)); }
static inline float norm4df(float x, float y, float z, float w) { return static_cast<float>(::norm4d(x, y, z, w)); }
static inline float normf(int count, const float *x) {
  double length = 0;
  for (int i = 0; i < count; i++)
    length = ::hypot(length, static_cast<double>(x[i]));
  return static_cast<float>(length);
}
static inline float rhypotf(float x, float y) { return static_cast<float>(::rhypot(x, y)); }
static inline float rnorm3df(float x, float y, float z) { return static_cast<float>(::rnorm3d(x, y, z)); }
static inline float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(::rnorm4d(x, y, z, w));
}
static inline float rnormf(int count, const float *x) { return 1.0f / ::normf(count, x); }

/* ---- extremes with their type in the name --------------------------------------------------------------------- */

static inline unsigned int umin(unsigned int a, unsigned int b) { return ::min(a, b); }
static inline unsigned int umax(unsigned int a, unsigned int b) { return ::max(a, b); }
static inline long long llmin(long long a, long long b) { return ::min(a, b); }
static inline long long llmax(long long a, long long b) { return ::max(a, b); }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return ::min(a, b); }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return ::max(a, b); }

/* ---- overloads for float ------------------------------------------------------------------------------------- */

static inline float rsqrt(float x) { return ::rsqrtf(x); }
static inline float rcbrt(float x) { return ::rcbrtf(x); }
static inline float sinpi(float x) { return ::sinpif(x); }
static inline float cospi(float x) { return ::cospif(x); }
static inline float exp10(float x) { return ::exp10f(x); }
static inline float rhypot(float x, float y) { return ::rhypotf(x, y); }
static inline float fdivide(float x, float y) { return ::fdividef(x, y); }
static inline void sincos(float x, float *sine, float *cosine) { ::sincosf(x, sine, cosine); }
static inline void sincospi(float x, float *sine, float *cosine) { ::sincospif(x, sine, cosine); }

#endif
