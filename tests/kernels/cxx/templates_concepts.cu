/* SPDX-License-Identifier: MIT */
/* templates_concepts - concepts: requirements, subsumption, constrained auto, requires-expressions. */
/* options: -std=c++20 */
#include "check.h"

#include <type_traits>

template <class T> concept number = std::is_arithmetic_v<T>;
template <class T> concept whole = number<T> && std::is_integral_v<T>;
template <class T> concept sized = requires(const T &t) {
  { t.size() } -> std::same_as<int>;
  t[0];
};

template <number T> __host__ __device__ int kind(T) {
  return 1;
}
template <whole T> __host__ __device__ int kind(T) {
  return 2;
}
__host__ __device__ int kind(const sized auto &list) {
  return list.size() + list[1];
}
template <class T>
  requires(sizeof(T) > 16 && !sized<T>)
__host__ __device__ int kind(const T &) {
  return 4;
}

struct three {
  int list[3];
  __host__ __device__ int size() const { return 3; }
  __host__ __device__ int operator[](int i) const { return list[i]; }
};
struct large {
  double d[8];
};

template <class T> __host__ __device__ int count(T t) {
  if constexpr (requires { t.size(); })
    return t.size();
  else
    return -1;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    three list = { { i, i * i, 1 } };
    return kind(i) + kind(0.5) * 10 + kind(list) * 100 + kind(large{}) + count(list) + count(i) +
           kind(whole<decltype(i)>);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
