/* SPDX-License-Identifier: MIT */
/* templates_template - templates as arguments of templates. */
#include "check.h"

template <class T> struct sum {
  static __host__ __device__ T start() { return T(0); }
  static __host__ __device__ T apply(T a, T b) { return a + b; }
};
template <class T> struct largest {
  static __host__ __device__ T start() { return T(-1000000); }
  static __host__ __device__ T apply(T a, T b) { return a < b ? b : a; }
};

template <class T, template <class> class Operation> struct folded {
  __host__ __device__ T operator()(int item) const {
    T all = Operation<T>::start();
    for (int i = 0; i < 10; i++)
      all = Operation<T>::apply(all, T((item * 7 + i * 13) % 31));
    return all;
  }
};

template <template <class> class... Operations> struct all_of {
  template <class T> static __host__ __device__ T apply(T a, T b) { return (T(0) + ... + Operations<T>::apply(a, b)); }
};
template <class All> struct together {
  __host__ __device__ int operator()(int i) const { return All::apply(i, 40 - i); }
};

int main() {
  same_on_both<int>(folded<int, sum>{});
  same_on_both<float>(folded<float, largest>{});
  same_on_both<double>(folded<double, sum>{});
  same_on_both<int>(together<all_of<sum, largest, sum>>{});
  return result();
}
