/* SPDX-License-Identifier: MIT */
/* classes_conversions - conversions by constructors and operators, explicit and not, and overloads that rank them. */
#include "check.h"

struct celsius;
struct kelvin {
  float degrees;
  __host__ __device__ constexpr explicit kelvin(float d) : degrees(d) {}
  __host__ __device__ constexpr kelvin(const celsius &c);
};
struct celsius {
  float degrees;
  __host__ __device__ constexpr celsius(float d) : degrees(d) {}
  __host__ __device__ constexpr operator int() const { return (int)degrees; }
  __host__ __device__ constexpr explicit operator bool() const { return degrees > 0; }
};
__host__ __device__ constexpr kelvin::kelvin(const celsius &c) : degrees(c.degrees + 273.0f) {}

struct handle {
  const int *at;
  __host__ __device__ operator const int *() const { return at; }
};

__host__ __device__ int rank(long) {
  return 1;
}
__host__ __device__ int rank(double) {
  return 2;
}
__host__ __device__ int rank(const kelvin &k) {
  return (int)k.degrees;
}
__host__ __device__ int rank(...) {
  return 4;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    celsius c = (float)i;
    kelvin k = c;
    int list[2] = { i, 70 };
    handle h = { list };
    return rank((long)i) + rank(0.5f) * 10 + rank(k) * 100 + rank(nullptr) + c + (c ? 5 : 6) + h[1] + *(h + 0);
  }
};

int main() {
  static_assert(kelvin(celsius(1)).degrees == 274.0f, "");
  same_on_both<int>(body{});
  return result();
}
