/* SPDX-License-Identifier: MIT */
/* callables_lambda_inside - lambdas within kernels: captures by reference, generic ones, mutable ones, lambdas of lambdas. */
#include "check.h"

template <class F> __device__ int twice(F &&f, int x) {
  return f(f(x));
}

__global__ void compute(int *out) {
  int i = (int)threadIdx.x, calls = 0, list[4] = { 4, 3, 2, 1 };
  auto add = [&calls, i](int x) {
    calls++;
    return x + i;
  };
  auto larger = [](auto a, auto b) { return a < b ? b : a; };
  auto next = [n = 10]() mutable { return n++; };
  auto at = [&](int k) -> int & { return list[k & 3]; };
  at(i) += 100;
  auto adder = [](int a) { return [a](int b) { return a + b; }; };
  int value = twice(add, 5) + (int)larger(2.5, 1.0 * i) + adder(i)(1000);
  next();
  value += next() * 10000;
  for (int each : list)
    value += each;
  out[i] = value * 10 + calls;
}

int main() {
  items<int, 32> out;
  compute<<<1, 32>>>(out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == (5 + 2 * i + (i > 2 ? i : 2) + i + 1000 + 110000 + 110) * 10 + 2);
  return result();
}
