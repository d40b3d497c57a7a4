// SPDX-License-Identifier: MIT
// words - the functions of vptr_clang_integer.h, vptr_clang_libdevice.h and vptr_clang_video.h, compiled for the host,
// against what CUDA's manual says of each, calculated bit by bit or lane by lane in 64 bits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define __device__
#define VPTR_CLANG_DEVICE static inline
#include "vector_types.h"
#include "vptr_clang_integer.h"
#include "vptr_clang_libdevice.h"
#include "vptr_clang_video.h"

static int failures;

static void compare(const char *name, unsigned a, unsigned b, unsigned got, unsigned wanted) {
  if (got == wanted)
    return;
  if (failures++ < 20)
    std::printf("%s(%#x, %#x) is %#x, not %#x\n", name, a, b, got, wanted);
}

static long long lane(unsigned word, int bits, int at, bool is_signed) {
  long long value = word >> at & ((1ull << bits) - 1);
  return is_signed && value >> (bits - 1) ? value - (1ll << bits) : value;
}

static long long clamped(long long x, int bits, bool is_signed) {
  const long long most = (1ll << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}

// Each lane of two words through `wanted`, which takes (x, y, bits), and back.
template <class Wanted> static unsigned lanes(unsigned a, unsigned b, int bits, bool is_signed, Wanted wanted) {
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits)
    result |= (unsigned)(wanted(lane(a, bits, at, is_signed), lane(b, bits, at, is_signed), bits) & ((1ll << bits) - 1)) << at;
  return result;
}

#define HOLD_ONE(name, bits, is_signed, expression)                                                                    \
  compare(#name, a, b, __nv_##name(a, b),                                                                              \
          lanes(a, b, bits, is_signed, [](long long x, long long y, int n) -> long long { (void)n; return expression; }))
#define HOLD(name, is_signed, expression)                                                                              \
  HOLD_ONE(name##2, 16, is_signed, expression);                                                                        \
  HOLD_ONE(name##4, 8, is_signed, expression)
#define HOLD_UNARY(name, expression)                                                                                   \
  compare(#name "2", a, 0, __nv_##name##2(a),                                                                          \
          lanes(a, 0, 16, true, [](long long x, long long, int n) -> long long { (void)n; return expression; }));      \
  compare(#name "4", a, 0, __nv_##name##4(a),                                                                          \
          lanes(a, 0, 8, true, [](long long x, long long, int n) -> long long { (void)n; return expression; }))

static void video_arithmetic(unsigned a, unsigned b) {
  HOLD(vadd, false, x + y);
  HOLD(vaddss, true, clamped(x + y, n, true));
  HOLD(vaddus, false, clamped(x + y, n, false));
  HOLD(vsub, false, x - y);
  HOLD(vsubss, true, clamped(x - y, n, true));
  HOLD(vsubus, false, clamped(x - y, n, false));
  HOLD(vavgs, true, x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1);
  HOLD(vavgu, false, (x + y + 1) / 2);
  HOLD(vhaddu, false, (x + y) / 2);
  HOLD(vabsdiffs, true, llabs(x - y));
  HOLD(vabsdiffu, false, llabs(x - y));
  HOLD_UNARY(vabs, llabs(x));
  HOLD_UNARY(vabsss, clamped(llabs(x), n, true));
  HOLD_UNARY(vneg, -x);
  HOLD_UNARY(vnegss, clamped(-x, n, true));
}

static void video_comparison(unsigned a, unsigned b) {
  HOLD(vmaxs, true, x > y ? x : y);
  HOLD(vmaxu, false, x > y ? x : y);
  HOLD(vmins, true, x < y ? x : y);
  HOLD(vminu, false, x < y ? x : y);
  HOLD(vcmpeq, false, x == y ? -1 : 0);
  HOLD(vcmpne, false, x != y ? -1 : 0);
  HOLD(vcmpges, true, x >= y ? -1 : 0);
  HOLD(vcmpgeu, false, x >= y ? -1 : 0);
  HOLD(vcmpgts, true, x > y ? -1 : 0);
  HOLD(vcmplts, true, x < y ? -1 : 0);
  HOLD(vcmpleu, false, x <= y ? -1 : 0);
  HOLD(vseteq, false, x == y);
  HOLD(vsetltu, false, x < y);
  HOLD(vsetles, true, x <= y);
  HOLD(vsetgtu, false, x > y);
}

static void video_sums(unsigned a, unsigned b) {
  unsigned s2 = 0, s4 = 0, u2 = 0, u4 = 0;
  for (int at = 0; at < 32; at += 16) {
    s2 += (unsigned)llabs(lane(a, 16, at, true) - lane(b, 16, at, true));
    u2 += (unsigned)llabs(lane(a, 16, at, false) - lane(b, 16, at, false));
  }
  for (int at = 0; at < 32; at += 8) {
    s4 += (unsigned)llabs(lane(a, 8, at, true) - lane(b, 8, at, true));
    u4 += (unsigned)llabs(lane(a, 8, at, false) - lane(b, 8, at, false));
  }
  compare("vsads2", a, b, __nv_vsads2(a, b), s2);
  compare("vsadu2", a, b, __nv_vsadu2(a, b), u2);
  compare("vsads4", a, b, __nv_vsads4(a, b), s4);
  compare("vsadu4", a, b, __nv_vsadu4(a, b), u4);
}

static void shifts_and_products(unsigned a, unsigned b, unsigned c) {
  const unsigned shift = c % 70, wrapped = shift % 32, most = shift < 32 ? shift : 32;
  const unsigned long long both = (unsigned long long)b << 32 | a;
  compare("__funnelshift_l", a, shift, __funnelshift_l(a, b, shift), wrapped ? b << wrapped | a >> (32 - wrapped) : b);
  compare("__funnelshift_lc", a, shift, __funnelshift_lc(a, b, shift), most == 32 ? a : (unsigned)(both << most >> 32));
  compare("__funnelshift_r", a, shift, __funnelshift_r(a, b, shift), (unsigned)(both >> wrapped));
  compare("__funnelshift_rc", a, shift, __funnelshift_rc(a, b, shift), most == 32 ? b : (unsigned)(both >> most));
  const int begun = (int)(c >> 8); // so that no sum of ints overflows
  long long signed4 = begun, unsigned4 = begun, low = begun, high = begun, unsigned_low = begun, unsigned_high = begun;
  for (int at = 0; at < 32; at += 8) {
    signed4 += lane(a, 8, at, true) * lane(b, 8, at, true);
    unsigned4 += lane(a, 8, at, false) * lane(b, 8, at, false);
  }
  for (int i = 0; i < 2; i++) {
    low += lane(a, 16, 16 * i, true) * lane(b, 8, 8 * i, true);
    high += lane(a, 16, 16 * i, true) * lane(b, 8, 16 + 8 * i, true);
    unsigned_low += lane(a, 16, 16 * i, false) * lane(b, 8, 8 * i, false);
    unsigned_high += lane(a, 16, 16 * i, false) * lane(b, 8, 16 + 8 * i, false);
  }
  const unsigned sum = (unsigned)begun;
  compare("__dp4a", a, b, (unsigned)__dp4a((int)a, (int)b, begun), (unsigned)signed4);
  compare("__dp4a unsigned", a, b, __dp4a(a, b, sum), (unsigned)unsigned4);
  compare("__dp2a_lo", a, b, (unsigned)__dp2a_lo((int)a, (int)b, begun), (unsigned)low);
  compare("__dp2a_hi", a, b, (unsigned)__dp2a_hi((int)a, (int)b, begun), (unsigned)high);
  compare("__dp2a_lo unsigned", a, b, __dp2a_lo(a, b, sum), (unsigned)unsigned_low);
  compare("__dp2a_hi unsigned", a, b, __dp2a_hi(a, b, sum), (unsigned)unsigned_high);
}

static void bits_of(unsigned a, unsigned b) {
  unsigned reversed = 0, leading = 0, ones = 0, first = 0;
  for (int i = 0; i < 32; i++) {
    reversed |= (a >> i & 1) << (31 - i);
    ones += a >> i & 1;
    leading = a >> i & 1 ? 0 : leading + 1;
    first = first == 0 && (a >> i & 1) ? (unsigned)i + 1 : first;
  }
  compare("__nv_brev", a, 0, (unsigned)__nv_brev((int)a), reversed);
  compare("__nv_popc", a, 0, (unsigned)__nv_popc(a), ones);
  compare("__nv_clz", a, 0, (unsigned)__nv_clz((int)a), leading);
  compare("__nv_clzll", a, 0, (unsigned)__nv_clzll((long long)a), leading + 32);
  compare("__nv_ffs", a, 0, (unsigned)__nv_ffs((int)a), first);
  compare("__nv_ffsll", a, 0, (unsigned)__nv_ffsll((long long)((unsigned long long)a << 32)), first ? first + 32 : 0);
  compare("__nv_mulhi", a, b, (unsigned)__nv_mulhi((int)a, (int)b), (unsigned)(((long long)(int)a * (int)b) >> 32));
  compare("__nv_umulhi", a, b, __nv_umulhi(a, b), (unsigned)(((unsigned long long)a * b) >> 32));
  compare("__nv_hiloint2double", a, b, (unsigned)__nv_double2hiint(__nv_hiloint2double((int)a, (int)b)), a);
  compare("__nv_hiloint2double", a, b, (unsigned)__nv_double2loint(__nv_hiloint2double((int)a, (int)b)), b);
  const unsigned exponent = a >> 23 & 255, fraction = a & 0x7fffff;
  const float number = __nv_uint_as_float(a);
  compare("__nv_isnanf", a, 0, (unsigned)__nv_isnanf(number), exponent == 255 && fraction != 0);
  compare("__nv_isinff", a, 0, (unsigned)__nv_isinff(number), exponent == 255 && fraction == 0);
  compare("__nv_finitef", a, 0, (unsigned)__nv_finitef(number), exponent != 255);
  compare("__nv_signbitf", a, 0, (unsigned)__nv_signbitf(number), a >> 31);
  compare("__nv_fabsf", a, 0, __nv_float_as_uint(__nv_fabsf(number)), a & 0x7fffffffu);
}

int main() {
  unsigned long long state = 1;
  const unsigned edges[] = { 0, ~0u, 0x80008000u, 0x80808080u, 0x7fff7fffu, 0x7f7f7f7fu, 0x7f800000u, 0xffc00000u };
  for (int i = 0; i < 200000; i++) {
    unsigned words[3];
    for (unsigned &word : words) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      word = state >> 61 == 0 ? edges[state >> 40 & 7] : (unsigned)(state >> 29);
    }
    bits_of(words[0], words[1]);
    video_arithmetic(words[0], words[1]);
    video_comparison(words[0], words[1]);
    video_sums(words[0], words[1]);
    shifts_and_products(words[0], words[1], words[2]);
  }
  return failures != 0;
}
