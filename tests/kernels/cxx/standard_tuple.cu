/* SPDX-License-Identifier: MIT */
/* standard_tuple - std::tuple: made, taken apart, compared, applied, as a kernel's argument and in memory. */
/* options: -std=c++20 --expt-relaxed-constexpr */
#include "check.h"

#include <tuple>

using record = std::tuple<int, double, char>;

__host__ __device__ record made(int i) {
  return std::make_tuple(i, i * 0.5, (char)(i + 1));
}

struct body {
  std::tuple<int, float> given;
  __host__ __device__ double operator()(int i) const {
    record r = made(i), s = made(3);
    auto [a, b, c] = r;
    std::get<1>(s) += 10;
    auto both = std::tuple_cat(r, given);
    double total = std::apply([](auto... x) { return (double(x) + ...); }, both);
    int u = 0;
    double v = 0;
    char w = 0;
    std::tie(u, v, w) = s;
    return total + a + b + c + u + v + w + (r < s) * 1000 + (r == made(i)) * 5000 + std::get<char>(r) +
           std::tuple_size<decltype(both)>::value;
  }
};

__global__ void change(record *list, record by) {
  record &r = list[threadIdx.x];
  std::get<0>(r) *= std::get<0>(by);
  std::get<1>(r) += std::get<1>(by);
  std::get<2>(r) = std::get<2>(by);
}

int main() {
  same_on_both<double>(body{ { 5, 0.25f } });
  items<record, 8> list;
  for (int i = 0; i < 8; i++)
    list.host[i] = made(i);
  list.send();
  change<<<1, 8>>>(list.device, record(3, 0.75, 'x'));
  list.fetch();
  EXPECT_EACH(8, list[i] == record(i * 3, i * 0.5 + 0.75, 'x'));
  return result();
}
