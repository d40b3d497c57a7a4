/* SPDX-License-Identifier: MIT */
/* integers - arithmetic, conversions, shifts, comparisons of all integer types, and the intrinsics on bits. */
#include "kernels.h"

#include <stdint.h>

__host__ __device__ static unsigned draw(int i, unsigned salt) {
  unsigned x = (unsigned)i * 2654435761u + salt * 40503u + 12345u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x;
}

__host__ __device__ static unsigned long long draw_long(int i, unsigned salt) {
  return (unsigned long long)draw(i, salt) << 32 | draw(i, salt + 77);
}

/* Small values of types narrower than int become int; unsigned wins over int of the same size. */
TEST(promotions) {
  unsigned char c = draw(i, 1);
  signed char s = draw(i, 2);
  short h = draw(i, 3);
  unsigned short u = draw(i, 4);
  put(out, c + s);
  put(out, c * u);
  put(out, h - u);
  put(out, ~c);
  put(out, -u);
  put(out, c << 4);
  put(out, +s);
  put(out, -1 < (int)u);
  put(out, -1 < 1u);
  put(out, s < 200u);
  put(out, sizeof(c + c));
  put(out, 'a');
  put(out, true + true);
  put(out, i ? c : s);
  put(out, i ? 1u : -1);
  put(out, 0x80000000);
  put(out, 2147483648);
  put(out, 5 - sizeof(int));
}

TEST(wrapping) {
  unsigned x = draw(i, 1), y = draw(i, 2);
  unsigned long long a = draw_long(i, 3), b = draw_long(i, 4);
  put(out, x + y);
  put(out, x - y);
  put(out, x * y);
  put(out, a * b);
  put(out, a - b);
  put(out, (unsigned char)(x + 200));
  put(out, (unsigned short)(x * 3));
  unsigned char c = 250;
  c += i;
  put(out, c);
  unsigned short h = 0;
  h -= i;
  put(out, h);
  put(out, h--);
  put(out, ++h);
}

TEST(division) {
  int x = (int)draw(i, 1) / 3, y = (int)(draw(i, 2) % 2001) - 1000;
  long long a = (long long)draw_long(i, 3) / 5, b = (long long)(draw_long(i, 4) % 99999) - 50000;
  y = y == 0 ? 7 : y;
  b = b == 0 ? -9 : b;
  put(out, x / y);
  put(out, x % y);
  put(out, a / b);
  put(out, a % b);
  put(out, (unsigned)x / 7u);
  put(out, x / 7u);
  put(out, draw_long(i, 5) % 1000003ull);
  put(out, (signed char)x / (signed char)(y | 1));
  put(out, -7 / 2);
  put(out, -7 % 2);
}

TEST(shifts) {
  int x = (int)draw(i, 1);
  unsigned u = draw(i, 2);
  long long a = (long long)draw_long(i, 3);
  put(out, x >> (i % 32));
  put(out, u >> (i % 32));
  put(out, u << (i % 32));
  put(out, a >> i);
  put(out, (unsigned long long)a >> i);
  put(out, 1ull << i);
  put(out, (short)x >> 3);
  put(out, (unsigned char)u >> 3);
  unsigned short h = u;
  h <<= 3;
  put(out, h);
  h >>= 5;
  put(out, h);
  put(out, u << 1 | u >> 31);
}

TEST(conversions) {
  unsigned long long a = draw_long(i, 1);
  put(out, (signed char)a);
  put(out, (unsigned char)a);
  put(out, (short)a);
  put(out, (unsigned short)a);
  put(out, (int)a);
  put(out, (unsigned)a);
  put(out, (long)a);
  put(out, (unsigned long)a);
  put(out, (long long)(int)a);
  put(out, (unsigned long long)(int)a);
  put(out, (long long)(unsigned)a);
  put(out, (bool)(a & 6));
  put(out, (char)a);
  put(out, (float)(long long)a);
  put(out, (double)a);
  put(out, (float)(int)a);
  put(out, (float)(unsigned)a);
  put(out, (double)(int)a);
  put(out, (int8_t)a);
  put(out, (uint16_t)a);
  put(out, (int32_t)a);
  put(out, (uint64_t)a);
  put(out, (size_t)(int)a);
  put(out, !a);
}

TEST(to_integer) {
  float f = ((int)draw(i, 1) % 100000) / 7.0f;
  double d = ((long long)draw_long(i, 2) % 1000000000000ll) / 3.0;
  put(out, (int)f);
  put(out, (long long)d);
  put(out, (short)(f / 10));
  put(out, (unsigned char)(d > 0 ? (long long)d % 256 : 3));
  put(out, (bool)f);
  put(out, (bool)(f * 0));
  int n = f;
  n += 0.5;
  put(out, n);
  n *= 1.5f;
  put(out, n);
  unsigned char c = 10;
  c *= 2.55f;
  put(out, c);
  put(out, 7 / 2 * 2.0f);
  put(out, (unsigned)(f < 0 ? -f : f));
  put(out, (char)(int)f);
}

TEST(limits) {
  put(out, -2147483647 - 1);
  put(out, 0x7fffffffffffffffll);
  put(out, 0xffffffffffffffffull);
  put(out, 037777777777);
  put(out, 1'000'000);
  put(out, 0b1011);
  put(out, 'A' + '\n' + '\x41' + '\101' + '\\');
  put(out, sizeof(long) * 8 + sizeof(long long));
  put(out, (int)sizeof(bool) + (int)sizeof(short));
  put(out, 4294967295);
  put(out, 1ul << 40);
}

/* ---- intrinsics: beside the host's plain C --------------------------------------------------------------- */

#ifdef __CUDA_ARCH__
#define ON(device, host) (device)
#else
#define ON(device, host) (host)
#endif

__host__ __device__ static int slow_ffs(unsigned long long x) {
  for (int n = 0; n < 64; n++)
    if (x >> n & 1)
      return n + 1;
  return 0;
}
__host__ __device__ static int slow_clz(unsigned long long x, int width) {
  int n = 0;
  while (n < width && (x >> (width - 1 - n) & 1) == 0)
    n++;
  return n;
}
__host__ __device__ static int slow_popc(unsigned long long x) {
  int n = 0;
  for (; x != 0; x &= x - 1)
    n++;
  return n;
}
__host__ __device__ static unsigned long long slow_brev(unsigned long long x, int width) {
  unsigned long long y = 0;
  for (int n = 0; n < width; n++)
    y |= (x >> n & 1) << (width - 1 - n);
  return y;
}
__host__ __device__ static unsigned slow_perm(unsigned x, unsigned y, unsigned s) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int n = 0; n < 4; n++)
    r |= (unsigned)(both >> ((s >> 4 * n & 7) * 8) & 0xff) << 8 * n;
  return r;
}
__host__ __device__ static unsigned long long slow_high(unsigned long long a, unsigned long long b) {
  unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  unsigned long long middle = ah * bl + (al * bl >> 32), other = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}

TEST(bits) {
  unsigned x = i == 0 ? 0 : draw(i, 1) >> i % 31;
  unsigned long long a = i == 0 ? 0 : draw_long(i, 2) >> i % 63;
  put(out, ON(__popc(x), slow_popc(x)));
  put(out, ON(__popcll(a), slow_popc(a)));
  put(out, ON(__clz((int)x), slow_clz(x, 32)));
  put(out, ON(__clzll((long long)a), slow_clz(a, 64)));
  put(out, ON(__ffs((int)x), slow_ffs(x)));
  put(out, ON(__ffsll((long long)a), slow_ffs(a)));
  put(out, ON(__brev(x), (unsigned)slow_brev(x, 32)));
  put(out, ON(__brevll(a), slow_brev(a, 64)));
  unsigned y = draw(i, 3), s = draw(i, 4);
  put(out, ON(__byte_perm(x, y, s & 0x7777), slow_perm(x, y, s & 0x7777)));
  put(out, ON(__funnelshift_l(x, y, s), (s & 31) ? y << (s & 31) | x >> (32 - (s & 31)) : y));
  put(out, ON(__funnelshift_r(x, y, s), (s & 31) ? x >> (s & 31) | y << (32 - (s & 31)) : x));
  put(out, ON(__funnelshift_lc(x, y, i), i >= 32 ? x : i ? y << i | x >> (32 - i) : y));
  put(out, ON(__funnelshift_rc(x, y, i), i >= 32 ? y : i ? x >> i | y << (32 - i) : x));
}

TEST(products) {
  int x = (int)draw(i, 1), y = (int)draw(i, 2);
  unsigned u = draw(i, 3), v = draw(i, 4);
  unsigned long long a = draw_long(i, 5), b = draw_long(i, 6);
  put(out, ON(__mulhi(x, y), (int)((long long)x * y >> 32)));
  put(out, ON(__umulhi(u, v), (unsigned)((unsigned long long)u * v >> 32)));
  put(out, ON(__umul64hi(a, b), slow_high(a, b)));
  put(out, ON((unsigned long long)__mul64hi((long long)(a >> 1), (long long)(b >> 1)), slow_high(a >> 1, b >> 1)));
  put(out, ON(__mul24(x % 4096, y % 2048), x % 4096 * (y % 2048)));
  put(out, ON(__umul24(u & 0xfff, v & 0xfff), (u & 0xfff) * (v & 0xfff)));
  put(out, ON(__sad(x / 2, y / 2, u), (unsigned)abs(x / 2 - y / 2) + u));
  put(out, ON(__usad(u, v, 5u), (u > v ? u - v : v - u) + 5u));
  put(out, ON(__hadd(x, y), (int)(((long long)x + y) >> 1)));
  put(out, ON(__rhadd(x, y), (int)(((long long)x + y + 1) >> 1)));
  put(out, ON(__uhadd(u, v), (unsigned)(((unsigned long long)u + v) >> 1)));
  put(out, ON(__urhadd(u, v), (unsigned)(((unsigned long long)u + v + 1) >> 1)));
}

TEST(extremes) {
  int x = (int)draw(i, 1), y = (int)draw(i, 2);
  unsigned u = draw(i, 3);
  long long a = (long long)draw_long(i, 4), b = (long long)draw_long(i, 5);
  put(out, ON(min(x, y), x < y ? x : y));
  put(out, ON(max(x, y), x > y ? x : y));
  put(out, ON(min(u, 77u), u < 77u ? u : 77u));
  put(out, ON(min(x, u), (unsigned)x < u ? (unsigned)x : u));
  put(out, ON(max(a, b), a > b ? a : b));
  put(out, ON(min((unsigned long long)a, 5ull), (unsigned long long)a < 5 ? (unsigned long long)a : 5ull));
  put(out, ON(abs(x / 2), x / 2 < 0 ? -(x / 2) : x / 2));
  put(out, ON(llabs(a / 2), a / 2 < 0 ? -(a / 2) : a / 2));
  put(out, ON(umin(u, 1000u), u < 1000u ? u : 1000u));
}

#define TESTS(test)                                                                                          \
  test(promotions) test(wrapping) test(division) test(shifts) test(conversions) test(to_integer) test(limits)     \
  test(bits) test(products) test(extremes)
PROGRAM(TESTS)

int main(void) {
  run_tests();
  return verdict("integers");
}
