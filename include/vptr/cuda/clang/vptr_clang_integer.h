/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_integer - operations on the bits of integers that clang's headers have as assembler or not at all.
 */
#ifndef VPTR_CUDA_CLANG_INTEGER_H
#define VPTR_CUDA_CLANG_INTEGER_H

/* ---- funnel shifts: 32 bits out of 64; _lc and _rc shift by at most 32 --------------------------------------- */

VPTR_CLANG_DEVICE unsigned long long vptr_clang_joined(unsigned int low, unsigned int high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
VPTR_CLANG_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(vptr_clang_joined(low, high) << (shift & 31u) >> 32);
}
VPTR_CLANG_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(vptr_clang_joined(low, high) << (shift < 32u ? shift : 32u) >> 32);
}
VPTR_CLANG_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(vptr_clang_joined(low, high) >> (shift & 31u));
}
VPTR_CLANG_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(vptr_clang_joined(low, high) >> (shift < 32u ? shift : 32u));
}

/* ---- dot products of the parts of words, added to a sum --------------------------------------------------------- */

VPTR_CLANG_DEVICE int __dp4a(int a, int b, int sum) {
  for (int at = 0; at < 32; at += 8)
    sum += static_cast<signed char>(a >> at) * static_cast<signed char>(b >> at);
  return sum;
}
VPTR_CLANG_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
  for (int at = 0; at < 32; at += 8)
    sum += (a >> at & 255u) * (b >> at & 255u);
  return sum;
}
VPTR_CLANG_DEVICE int __dp4a(char4 a, char4 b, int sum) { return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
VPTR_CLANG_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
  return sum + static_cast<unsigned int>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

/* two halves of a by the two low or high bytes of b */
VPTR_CLANG_DEVICE int vptr_clang_dp2a(int a, int b, int sum) {
  return sum + static_cast<short>(a) * static_cast<signed char>(b) + (a >> 16) * static_cast<signed char>(b >> 8);
}
VPTR_CLANG_DEVICE unsigned int vptr_clang_dp2a(unsigned int a, unsigned int b, unsigned int sum) {
  return sum + (a & 0xffffu) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
VPTR_CLANG_DEVICE int __dp2a_lo(int a, int b, int sum) { return vptr_clang_dp2a(a, b, sum); }
VPTR_CLANG_DEVICE int __dp2a_hi(int a, int b, int sum) { return vptr_clang_dp2a(a, b >> 16, sum); }
VPTR_CLANG_DEVICE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int sum) {
  return vptr_clang_dp2a(a, b, sum);
}
VPTR_CLANG_DEVICE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int sum) {
  return vptr_clang_dp2a(a, b >> 16, sum);
}
VPTR_CLANG_DEVICE int __dp2a_lo(short2 a, char4 b, int sum) { return sum + a.x * b.x + a.y * b.y; }
VPTR_CLANG_DEVICE int __dp2a_hi(short2 a, char4 b, int sum) { return sum + a.x * b.z + a.y * b.w; }
VPTR_CLANG_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int sum) {
  return sum + static_cast<unsigned int>(a.x) * b.x + static_cast<unsigned int>(a.y) * b.y;
}
VPTR_CLANG_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int sum) {
  return sum + static_cast<unsigned int>(a.x) * b.z + static_cast<unsigned int>(a.y) * b.w;
}

#endif
