/* SPDX-License-Identifier: MIT */
/*
 * vptr_special - the special functions that CUDA's compiler offers to host code and C libraries lack, for vptr_host.h.
 *
 * They are for the host's half of __host__ __device__ functions, and right rather than fast: in long double, with the C
 * library's erfl(), erfcl() and expl(), so that a double is off by little more than its own rounding, and a float by no
 * more than that. Sources are sections of Abramowitz and Stegun, Handbook of Mathematical Functions (A&S).
 */
#ifndef VPTR_CUDA_VPTR_SPECIAL_H
#define VPTR_CUDA_VPTR_SPECIAL_H

#ifdef __cplusplus

#include <math.h>

/* ---- error functions and the normal distribution --------------------------------------------------------- */

#define VPTR_HOST_ROOT_OF_PI 1.77245385090551602729816748334114518L
#define VPTR_HOST_ROOT_OF_HALF 0.707106781186547524400844362104849039L

/* exp(x^2). An error in the square is one in the result, so x is split and the greater part's square is exact. */
static inline long double vptr_host_exp_square(long double x) {
  long double high = static_cast<float>(x);
  return expl(high * high) * expl((x - high) * (x + high));
}

/* For x of at least 2: the continued fraction (A&S 7.1.14), long enough for x = 2. */
static inline long double vptr_host_erfcx_fraction(long double x) {
  long double tail = x;
  for (int k = 120; k > 0; k--)
    tail = x + k / 2.0L / tail;
  return 1 / (VPTR_HOST_ROOT_OF_PI * tail);
}

static inline double erfcx(double x) {
  if (x >= 2)
    return static_cast<double>(vptr_host_erfcx_fraction(x));
  if (x < -27)
    return HUGE_VAL;
  return static_cast<double>(vptr_host_exp_square(x) * erfcl(x));
}

static inline double normcdf(double x) {
  return static_cast<double>(0.5L * erfcl(-x * VPTR_HOST_ROOT_OF_HALF));
}

/* One step of Halley's towards the y where erf() is as wanted, which `excess` is above; for erfc(), below. */
static inline long double vptr_host_halley(long double y, long double excess) {
  long double step = excess * (VPTR_HOST_ROOT_OF_PI / 2) * vptr_host_exp_square(y);
  return y - step / (1 + y * step);
}

/* |x| up to 1/2: begins with two terms of the series, right to 1 %, and each step trebles the digits. */
static inline long double vptr_host_inverse_erf(long double x) {
  const long double pi = VPTR_HOST_ROOT_OF_PI * VPTR_HOST_ROOT_OF_PI;
  long double y = VPTR_HOST_ROOT_OF_PI / 2 * (x + pi / 12 * x * x * x);
  for (int i = 0; i < 3; i++)
    y = vptr_host_halley(y, erfl(y) - x);
  return y;
}

/* x above 0 and up to 1/2: begins with Winitzki's formula (A handy approximation for the error function and its
 * inverse, 2008), right to 0.5 %. Where y is great erfc() falls so fast that the first step brings but little. */
static inline long double vptr_host_inverse_erfc(long double x) {
  const long double a = 0.147L, pi = VPTR_HOST_ROOT_OF_PI * VPTR_HOST_ROOT_OF_PI;
  long double log = logl(x * (2 - x)), middle = 2 / (pi * a) + log / 2;
  long double y = sqrtl(sqrtl(middle * middle - log / a) - middle);
  for (int i = 0; i < 4; i++)
    y = vptr_host_halley(y, x - erfcl(y));
  return y;
}

/* All differences are exact. */
static inline long double vptr_host_erfcinv(long double x) {
  if (!(x >= 0 && x <= 2))
    return NAN;
  if (x == 0 || x == 2)
    return x == 0 ? HUGE_VALL : -HUGE_VALL;
  if (x > 0.5L && x < 1.5L)
    return vptr_host_inverse_erf(1 - x);
  return x <= 0.5L ? vptr_host_inverse_erfc(x) : -vptr_host_inverse_erfc(2 - x);
}

static inline double erfcinv(double x) {
  return static_cast<double>(vptr_host_erfcinv(x));
}

static inline double erfinv(double x) {
  if (fabs(x) <= 0.5)
    return copysign(static_cast<double>(vptr_host_inverse_erf(fabs(x))), x);
  return copysign(static_cast<double>(vptr_host_erfcinv(1 - fabsl(x))), x);
}

/* 0 less, since at 1/2 it is 0 and not -0. */
static inline double normcdfinv(double x) {
  return static_cast<double>(0 - 2 * VPTR_HOST_ROOT_OF_HALF * vptr_host_erfcinv(2 * static_cast<long double>(x)));
}

/* ---- modified Bessel functions --------------------------------------------------------------------------- */

/* The series (A&S 9.6.10), whose terms are all of one sign. */
static inline long double vptr_host_bessel_near(int order, long double x) {
  long double term = order == 0 ? 1 : x / 2, sum = 0;
  for (int k = 1; term > sum * 1e-21L; k++) {
    sum += term;
    term *= x * x / 4 / k / (k + order);
  }
  return sum;
}

/* For x above 30, where the terms of the asymptotic series (A&S 9.7.1) fall to 1e-26 before they grow. */
static inline long double vptr_host_bessel_far(int order, long double x) {
  long double term = 1, sum = 0;
  for (int k = 1; fabsl(term) > sum * 1e-21L; k++) {
    sum += term;
    term *= ((2 * k - 1) * (2 * k - 1) - 4.0L * order * order) / (8 * k * x);
  }
  return expl(x) * sum / (VPTR_HOST_ROOT_OF_PI / VPTR_HOST_ROOT_OF_HALF * sqrtl(x));
}

static inline long double vptr_host_bessel(int order, double x) {
  if (!(fabs(x) < 720)) /* or no number */
    return x != x ? static_cast<long double>(x) : HUGE_VALL;
  return fabs(x) <= 30 ? vptr_host_bessel_near(order, fabsl(x)) : vptr_host_bessel_far(order, fabsl(x));
}

static inline double cyl_bessel_i0(double x) {
  return static_cast<double>(vptr_host_bessel(0, x));
}

static inline double cyl_bessel_i1(double x) {
  return copysign(static_cast<double>(vptr_host_bessel(1, x)), x);
}

/* ---- float ----------------------------------------------------------------------------------------------- */

#define VPTR_HOST_FLOAT(name)                                                                                \
  static inline float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); } \
  static inline float name(float x) { return name##f(x); }
VPTR_HOST_FLOAT(erfcx)
VPTR_HOST_FLOAT(erfinv)
VPTR_HOST_FLOAT(erfcinv)
VPTR_HOST_FLOAT(normcdf)
VPTR_HOST_FLOAT(normcdfinv)
VPTR_HOST_FLOAT(cyl_bessel_i0)
VPTR_HOST_FLOAT(cyl_bessel_i1)
#undef VPTR_HOST_FLOAT

/* These the C library has, but for C++'s overloads. */
static inline float j0(float x) { return j0f(x); }
static inline float j1(float x) { return j1f(x); }
static inline float y0(float x) { return y0f(x); }
static inline float y1(float x) { return y1f(x); }
static inline float jn(int order, float x) { return jnf(order, x); }
static inline float yn(int order, float x) { return ynf(order, x); }

#undef VPTR_HOST_ROOT_OF_PI
#undef VPTR_HOST_ROOT_OF_HALF

#endif

#endif
