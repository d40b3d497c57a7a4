/* SPDX-License-Identifier: MIT */
/* classes_literal - user-defined literals: of whole numbers, reals, characters, and of raw digits in a template. */
#include "check.h"

struct metres {
  double value;
};
__host__ __device__ constexpr metres operator""_m(long double x) {
  return { double(x) };
}
__host__ __device__ constexpr metres operator""_km(unsigned long long x) {
  return { double(x) * 1000 };
}
__host__ __device__ constexpr int operator""_up(char c) {
  return c - 'a' + 'A';
}
template <char... Digits> __host__ __device__ constexpr unsigned operator""_base3() {
  unsigned value = 0;
  ((value = value * 3 + unsigned(Digits - '0')), ...);
  return value;
}
__host__ __device__ constexpr unsigned operator""_hash(const char *text, decltype(sizeof 0) length) {
  unsigned value = 5381;
  for (decltype(length) i = 0; i < length; i++)
    value = value * 33 + (unsigned char)text[i];
  return value;
}

struct body {
  __host__ __device__ double operator()(int i) const {
    switch ((unsigned)i % 3) {
    case 0:
      return (2.5_m).value * i + 'q'_up;
    case 1:
      return (3_km).value + 2101_base3 + i;
    default:
      constexpr unsigned code = "kernel"_hash;
      return code + (unsigned)i;
    }
  }
};

int main() {
  static_assert(2101_base3 == 64 && "a"_hash == 177670, "");
  same_on_both<double>(body{});
  return result();
}
