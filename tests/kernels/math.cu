/* SPDX-License-Identifier: MIT */
/* math - the mathematics library beside the host's: exact where IEEE says so, else within CUDA's documented distances plus
 * the half unit by which the host's own may be off. */
#include "kernels.h"

#include <cmath>

__host__ __device__ static unsigned draw(int i, unsigned salt) {
  unsigned x = (unsigned)i * 2654435761u + salt * 40503u + 99u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x;
}

/* From -range to range. */
__host__ __device__ static double spread(int i, unsigned salt, double range) {
  return ((int)(draw(i, salt) % 200001) - 100000) / 100000.0 * range;
}

/* Many magnitudes, positive. */
__host__ __device__ static double positive(int i, unsigned salt) {
  double x = 1 + draw(i, salt) % 100000 / 99999.0;
  for (int n = i - 32; n < 0; n++)
    x /= 4;
  for (int n = 32; n < i; n++)
    x *= 4;
  return x;
}

TEST(arithmetic) {
  float f = spread(i, 1, 1e5), g = spread(i, 2, 3);
  double d = spread(i, 3, 1e9), e = spread(i, 4, 2);
  g = g == 0 ? 1 : g;
  e = e == 0 ? 1 : e;
  put(out, f + g);
  put(out, f - g);
  put(out, f / g);
  put(out, d + e);
  put(out, d / e);
  put(out, f / d);
  put(out, sqrtf(fabsf(f)));
  put(out, sqrt(fabs(d)));
  put(out, fmaf(f, g, 1.5f));
  put(out, fma(d, e, (double)f));
  put(out, -f);
  put(out, f * 2);
  put(out, d * 0.5);
  put(out, f < g);
  put(out, 1 / 3.0f);
  put(out, 1.0 / 3);
  put(out, 0x1.8p-3f);
  put(out, 1e-40f);
  put(out, f ? 1.0f : 2);
}

TEST(rounding) {
  float f = spread(i, 1, 20) + (i % 2 ? 0 : (int)(draw(i, 4) % 20) * 0.5f - 5);
  double d = spread(i, 2, 1e6) + (i % 3 ? 0 : 0.5);
  if (i % 4 == 0) {
    f = (i - 32) * 0.5f;
    d = (i - 32) * 0.5;
  }
  put(out, floorf(f));
  put(out, ceilf(f));
  put(out, truncf(f));
  put(out, roundf(f));
  put(out, rintf(f));
  put(out, nearbyintf(f));
  put(out, floor(d));
  put(out, ceil(d));
  put(out, trunc(d));
  put(out, round(d));
  put(out, rint(d));
  put(out, lroundf(f));
  put(out, lrint(d));
  put(out, llround(d));
  put(out, llrintf(f));
  float whole;
  put(out, modff(f, &whole));
  put(out, whole);
  double big;
  put(out, modf(d, &big));
  put(out, big);
}

TEST(pieces) {
  float f = spread(i, 1, 1000), g = spread(i, 2, 7);
  double d = spread(i, 3, 1000), e = spread(i, 4, 7);
  g = g == 0 ? 3 : g;
  e = e == 0 ? 3 : e;
  int power;
  put(out, fmodf(f, g));
  put(out, fmod(d, e));
  put(out, remainderf(f, g));
  put(out, remainder(d, e));
  put(out, frexpf(f, &power));
  put(out, power);
  put(out, ldexpf(f, i - 32));
  put(out, scalbnf(f, 3));
  put(out, ldexp(d, 32 - i));
  put(out, ilogbf(f + 2000));
  put(out, logb(d + 2000));
  put(out, copysignf(f, g));
  put(out, copysign(d, e));
  put(out, fminf(f, g));
  put(out, fmax(d, e));
  put(out, fdimf(f, g));
  put(out, nextafterf(f, g));
  put(out, fabs(f));
  put(out, remquof(f, g, &power));
  put(out, power & 7);
}

TEST(classes) {
  float zero = i * 0.0f;
  float f = i % 4 == 0 ? 1 / zero : i % 4 == 1 ? zero / zero : i % 4 == 2 ? -1 / zero : i;
  double d = i % 3 == 0 ? 1 / (double)zero : i % 3 == 1 ? (double)zero / zero : -i;
  put(out, (bool)isnan(f));
  put(out, (bool)isinf(f));
  put(out, (bool)isfinite(f));
  put(out, (bool)signbit(-zero));
  put(out, (bool)isnan(d));
  put(out, (bool)isinf(d));
  put(out, (bool)isfinite(d));
  put(out, f == f);
  put(out, f != f);
  put(out, f < 1);
  put(out, !(f >= 1));
  put(out, d > f);
  put(out, fmaxf(f, 1));
  put(out, fmin(d, -1.0));
  put(out, (bool)f);
  put(out, f ? 1 : 2);
  put(out, -zero);
}

TEST(exponentials) {
  float f = spread(i, 1, 30), p = positive(i, 2);
  put_near(out, expf(f), 3);
  put_near(out, exp2f(f), 3);
  put_near(out, exp10f(f), 3);
  put_near(out, expm1f(f / 10), 2);
  put_near(out, logf(p), 2);
  put_near(out, log2f(p), 2);
  put_near(out, log10f(p), 3);
  put_near(out, log1pf(p), 2);
  put_near(out, powf(p, 0.5f + i * 0.03125f), 9);
  put_near(out, cbrtf(f), 2);
  put_near(out, hypotf(f, p), 4);
  put_near(out, powf(-2, i - 30), 9);
  put_near(out, rsqrtf(p), 3);
}

TEST(exponentials_in_double) {
  double d = spread(i, 1, 200), p = positive(i, 2);
  put_near(out, exp(d), 2);
  put_near(out, exp2(d), 2);
  put_near(out, exp10(d / 2), 2);
  put_near(out, expm1(d / 100), 2);
  put_near(out, log(p), 2);
  put_near(out, log2(p), 2);
  put_near(out, log10(p), 2);
  put_near(out, log1p(p), 2);
  put_near(out, pow(p, 0.5 + i * 0.03125), 3);
  put_near(out, cbrt(d), 2);
  put_near(out, hypot(d, p), 3);
  put_near(out, pow(p, i % 5), 3);
}

TEST(circles) {
  float f = spread(i, 1, 3), unit = spread(i, 2, 1), s, c;
  double d = spread(i, 3, 3), one = spread(i, 4, 1), sd, cd;
  put_near(out, sinf(f), 3);
  put_near(out, cosf(f), 3);
  put_near(out, tanf(f), 5);
  put_near(out, asinf(unit), 5);
  put_near(out, acosf(unit), 3);
  put_near(out, atanf(f), 3);
  put_near(out, atan2f(f, unit), 4);
  put_near(out, sin(d), 3);
  put_near(out, cos(d), 3);
  put_near(out, tan(d), 3);
  put_near(out, asin(one), 3);
  put_near(out, acos(one), 3);
  put_near(out, atan(d), 3);
  put_near(out, atan2(d, one), 3);
  sincosf(f, &s, &c);
  put_near(out, s, 3);
  put_near(out, c, 3);
  sincos(d, &sd, &cd);
  put_near(out, sd, 3);
  put_near(out, cd, 3);
  put_near(out, sinf(f * 1000), 3);
  put_near(out, sin(d * 1e6), 3);
}

TEST(hyperbolas) {
  float f = spread(i, 1, 5), p = positive(i, 2);
  double d = spread(i, 3, 5);
  put_near(out, sinhf(f), 4);
  put_near(out, coshf(f), 3);
  put_near(out, tanhf(f), 3);
  put_near(out, asinhf(f), 4);
  put_near(out, acoshf(1 + p), 5);
  put_near(out, atanhf(f / 6), 4);
  put_near(out, sinh(d), 3);
  put_near(out, cosh(d), 3);
  put_near(out, tanh(d), 3);
  put_near(out, asinh(d), 4);
  put_near(out, atanh(d / 6), 3);
  put_near(out, erff(f / 2), 3);
  put_near(out, erf(d / 2), 3);
  put_near(out, erfcf(f / 2), 5);
  put_near(out, tgammaf(1 + fabsf(f)), 12);
  put_near(out, lgammaf(3 + fabsf(f)), 8);
  put_near(out, tgamma(1 + fabs(d)), 12);
}

/* C++'s overloads: a float's sine is a float. */
TEST(overloads) {
  float f = positive(i, 1);
  put(out, fabs(f));
  put(out, sqrt(f));
  put(out, floor(f));
  put_near(out, sin(f), 3);
  put_near(out, exp(-f), 3);
  put_near(out, pow(f, 2.0f), 9);
  put_near(out, pow(f, 2), 9);
  put(out, fmax(f, 3.0f));
  put(out, abs(-f));
  put(out, std::fabs(-f));
  put(out, std::sqrt(f));
  put(out, std::abs(i - 7));
}

/* Integers become double. nvcc has that on the host alone, where C++'s library has templates for it: on the device it warns
 * (20013), and makes nothing of the test from there on. */
TEST(overloads_of_integers) {
#if defined __VPTRCC__ || defined __VPTR__ /* on the host, on the device */
  put(out, fabs(i - 3));
  put(out, sqrt(i));
  put(out, fmin(i * 0.5, -1));
  put(out, fmax(i, 7u));
  put_near(out, exp(i / 8), 3);
#endif
}

#define TESTS(test)                                                                                          \
  test(arithmetic) test(rounding) test(pieces) test(classes) test(exponentials) test(exponentials_in_double)  \
  test(circles) test(hyperbolas) test(overloads) test(overloads_of_integers)
PROGRAM(TESTS)

int main(void) {
  run_tests();
  return verdict("math");
}
