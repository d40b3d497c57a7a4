/* SPDX-License-Identifier: MIT */
/* standard_cmath - <cmath>, <cstdlib> and <cstring> by their std:: names, with the overloads C++ has. */
#include "check.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

__global__ void run(double *out, const double *in) {
  int i = (int)threadIdx.x;
  double x = in[i];
  float f = (float)x;
  double all = std::abs(-i) + std::abs(-x) + std::fabs(-f) + std::sqrt(f * f) + std::pow(2.0, 3) + std::floor(x) + std::ceil(f);
  all += std::fmin(x, 1.0) + std::fmax(f, 2.0f) + std::round(f) + std::trunc(-x) + std::copysign(3.0, -x) + std::fma(2.0, x, 1.0);
  int exponent = 0;
  double whole = 0;
  all += std::frexp(x + 1, &exponent) + std::ldexp(1.0, i % 8) + std::modf(x, &whole);
  all += exponent * 10 + whole + std::isnan(x) + std::isfinite(f) + std::signbit(-x - 1) + std::hypot(3.0, 4.0) + std::cbrt(27.0);
  all += std::exp2(3.0f) + std::log2(8.0f) + std::remainder(7.0, 4.0) + std::fmod(7.5f, 2.0f) + std::abs(-5ll);
  char text[8];
  std::memset(text, 1, sizeof text);
  std::memcpy(text + 2, &i, sizeof i);
  all += text[0] + text[2] + text[7];
  out[i] = all;
}

int main() {
  items<double, 32> out, in;
  for (int i = 0; i < 32; i++)
    in.host[i] = i * 0.375;
  in.send();
  run<<<1, 32>>>(out.device, in.device);
  out.fetch();
  for (int i = 0; i < 32; i++) {
    double x = i * 0.375, whole = 0;
    int exponent = 0;
    double wanted = i + x + x + x + 8 + std::floor(x) + std::ceil(x) + (x < 1 ? x : 1) + (x > 2 ? x : 2) + std::round(x) - std::trunc(x);
    wanted += -3 + 2 * x + 1 + std::frexp(x + 1, &exponent) + (1 << i % 8) + std::modf(x, &whole) + exponent * 10 + whole;
    wanted += 1 + 1 + 5 + 3 + 8 + 3 - 1 + 1.5 + 5 + 1 + i + 1;
    check_item(std::fabs(out[i] - wanted) < 1e-4, i, "functions of <cmath>", __FILE__, __LINE__);
  }
  return result();
}
