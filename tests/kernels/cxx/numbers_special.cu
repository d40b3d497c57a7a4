/* SPDX-License-Identifier: MIT */
/* numbers_special - infinities, NaN, signed zeros, subnormals: comparisons, classes, minimum and maximum, bits. */
#include "check.h"

#include <cmath>

template <class T> __global__ void classify(int *out, const T *x, int count) {
  int i = (int)threadIdx.x;
  T a = x[i % count], b = x[i / count];
  int all = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | !(a < b) << 6;
  all |= (isnan(a) ? 1 : 0) << 7 | (isinf(a) ? 1 : 0) << 8 | (isfinite(b) ? 1 : 0) << 9 | (signbit(a) ? 1 : 0) << 10;
  all |= (fmin(a, b) == b) << 11 | (fmax(a, b) == a) << 12 | (a - a == T(0)) << 13 | (copysign(T(1), b) < T(0)) << 14;
  all |= (a * T(0.5) == T(0)) << 15 | (fabs(b) == b) << 16;
  out[i] = all;
}

template <class T> int wanted(T a, T b) {
  int all = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | !(a < b) << 6;
  all |= std::isnan(a) << 7 | std::isinf(a) << 8 | std::isfinite(b) << 9 | std::signbit(a) << 10;
  all |= (std::fmin(a, b) == b) << 11 | (std::fmax(a, b) == a) << 12 | (a - a == T(0)) << 13;
  return all | (std::copysign(T(1), b) < T(0)) << 14 | (a * T(0.5) == T(0)) << 15 | (std::fabs(b) == b) << 16;
}

template <class T> void check(T tiny) {
  T zero = 0, list[] = { T(1), -zero, zero, T(1) / zero, T(-1) / zero, T(std::nan("")), T(-2.5), tiny };
  items<T, 8> x;
  items<int, 64> out;
  for (int i = 0; i < 8; i++)
    x.host[i] = list[i];
  x.send();
  classify<<<1, 64>>>(out.device, x.device, 8);
  out.fetch();
  EXPECT_EACH(64, out[i] == wanted(list[i % 8], list[i / 8]));
}

int main() {
  check<float>(1e-30f);
  check<double>(4.9e-324 * 8);
  return result();
}
