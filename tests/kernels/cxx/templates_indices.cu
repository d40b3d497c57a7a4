/* SPDX-License-Identifier: MIT */
/* templates_indices - index sequences: tables that are filled by the compiler, and calls for each index. */
#include "check.h"

#include <utility>

__host__ __device__ constexpr int squared(int i) {
  return i * i;
}
template <int... I>
__host__ __device__ int table_at(int i, std::integer_sequence<int, I...>) {
  constexpr int table[] = { squared(I)... };
  return table[i % (int)sizeof...(I)];
}
template <class F, int... I> __host__ __device__ int sum_over(F f, std::integer_sequence<int, I...>) {
  return (f(I) + ... + 0);
}
template <class T, std::size_t... I>
__host__ __device__ T dot(const T *a, const T *b, std::index_sequence<I...>) {
  return ((a[I] * b[sizeof...(I) - 1 - I]) + ...);
}

struct scaled {
  int by;
  __host__ __device__ int operator()(int i) const { return i * by + 1; }
};

struct body {
  __host__ __device__ int operator()(int i) const {
    int a[5] = { i, 2, 3, 4, 5 }, b[5] = { 1, i, 1, i, 7 };
    return table_at(i, std::make_integer_sequence<int, 12>()) + sum_over(scaled{ i }, std::make_integer_sequence<int, 6>()) +
           dot(a, b, std::make_index_sequence<5>());
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
