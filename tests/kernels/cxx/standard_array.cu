/* SPDX-License-Identifier: MIT */
/* standard_array - std::array: in kernels, by value, in memory, nested, its members that are constexpr. */
/* options: --expt-relaxed-constexpr */
#include "check.h"

#include <array>

template <class T, std::size_t N> __host__ __device__ constexpr T sum(const std::array<T, N> &list) {
  T all = T();
  for (const T &each : list)
    all += each;
  return all;
}
using matrix = std::array<std::array<float, 3>, 2>;

__global__ void run(double *out, std::array<int, 5> given, matrix *in) {
  int i = (int)threadIdx.x;
  std::array<double, 4> own = { { 0.5, 1.5, 2.5 } };
  own[i % 4] += i;
  own.back() = 7;
  matrix m = *in;
  m[1][i % 3] *= 2;
  double all = sum(given) + sum(own) + sum(m[0]) * 10 + sum(m[1]) * 100 + own.front() + (double)own.size();
  for (auto p = given.begin(); p != given.end(); ++p)
    all += *p * i;
  auto copy = given;
  copy[2] = 9;
  out[i] = all + std::get<2>(copy) + given[2] + (copy.empty() ? 1000 : 0) + own.data()[1];
}

int main() {
  items<double, 12> out;
  items<matrix, 1> in;
  std::array<int, 5> given = { { 1, 2, 3, 4, 5 } };
  in.host[0] = { { { { 1, 2, 3 } }, { { 4, 5, 6 } } } };
  in.send();
  run<<<1, 12>>>(out.device, given, in.device);
  out.fetch();
  for (int i = 0; i < 12; i++) {
    double own[4] = { 0.5, 1.5, 2.5, 0 };
    own[i % 4] += i;
    own[3] = 7;
    double wanted = 15 + own[0] + own[1] + own[2] + own[3] + 60 + (15 + 4 + i % 3) * 100 + own[0] + 4 + 15 * i + 9 + 3 + own[1];
    check_item(out[i] == wanted, i, "sums of arrays", __FILE__, __LINE__);
  }
  return result();
}
