/* SPDX-License-Identifier: MIT */
/* templates_variadic - kernels with any number of arguments, which are peeled one by one. */
#include "check.h"

__host__ __device__ inline double weighted(int) {
  return 0;
}
template <class First, class... Rest> __host__ __device__ double weighted(int weight, First first, Rest... rest) {
  return weight * double(first) + weighted(weight + 1, rest...);
}

template <class... Numbers> __global__ void add_up(double *out, Numbers... numbers) {
  out[threadIdx.x] = weighted((int)threadIdx.x, numbers...) + sizeof...(Numbers);
}

template <class... Arrays> __global__ void gather(int *out, const Arrays *...arrays) {
  int i = (int)threadIdx.x, number = 0;
  int values[] = { int(arrays[i])... };
  for (int value : values)
    number = number * 10 + value;
  out[i] = number;
}

template <class... Numbers> void check(Numbers... numbers) {
  items<double, 16> out;
  add_up<<<1, 16>>>(out.device, numbers...);
  out.fetch();
  EXPECT_EACH(16, out[i] == weighted(i, numbers...) + sizeof...(Numbers));
}

int main() {
  check();
  check(1);
  check(1, 2.5, 'c');
  check((short)-3, 4u, 0.5f, true, 1ull << 40);
  items<int, 4> out, a;
  items<char, 4> b;
  items<double, 4> c;
  for (int i = 0; i < 4; i++)
    a.host[i] = i, b.host[i] = (char)(i + 1), c.host[i] = i + 2.75;
  a.send(), b.send(), c.send();
  gather<<<1, 4>>>(out.device, a.device, b.device, c.device);
  out.fetch();
  EXPECT_EACH(4, out[i] == i * 100 + (i + 1) * 10 + i + 2);
  return result();
}
