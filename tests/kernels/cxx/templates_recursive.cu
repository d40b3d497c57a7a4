/* SPDX-License-Identifier: MIT */
/* templates_recursive - templates that use themselves: numbers at compile time, unrolled loops, a sorting network. */
#include "check.h"

template <unsigned N> struct factorial {
  static constexpr unsigned long long value = N * factorial<N - 1>::value;
};
template <> struct factorial<0> {
  static constexpr unsigned long long value = 1;
};
template <int N> struct power {
  template <class T> static __host__ __device__ T of(T x) {
    return N % 2 ? x * power<N - 1>::of(x) : power<N / 2>::of(x) * power<N / 2>::of(x);
  }
};
template <> struct power<0> {
  template <class T> static __host__ __device__ T of(T) { return T(1); }
};
template <int N, int I = 0> struct sorted {
  static __host__ __device__ void pass(int *list) {
    if (list[I] > list[I + 1]) {
      int other = list[I];
      list[I] = list[I + 1];
      list[I + 1] = other;
    }
    if constexpr (I + 2 < N)
      sorted<N, I + 1>::pass(list);
    else if constexpr (N > 2)
      sorted<N - 1>::pass(list);
  }
};

struct body {
  __host__ __device__ unsigned long long operator()(int i) const {
    int list[8];
    for (int k = 0; k < 8; k++)
      list[k] = (i * 5 + k * 7) % 11;
    sorted<8>::pass(list);
    unsigned long long digits = 0;
    for (int k = 0; k < 8; k++)
      digits = digits * 11 + (unsigned)list[k];
    return digits + factorial<12>::value + power<7>::of((unsigned long long)(i % 7)) + power<0>::of(3u);
  }
};

int main() {
  same_on_both<unsigned long long>(body{});
  return result();
}
