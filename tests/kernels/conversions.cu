/* SPDX-License-Identifier: MIT */
/* conversions - floating to integer and back in all four directions of rounding, and numbers taken as bits. */
#include "kernels.h"

#include <fenv.h>

__host__ __device__ static unsigned draw(int i, unsigned salt) {
  unsigned x = (unsigned)i * 2654435761u + salt * 40503u + 7u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x;
}

struct row {
  float f, g, h;
  double d, e, w;
  int n;
  unsigned u;
  long long l;
  unsigned long long m;
};

__host__ __device__ static void make(int i, struct row *row) {
  row->f = ((int)draw(i, 1) % 1000000) / 37.0f;
  row->g = ((int)draw(i, 2) % 1000) / 9.0f + 0.01f;
  row->h = (i - 32) * 0.5f;
  row->d = ((int)draw(i, 3) % 100000000) / 7.0;
  row->e = ((int)draw(i, 4) % 1000) / 11.0 + 0.003;
  row->w = (i - 32) * 0.5;
  row->n = (int)draw(i, 5);
  row->u = draw(i, 6);
  row->l = (long long)((unsigned long long)draw(i, 7) << 32 | draw(i, 8));
  row->m = (unsigned long long)draw(i, 9) << 32 | draw(i, 10);
}

/* The host's way to round in a direction is to set it. volatile: the compiler may not calculate it beforehand. */
#ifndef __CUDA_ARCH__
static float volatile float_a, float_r;
static double volatile double_a, double_r;
#define IN(mode, type, expression)                                                                           \
  (fesetround(mode), type##_r = (type)(expression), fesetround(FE_TONEAREST), (type)type##_r)
#define DIRECTIONS(name, type, expression)                                                                   \
  double_a = r.d;              \
  put(out, IN(FE_TONEAREST, type, expression));                                                              \
  put(out, IN(FE_TOWARDZERO, type, expression));                                                             \
  put(out, IN(FE_UPWARD, type, expression));                                                                 \
  put(out, IN(FE_DOWNWARD, type, expression))
#define DEVICE(...)
#define HOST(...) __VA_ARGS__
#else
#define DEVICE(...) __VA_ARGS__
#define HOST(...)
#endif
#define DEVICE_DIRECTIONS(name, ...)                                                                         \
  put(out, name##_rn(__VA_ARGS__));                                                                          \
  put(out, name##_rz(__VA_ARGS__));                                                                          \
  put(out, name##_ru(__VA_ARGS__));                                                                          \
  put(out, name##_rd(__VA_ARGS__))

/* Operations rounded to nearest, which never become one with others. */
TEST(arithmetic) {
  struct row r;
  make(i, &r);
  float f = fabsf(r.g);
  double d = fabs(r.e);
  DEVICE(put(out, __fadd_rn(__fmul_rn(r.f, r.g), r.h)); put(out, __fsub_rn(__fmul_rn(r.f, r.g), r.h));
         put(out, __fdiv_rn(r.f, r.g)); put(out, __fsqrt_rn(f)); put(out, __fmaf_rn(r.f, r.g, r.h));
         put(out, __frcp_rn(r.g)); put(out, __dadd_rn(__dmul_rn(r.d, r.e), r.w));
         put(out, __dsub_rn(__dmul_rn(r.d, r.e), r.w)); put(out, __ddiv_rn(r.d, r.e)); put(out, __dsqrt_rn(d));
         put(out, __fma_rn(r.d, r.e, r.w)); put(out, __drcp_rn(r.e));)
  HOST(float_a = r.f * r.g; double_a = r.d * r.e; put(out, float_a + r.h); put(out, float_a - r.h);
       put(out, r.f / r.g); put(out, sqrtf(f)); put(out, fmaf(r.f, r.g, r.h)); put(out, 1 / r.g);
       put(out, double_a + r.w); put(out, double_a - r.w); put(out, r.d / r.e); put(out, sqrt(d));
       put(out, fma(r.d, r.e, r.w)); put(out, 1 / r.e);)
}

/* rn, rz, ru, rd of a whole number's neighbours. */
HOST(static double rounded(double x, int direction) {
  return direction == 0 ? nearbyint(x) : direction == 1 ? trunc(x) : direction == 2 ? ceil(x) : floor(x);
})
#define ROUNDED(type, value)                                                                                 \
  put(out, (type)rounded(value, 0));                                                                         \
  put(out, (type)rounded(value, 1));                                                                         \
  put(out, (type)rounded(value, 2));                                                                         \
  put(out, (type)rounded(value, 3))

TEST(to_signed) {
  struct row r;
  make(i, &r);
  float x = i % 2 ? r.f : r.h;
  double y = i % 2 ? r.d : r.w;
  DEVICE(DEVICE_DIRECTIONS(__float2int, x); DEVICE_DIRECTIONS(__float2ll, x); DEVICE_DIRECTIONS(__double2int, y);
         DEVICE_DIRECTIONS(__double2ll, y);)
  HOST(ROUNDED(int, x); ROUNDED(long long, x); ROUNDED(int, y); ROUNDED(long long, y);)
}

TEST(to_unsigned) {
  struct row r;
  make(i, &r);
  float x = fabsf(i % 2 ? r.f : r.h);
  double y = fabs(i % 2 ? r.d : r.w);
  DEVICE(DEVICE_DIRECTIONS(__float2uint, x); DEVICE_DIRECTIONS(__float2ull, x); DEVICE_DIRECTIONS(__double2uint, y);
         DEVICE_DIRECTIONS(__double2ull, y);)
  HOST(ROUNDED(unsigned, x); ROUNDED(unsigned long long, x); ROUNDED(unsigned, y); ROUNDED(unsigned long long, y);)
}

HOST(static volatile int int_a; static volatile unsigned unsigned_a; static volatile long long signed_a;
     static volatile unsigned long long large_a;)

TEST(to_floating) {
  struct row r;
  make(i, &r);
  DEVICE(DEVICE_DIRECTIONS(__int2float, r.n); DEVICE_DIRECTIONS(__uint2float, r.u); DEVICE_DIRECTIONS(__ll2float, r.l);
         DEVICE_DIRECTIONS(__ull2float, r.m); DEVICE_DIRECTIONS(__ll2double, r.l);)
  HOST(int_a = r.n; unsigned_a = r.u; signed_a = r.l; large_a = r.m;
       DIRECTIONS(i, float, int_a); DIRECTIONS(u, float, unsigned_a); DIRECTIONS(l, float, signed_a);
       DIRECTIONS(m, float, large_a); DIRECTIONS(l, double, signed_a);)
}

TEST(to_double) {
  struct row r;
  make(i, &r);
  DEVICE(DEVICE_DIRECTIONS(__ull2double, r.m); DEVICE_DIRECTIONS(__double2float, r.d);
         put(out, __int2double_rn(r.n)); put(out, __uint2double_rn(r.u));)
  HOST(large_a = r.m; DIRECTIONS(m, double, large_a); DIRECTIONS(d, float, double_a); put(out, (double)r.n);
       put(out, (double)r.u);)
}

/* Too large, too small, no number: CUDA says what comes out. */
TEST(saturation) {
  float x = i % 4 == 0 ? 3e9f : i % 4 == 1 ? -3e9f : i % 4 == 2 ? 1e20f : -5.5f;
  double y = i % 4 == 0 ? 3e10 : i % 4 == 1 ? -3e10 : i % 4 == 2 ? 1e20 : -1e20;
  DEVICE(put(out, __float2int_rn(x)); put(out, __float2int_rz(x)); put(out, __float2uint_rz(x));
         put(out, __float2ll_rz(i % 4 == 2 ? x : -1e20f)); put(out, __double2int_rz(y)); put(out, __double2ll_rd(y));
         put(out, __double2uint_ru(y)); put(out, __float2int_rz(__int_as_float(0x7fc00000)));
         put(out, __saturatef(x)); put(out, __saturatef(i / 40.0f));)
  HOST(int n = i % 4 == 0 || i % 4 == 2 ? 2147483647 : i % 4 == 1 ? -2147483647 - 1 : -5; put(out, i % 4 == 3 ? -6 : n);
       put(out, n); put(out, i % 4 == 0 ? 3000000000u : i % 4 == 2 ? 0xffffffffu : 0u);
       put(out, i % 4 == 2 ? 0x7fffffffffffffffll : -0x7fffffffffffffffll - 1);
       put(out, i % 4 == 0 || i % 4 == 2 ? 2147483647 : -2147483647 - 1);
       put(out, i % 4 == 0 ? 30000000000ll : i % 4 == 1 ? -30000000000ll : i % 4 == 2 ? 0x7fffffffffffffffll
                                                                              : -0x7fffffffffffffffll - 1);
       put(out, i % 4 == 0 || i % 4 == 2 ? 0xffffffffu : 0u); put(out, 0); put(out, x > 1 ? 1.0f : 0.0f);
       put(out, i > 40 ? 1.0f : i / 40.0f);)
}

TEST(as_bits) {
  struct row r;
  make(i, &r);
  DEVICE(put(out, __float_as_int(r.f)); put(out, __float_as_uint(r.g)); put(out, __int_as_float(0x3f800000 + i));
         put(out, __uint_as_float(0x40000000u + i)); put(out, __double_as_longlong(r.d));
         put(out, __longlong_as_double(0x3ff0000000000000ll + i)); put(out, __double2hiint(r.d));
         put(out, __double2loint(r.d)); put(out, __hiloint2double(0x40000000 + i, i));)
  HOST(put(out, (int)bits_of(r.f)); put(out, (unsigned)bits_of(r.g)); put(out, (float)value_of(0x3f800000 + i, FLOAT));
       put(out, (float)value_of(0x40000000u + i, FLOAT)); put(out, (long long)bits_of(r.d));
       put(out, value_of(0x3ff0000000000000ll + i, DOUBLE)); put(out, (int)(bits_of(r.d) >> 32));
       put(out, (int)bits_of(r.d)); put(out, value_of((0x40000000ull + i) << 32 | i, DOUBLE));)
  put(out, i * 1.0f);
}

#define TESTS(test)                                                                                          \
  test(arithmetic) test(to_signed) test(to_unsigned) test(to_floating)          \
  test(to_double) test(saturation) test(as_bits)
PROGRAM(TESTS)

int main(void) {
  run_tests();
  return verdict("conversions");
}
