/* SPDX-License-Identifier: MIT */
/* standard_utility - <utility>: pairs, swap, exchange, move, forward, as_const, index sequences. */
/* options: -std=c++20 --expt-relaxed-constexpr */
#include "check.h"

#include <utility>

using range = std::pair<int, double>;

template <class F, class... A> __host__ __device__ constexpr auto called(F &&f, A &&...a) {
  return std::forward<F>(f)(std::forward<A>(a)...);
}
struct chooser {
  __host__ __device__ constexpr int operator()(int &) const { return 1; }
  __host__ __device__ constexpr int operator()(const int &) const { return 2; }
  __host__ __device__ constexpr int operator()(int &&) const { return 3; }
};

struct body {
  __host__ __device__ double operator()(int i) const {
    range a(i, 0.5), b = std::make_pair(7, i * 0.25);
    std::swap(a, b);
    int old = std::exchange(a.first, 100), list[3] = { i, 2, 3 }, other[3] = { 4, 5, 6 };
    std::swap(list, other);
    auto [first, second] = b;
    const int fixed = 4;
    int kinds = called(chooser(), i) * 100 + called(chooser(), fixed) * 10 + called(chooser(), std::move(old));
    return a.first + a.second + first + second + old + list[0] * 3 + other[0] * 5 + kinds + (a < b) * 10000 +
           called(chooser(), std::as_const(i)) + std::get<0>(b) + (b == range(i, 0.5)) * 20000;
  }
};

__global__ void change(std::pair<float, short> *list) {
  auto &[weight, count] = list[threadIdx.x];
  weight *= 2;
  std::swap(list[threadIdx.x].second, count);
  count = (short)(count + 1);
}

int main() {
  same_on_both<double>(body{});
  items<std::pair<float, short>, 4> list;
  for (int i = 0; i < 4; i++)
    list.host[i] = { (float)i, (short)(i * 10) };
  list.send();
  change<<<1, 4>>>(list.device);
  list.fetch();
  EXPECT_EACH(4, list[i].first == 2 * (float)i && list[i].second == i * 10 + 1);
  return result();
}
