/* SPDX-License-Identifier: MIT */
/* templates_function - function templates: deduced, given and defaulted arguments, overloads, results by decltype. */
#include "check.h"

template <class T> __host__ __device__ T square(T x) {
  return x * x;
}
template <class To, class From> __host__ __device__ To converted(From x) {
  return static_cast<To>(x);
}
template <class A, class B> __host__ __device__ auto sum(A a, B b) -> decltype(a + b) {
  return a + b;
}
__host__ __device__ int kind(int) {
  return 1;
}
template <class T> __host__ __device__ int kind(T) {
  return 2;
}
template <class T> __host__ __device__ int kind(T *) {
  return 3;
}
template <class T = short> __host__ __device__ int bytes() {
  return (int)sizeof(T);
}
template <class T, int N> __host__ __device__ int length(const T (&)[N]) {
  return N;
}

struct body {
  __host__ __device__ double operator()(int i) const {
    int list[7] = { i };
    double total = square(i) + square(0.5 * i) + converted<unsigned char>(i * 40) + sum(i, 0.25f);
    return total + kind(i) * 10 + kind(0.5) * 100 + kind(list) * 1000 + bytes() + bytes<long long>() + length(list);
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
