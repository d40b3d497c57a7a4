/* SPDX-License-Identifier: MIT */
/* standard_algorithm - the parts of <algorithm> and <numeric> that are constexpr: in C++20 nearly all. */
/* options: -std=c++20 --expt-relaxed-constexpr */
#include "check.h"

#include <algorithm>
#include <numeric>

struct body {
  __host__ __device__ int operator()(int i) const {
    int list[10], copy[10];
    for (int k = 0; k < 10; k++)
      list[k] = (k * 7 + i) % 13;
    std::copy(list, list + 10, copy);
    int all = std::min(i, 5) + std::max({ i, 7, 3 }) * 2 + std::clamp(i, 4, 9) * 3;
    all += (int)std::count(list, list + 10, 3) + *std::max_element(list, list + 10) * 5;
    all += (int)(std::find(list, list + 10, 12) - list) * 7 + std::accumulate(list, list + 10, 0);
    std::reverse(copy, copy + 10);
    all += std::inner_product(list, list + 10, copy, 0) + (std::equal(list, list + 10, copy) ? 1000 : 0);
    all += std::all_of(list, list + 10, [](int x) { return x < 12; }) * 2000;
    all += (int)(std::lower_bound(copy, copy + 1, i) - copy) + std::gcd(i, 12) * 100 + std::lcm(i + 1, 4);
    std::fill(copy, copy + 5, i);
    std::transform(copy, copy + 10, list, [i](int x) { return x * 2 + i; });
    return all + list[0] + list[9] + std::minmax(i, 9).second;
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
