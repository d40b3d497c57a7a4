/* SPDX-License-Identifier: MIT */
/*
 * builtin_special - references for functions that OpenCL has not: series and the C library's in long double, inverses
 * by bisection. tests/kernels/special.cu looks at these more closely, at roots and far out; here each row is known to
 * be what its name says. No state.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "translate/builtin_value.h"

static const long double pi = 3.14159265358979323846264338327950288L,
                         root_of_2 = 1.41421356237309504880168872420969808L;

/* Abramowitz and Stegun 9.6.10, and 9.7.1 where the series is long. */
static long double modified_bessel(int order, long double x) {
  long double far = fabsl(x), term = order == 0 ? 1 : far / 2, sum = 0, sign = order == 1 && x < 0 ? -1 : 1;
  if (!(far <= 11000))
    return isnan(x) ? x : sign * INFINITY;
  for (int k = 1; far <= 40 && k < 400; k++) {
    sum += term;
    term *= far * far / 4 / k / (k + order);
  }
  if (far <= 40)
    return copysignl(sum, order == 1 ? x : 1);
  term = 1;
  for (int k = 1; k < 40; k++) {
    sum += term;
    term *= -(4.0L * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * k * far);
  }
  return sign * sum * expl(far) / sqrtl(2 * pi * far);
}

static long double modified_bessel_0(long double x) {
  return modified_bessel(0, x);
}

static long double modified_bessel_1(long double x) {
  return modified_bessel(1, x);
}

/* exp(x^2) erfc(x); 7.1.23 where that is nothing times infinity. */
static long double scaled_erfc(long double x) {
  long double term = 1, sum = 0;
  if (!(x > 12))
    return x < -105 ? INFINITY : expl(x * x) * erfcl(x);
  for (int k = 1; k < 30 && fabsl(term) > LDBL_MIN; k++) {
    sum += term;
    term *= -(2 * k - 1) / (2 * x * x);
  }
  return sum / (x * sqrtl(pi));
}

static long double normal_distribution(long double x) {
  return erfcl(-x / root_of_2) / 2;
}

/* Where the function, which rises if `sign` is 1 and falls if it is -1, has this value. */
static long double inverse(long double (*function)(long double), long double value, int sign) {
  long double low = 0, high = 30;
  for (int i = 0; i < 160; i++) {
    long double middle = low + (high - low) / 2;
    if (sign * (function(middle) - value) < 0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static long double inverse_erfc(long double x);

static long double inverse_erf(long double x) {
  long double away = fabsl(x);
  if (!(away < 1))
    return away == 1 ? x * INFINITY : NAN;
  if (away < 1e-20L)
    return x * sqrtl(pi) / 2;
  return copysignl(away < 0.5L ? inverse(erfl, away, 1) : inverse_erfc(1 - away), x);
}

static long double inverse_erfc(long double x) {
  if (!(x > 0 && x < 2))
    return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
  if (x > 1)
    return -inverse_erfc(2 - x);
  return x > 0.5L ? inverse_erf(1 - x) : inverse(erfcl, x, -1);
}

static long double inverse_normal_distribution(long double x) {
  return -root_of_2 * inverse_erfc(2 * x);
}

/* Of negative numbers there is none, and of a negative order CUDA has none. The C library takes a step for each
   order. */
static void bessel_j(const builtin_value *in, builtin_value *out, int rounding) {
  int64_t order = (int64_t)in[0].bits;
  (void)rounding;
  out->is_undefined = order > 8 || fabsl(in[1].real) > 1000;
  out->real = order < 0 ? NAN : out->is_undefined ? 0 : jnl((int)order, in[1].real);
}

static void bessel_y(const builtin_value *in, builtin_value *out, int rounding) {
  int64_t order = (int64_t)in[0].bits;
  (void)rounding;
  out->is_undefined = order > 8 || in[1].real > 1000;
  out->real = order < 0 || in[1].real < 0 ? NAN : out->is_undefined ? 0 : ynl((int)order, in[1].real);
}

static long double bessel_y_0(long double x) {
  return x < 0 ? NAN : y0l(x);
}

static long double bessel_y_1(long double x) {
  return x < 0 ? NAN : y1l(x);
}

/* Far from zero the guide bounds the distance. */
#define BESSEL .of_float = { 16, 5e-6 }, .of_double = { 16, 1e-11 }, .largest = 1e4
#define UNITS(count) .of_float = { count, 0 }, .of_double = { count, 0 }

const builtin_reference builtin_special_references[] = {
  { .name = "cyl_bessel_i0", .of_one = modified_bessel_0, UNITS(6) },
  { .name = "cyl_bessel_i1", .of_one = modified_bessel_1, UNITS(6) },
  { .name = "erfcinv", .of_one = inverse_erfc, UNITS(6) },
  { .name = "erfcx", .of_one = scaled_erfc, UNITS(6) },
  { .name = "erfinv", .of_one = inverse_erf, UNITS(5) },
  { .name = "j0", .of_one = j0l, BESSEL },
  { .name = "j1", .of_one = j1l, BESSEL },
  { .name = "jn", .compute = bessel_j, .of_float = { 16, 5e-6 }, .of_double = { 16, 1e-11 }, .small_integers = true },
  { .name = "normcdf", .of_one = normal_distribution, UNITS(6) },
  { .name = "normcdfinv", .of_one = inverse_normal_distribution, UNITS(7) },
  { .name = "y0", .of_one = bessel_y_0, BESSEL },
  { .name = "y1", .of_one = bessel_y_1, BESSEL },
  { .name = "yn", .compute = bessel_y, .of_float = { 32, 5e-6 }, .of_double = { 32, 1e-11 }, .small_integers = true },
  { .name = NULL },
};
