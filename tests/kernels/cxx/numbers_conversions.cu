/* SPDX-License-Identifier: MIT */
/* numbers_conversions - from each arithmetic type to each: numbers that fit, halves, signs, truth. */
#include "check.h"

template <class From> struct body {
  template <class To> static __host__ __device__ double as(From x) { return double(To(x)); }
  __host__ __device__ double operator()(int i) const {
    From x = From(i * 1.75);
    double all = as<signed char>(x) + as<unsigned char>(x) * 2 + as<short>(x) * 3 + as<unsigned short>(x) * 4;
    all += as<int>(x) * 5 + as<unsigned>(x) * 6 + as<long long>(x) * 7 + as<unsigned long long>(x) * 8;
    return all * 2 + as<float>(x) * 9 + as<double>(x) * 10 + as<bool>(x) * 11;
  }
};
struct negative {
  __host__ __device__ double operator()(int i) const {
    float f = -1.5f * (float)i;
    double d = -2.25 * i;
    int whole = (int)f + (short)d + (signed char)(-i);
    long long wide = (long long)(d * 1e12) + (long long)f;
    unsigned wrapped = (unsigned)-i;
    return whole + (double)wide + wrapped + (double)(long long)wrapped + (float)(-i * 16777217ll) + (unsigned char)-i +
           (double)(unsigned long long)(1e19) + (double)(float)(0.1 * i);
  }
};

int main() {
  same_on_both<double>(body<int>{});
  same_on_both<double>(body<unsigned char>{});
  same_on_both<double>(body<short>{});
  same_on_both<double>(body<unsigned long long>{});
  same_on_both<double>(body<float>{});
  same_on_both<double>(body<double>{});
  same_on_both<double>(body<bool>{});
  same_on_both<double>(negative{});
  return result();
}
