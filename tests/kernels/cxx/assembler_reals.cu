/* SPDX-License-Identifier: MIT */
/* assembler_reals - PTX in line on reals: each rounding, approximations, and conversions of all kinds. */
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <fenv.h>
#include <math.h>

enum { COUNT = 64, ROUNDED = 20, CLOSE = 10, WHOLE = 26 };

__host__ __device__ inline float real(int i) {
  return (float)(i * i * 7 - 1500) * 0.0371f;
}

__global__ void run(float *rounded, double *precise, float *close, long long *whole) {
  const int i = (int)threadIdx.x;
  const float a = real(i), b = real(70 - i), c = 1.0f / 3;
  const double x = a * 1.0000001, y = b * 3.0000001, z = 1e-3;
  float *out = rounded + i * ROUNDED, *near = close + i * CLOSE, f;
  double *wide = precise + i * ROUNDED;
#define F2(n, text) asm(text " %0, %1, %2;" : "=f"(out[n]) : "f"(a), "f"(b))
#define F3(n, text) asm(text " %0, %1, %2, %3;" : "=f"(out[n]) : "f"(a), "f"(b), "f"(c))
#define D2(n, text) asm(text " %0, %1, %2;" : "=d"(wide[n]) : "d"(x), "d"(y))
#define D3(n, text) asm(text " %0, %1, %2, %3;" : "=d"(wide[n]) : "d"(x), "d"(y), "d"(z))
  F2(0, "add.rn.f32");
  F2(1, "add.rz.f32");
  F2(2, "add.rm.f32");
  F2(3, "add.rp.f32");
  F2(4, "mul.rn.f32");
  F2(5, "mul.rz.f32");
  F2(6, "mul.rm.f32");
  F2(7, "mul.rp.f32");
  F3(8, "fma.rn.f32");
  F3(9, "fma.rz.f32");
  F3(10, "fma.rm.f32");
  F3(11, "fma.rp.f32");
  F2(12, "div.rn.f32");
  F2(13, "div.rz.f32");
  F2(14, "sub.rm.f32");
  F2(15, "min.f32");
  F2(16, "max.f32");
  asm("abs.f32 %0, %1;" : "=f"(out[17]) : "f"(a));
  asm("neg.f32 %0, %1;" : "=f"(out[18]) : "f"(a));
  asm("copysign.f32 %0, %1, %2;" : "=f"(out[19]) : "f"(a), "f"(b));
  D2(0, "add.rn.f64");
  D2(1, "add.rz.f64");
  D2(2, "add.rm.f64");
  D2(3, "add.rp.f64");
  D2(4, "mul.rn.f64");
  D2(5, "mul.rz.f64");
  D2(6, "mul.rm.f64");
  D2(7, "mul.rp.f64");
  D3(8, "fma.rn.f64");
  D3(9, "fma.rz.f64");
  D3(10, "fma.rm.f64");
  D3(11, "fma.rp.f64");
  D2(12, "div.rn.f64");
  D2(13, "div.rz.f64");
  D2(14, "sub.rm.f64");
  D2(15, "min.f64");
  D2(16, "max.f64");
  asm("abs.f64 %0, %1;" : "=d"(wide[17]) : "d"(x));
  asm("neg.f64 %0, %1;" : "=d"(wide[18]) : "d"(x));
  asm("copysign.f64 %0, %1, %2;" : "=d"(wide[19]) : "d"(x), "d"(y));
  const float positive = fabsf(a) + 0.01f, small = a * 0.01f;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(near[0]) : "f"(small));
  asm("lg2.approx.f32 %0, %1;" : "=f"(near[1]) : "f"(positive));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near[2]) : "f"(positive));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(near[3]) : "f"(positive));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(near[4]) : "f"(positive));
  asm("sin.approx.f32 %0, %1;" : "=f"(near[5]) : "f"(small));
  asm("cos.approx.f32 %0, %1;" : "=f"(near[6]) : "f"(small));
  asm("tanh.approx.f32 %0, %1;" : "=f"(near[7]) : "f"(small));
  asm("div.full.f32 %0, %1, %2;" : "=f"(near[8]) : "f"(a), "f"(b));
  asm("{ .reg .f32 t; mul.f32 t, %1, 0f40000000; add.f32 %0, t, 1.5; }" : "=f"(near[9]) : "f"(a));
  long long *at = whole + i * WHOLE;
  int n;
  unsigned u;
  unsigned short h;
#define TO(k, type, text, r, value, given)                                                                           \
  asm(text " %0, %1;" : "=" r(value) : given);                                                                       \
  at[k] = (long long)(type)value
  TO(0, int, "cvt.rni.s32.f32", "r", n, "f"(a));
  TO(1, int, "cvt.rzi.s32.f32", "r", n, "f"(a));
  TO(2, int, "cvt.rmi.s32.f32", "r", n, "f"(a));
  TO(3, int, "cvt.rpi.s32.f32", "r", n, "f"(a));
  TO(4, unsigned, "cvt.rzi.u32.f32", "r", u, "f"(a));
  TO(5, long long, "cvt.rni.s64.f64", "l", at[5], "d"(x * 1e9));
  TO(6, int, "cvt.rzi.s8.f32", "r", n, "f"(a * 10));
  TO(7, unsigned, "cvt.rzi.u16.f64", "r", u, "d"(x * 1000));
  TO(8, int, "cvt.s32.s8", "r", n, "r"(i * 9));
  TO(9, unsigned, "cvt.u32.u8", "r", u, "r"(i * 9));
  TO(10, long long, "cvt.s64.s32", "l", at[10], "r"(i - 40));
  TO(11, unsigned long long, "cvt.u64.u32", "l", at[11], "r"(i - 40));
  TO(12, int, "cvt.sat.s8.s32", "r", n, "r"((i - 20) * 11));
  TO(13, unsigned, "cvt.sat.u8.s32", "r", u, "r"((i - 20) * 11));
  TO(14, unsigned, "cvt.u32.u64", "r", u, "l"((unsigned long long)i << 31));
  TO(15, unsigned, "cvt.rn.f16.f32", "h", h, "f"(a));
  TO(16, unsigned, "cvt.rz.f16.f32", "h", h, "f"(a));
  TO(17, unsigned, "cvt.rn.bf16.f32", "h", h, "f"(a));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(a), "f"(b));
  at[18] = (long long)u;
  TO(19, long long, "cvt.rz.f32.s32", "f", f, "r"(i * 33554467));
  TO(20, long long, "cvt.rp.f32.u64", "f", f, "l"((unsigned long long)i * 1234567891011ull));
  TO(21, long long, "cvt.rn.f64.s64", "d", wide[0], "l"((long long)(i - 30) * 1234567891011121ll));
  TO(22, long long, "cvt.rm.f32.f64", "f", f, "d"(x * 1e8));
  TO(23, long long, "cvt.rni.f32.f32", "f", f, "f"(a));
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)(i * 1031)));
  at[24] = (long long)(f * 1048576.0f);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(small));
  at[25] = (long long)(f * 1048576.0f);
  D2(0, "add.rn.f64");
}

template <class T, class Body> static T by(int way, Body body) {
  fesetround(way);
  volatile T value = body();
  fesetround(FE_TONEAREST);
  return value;
}

/* In a call of its own: gcc divides once for both ways of rounding where it sees both. */
template <class T> __attribute__((noinline)) static T quotient(const volatile T *a, const volatile T *b) {
  return *a / *b;
}

template <class T> static void expected(volatile T a, volatile T b, volatile T c, T *out) {
  static const int ways[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
  for (int k = 0; k < 4; k++) {
    out[k] = by<T>(ways[k], [&] { return (T)(a + b); });
    out[4 + k] = by<T>(ways[k], [&] { return (T)(a * b); });
    out[8 + k] = by<T>(ways[k], [&] { return (T)std::fma((T)a, (T)b, (T)c); });
  }
  out[12] = quotient<T>(&a, &b);
  out[13] = by<T>(FE_TOWARDZERO, [&] { return quotient<T>(&a, &b); });
  out[14] = by<T>(FE_DOWNWARD, [&] { return (T)(a - b); });
  out[15] = a < b ? a : b;
  out[16] = a > b ? a : b;
  out[17] = a < 0 ? -a : a;
  out[18] = -a;
  out[19] = std::copysign((T)b, (T)a);
}

static double limited(double x, double least, double most) {
  return x < least ? least : x > most ? most : x;
}

int main() {
  items<float, ROUNDED * COUNT> rounded;
  items<double, ROUNDED * COUNT> precise;
  items<float, CLOSE * COUNT> close;
  items<long long, WHOLE * COUNT> whole;
  run<<<1, COUNT>>>(rounded.device, precise.device, close.device, whole.device);
  rounded.fetch(), precise.fetch(), close.fetch(), whole.fetch();
  for (int i = 0; i < COUNT; i++) {
    const float a = real(i), b = real(70 - i), small = a * 0.01f, positive = fabsf(a) + 0.01f;
    const double x = a * 1.0000001, y = b * 3.0000001;
    float floats[ROUNDED];
    double doubles[ROUNDED];
    expected<float>(a, b, 1.0f / 3, floats);
    expected<double>(x, y, 1e-3, doubles);
    for (int n = 0; n < ROUNDED; n++) {
      if (rounded[i * ROUNDED + n] != floats[n] && failures++ < 20)
        fprintf(stderr, "item %d: operation %d on floats gives %a, not %a\n", i, n, rounded[i * ROUNDED + n],
                floats[n]);
      if (precise[i * ROUNDED + n] != doubles[n] && failures++ < 20)
        fprintf(stderr, "item %d: operation %d on doubles gives %a, not %a\n", i, n, precise[i * ROUNDED + n],
                doubles[n]);
    }
    const double near[] = { exp2(small), log2(positive), 1 / (double)positive, 1 / sqrt(positive), sqrt(positive),
                            sin(small),  cos(small),     tanh(small),          (double)a / b,      a * 2.0 + 1.5 };
    for (int n = 0; n < CLOSE; n++)
      check_item(fabs(close[i * CLOSE + n] - near[n]) <= 2e-3 * fabs(near[n]) + 2e-6, i * 100 + n, "approximations",
                 __FILE__, __LINE__);
    long long wanted[WHOLE] = { (long long)rint(a),
                                (long long)a,
                                (long long)floor(a),
                                (long long)ceil(a),
                                a < 0 ? 0 : (long long)a,
                                (long long)rint(x * 1e9),
                                (long long)limited(trunc(a * 10), -128, 127),
                                (long long)limited(trunc(x * 1000), 0, 65535),
                                (signed char)(i * 9),
                                (unsigned char)(i * 9),
                                i - 40,
                                (long long)(unsigned)(i - 40),
                                (long long)limited((i - 20) * 11, -128, 127),
                                (long long)limited((i - 20) * 11, 0, 255),
                                (long long)(unsigned)((unsigned long long)i << 31),
                                __half_as_ushort(__float2half_rn(a)),
                                __half_as_ushort(__float2half_rz(a)),
                                __bfloat16_as_ushort(__float2bfloat16(a)),
                                (long long)(__half_as_ushort(__float2half(b)) |
                                            (unsigned)__half_as_ushort(__float2half(a)) << 16) };
    volatile int large = i * 33554467;
    volatile unsigned long long huge = (unsigned long long)i * 1234567891011ull;
    volatile double million = x * 1e8;
    wanted[19] = (long long)by<float>(FE_TOWARDZERO, [&] { return (float)large; });
    wanted[20] = (long long)by<float>(FE_UPWARD, [&] { return (float)huge; });
    wanted[21] = (long long)(double)((long long)(i - 30) * 1234567891011121ll);
    wanted[22] = (long long)by<float>(FE_DOWNWARD, [&] { return (float)million; });
    wanted[23] = (long long)rintf(a);
    wanted[24] = (long long)(__half2float(__ushort_as_half((unsigned short)(i * 1031))) * 1048576.0f);
    wanted[25] = (long long)((float)limited(small, 0, 1) * 1048576.0f);
    for (int n = 0; n < WHOLE; n++)
      if (whole[i * WHOLE + n] != wanted[n] && failures++ < 20)
        fprintf(stderr, "item %d: conversion %d gives %lld, not %lld\n", i, n, whole[i * WHOLE + n], wanted[n]);
  }
  return result();
}
