/* SPDX-License-Identifier: MIT */
/* callables_lambda - extended lambdas that capture numbers, structs, arrays and pointers by value. */
/* options: --extended-lambda */
#include "check.h"

struct pair {
  int a;
  double b;
};

template <class F> __global__ void for_each(int count, F f) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    f(i);
}

int main() {
  items<double, 40> out;
  items<int, 40> in;
  for (int i = 0; i < 40; i++)
    in.host[i] = 3 * i;
  in.send();
  double *target = out.device;
  const int *source = in.device;
  int by = 5;
  pair p = { 2, 0.5 };
  float table[4] = { 1, 2, 4, 8 };
  for_each<<<2, 32>>>(40, [=] __device__(int i) { target[i] = source[i] * by + p.a + p.b + table[i % 4]; });
  out.fetch();
  EXPECT_EACH(40, out[i] == in[i] * 5 + 2.5 + (1 << i % 4));
  for_each<<<2, 32>>>(40, [target] __device__(int i) {
    if (i % 2)
      target[i] = -target[i];
  });
  out.fetch();
  EXPECT_EACH(40, out[i] == (in[i] * 5 + 2.5 + (1 << i % 4)) * (i % 2 ? -1 : 1));
  return result();
}
