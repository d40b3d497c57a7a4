/* SPDX-License-Identifier: MIT */
/*
 * half_conversions - numbers of 16 bits from float, double and integers of all widths by each rounding, and back, where
 * integers end at their limits.
 */
#include "half.h"

enum { COUNT = 16384, WAYS = 4 };

/* ---- to integers, of all numbers -------------------------------------------------------------------------------- */

enum { INTEGERS = 26 };

#define WAYS_OF(name, T)                                                                                             \
  (long long)name##_rn(a), (long long)name##_rz(a), (long long)name##_rd(a), (long long)name##_ru(a)
#define ALL_INTEGERS(prefix)                                                                                         \
  WAYS_OF(prefix##short, short), WAYS_OF(prefix##ushort, unsigned short), WAYS_OF(prefix##int, int),                 \
      WAYS_OF(prefix##uint, unsigned), WAYS_OF(prefix##ll, long long), WAYS_OF(prefix##ull, unsigned long long),     \
      (long long)prefix##char_rz(a), (long long)prefix##uchar_rz(a)

template <class T> __global__ void to_integers(long long *out);
template <> __global__ void to_integers<__half>(long long *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half a = __ushort_as_half((unsigned short)i);
  const long long all[] = { ALL_INTEGERS(__half2) };
  for (int n = 0; n < INTEGERS; n++)
    out[n * ALL + i] = all[n];
}
template <> __global__ void to_integers<__nv_bfloat16>(long long *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 a = __ushort_as_bfloat16((unsigned short)i);
  const long long all[] = { ALL_INTEGERS(__bfloat162) };
  for (int n = 0; n < INTEGERS; n++)
    out[n * ALL + i] = all[n];
}

static long long integer_of(double x, int bits, bool is_signed, rounding way) {
  const double limit = ldexp(1, bits - is_signed);
  const long long uppermost = (long long)(1ull << (bits - 1));
  if (isnan(x))
    return bits == 64 ? uppermost : 0;
  const double whole = way == NEAREST ? rint(x) : way == ZERO ? trunc(x) : way == DOWN ? floor(x) : ceil(x);
  if (whole >= limit)
    return is_signed ? (long long)(1ull << (bits - 1)) - 1 : bits == 64 ? -1ll : (long long)(1ull << bits) - 1;
  if (whole < (is_signed ? -limit : 0))
    return is_signed ? (long long)(0 - (1ull << (bits - 1))) : 0;
  return is_signed ? (long long)whole : (long long)(unsigned long long)whole;
}

template <class T> static void integers(const char *name) {
  static const int widths[] = { 16, 16, 32, 32, 64, 64 };
  items<long long, INTEGERS *ALL> *out = new items<long long, INTEGERS * ALL>;
  to_integers<T><<<ALL / 64, 64>>>(out->device);
  out->fetch();
  for (int n = 0; n < INTEGERS; n++)
    for (unsigned i = 0; i < ALL; i++) {
      const double x = value_of(kind_of<T>::form(), i);
      const int bits = n >= 24 ? 8 : widths[n / 4];
      const bool is_signed = n >= 24 ? n == 24 : n / 4 % 2 == 0;
      const long long wanted = integer_of(x, bits, is_signed, n >= 24 ? ZERO : (rounding)(n % 4));
      const long long got = out->host[n * ALL + (int)i];
      if (got != wanted && failures++ < 20)
        fprintf(stderr, "%s: integer %d of %04x is %llx, not %llx\n", name, n, i, got, wanted);
    }
  delete out;
}

/* ---- from wider ones --------------------------------------------------------------------------------------------- */

struct wide {
  double d;
  float f;
  long long x;
};

enum { CONVERSIONS = 29 };

#define FROM(name, value) name##_rn(value), name##_rz(value), name##_rd(value), name##_ru(value)
#define FROM_ALL(to)                                                                                                 \
  FROM(__float2##to, in.f), FROM(__short2##to, (short)in.x), FROM(__ushort2##to, (unsigned short)in.x),              \
      FROM(__int2##to, (int)in.x), FROM(__uint2##to, (unsigned)in.x), FROM(__ll2##to, in.x),                         \
      FROM(__ull2##to, (unsigned long long)in.x), __double2##to(in.d)

template <class T> __global__ void from_wide(const wide *given, unsigned short *out);
template <> __global__ void from_wide<__half>(const wide *given, unsigned short *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const wide in = given[i];
  const __half all[] = { FROM_ALL(half) };
  for (int n = 0; n < CONVERSIONS; n++)
    out[n * COUNT + i] = (unsigned short)bits_of(all[n]);
}
template <> __global__ void from_wide<__nv_bfloat16>(const wide *given, unsigned short *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const wide in = given[i];
  const __nv_bfloat16 all[] = { FROM_ALL(bfloat16) };
  for (int n = 0; n < CONVERSIONS; n++)
    out[n * COUNT + i] = (unsigned short)bits_of(all[n]);
}

/* An integer in double, odd where it has more than its 53 bits. */
static double double_of(unsigned long long size) {
  if (size >> 53 == 0)
    return (double)size;
  return (double)(size >> 11 | ((size & 0x7ff) != 0)) * 2048;
}

static double source(int n, const wide &in) {
  switch (n / 4) {
  case 0:
    return in.f;
  case 1:
    return (short)in.x;
  case 2:
    return (unsigned short)in.x;
  case 3:
    return (int)in.x;
  case 4:
    return (unsigned)in.x;
  case 5:
    return in.x < 0 ? -double_of(0 - (unsigned long long)in.x) : double_of((unsigned long long)in.x);
  case 6:
    return double_of((unsigned long long)in.x);
  default:
    return in.d;
  }
}

/* Numbers near those of the kind, and near the middles between two. */
static wide any_wide(format f, unsigned i, unsigned long long *state) {
  wide in;
  const double number = value_of(f, next_random(state) & 0xffff), next = ldexp(1, -f.fraction - 1);
  in.d = number * (i % 3 == 0 ? 1 : 1 + next);
  if (i % 4 == 1)
    in.d = nextafter(in.d, i % 8 == 1 ? INFINITY : -INFINITY);
  in.f = i % 2 ? (float)in.d : nextafterf((float)in.d, 0);
  if (i % 16 == 3)
    in.d = ldexp((double)next_random(state), (int)(next_random(state) % 400) - 200);
  unsigned long long bits = (unsigned long long)next_random(state) << 33 ^ (unsigned long long)next_random(state)
                                                                               << 7;
  bits = (bits ^ next_random(state)) >> next_random(state) % 64;
  if (i % 5 == 0) /* a middle between two, or one beside it */
    bits = ((1ull << (f.fraction + 1)) | 1 | (bits & 0xfe)) << next_random(state) % 55,
    bits += next_random(state) % 3 - 1ull;
  in.x = (long long)(i % 2 ? bits : 0 - bits);
  return in;
}

template <class T> static void wide_ones(const char *name, unsigned long long state) {
  const format f = kind_of<T>::form();
  items<wide, COUNT> *in = new items<wide, COUNT>;
  items<unsigned short, CONVERSIONS *COUNT> *out = new items<unsigned short, CONVERSIONS * COUNT>;
  for (unsigned i = 0; i < COUNT; i++)
    in->host[i] = any_wide(f, i, &state);
  in->send();
  from_wide<T><<<COUNT / 64, 64>>>(in->device, out->device);
  out->fetch();
  for (int n = 0; n < CONVERSIONS; n++)
    for (int i = 0; i < COUNT; i++) {
      const double x = source(n, in->host[i]);
      const unsigned got = out->host[n * COUNT + i], wanted = rounded(f, x, (rounding)(n % 4));
      const bool are_nan = std::isnan(value_of(f, got)) && std::isnan(value_of(f, wanted)); /* any NaN is one */
      if (got != wanted && !are_nan && failures++ < 20)
        fprintf(stderr, "%s: conversion %d of %a (%llx) is %04x, not %04x\n", name, n, x, in->host[i].x, got, wanted);
    }
  delete in;
  delete out;
}

/* ---- by the classes ---------------------------------------------------------------------------------------------- */

template <class T> __global__ void by_class(const wide *given, double *out) {
  const unsigned i = threadIdx.x;
  const wide in = given[i];
  T a = in.f, b = in.d, c = (int)in.x, d = (unsigned long long)in.x, e;
  e = (short)in.x;
  out[i] = (float)a + 2.0 * (float)b + 3.0 * (float)c + 5.0 * (float)d + 7.0 * (float)e + (int)a + (long long)b +
           (unsigned char)c;
  out[i] += (bool)a ? 0.25 : 0.125;
  __half h(__nv_bfloat16(1.5f));
  out[i] += (float)h;
}
template <class T> static void classes() {
  const format f = kind_of<T>::form();
  items<wide, 64> in;
  items<double, 64> out;
  for (int i = 0; i < 64; i++)
    in.host[i] = { 0.3 * i, 1.7f * (float)(i - 20), i * 5 };
  in.send();
  by_class<T><<<1, 64>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const double a = value_of(f, rounded(f, in[i].f, NEAREST)), b = value_of(f, rounded(f, in[i].d, NEAREST));
    const double c = value_of(f, rounded(f, (double)in[i].x, NEAREST));
    double sum = a + 2 * b + 15 * c + trunc(a) + trunc(b) + (double)integer_of(c, 8, false, ZERO);
    sum += (a != 0 ? 0.25 : 0.125) + 1.5;
    check_item(fabs(out[i] - sum) < 1e-9, i, "constructors and conversions of the class", __FILE__, __LINE__);
  }
}

int main() {
  integers<__half>("__half");
  integers<__nv_bfloat16>("__nv_bfloat16");
  wide_ones<__half>("__half", 3);
  wide_ones<__nv_bfloat16>("__nv_bfloat16", 4);
  classes<__half>();
  classes<__nv_bfloat16>();
  return result();
}
