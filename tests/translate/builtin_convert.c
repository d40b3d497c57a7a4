/* SPDX-License-Identifier: MIT */
/*
 * builtin_convert - references for conversions, and for arithmetic with a rounding of its own: the host's own, in the
 * mode that is set. volatile: the compiler may neither calculate beforehand nor move an operation behind another mode.
 * No state.
 */
#include <fenv.h>
#include <math.h>
#include <stddef.h>

#include "translate/builtin_value.h"

/* ---- conversions ------------------------------------------------------------------------------------------ */

static long double whole_number(long double real, int rounding) {
  return rounding == FE_DOWNWARD    ? floorl(real)
         : rounding == FE_UPWARD    ? ceill(real)
         : rounding == FE_TONEAREST ? rintl(real)
                                    : truncl(real);
}

/* The nearest integer that the type has. A NaN becomes 0 from float to 32 bits, else the topmost bit alone. */
static void to_integer(const builtin_value *in, builtin_value *out, int rounding) {
  int width = 8 * builtin_type_size(out->type);
  bool is_signed = builtin_type_is_signed(out->type);
  long double whole = whole_number(in->real, rounding), greatest = ldexpl(1, width - is_signed) - 1,
              least = is_signed ? -ldexpl(1, width - 1) : 0;
  uint64_t top = (uint64_t)1 << (width - 1);
  if (isnan(in->real))
    builtin_value_set_bits(out, in->type == 'f' && width == 32 ? 0 : top);
  else if (whole >= greatest)
    builtin_value_set_bits(out, is_signed ? top - 1 : top - 1 + top);
  else if (whole <= least)
    builtin_value_set_bits(out, is_signed ? top : 0);
  else
    builtin_value_set_bits(out, whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole);
}

/* Each number of 64 bits and each double is a long double, so that what follows rounds once. */
static void to_real(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  builtin_value_set_real(out, in->real);
}

static void same_bits(const builtin_value *in, builtin_value *out, int rounding) {
  unsigned char bytes[8];
  (void)rounding;
  builtin_value_write(in, bytes);
  *out = builtin_value_read(out->type, bytes);
}

static void high_word(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  builtin_value_set_bits(out, in->bits >> 32);
}

static void low_word(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  builtin_value_set_bits(out, in->bits);
}

static void of_two_words(const builtin_value *in, builtin_value *out, int rounding) {
  uint64_t bits = in[0].bits << 32 | (in[1].bits & 0xffffffff);
  (void)rounding;
  *out = builtin_value_read('d', &bits);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------- */

#define ARITHMETIC(name, of_floats, of_doubles)                                                                      \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    volatile float f = (float)in[0].real, g = (float)in[1].real, h = (float)in[2].real, narrow = of_floats;          \
    volatile double d = (double)in[0].real, e = (double)in[1].real, k = (double)in[2].real, wide = of_doubles;       \
    (void)g, (void)h, (void)e, (void)k, (void)rounding;                                                              \
    out->real = out->type == 'f' ? (long double)narrow : (long double)wide;                                          \
  }

ARITHMETIC(sum, f + g, d + e)
ARITHMETIC(difference, f - g, d - e)
ARITHMETIC(product, f *g, d *e)
ARITHMETIC(quotient, f / g, d / e)
ARITHMETIC(reciprocal, 1 / f, 1 / d)
ARITHMETIC(root, sqrtf(f), sqrt(d))
ARITHMETIC(fused, fmaf(f, g, h), fma(d, e, k))

const builtin_reference builtin_convert_references[] = {
  { .name = "__double2float", .compute = to_real },
  { .name = "__double2hiint", .compute = high_word },
  { .name = "__double2loint", .compute = low_word },
  { .name = "__double2int", .compute = to_integer },
  { .name = "__double2ll", .compute = to_integer },
  { .name = "__double2uint", .compute = to_integer },
  { .name = "__double2ull", .compute = to_integer },
  { .name = "__float2int", .compute = to_integer },
  { .name = "__float2ll", .compute = to_integer },
  { .name = "__float2uint", .compute = to_integer },
  { .name = "__float2ull", .compute = to_integer },
  { .name = "__int2double", .compute = to_real },
  { .name = "__int2float", .compute = to_real },
  { .name = "__ll2double", .compute = to_real },
  { .name = "__ll2float", .compute = to_real },
  { .name = "__uint2double", .compute = to_real },
  { .name = "__uint2float", .compute = to_real },
  { .name = "__ull2double", .compute = to_real },
  { .name = "__ull2float", .compute = to_real },
  { .name = "__double_as_longlong", .compute = same_bits },
  { .name = "__float_as_int", .compute = same_bits },
  { .name = "__float_as_uint", .compute = same_bits },
  { .name = "__int_as_float", .compute = same_bits },
  { .name = "__uint_as_float", .compute = same_bits },
  { .name = "__longlong_as_double", .compute = same_bits },
  { .name = "__hiloint2double", .compute = of_two_words },
  { .name = "__dadd", .compute = sum },
  { .name = "__ddiv", .compute = quotient },
  { .name = "__dmul", .compute = product },
  { .name = "__drcp", .compute = reciprocal },
  { .name = "__dsqrt", .compute = root },
  { .name = "__dsub", .compute = difference },
  { .name = "__fadd", .compute = sum },
  { .name = "__fdiv", .compute = quotient },
  { .name = "__fmul", .compute = product },
  { .name = "__frcp", .compute = reciprocal },
  { .name = "__fsqrt", .compute = root },
  { .name = "__fsub", .compute = difference },
  { .name = "__fma", .compute = fused },
  { .name = "__fmaf", .compute = fused },
  { .name = "__fmaf_ieee", .compute = fused },
  { .name = "fdividef", .compute = quotient },
  { .name = "fma", .compute = fused },
  { .name = "sqrt", .compute = root },
  { .name = NULL },
};
