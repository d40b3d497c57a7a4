/* SPDX-License-Identifier: MIT */
/* templates_alias - alias templates and variable templates. */
#include "check.h"

#include <type_traits>

template <class T> using pointer_to = T *;
template <class T> using bits_of = typename std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type;
template <class T> constexpr T third = T(1) / T(3);
template <class T> constexpr bool is_small = sizeof(T) < 4;
template <int N> constexpr int triangle = N + triangle<N - 1>;
template <> constexpr int triangle<0> = 0;

template <class T> __global__ void fill(pointer_to<T> out) {
  int i = (int)threadIdx.x;
  bits_of<T> bits = 1;
  bits <<= sizeof(T) * 8 - 2;
  out[i] = third<T> * T(i) + T(is_small<T> ? 100 : 0) + T(triangle<10>) + T(bits >> (sizeof(T) * 8 - 4));
}

template <class T> void check() {
  items<T, 32> out;
  fill<T><<<1, 32>>>(out.device);
  out.fetch();
  for (int i = 0; i < 32; i++) {
    T wanted = T(i) / T(3) + T(59), away = out[i] - wanted;
    EXPECT(std::is_integral<T>::value ? out[i] == T(59) : away < T(1e-4) && away > T(-1e-4));
  }
}

int main() {
  check<float>();
  check<double>();
  check<int>();
  check<long long>();
  return result();
}
