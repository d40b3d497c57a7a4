/* SPDX-License-Identifier: MIT */
/* templates_specialised - whole and partial specialisations of classes, and whole ones of functions and kernels. */
#include "check.h"

template <class T> struct name_of {
  static constexpr int value = 1;
};
template <> struct name_of<float> {
  static constexpr int value = 2;
};
template <class T> struct name_of<T *> {
  static constexpr int value = 10 + name_of<T>::value;
};
template <class T, int N> struct name_of<T[N]> {
  static constexpr int value = 100 * N + name_of<T>::value;
};
template <class T> struct name_of<const T> {
  static constexpr int value = 1000 + name_of<T>::value;
};
template <class R, class... A> struct name_of<R(A...)> {
  static constexpr int value = 5000 + (int)sizeof...(A);
};

template <class T> __host__ __device__ int rounded(T x) {
  return (int)x;
}
template <> __host__ __device__ int rounded<float>(float x) {
  return (int)(x + 0.5f);
}

template <class T> __global__ void write(int *out) {
  out[threadIdx.x] = name_of<T>::value + rounded(T(2)) + rounded(1.75f);
}
template <> __global__ void write<double>(int *out) {
  out[threadIdx.x] = -(int)threadIdx.x;
}

template <class T> void check(int wanted) {
  items<int, 8> out;
  write<T><<<1, 8>>>(out.device);
  out.fetch();
  EXPECT_EACH(8, out[i] == (wanted < 0 ? -i : wanted + 4));
}

int main() {
  check<int>(1);
  check<float>(2);
  check<const float>(1002);
  check<double>(-1);
  items<int, 1> names;
  static_assert(name_of<float *>::value == 12 && name_of<int[3]>::value == 301, "");
  static_assert(name_of<int(float, int)>::value == 5002, "");
  return result();
}
