/* SPDX-License-Identifier: MIT */
/* templates_sfinae - overloads that are there for some types only: enable_if, void_t, and expressions. */
#include "check.h"

#include <type_traits>
#include <utility>

template <class T> __host__ __device__ typename std::enable_if<std::is_integral<T>::value, int>::type half(T x) {
  return int(x >> 1);
}
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> __host__ __device__ int half(T x) {
  return int(x * T(0.5) * 100);
}

template <class T, class = void> struct has_size : std::false_type {};
template <class T> struct has_size<T, std::void_t<decltype(std::declval<const T &>().size())>> : std::true_type {};

struct empty {};
struct sized {
  int count;
  __host__ __device__ int size() const { return count; }
};

template <class T> __host__ __device__ auto size_of(const T &t, int) -> decltype(t.size()) {
  return t.size();
}
template <class T> __host__ __device__ int size_of(const T &, long) {
  return (int)sizeof(T);
}

struct body {
  __host__ __device__ int operator()(int i) const {
    return half(i) + half((unsigned char)(i * 5)) + half(0.25f * i) + half(1.5 * i) + size_of(sized{ i }, 0) +
           size_of(empty{}, 0) + size_of(3.0, 0) + has_size<sized>::value * 1000 + has_size<empty>::value * 5000;
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
