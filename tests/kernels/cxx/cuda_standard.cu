/* SPDX-License-Identifier: MIT */
/* cuda_standard - the standard library by its cuda::std:: names. */
#include "check.h"

#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace std_ = cuda::std;

template <class T, class = std_::enable_if_t<std_::is_arithmetic<T>::value>> __host__ __device__ T halved(T x) {
  return T(x / 2);
}

struct body {
  std_::pair<int, float> given;
  __host__ __device__ double operator()(int i) const {
    std_::array<int, 4> list = { { i, 2, 3, 4 } };
    std_::tuple<int, double> t(i, 0.5);
    std_::get<1>(t) += list[i % 4];
    auto pair = std_::make_pair(i, 2.5);
    std_::swap(list[0], list[3]);
    double all = std_::get<0>(t) + std_::get<1>(t) + pair.first * pair.second + given.first + given.second;
    for (int each : list)
      all = all * 2 + each;
    all += halved(i) + std_::numeric_limits<short>::max() + (double)list.size();
    return all + std_::is_same<std_::remove_const<const int>::type, int>::value;
  }
};

int main() {
  same_on_both<double>(body{ { 3, 0.25f } });
  return result();
}
