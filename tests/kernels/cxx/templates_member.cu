/* SPDX-License-Identifier: MIT */
/* templates_member - members that are templates: constructors, conversions, operators, and classes in classes. */
#include "check.h"

template <class T> struct box {
  T value;
  __host__ __device__ box(T v) : value(v) {}
  template <class U> __host__ __device__ explicit box(const box<U> &other) : value(T(other.value)) {}
  template <class U> __host__ __device__ operator U() const { return static_cast<U>(value); }
  template <class F> __host__ __device__ auto map(F f) const -> box<decltype(f(value))> { return { f(value) }; }
  template <class U> struct paired {
    T first;
    U second;
    __host__ __device__ U together() const { return U(first) + second; }
  };
};

struct half_of {
  __host__ __device__ double operator()(int x) const { return x * 0.5; }
};

struct body {
  __host__ __device__ double operator()(int i) const {
    box<int> a(i * 3);
    box<double> b = a.map(half_of());
    box<short> c(b);
    float asked = c;
    box<int>::paired<double> both = { i, 0.125 };
    return b.value + c.value * 2 + asked + both.together();
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
