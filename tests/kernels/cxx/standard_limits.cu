/* SPDX-License-Identifier: MIT */
/* standard_limits - <limits>, <climits>, <cfloat> and <cstdint> in kernels. */
/* options: --expt-relaxed-constexpr */
#include "check.h"

#include <cfloat>
#include <climits>
#include <cstdint>
#include <limits>

template <class T> __global__ void run(T *out) {
  using l = std::numeric_limits<T>;
  const T all[] = { l::max(), l::min(), l::lowest(), l::epsilon(), T(l::digits), T(l::is_signed), T(l::is_integer),
                    l::has_infinity ? l::infinity() : T(5) };
  out[threadIdx.x] = all[threadIdx.x];
}
template <class T> void check() {
  using l = std::numeric_limits<T>;
  items<T, 8> out;
  run<<<1, 8>>>(out.device);
  out.fetch();
  EXPECT(out[0] == l::max() && out[1] == l::min() && out[2] == l::lowest() && out[3] == l::epsilon());
  EXPECT(out[4] == T(l::digits) && out[5] == T(l::is_signed) && out[6] == T(l::is_integer));
  EXPECT(out[7] == (l::has_infinity ? l::infinity() : T(5)));
}

struct fixed {
  __host__ __device__ double operator()(int i) const {
    int8_t a = INT8_MIN;
    uint16_t b = UINT16_MAX;
    int64_t c = INT64_MAX - i;
    uintptr_t d = (uintptr_t)i;
    return a + b + (double)c + INT_MAX + (double)LLONG_MIN + CHAR_BIT + FLT_MAX / 1e30 + DBL_EPSILON * 1e16 + (double)d;
  }
};

int main() {
  check<int>();
  check<unsigned char>();
  check<short>();
  check<long long>();
  check<unsigned long>();
  check<float>();
  check<double>();
  check<bool>();
  same_on_both<double>(fixed{});
  return result();
}
