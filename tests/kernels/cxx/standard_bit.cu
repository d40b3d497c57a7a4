/* SPDX-License-Identifier: MIT */
/* standard_bit - C++20's <bit>, <numbers>, <concepts> and <span> in kernels. */
/* options: -std=c++20 --expt-relaxed-constexpr */
#include "check.h"

#include <bit>
#include <concepts>
#include <numbers>
#include <span>

template <std::integral T> __host__ __device__ int bits(T x) {
  return std::popcount(std::make_unsigned_t<T>(x)) + std::countl_zero(std::make_unsigned_t<T>(x));
}
template <std::floating_point T> __host__ __device__ T circle(T r) {
  return std::numbers::pi_v<T> * r;
}
__host__ __device__ int sum(std::span<const int> list) {
  int all = 0;
  for (std::size_t i = 0; i < list.size(); i++)
    all = all * 3 + list[i];
  return all + (list.empty() ? 100 : 0);
}

struct body {
  __host__ __device__ unsigned long long operator()(int i) const {
    unsigned x = (unsigned)i * 0x01000193u;
    int list[6] = { i, 1, 2, 3, 4, 5 };
    std::span<int> all(list);
    all[1] += 10;
    unsigned long long value = std::rotl(x, i) + std::rotr(x, 3) + std::bit_ceil((unsigned)i + 1) + std::bit_width(x);
    value += std::countr_zero(x) * 1000u + std::has_single_bit(x) + std::bit_floor(x) + (unsigned)bits(i) + (unsigned)bits((short)i);
    value += std::bit_cast<unsigned>(0.5f * (float)i) + std::bit_cast<unsigned long long>(circle(1.0) + 0 * i);
    return value + (unsigned)sum(all) + (unsigned)sum(all.subspan(2, 3)) + (unsigned)sum(all.first(0));
  }
};

int main() {
  same_on_both<unsigned long long>(body{});
  return result();
}
