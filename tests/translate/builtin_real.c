/* SPDX-License-Identifier: MIT */
/*
 * builtin_real - references for the math library: the host's, in long double, so that only the device's own errors
 * count. What IEEE 754 determines must be right to the last bit; the limits of the others are those of OpenCL's
 * specification, 7.4, or of the CUDA C++ Programming Guide, 13.2, whichever is wider, since a device may have either's.
 * No state.
 */
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "translate/builtin_value.h"

/* ---- functions that the C library has not ----------------------------------------------------------------- */

static const long double pi = 3.14159265358979323846264338327950288L;

/* Exact at the multiples of a half: differences of what is that near are exact. */
static long double sine_of_half_turns(long double x) {
  long double rest = remainderl(x, 2), away = fabsl(rest);
  return copysignl(sinl(pi * (away > 0.5L ? 1 - away : away)), rest);
}

static long double cosine_of_half_turns(long double x) {
  return isinf(x) ? NAN : sinl(pi * (0.5L - fabsl(remainderl(x, 2))));
}

static long double reciprocal_root(long double x) {
  return 1 / sqrtl(x);
}

static long double reciprocal_cube_root(long double x) {
  return 1 / cbrtl(x);
}

/* ---- with conditions of their own ------------------------------------------------------------------------- */

#define REAL(name, expression)                                                                                       \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    const long double x = in[0].real, y = in[1].real;                                                                \
    (void)x, (void)y, (void)rounding;                                                                                \
    out->real = expression;                                                                                          \
  }
#define TEST(name, expression)                                                                                       \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    const long double x = in[0].real, y = in[1].real;                                                                \
    (void)x, (void)y, (void)rounding;                                                                                \
    builtin_value_set_bits(out, (expression) ? 1 : 0);                                                               \
  }

TEST(is_finite, fabsl(x) <= LDBL_MAX)
TEST(is_infinite, fabsl(x) > LDBL_MAX)
TEST(is_not_a_number, x != x)
TEST(is_greater, x > y)
TEST(is_greater_or_equal, x >= y)
TEST(is_less, x < y)
TEST(is_less_or_equal, x <= y)
TEST(is_less_or_greater, x<y || x> y)
TEST(is_unordered, x != x || y != y)
REAL(positive_difference, x != x || y != y ? NAN : x > y ? x - y : 0)

/* The bit itself: NaNs have one too. */
static void sign(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  builtin_value_set_bits(out, in->bits >> (8 * builtin_type_size(in->type) - 1) & 1);
}

static void is_normal(const builtin_value *in, builtin_value *out, int rounding) {
  long double least = in->type == 'f' ? (long double)FLT_MIN : (long double)DBL_MIN;
  (void)rounding;
  builtin_value_set_bits(out, fabsl(in->real) >= least && fabsl(in->real) <= LDBL_MAX);
}

static void saturated(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out->real = in->real > 1 ? 1 : in->real > 0 ? in->real : 0;
  out->any_zero = true;
}

static void scaled(const builtin_value *in, builtin_value *out, int rounding) {
  int64_t power = (int64_t)in[1].bits;
  (void)rounding;
  out->real = ldexpl(in->real, power > 9999 ? 9999 : power < -9999 ? -9999 : (int)power);
}

static void next_after(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out->real = out->type == 'f' ? (long double)nextafterf((float)in[0].real, (float)in[1].real)
                               : (long double)nextafter((double)in[0].real, (double)in[1].real);
}

static void fraction_and_exponent(const builtin_value *in, builtin_value *out, int rounding) {
  int exponent = 0;
  (void)rounding;
  out[0].real = frexpl(in->real, &exponent);
  builtin_value_set_bits(&out[1], (uint64_t)exponent);
  out[1].is_undefined = !isfinite(in->real);
}

static void exponent_of(const builtin_value *in, builtin_value *out, int rounding) {
  int exponent = in->real == 0 || isnan(in->real) ? INT_MIN : isinf(in->real) ? INT_MAX : ilogbl(in->real);
  (void)rounding;
  builtin_value_set_bits(out, (uint64_t)exponent);
}

static void parts(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out[0].real = modfl(in->real, &out[1].real);
}

static void remainder_and_quotient(const builtin_value *in, builtin_value *out, int rounding) {
  int quotient = 0;
  (void)rounding;
  out[0].real = remquol(in[0].real, in[1].real, &quotient);
  builtin_value_set_bits(&out[1], (uint64_t)quotient);
  out[1].low_three_bits = true;
  out[1].is_undefined = isnan(out[0].real);
}

/* Where the result is no long, CUDA says nothing. */
static void set_whole(builtin_value *out, long double whole) {
  out->is_undefined = !(fabsl(whole) < 0x1p63L);
  if (!out->is_undefined)
    builtin_value_set_bits(out, (uint64_t)(int64_t)whole);
}

static void nearest_even(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  set_whole(out, rintl(in->real));
}

static void nearest_away(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  set_whole(out, roundl(in->real));
}

static void sine_and_cosine(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out[0].real = sinl(in->real);
  out[1].real = cosl(in->real);
}

static void sine_and_cosine_of_half_turns(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out[0].real = sine_of_half_turns(in->real);
  out[1].real = cosine_of_half_turns(in->real);
}

/* An infinity wins over a NaN, as in hypot(). A NaN beside numbers whose own norm overflows may lose too: the first two
   are taken together. */
static void set_norm(const builtin_value *in, builtin_value *out, int count, bool is_reciprocal) {
  long double squares = 0;
  bool is_infinite = false;
  for (int i = 0; i < count; i++) {
    squares += in[i].real * in[i].real;
    is_infinite = is_infinite || isinf(in[i].real);
    out->is_undefined = out->is_undefined || fabsl(in[i].real) >= (in->type == 'f' ? 1e38L : 1e307L);
  }
  out->is_undefined = out->is_undefined && isnan(squares) && !is_infinite;
  builtin_value norm = { .type = out->type };
  builtin_value_set_real(&norm, is_infinite ? INFINITY : sqrtl(squares));
  /* "If the square root would overflow, returns 0", although there are numbers that small. */
  out->real = !is_reciprocal ? norm.real : isinf(norm.real) ? 0 : 1 / (is_infinite ? INFINITY : sqrtl(squares));
}

#define NORM(name, count, is_reciprocal)                                                                             \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    (void)rounding;                                                                                                  \
    set_norm(in, out, count, is_reciprocal);                                                                         \
  }
NORM(norm_3, 3, false)
NORM(norm_4, 4, false)
NORM(reciprocal_norm_2, 2, true)
NORM(reciprocal_norm_3, 3, true)
NORM(reciprocal_norm_4, 4, true)

/* __powf() is exp2f(y * __log2f(x)): of an error that grows with y. */
static void rough_power(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out->real = powl(in[0].real, in[1].real);
  out->is_undefined = !(in[0].real > 0.01L && in[0].real < 1e30L && fabsl(in[1].real) <= 10);
}

/* The guide promises 2 units up to 2^126, and 0 or NaN beyond. */
static void rough_quotient(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out->real = in[0].real / in[1].real;
  out->is_undefined = fabsl(in[1].real) > 0x1p126L || fabsl(in[1].real) < 0x1p-126L;
}

static void rough_logarithm(const builtin_value *in, builtin_value *out, long double (*logarithm)(long double)) {
  out->real = logarithm(in->real);
  out->is_undefined = !(in->real >= (long double)FLT_MIN);
}

static void rough_log(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  rough_logarithm(in, out, logl);
}

static void rough_log2(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  rough_logarithm(in, out, log2l);
}

static void rough_log10(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  rough_logarithm(in, out, log10l);
}

/* Near its roots left of -2 only the distance is bounded. */
static void log_of_gamma(const builtin_value *in, builtin_value *out, int rounding) {
  int sign_of_gamma;
  (void)rounding;
  out->real = lgammal_r(in->real, &sign_of_gamma);
  out->is_undefined = in->real < -10;
}

#define NAMED(text, function) .name = text, .compute = function
#define ONE(text, function) .name = text, .of_one = function
#define TWO(text, function) .name = text, .of_two = function
#define BOTH(limit) .of_float = { limit, 0 }, .of_double = { limit, 0 }

const builtin_reference builtin_real_references[] = {
  { ONE("acos", acosl), BOTH(4) },
  { ONE("acosh", acoshl), BOTH(4) },
  { ONE("asin", asinl), BOTH(4) },
  { ONE("asinh", asinhl), BOTH(4) },
  { ONE("atan", atanl), BOTH(5) },
  { TWO("atan2", atan2l), BOTH(6) },
  { ONE("atanh", atanhl), BOTH(5) },
  { ONE("cbrt", cbrtl), BOTH(2) },
  { ONE("ceil", ceill) },
  { TWO("copysign", copysignl) },
  { ONE("cos", cosl), BOTH(4) },
  { ONE("cosh", coshl), BOTH(4) },
  { ONE("cospi", cosine_of_half_turns), BOTH(4) },
  { ONE("erf", erfl), BOTH(16) },
  { ONE("erfc", erfcl), BOTH(16) },
  { ONE("exp", expl), BOTH(4) },
  { ONE("exp10", exp10l), BOTH(4) },
  { ONE("exp2", exp2l), BOTH(4) },
  { ONE("expm1", expm1l), BOTH(3) },
  { ONE("fabs", fabsl) },
  { NAMED("fdim", positive_difference) },
  { ONE("floor", floorl) },
  { TWO("fmod", fmodl) },
  { NAMED("frexp", fraction_and_exponent) },
  { TWO("hypot", hypotl), BOTH(4) },
  { NAMED("ilogb", exponent_of) },
  { NAMED("ldexp", scaled) },
  { NAMED("lgamma", log_of_gamma), .of_float = { 16, 1e-5 }, .of_double = { 16, 1e-13 } },
  { NAMED("llrint", nearest_even) },
  { NAMED("llround", nearest_away) },
  { ONE("log", logl), BOTH(3) },
  { ONE("log10", log10l), BOTH(3) },
  { ONE("log1p", log1pl), BOTH(2) },
  { ONE("log2", log2l), BOTH(3) },
  { ONE("logb", logbl) },
  { NAMED("lrint", nearest_even) },
  { NAMED("lround", nearest_away) },
  { NAMED("modf", parts) },
  { ONE("nearbyint", rintl) },
  { NAMED("nextafter", next_after) },
  { NAMED("norm3d", norm_3), BOTH(8) },
  { NAMED("norm4d", norm_4), BOTH(12) },
  { TWO("pow", powl), BOTH(16) },
  { ONE("rcbrt", reciprocal_cube_root), BOTH(4) },
  { TWO("remainder", remainderl) },
  { NAMED("remquo", remainder_and_quotient) },
  { NAMED("rhypot", reciprocal_norm_2), BOTH(6) },
  { ONE("rint", rintl) },
  { NAMED("rnorm3d", reciprocal_norm_3), BOTH(10) },
  { NAMED("rnorm4d", reciprocal_norm_4), BOTH(14) },
  { ONE("round", roundl) },
  { ONE("rsqrt", reciprocal_root), BOTH(2) },
  { NAMED("scalbln", scaled) },
  { NAMED("scalbn", scaled) },
  { ONE("sin", sinl), BOTH(4) },
  { NAMED("sincos", sine_and_cosine), BOTH(4) },
  { NAMED("sincospi", sine_and_cosine_of_half_turns), BOTH(4) },
  { ONE("sinh", sinhl), BOTH(4) },
  { ONE("sinpi", sine_of_half_turns), BOTH(4) },
  { ONE("tan", tanl), BOTH(5) },
  { ONE("tanh", tanhl), BOTH(5) },
  { ONE("tgamma", tgammal), BOTH(16) },
  { ONE("trunc", truncl) },
  /* Classes and comparisons. */
  { NAMED("finite", is_finite) },
  { NAMED("isfinite", is_finite) },
  { NAMED("isgreater", is_greater) },
  { NAMED("isgreaterequal", is_greater_or_equal) },
  { NAMED("isinf", is_infinite) },
  { NAMED("isless", is_less) },
  { NAMED("islessequal", is_less_or_equal) },
  { NAMED("islessgreater", is_less_or_greater) },
  { NAMED("isnan", is_not_a_number) },
  { NAMED("isnormal", is_normal) },
  { NAMED("isunordered", is_unordered) },
  { NAMED("signbit", sign) },
  { NAMED("__finite", is_finite) },
  { NAMED("__isinf", is_infinite) },
  { NAMED("__isnan", is_not_a_number) },
  { NAMED("__signbit", sign) },
  { NAMED("__signbitd", sign) },
  { NAMED("__saturatef", saturated) },
  /* Fast and rough, each within what the guide's table of intrinsics promises; OpenCL leaves native_* to the device. */
  { ONE("__frsqrt", reciprocal_root), BOTH(2) },
  { ONE("__cosf", cosl), .of_float = { 4, 5e-7 }, .largest = 3.1415 },
  { ONE("__sinf", sinl), .of_float = { 4, 5e-7 }, .largest = 3.1415 },
  { NAMED("__sincosf", sine_and_cosine), .of_float = { 4, 5e-7 }, .largest = 3.1415 },
  { ONE("__tanf", tanl), .of_float = { 16, 1e-5 }, .largest = 1.5 },
  { ONE("__tanhf", tanhl), .of_float = { 5, 1e-4 } },
  { ONE("__exp10f", exp10l), .of_float = { 128, 0 }, .largest = 37 },
  { ONE("__expf", expl), .of_float = { 128, 0 }, .largest = 87 },
  { NAMED("__log10f", rough_log10), .of_float = { 4, 5e-7 } },
  { NAMED("__log2f", rough_log2), .of_float = { 4, 5e-7 } },
  { NAMED("__logf", rough_log), .of_float = { 4, 5e-7 } },
  { NAMED("__powf", rough_power), .of_float = { 256, 0 } },
  { NAMED("__fdividef", rough_quotient), .of_float = { 3, 0 } },
  { .name = NULL },
};
