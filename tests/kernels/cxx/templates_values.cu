/* SPDX-License-Identifier: MIT */
/* templates_values - values as arguments of templates: numbers, truth, enumerators, characters, functions, auto. */
#include "check.h"

enum class shape { circle, square, star = 9 };

template <shape S> struct corners {
  static constexpr int count = S == shape::square ? 4 : S == shape::star ? 10 : 0;
};
template <auto V> struct constant {
  static constexpr auto value = V;
};
__host__ __device__ int add_one(int x) {
  return x + 1;
}
__host__ __device__ int negated(int x) {
  return -x;
}
template <int (*Function)(int), bool Twice> struct applied {
  __host__ __device__ int operator()(int i) const { return Twice ? Function(Function(i)) : Function(i); }
};
template <unsigned Mask, char Letter, shape S> struct mixed {
  __host__ __device__ int operator()(int i) const {
    return (int)((unsigned)i & Mask) + Letter + corners<S>::count + constant<7>::value + (constant<'x'>::value == 'x');
  }
};
template <int... Numbers> struct listed {
  __host__ __device__ int operator()(int i) const {
    const int list[] = { Numbers... };
    return list[i % (int)sizeof...(Numbers)];
  }
};

int main() {
  same_on_both<int>(applied<add_one, true>{});
  same_on_both<int>(applied<negated, false>{});
  same_on_both<int>(mixed<0x5u, 'q', shape::star>{});
  same_on_both<int>(mixed<0xffffffffu, '\0', shape::square>{});
  same_on_both<int>(listed<3, 1, 4, 1, 5, 9, 2, 6>{});
  return result();
}
