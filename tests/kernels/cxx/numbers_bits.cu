/* SPDX-License-Identifier: MIT */
/* numbers_bits - the device's functions for bits: counts, reversal, bytes, fields, averages, products of high words. */
#include "check.h"

__global__ void run(unsigned long long *out) {
  unsigned i = threadIdx.x, x = i * 0x9e3779b9u + 1u, y = ~x >> (i % 32);
  unsigned long long w = (unsigned long long)x << 32 | y;
  unsigned long long all = __popc(x) + 100 * __popcll(w) + 10000 * __clz((int)y) + 1000000 * __clzll((long long)(w >> i % 40));
  all = all * 31 + __ffs((int)y) + 64 * __ffsll((long long)w) + __brev(x);
  all = all * 31 + __byte_perm(x, y, 0x2617) + __funnelshift_l(x, y, i) + __funnelshift_r(x, y, i);
  all = all * 31 + __brevll(w) + __umulhi(x, y) + (unsigned)__mulhi((int)x, (int)y) + __umul64hi(w, w ^ 5);
  out[i] = all * 31 + __sad((int)x, (int)y, i) + __usad(x, y, i) + (unsigned)__hadd((int)x, (int)y) + __urhadd(x, y);
}

static unsigned reversed(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++)
    r |= (x >> i & 1u) << (31 - i);
  return r;
}
static unsigned long long wanted(unsigned i) {
  unsigned x = i * 0x9e3779b9u + 1u, y = ~x >> (i % 32), s = i & 31;
  unsigned long long w = (unsigned long long)x << 32 | y, t = w >> i % 40, both = (unsigned long long)y << 32 | x;
  unsigned char b[8];
  memcpy(b, &both, 8);
  unsigned long long all = __builtin_popcount(x) + 100 * __builtin_popcountll(w) + 10000 * (y ? __builtin_clz(y) : 32) +
                           1000000 * (t ? __builtin_clzll(t) : 64);
  all = all * 31 + __builtin_ffs((int)y) + 64 * __builtin_ffsll((long long)w) + reversed(x);
  all = all * 31 + (unsigned)(b[7] | b[1] << 8 | b[6] << 16 | b[2] << 24);
  all += (unsigned)((both << s) >> 32);
  all += (unsigned)(both >> s);
  all = all * 31 + ((unsigned long long)reversed(y) << 32 | reversed(x)) + (unsigned)((unsigned long long)x * y >> 32);
  all += (unsigned)((long long)(int)x * (int)y >> 32) + (unsigned long long)((unsigned __int128)w * (w ^ 5) >> 64);
  long long apart = (long long)(int)x - (int)y;
  return all * 31 + (unsigned)((apart < 0 ? -apart : apart) + i) + ((x < y ? y - x : x - y) + i) +
         (unsigned)(((long long)(int)x + (int)y) >> 1) + (unsigned)(((unsigned long long)x + y + 1) >> 1);
}

int main() {
  items<unsigned long long, 128> out;
  run<<<1, 128>>>(out.device);
  out.fetch();
  EXPECT_EACH(128, out[i] == wanted((unsigned)i));
  return result();
}
