/* SPDX-License-Identifier: MIT */
/* numbers - the host's half of the headers for clang, run: 16-bit numbers and their roundings, and the mathematics that
 * C libraries lack. Nothing of it needs a device. */
#include <cstdio>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nv/target>

static int failures;

static void expect(bool holds, const char *what, double x) {
  if (!holds && failures++ < 20)
    std::printf("%s does not hold for %a\n", what, x);
}

static bool same(double a, double b) { return a == b || (a != a && b != b); }

static unsigned bits_of(__half number) { return __half_as_ushort(number); }
static unsigned bits_of(__nv_bfloat16 number) { return __bfloat16_as_ushort(number); }
template <class Short> static Short of_bits(unsigned bits);
template <> __half of_bits(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
template <> __nv_bfloat16 of_bits(unsigned bits) { return __ushort_as_bfloat16(static_cast<unsigned short>(bits)); }

/* Every number of 16 bits is kept, and lies where its neighbours say. */
template <class Short> static void all_of_them(const char *name, Short (*of)(float)) {
  for (unsigned bits = 0; bits < 0x10000u; bits++) {
    const Short number = of_bits<Short>(bits);
    const float value = number;
    expect(same(static_cast<float>(of(value)), value), name, value);
    if (value == value)
      expect(bits_of(of(value)) == bits, name, value);
  }
}

/* What is rounded each way is next to the number, and the nearest is one of the two. */
template <class Short>
static void rounded(double x, Short nearest, Short zero, Short down, Short up) {
  const float n = nearest, z = zero, d = down, u = up;
  expect(d <= x && u >= x, "down is below and up above", x);
  expect(n == d || n == u, "the nearest is one of both", x);
  expect(z == (x < 0 ? u : d), "towards zero", x);
  expect(n != x || (d == x && u == x), "what needs no rounding stays", x);
  expect(d == u ? d == x : std::fabs(n - x) <= std::fabs((n == d ? u : d) - x), "the nearest is nearest", x);
  const int apart = static_cast<int>(bits_of(up)) - static_cast<int>(bits_of(down));
  expect(d == u || apart == 1 || apart == -1 || d == 0 || u == 0, "both are neighbours", x);
}

static void roundings() {
  unsigned long long state = 1;
  for (int i = 0; i < 300000; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const float x = std::ldexp(static_cast<float>(static_cast<int>(state >> 32)), static_cast<int>(state >> 8 & 31) - 47);
    rounded<__half>(x, __float2half_rn(x), __float2half_rz(x), __float2half_rd(x), __float2half_ru(x));
    rounded<__nv_bfloat16>(x, __float2bfloat16_rn(x), __float2bfloat16_rz(x), __float2bfloat16_rd(x),
                           __float2bfloat16_ru(x));
    const int whole = static_cast<int>(state >> 44) % 60000;
    rounded<__half>(whole, __int2half_rn(whole), __int2half_rz(whole), __int2half_rd(whole), __int2half_ru(whole));
    rounded<__nv_bfloat16>(whole, __int2bfloat16_rn(whole), __int2bfloat16_rz(whole), __int2bfloat16_rd(whole),
                           __int2bfloat16_ru(whole));
  }
}

static void pairs() {
  const __half2 a(1.5f, -2.0f), b(0.5f, 4.0f);
  const __half nan = __ushort_as_half(0x7fff);
  expect(static_cast<float>((a + b).x) == 2 && static_cast<float>((a * b).y) == -8, "pairs are calculated", 0);
  expect(__hfma2(a, b, a) == __half2(2.25f, -10.0f), "__hfma2", 0);
  expect(__hgt2_mask(a, b) == 0xffffu && __hgt2(a, b) == __half2(1.0f, 0.0f) && !__hbgt2(a, b), "pairs are compared", 0);
  expect(__hmax(nan, __half(1)) == __half(1) && __hisnan(__hmax_nan(nan, __half(1))), "the greater of a NaN", 0);
  expect(__hltu(nan, nan) && __hneu(nan, nan) && !__hne(nan, nan), "what is not ordered", 0);
  expect(__hfma_relu(__half(0.5f), __half(1), __half(0.25f)) == __half(0.75f), "__hfma_relu", 0);
  expect(__hfma_relu(__half(-2), __half(1), __half(1)) == __half(0), "__hfma_relu", 0);
  expect(__hadd_sat(__half(0.75f), __half(0.5f)) == __half(1), "saturation", 0);
  const __nv_bfloat162 c(3.0f, 5.0f);
  expect(__hmul2(c, c) == __nv_bfloat162(9.0f, 25.0f), "pairs of bfloat16", 0);
}

static void close(const char *name, double got, double wanted) {
  expect(std::fabs(got - wanted) <= 1e-15 * std::fabs(wanted) + 1e-300, name, got);
}

static void mathematics() {
  double sine, cosine;
  sincospi(0.25, &sine, &cosine);
  close("sincospi", sine, 0.70710678118654752);
  close("sincospi", cosine, 0.70710678118654752);
  close("sinpi", sinpi(1e15 + 0.5), 1);
  close("cospi", cospi(0.5), 0);
  close("rsqrt", rsqrt(4.0), 0.5);
  close("rcbrt", rcbrt(8.0), 0.5);
  close("rhypot", rhypot(3.0, 4.0), 0.2);
  close("norm3d", norm3d(2.0, 3.0, 6.0), 7);
  close("norm4d", norm4d(1e200, 1e200, 1e200, 1e200), 2e200);
  const double four[] = { 2, 4, 5, 6 };
  close("norm", norm(4, four), 9);
  close("rnorm", rnorm(4, four), 1.0 / 9);
  close("min", min(3u, 5) + max(-1ll, 5ll) + min(2.5f, 3.0) + max(1ul, 4l), 3 + 5 + 2.5 + 4);
  close("umin", umin(3, 5) + ullmax(1, 9) + llmin(-3, 2), 3 + 9 - 3);
  expect(fmodf(7.5f, 2.0f) == 1.5f && rsqrtf(0.25f) == 2.0f && exp10(2.0f) == 100.0f, "float", 0);
}

/* Halves of words, with and without a sign. */
static void dynamic_programming() {
  bool high, low;
  expect(__viaddmax_s16x2(0x7fff0001u, 0x00010001u, 3) == 3, "__viaddmax_s16x2 wraps", 0);
  expect(__viaddmin_u16x2(0xffff0005u, 0x00020001u, 0x00090007u) == 0x00010006u, "__viaddmin_u16x2", 0);
  expect(__viaddmax_s32_relu(-5, 2, -9) == 0 && __viaddmin_s32(4, 5, 7) == 7, "__viaddmax_s32_relu", 0);
  expect(__vimax3_s16x2(0xffff0001u, 0xfffe0002u, 0xfffd0003u) == 0xffff0003u, "__vimax3_s16x2", 0);
  expect(__vimin3_u16x2(0xffff0001u, 0xfffe0002u, 0xfffd0003u) == 0xfffd0001u, "__vimin3_u16x2", 0);
  expect(__vimax_s16x2_relu(0xffff0001u, 0xfffe0002u) == 2, "__vimax_s16x2_relu", 0);
  expect(__vibmax_s16x2(0xffff0001u, 0x00010001u, &high, &low) == 0x00010001u && !high && low, "__vibmax_s16x2", 0);
  expect(__vibmin_u16x2(0xffff0001u, 0x00010002u, &high, &low) == 0x00010001u && !high && low, "__vibmin_u16x2", 0);
}

static void targets() {
  int taken = 0;
  NV_IF_TARGET(NV_IS_DEVICE, (taken += 1000;))
  NV_IF_TARGET(NV_PROVIDES_SM_70, (taken += 1000;), (taken += 1, taken += 1;))
  NV_IF_ELSE_TARGET(NV_IS_HOST, (taken += 10;), (taken += 1000;))
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (taken += 1000;), NV_IS_HOST, (taken += 100;), NV_ANY_TARGET, (taken += 1000;))
  expect(taken == 112, "the host's blocks are taken", taken);
}

int main() {
  dynamic_programming();
  targets();
  all_of_them<__half>("half", __float2half_rn);
  all_of_them<__nv_bfloat16>("bfloat16", __float2bfloat16_rn);
  roundings();
  pairs();
  mathematics();
  return failures != 0;
}
