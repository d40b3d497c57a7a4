/* SPDX-License-Identifier: MIT */
/*
 * numbers_widths - integers of widths that C has no type for, checked and saturated arithmetic of narrow ones, the lowest bit of
 * the least integer, and what LLVM adds up over neighbours: all found by random functions.
 */
#include "check.h"

typedef _BitInt(7) narrow;
typedef unsigned _BitInt(23) middle;
typedef _BitInt(37) wide;

struct odd_arithmetic {
  __host__ __device__ long long operator()(int i) const {
    narrow a = (narrow)(i * 3 - 64), b = (narrow)(17 - i);
    middle m = (middle)(i * 99991), n = (middle)((middle)(m << 5) | (middle)(m >> 18));
    wide w = (wide)i * -2147483647, x = (wide)(w / 3);
    return (long long)(a < b ? a : b) * 1000000 + (long long)n + (long long)(x >> (i & 15)) + (long long)(w < 0 ? -w : w);
  }
};

/* In memory they take whole bytes, and two are never one value. */
struct odd_in_memory {
  __host__ __device__ long long operator()(int i) const {
    static constexpr wide table[4] = { 456, 650, -942, -68719476736 };
    narrow list[5] = { (narrow)i, (narrow)(i + 1), (narrow)-i, 3, (narrow)(i ^ 5) };
    middle pair[2] = { (middle)(i * 77), (middle)(i << 17) };
    list[i % 5] = (narrow)(list[(i + 1) % 5] >> 1);
    pair[i & 1] = (middle)(pair[i >> 1 & 1] + 1);
    return (long long)table[i & 3] + (long long)list[i % 4] * 1000 + (long long)pair[i >> 2 & 1];
  }
};

template <class T> __host__ __device__ T checked(T a, T b) {
  T sum, difference, product;
  int overflows = __builtin_add_overflow(a, b, &sum) + 2 * __builtin_sub_overflow(a, b, &difference) +
                  4 * __builtin_mul_overflow(a, b, &product);
  return (T)(sum ^ difference ^ product ^ (T)overflows);
}
struct overflows {
  __host__ __device__ long long operator()(int i) const {
    int a = i * 4177 - 90000, b = 7001 - i * 311;
    return checked<signed char>((signed char)a, (signed char)b) + 3ll * checked<unsigned char>((unsigned char)a, (unsigned char)b) +
           5ll * checked<short>((short)a, (short)b) + 7ll * checked<unsigned short>((unsigned short)a, (unsigned short)b) +
           11ll * checked<int>(a << 12, b) + 13ll * (checked<long long>((long long)a << 40, b) >> 8);
  }
};

/* A negative number has no bits above its width, or a choice among numbers would miss it. */
struct from_floating {
  __host__ __device__ int operator()(int i) const {
    double real = i * 0.75 - 24;
    narrow a = (narrow)real;
    wide b = (wide)(real * 1e8);
    int chosen;
    switch (a) {
    case -1: chosen = 100; break;
    case 0: chosen = 200; break;
    case 5: chosen = 300; break;
    default: chosen = 400;
    }
    return chosen + (a == (narrow)-2) + 2 * (b == (wide)-75000000) + (int)a * 8;
  }
};

struct lowest_bit {
  __host__ __device__ int operator()(int i) const {
    unsigned long long wide_bits = 1ull << 63 | (unsigned long long)(i & 1) << (i & 62);
    unsigned bits = 0x80000000u | (unsigned)(i & 2) << (i & 15);
    return __builtin_ctzll(wide_bits) * 100 + __builtin_ctz(bits) + __builtin_ffs((int)bits) * 10000;
  }
};

struct folded {
  __host__ __device__ unsigned operator()(int i) const {
    typedef unsigned char four __attribute__((ext_vector_type(4)));
    typedef int four_signed __attribute__((ext_vector_type(4)));
    four v = { (unsigned char)i, (unsigned char)(i * 7), (unsigned char)(i >> 1), 200 };
    four_signed s = { i - 30, 5 - i, i * -3, 12 };
    return (unsigned)__builtin_reduce_xor(v) + 256u * __builtin_reduce_add(v) + 65536u * __builtin_reduce_max(v) +
           (unsigned)(__builtin_reduce_min(s) * 31 + __builtin_reduce_max(s) + __builtin_reduce_add(s)) * 4096u;
  }
};

int main() {
  same_on_both<long long>(odd_arithmetic{});
  same_on_both<long long>(odd_in_memory{});
  same_on_both<long long>(overflows{});
  same_on_both<int>(from_floating{});
  same_on_both<int>(lowest_bit{});
  same_on_both<unsigned>(folded{});
  return result();
}
