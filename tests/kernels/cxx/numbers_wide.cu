/* SPDX-License-Identifier: MIT */
/* numbers_wide - arithmetic on 64 bits: products, quotients, shifts by what is known late, signs, overflow. */
#include "check.h"

struct body {
  __host__ __device__ unsigned long long operator()(int i) const {
    unsigned long long x = 0x9e3779b97f4a7c15ull * (unsigned)(i + 1), y = x >> (i % 64) | x << (63 - i % 64);
    long long a = (long long)x, b = (long long)(y | 1) >> (i % 50);
    if (b == 0 || b == -1)
      b = 3;
    long long quotient = a / b, rest = a % b;
    unsigned long long digits = x / 1000000007u % 1000000007u * (y % 97) + x % (y | 1);
    return (unsigned long long)quotient * 3 + (unsigned long long)rest + digits + (a < b) + (x < y) * 2 +
           ((a ^ b) < 0) * 4 + (unsigned long long)(a >> (i % 64)) + (unsigned long long)-a + ~y +
           (unsigned long long)((int)x * 5ll) + (unsigned long long)(long long)(short)y;
  }
};

struct products {
  __host__ __device__ long long operator()(int i) const {
    unsigned u = 4000000000u + (unsigned)i;
    int s = -2000000000 - i;
    long long wide = (long long)s * s, mixed = (long long)u * s;
    return wide + mixed + (long long)(u * u) + (long long)((unsigned long long)u * u >> 33) + (i + 1ll) * 0x100000001ll;
  }
};

int main() {
  same_on_both<unsigned long long, 256>(body{});
  same_on_both<long long>(products{});
  return result();
}
