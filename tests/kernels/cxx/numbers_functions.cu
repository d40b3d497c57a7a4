/* SPDX-License-Identifier: MIT */
/* numbers_functions - functions of mathematics for float and double by one template, within some units of the host's. */
#include "check.h"

#include <cmath>

template <class T> __host__ __device__ void evaluate(T x, T y, T *out) {
  using namespace std;
  const T all[] = { sin(x),      cos(x),       tan(x),     asin(y),    acos(y),     atan(x),     sinh(y),  cosh(y),
                    tanh(x),     exp(y),       exp2(y),    expm1(y),   log(x),      log2(x),     log10(x), log1p(x),
                    sqrt(x),     cbrt(x),      pow(x, y),  hypot(x, y), atan2(y, x), fmod(x, y), erf(y),   tgamma(x),
                    floor(x * y), ceil(x * y), trunc(x),   round(x),   fma(x, y, x), fdim(x, y), asinh(x), lgamma(x) };
  for (int i = 0; i < 32; i++)
    out[i] = all[i];
}

template <class T> __global__ void run(T *out) {
  T x = T(0.375) + T(threadIdx.x) * T(0.625), y = T(0.03125) + T(threadIdx.x) * T(0.0546875);
  evaluate(x, y, out + threadIdx.x * 32);
}

template <class T> void check(T most) {
  items<T, 512> out;
  run<<<1, 16>>>(out.device);
  out.fetch();
  for (int i = 0; i < 16; i++) {
    T wanted[32];
    evaluate(T(0.375) + T(i) * T(0.625), T(0.03125) + T(i) * T(0.0546875), wanted);
    for (int k = 0; k < 32; k++) {
      T away = std::fabs(out[i * 32 + k] - wanted[k]), size = std::fabs(wanted[k]);
      check_item(away <= most * (size > 1 ? size : T(1)), i * 100 + k, "a function's value", __FILE__, __LINE__);
    }
  }
}

int main() {
  check<float>(4e-6f);
  check<double>(1e-14);
  return result();
}
