/* SPDX-License-Identifier: MIT */
/* templates_fold - fold expressions over all kinds of operators. */
#include "check.h"

template <class... T> __host__ __device__ auto sum(T... x) {
  return (x + ... + 0);
}
template <class... T> __host__ __device__ bool are_all(T... x) {
  return (x && ...);
}
template <class... T> __host__ __device__ bool is_any(T... x) {
  return (... || x);
}
template <class... T> __host__ __device__ int from_left(T... x) {
  return (... - x);
}
template <class... T> __host__ __device__ int from_right(T... x) {
  return (x - ...);
}
template <class F, class... T> __host__ __device__ void for_all(F &f, T... x) {
  (f(x), ...);
}

struct horner {
  int at, value = 0;
  __host__ __device__ void operator()(int coefficient) { value = value * at + coefficient; }
};

struct body {
  __host__ __device__ double operator()(int i) const {
    horner polynomial{ i % 5 };
    for_all(polynomial, 1, -2, 3, i);
    return sum(i, 2.5, 3u, (char)4) + are_all(i > 3, i < 40, i % 2 == 0) * 100 + is_any(i == 7, i == 9) * 1000 +
           from_left(i, 1, 2, 3) * 0.5 + from_right(i, 1, 2, 3) * 0.25 + polynomial.value;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
