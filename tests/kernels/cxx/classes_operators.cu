/* SPDX-License-Identifier: MIT */
/* classes_operators - overloaded operators of all kinds on a number of two parts. */
#include "check.h"

class fraction {
  long long n_, d_;
  __host__ __device__ static long long common(long long a, long long b) {
    while (b != 0) {
      long long rest = a % b;
      a = b;
      b = rest;
    }
    return a < 0 ? -a : a;
  }

public:
  __host__ __device__ fraction(long long n, long long d = 1) : n_(n), d_(d) {
    long long c = common(n, d);
    n_ /= c, d_ /= c;
  }
  __host__ __device__ fraction operator-() const { return { -n_, d_ }; }
  __host__ __device__ fraction &operator+=(const fraction &o) { return *this = fraction(n_ * o.d_ + o.n_ * d_, d_ * o.d_); }
  __host__ __device__ fraction &operator++() { return *this += 1; }
  __host__ __device__ fraction operator++(int) {
    fraction before = *this;
    ++*this;
    return before;
  }
  __host__ __device__ friend fraction operator+(fraction a, const fraction &b) { return a += b; }
  __host__ __device__ friend fraction operator*(const fraction &a, const fraction &b) { return { a.n_ * b.n_, a.d_ * b.d_ }; }
  __host__ __device__ friend bool operator==(const fraction &a, const fraction &b) { return a.n_ == b.n_ && a.d_ == b.d_; }
  __host__ __device__ explicit operator double() const { return double(n_) / double(d_); }
  __host__ __device__ explicit operator bool() const { return n_ != 0; }
  __host__ __device__ long long operator[](int i) const { return i ? d_ : n_; }
  __host__ __device__ long long operator()(long long x) const { return n_ * x / d_; }
  __host__ __device__ fraction *operator->() { return this; }
  __host__ __device__ fraction operator,(int) const { return *this; }
  __host__ __device__ long long top() const { return n_; }
};

struct body {
  __host__ __device__ double operator()(int i) const {
    fraction a(i, 6), b = -fraction(3, 4);
    fraction c = a++ * b + 2, d = (c, 5);
    if (!a)
      return -1;
    return double(c[0] * 1000 + c[1]) + double(c == d) * 0.5 + double(a(60)) + double(d->top()) + double(d) * 4096;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
