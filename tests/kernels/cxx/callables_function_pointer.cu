/* SPDX-License-Identifier: MIT */
/* callables_function_pointer - pointers to device functions that the compiler knows: arguments, arrays, choices. */
#include "check.h"

typedef int (*operation)(int, int);
__host__ __device__ int add(int a, int b) {
  return a + b;
}
__host__ __device__ int subtract(int a, int b) {
  return a - b;
}
__host__ __device__ int multiply(int a, int b) {
  return a * b;
}

__host__ __device__ int apply(operation f, int a, int b) {
  return f(a, b);
}
__host__ __device__ operation pick(bool adds) {
  return adds ? add : multiply;
}
template <operation F> __host__ __device__ int folded(int count) {
  int all = 1;
  for (int i = 1; i <= count; i++)
    all = F(all, i);
  return all;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    operation f = subtract;
    int value = apply(f, i, 3) + apply(add, i, 4) + apply(pick(true), i, 5) + apply(pick(false), i, 6);
    return value + folded<add>(i) + folded<multiply>(i % 6) + (*multiply)(i, i);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
