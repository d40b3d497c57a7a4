/* SPDX-License-Identifier: MIT */
/* classes_static - static members: functions, constants, and constants of templates. */
#include "check.h"

struct circle {
  static constexpr float pi = 3.140625f;
  static constexpr int fewest = 3, most = 8;
  enum : unsigned char { limit = 200 };
  static __host__ __device__ float area(float r) { return pi * r * r; }
  static __host__ __device__ constexpr int side(int i) { return i == 0 ? fewest : i == 1 ? 5 : most; }
};

template <class T> struct limits_of {
  static constexpr T top = T(~T(0)) > T(0) ? T(~T(0)) : T((T(1) << (sizeof(T) * 8 - 2)) - 1 + (T(1) << (sizeof(T) * 8 - 2)));
  static const int bits = sizeof(T) * 8;
  static __host__ __device__ T wrapped(T x) { return T(x + top); }
};

struct body {
  __host__ __device__ double operator()(int i) const {
    return circle::area((float)i) + circle::side(i % 3) + circle::limit + limits_of<unsigned char>::top +
           limits_of<int>::top + limits_of<short>::bits + limits_of<unsigned>::wrapped((unsigned)i);
  }
};

int main() {
  static_assert(limits_of<int>::top == 2147483647 && limits_of<unsigned short>::top == 65535, "");
  same_on_both<double>(body{});
  return result();
}
