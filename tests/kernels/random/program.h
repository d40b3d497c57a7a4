/* SPDX-License-Identifier: MIT */
/*
 * program - what a program of random functions (generator.h) has besides: arithmetic that no value makes undefined, the
 * inputs, and a main() that runs each function on the device and on the host. Both must be the same to the last bit.
 *
 * NaNs are one: what their sign and their other bits are is not said by IEEE 754.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <type_traits>

#define BOTH __host__ __device__

typedef unsigned long long u64;
typedef _BitInt(7) bits7;
typedef unsigned _BitInt(11) bits11;
typedef unsigned _BitInt(23) bits23;
typedef _BitInt(37) bits37;
typedef unsigned _BitInt(61) bits61;
typedef int int4v __attribute__((ext_vector_type(4)));
enum colour : unsigned char { RED, GREEN = 7, BLUE = 200 };

/* ---- integers of each width ------------------------------------------------------------------------------- */

template <class T> struct integer {
  using natural = typename std::make_unsigned<T>::type;
  static constexpr int width = 8 * (int)sizeof(T);
  static constexpr bool is_signed = std::is_signed<T>::value;
};
template <> struct integer<bool> : integer<unsigned char> {
  static constexpr int width = 1;
};
template <int N> struct integer<_BitInt(N)> {
  using natural = unsigned _BitInt(N);
  static constexpr int width = N;
  static constexpr bool is_signed = true;
};
template <int N> struct integer<unsigned _BitInt(N)> {
  using natural = unsigned _BitInt(N);
  static constexpr int width = N;
  static constexpr bool is_signed = false;
};
template <class T> constexpr bool is_floating = std::is_floating_point<T>::value;

/* Any conversion: what is floating and does not fit is 0. */
template <class T, class S> BOTH constexpr T to(S x) {
  if constexpr (is_floating<S> && std::is_same<T, bool>::value) {
    return x != 0;
  } else if constexpr (is_floating<S> && !is_floating<T>) {
    double top = (double)(1ull << (integer<T>::width - 1 - integer<T>::is_signed)) * 2;
    return (integer<T>::is_signed ? (double)x >= -top : (double)x > -1.0) && (double)x < top ? (T)x : (T)0;
  } else {
    return (T)x;
  }
}

template <class A, class B> BOTH constexpr auto plus(A a, B b) {
  using result = decltype(a + b);
  if constexpr (is_floating<result>)
    return a + b;
  else
    return (result)((typename integer<result>::natural)a + (typename integer<result>::natural)b);
}
template <class A, class B> BOTH constexpr auto minus(A a, B b) {
  using result = decltype(a - b);
  if constexpr (is_floating<result>)
    return a - b;
  else
    return (result)((typename integer<result>::natural)a - (typename integer<result>::natural)b);
}
template <class A, class B> BOTH constexpr auto times(A a, B b) {
  using result = decltype(a * b);
  if constexpr (is_floating<result>)
    return a * b;
  else
    return (result)((typename integer<result>::natural)a * (typename integer<result>::natural)b);
}
template <class A, class B> BOTH constexpr auto over(A a, B b) {
  using result = decltype(a / b);
  result dividend = (result)a, divisor = (result)b;
  if constexpr (is_floating<result>)
    return dividend / divisor;
  else
    return divisor == 0 || (integer<result>::is_signed && divisor == (result)-1) ? dividend
                                                                                  : (result)(dividend / divisor);
}
template <class A, class B> BOTH constexpr auto rest(A a, B b) {
  using result = decltype(a % b);
  result dividend = (result)a, divisor = (result)b;
  return divisor == 0 || (integer<result>::is_signed && divisor == (result)-1) ? (result)0
                                                                                : (result)(dividend % divisor);
}
template <class A> BOTH constexpr auto negated(A a) { return minus((decltype(+a))0, a); }
template <class A, class B> BOTH constexpr auto left(A a, B b) {
  using result = decltype(+a);
  return (result)((typename integer<result>::natural)a << ((unsigned)b % (unsigned)integer<result>::width));
}
template <class A, class B> BOTH constexpr auto right(A a, B b) {
  using result = decltype(+a);
  return (result)((result)a >> ((unsigned)b % (unsigned)integer<result>::width));
}
template <class T> BOTH constexpr T ring(T x, int by) {
  constexpr unsigned width = (unsigned)integer<T>::width;
  unsigned n = (unsigned)by % width;
  return n == 0 ? x : (T)((T)(x << n) | (T)(x >> (width - n)));
}
template <class T> BOTH T sum_or(T a, T b, T otherwise) {
  T sum;
  return __builtin_add_overflow(a, b, &sum) ? otherwise : sum;
}
template <class T> BOTH T difference_or(T a, T b, T otherwise) {
  T difference;
  return __builtin_sub_overflow(a, b, &difference) ? otherwise : difference;
}
template <class T> BOTH T product_or(T a, T b, T otherwise) {
  T product;
  return __builtin_mul_overflow(a, b, &product) ? otherwise : product;
}

/* ---- bits ------------------------------------------------------------------------------------------------- */

BOTH inline unsigned bits_of(float x) {
  unsigned bits = 0x7fc00000;
  if (x == x)
    memcpy(&bits, &x, sizeof bits);
  return bits;
}
BOTH inline u64 bits_of(double x) {
  u64 bits = 0x7ff8000000000000;
  if (x == x)
    memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <class To, class From> BOTH To seen_as(From from) {
  To to;
  static_assert(sizeof to == sizeof from, "of one size");
  memcpy(&to, &from, sizeof to);
  return to;
}
template <class T> BOTH void mix(u64 &h, T x) {
  u64 bits;
  if constexpr (is_floating<T>)
    bits = (u64)bits_of(x);
  else
    bits = (u64)x;
  h = (h ^ bits) * 0x9e3779b97f4a7c15;
  h ^= h >> 29;
}

/* ---- inputs, and both sides ------------------------------------------------------------------------------- */

struct input {
  long long l;
  u64 m;
  double d, e;
  float f, g;
  int i, j;
  unsigned u;
  short s;
  unsigned short t;
  signed char c;
  unsigned char k;
  bool b;
  colour o;
};

constexpr int INPUTS = 32;

inline u64 random_bits(u64 &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 31;
}

/* Small numbers, numbers at the ends, and any. */
template <class T> T random_number(u64 &state) {
  u64 bits = random_bits(state);
  switch (bits >> 40 & 7) {
  case 0:
    return (T)(bits & 7);
  case 1:
    return (T)-(int)(bits & 7);
  case 2:
    return std::numeric_limits<T>::max();
  case 3:
    return std::numeric_limits<T>::lowest();
  case 4:
    return (T)(bits & 0xffff);
  }
  if constexpr (is_floating<T>)
    return (T)((double)(long long)bits / (double)(1 + (random_bits(state) & 0xffffff)));
  else
    return (T)(bits >> 7);
}

inline input random_input(u64 &state) {
  input in = {};
  in.l = random_number<long long>(state), in.m = random_number<u64>(state);
  in.d = random_number<double>(state), in.e = random_number<double>(state);
  in.f = random_number<float>(state), in.g = random_number<float>(state);
  in.i = random_number<int>(state), in.j = random_number<int>(state), in.u = random_number<unsigned>(state);
  in.s = random_number<short>(state), in.t = random_number<unsigned short>(state);
  in.c = random_number<signed char>(state), in.k = random_number<unsigned char>(state);
  in.b = random_bits(state) & 1, in.o = random_bits(state) & 1 ? BLUE : RED;
  return in;
}

typedef u64 function(const input &in);
typedef void kernel(const input *in, u64 *out);

/* A kernel runs several functions, and puts the results of each where they belong. */
template <int count, int kernels>
int compare(function *const (&functions)[count], kernel *const (&all)[kernels], u64 seed) {
  static input in[INPUTS];
  static u64 results[count][INPUTS];
  input *device_in;
  u64 *device_out;
  int differences = 0;
  for (input &one : in)
    one = random_input(seed);
  if (cudaMalloc(&device_in, sizeof in) != cudaSuccess || cudaMalloc(&device_out, sizeof results) != cudaSuccess ||
      cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice) != cudaSuccess)
    return fprintf(stderr, "no memory: %s\n", cudaGetErrorString(cudaGetLastError())), 2;
  for (kernel *one : all)
    one<<<1, INPUTS>>>(device_in, device_out);
  if (cudaMemcpy(results, device_out, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
    return fprintf(stderr, "a kernel fails: %s\n", cudaGetErrorString(cudaGetLastError())), 2;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < INPUTS; k++) {
      u64 expected = functions[i](in[k]);
      if (results[i][k] == expected)
        continue;
      differences++;
      fprintf(stderr, "f_%d(input %d) is %llx on the host, %llx on the device\n", i, k, expected, results[i][k]);
      break;
    }
  return differences != 0;
}

#endif
