/* SPDX-License-Identifier: MIT */
/* language_constexpr - functions and tables that the compiler computes: in functions, in constant and device memory. */
/* options: --expt-relaxed-constexpr */
#include "check.h"

template <int N> struct table {
  unsigned items[N];
};
constexpr table<64> made() {
  table<64> t = {};
  for (unsigned i = 0; i < 64; i++) {
    unsigned c = i << 24;
    for (int k = 0; k < 8; k++)
      c = c & 0x80000000u ? c << 1 ^ 0x04c11db7u : c << 1;
    t.items[i] = c;
  }
  return t;
}
constexpr table<64> on_host = made();
__constant__ constexpr table<64> constants = made();
__device__ const table<64> in_memory = made();

constexpr int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
constexpr int shared_by_both(int x) {
  int all = 0;
  while (x > 0)
    all += x % 10, x /= 10;
  return all;
}

__global__ void read(unsigned *out) {
  unsigned i = threadIdx.x;
  constexpr int list[] = { fibonacci(5), fibonacci(6), fibonacci(15) };
  static constexpr short powers[4] = { 1, 10, 100, 1000 };
  constexpr table<64> own = made();
  out[i] = constants.items[i] ^ in_memory.items[63 - i] ^ own.items[(i * 5) & 63u];
  out[i] += (unsigned)(list[i % 3] + powers[i % 4] + shared_by_both((int)i * 37));
}

int main() {
  items<unsigned, 64> out;
  const int list[] = { 5, 8, 610 }, powers[] = { 1, 10, 100, 1000 };
  read<<<1, 64>>>(out.device);
  out.fetch();
  EXPECT_EACH(64, out[i] == (on_host.items[i] ^ on_host.items[63 - i] ^ on_host.items[i * 5 & 63]) +
                                (unsigned)(list[i % 3] + powers[i % 4] + shared_by_both(i * 37)));
  return result();
}
