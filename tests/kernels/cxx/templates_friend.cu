/* SPDX-License-Identifier: MIT */
/* templates_friend - friends that are found by their arguments, dependent names, defaults that use parameters. */
#include "check.h"

template <class T, class Unit = typename T::unit> class length {
  T value_;
  friend __host__ __device__ length operator+(length a, length b) { return length(T(a.value_.n + b.value_.n)); }
  friend __host__ __device__ bool operator<(const length &a, const length &b) { return a.value_.n < b.value_.n; }
  template <class U, class V> friend __host__ __device__ int in_units(const length<U, V> &);

public:
  using unit = Unit;
  __host__ __device__ explicit length(T v) : value_(v) {}
};
template <class U, class V> __host__ __device__ int in_units(const length<U, V> &l) {
  return l.value_.n * length<U, V>::unit::per;
}

struct metre {
  enum { per = 1000 };
};
struct inch {
  enum { per = 25 };
};
struct whole {
  using unit = metre;
  int n;
  __host__ __device__ explicit whole(int i) : n(i) {}
};

template <class Base> struct derived : Base {
  template <class... A> __host__ __device__ derived(A... a) : Base(a...) {}
  __host__ __device__ int twice() const { return this->n * 2; }
};

struct body {
  __host__ __device__ int operator()(int i) const {
    length<whole> a(whole{ i }), b(whole(3));
    length<whole, inch> c(whole{ i * 2 });
    return in_units(a + b) + in_units(c + c) + (a < b) + derived<whole>(i).twice();
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
