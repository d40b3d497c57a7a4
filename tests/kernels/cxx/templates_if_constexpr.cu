/* SPDX-License-Identifier: MIT */
/* templates_if_constexpr - branches that are compiled for the types they fit only. */
#include "check.h"

#include <type_traits>

struct point {
  int x, y;
};

template <class T> __host__ __device__ int digest(const T &value) {
  if constexpr (std::is_array_v<T>) {
    int all = 0;
    for (const auto &each : value)
      all = all * 3 + digest(each);
    return all;
  } else if constexpr (std::is_pointer_v<T>) {
    return 7 * digest(*value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return int(value * 4);
  } else if constexpr (std::is_same_v<T, point>) {
    return value.x - value.y;
  } else {
    static_assert(sizeof(T) == 0, "no such type");
  }
}

template <class First, class... Rest> __host__ __device__ int all(const First &first, const Rest &...rest) {
  if constexpr (sizeof...(Rest) > 0)
    return digest(first) + 2 * all(rest...);
  else
    return digest(first);
}

struct body {
  __host__ __device__ int operator()(int i) const {
    int list[2][3] = { { i, 1, 2 }, { 3, i, 4 } };
    point p = { i * i, i };
    return all(i, 0.25 * i, list, p, &p, &list[1][1], (char)i);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
