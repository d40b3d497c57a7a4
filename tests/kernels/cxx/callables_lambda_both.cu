/* SPDX-License-Identifier: MIT */
/* callables_lambda_both - lambdas for both sides, which the host calls for comparison. */
/* options: --extended-lambda */
#include "check.h"

template <class F> void check(F f) {
  same_on_both<long long>(f);
}

int main() {
  int by = 7;
  long long offset = 1ll << 40;
  check([=] __host__ __device__(int i) -> long long { return i * by + offset; });
  check([] __host__ __device__(int i) -> long long { return i / 3 * 3 - i; });
  same_on_both<double>([=] __host__ __device__(int i) -> double {
    double total = 0;
    for (int k = 0; k < i; k++)
      total += k * 0.5 + by;
    return total;
  });
  struct {
    int a[3];
    char c;
  } s = { { 1, 2, 3 }, 'x' };
  int first = s.a[2], second = s.c;
  same_on_both<int>([first, second] __host__ __device__(int i) -> int { return i % 2 ? first : second; });
  return result();
}
