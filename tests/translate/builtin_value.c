/* SPDX-License-Identifier: MIT */
/* builtin_value - see the header: numbers of all types, which are tried, and when two are the same. No state. */
#include "translate/builtin_value.h"

#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "support/support.h"

bool builtin_type_is_real(char type) {
  return type == 'f' || type == 'd';
}

bool builtin_type_is_signed(char type) {
  return strchr("csilx", type) != NULL;
}

int builtin_type_size(char type) {
  return strchr("bc", type) != NULL ? 1 : type == 's' ? 2 : strchr("ijf", type) != NULL ? 4 : 8;
}

void builtin_value_set_bits(builtin_value *value, uint64_t bits) {
  int unused = 64 - 8 * builtin_type_size(value->type);
  bits <<= unused;
  value->bits = builtin_type_is_signed(value->type) ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
  value->real = builtin_type_is_signed(value->type) ? (long double)(int64_t)value->bits : (long double)value->bits;
}

void builtin_value_set_real(builtin_value *value, long double real) {
  volatile float narrow = (float)real;
  volatile double wide = (double)real;
  value->real = value->type == 'f' ? (long double)narrow : (long double)wide;
}

builtin_value builtin_value_read(char type, const void *bytes) {
  builtin_value value = { .type = type };
  uint64_t bits = 0;
  float narrow;
  double wide;
  memcpy(&bits, bytes, (size_t)builtin_type_size(type));
  memcpy(&narrow, &bits, sizeof narrow);
  memcpy(&wide, &bits, sizeof wide);
  if (builtin_type_is_real(type)) {
    value.bits = bits;
    value.real = type == 'f' ? (long double)narrow : (long double)wide;
  } else {
    builtin_value_set_bits(&value, bits);
  }
  return value;
}

void builtin_value_write(const builtin_value *value, void *bytes) {
  memcpy(bytes, &value->bits, (size_t)builtin_type_size(value->type));
}

/* ---- inputs ----------------------------------------------------------------------------------------------- */

enum { EDGES = 32, EDGES_OF_THREE = 10 };

/* Those that matter most come first: of three arguments only these are combined. */
static const int64_t integer_edges[EDGES] = { 0,
                                              1,
                                              -1,
                                              INT_MAX,
                                              INT_MIN,
                                              2,
                                              32,
                                              0x55aa1234,
                                              LLONG_MIN,
                                              LLONG_MAX,
                                              3,
                                              31,
                                              33,
                                              5,
                                              -2,
                                              63,
                                              64,
                                              0xffffffff,
                                              0x100000000,
                                              0x800000,
                                              0x7fffff,
                                              -0x123456,
                                              -100,
                                              0x12345,
                                              0x7654,
                                              0xbf8c,
                                              16777217,
                                              0x123456789abcdef,
                                              -0x7654321012345678,
                                              0x3fffffff,
                                              0x4000000180000001,
                                              7 };

static const float float_edges[EDGES] = { 0,       1,       -1.5f,    INFINITY,  NAN,   -0.0f, FLT_MAX,   -FLT_MIN,
                                          2.5f,    0.3f,    -1,       -INFINITY, 0.5f,  -0.5f, -2.5f,     FLT_MIN,
                                          1e-44f,  -1e-40f, -FLT_MAX, 1.5f,      3,     -3,    10,        -10.25f,
                                          0.9999f, 100,     1e-5f,    2e9f,      -3e9f, 1e19f, 16777217., 7.75f };

static const double double_edges[EDGES] = {
  0,      1,    -1.5, INFINITY,     NAN,    -0.0,    DBL_MAX,           -DBL_MIN, 2.5, 0.3, -1, -INFINITY,
  0.5,    -0.5, -2.5, DBL_MIN,      5e-324, -1e-310, -DBL_MAX,          1.5,      3,   -3,  10, -10.25,
  0.9999, 100,  1e-5, 2147483647.5, -3e9,   1e19,    4503599627370497., -9.3e18
};

static uint64_t drawn_number(uint64_t seed) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u;
  return support_random(&state);
}

/* Of any magnitude, or, every other one, of about one. */
static double drawn_real(bool is_float, uint64_t draw, bool of_any_magnitude) {
  double mantissa = (double)(draw >> 11) * 0x1p-53 * 2 - 1;
  int range = is_float ? 126 : 1022;
  return of_any_magnitude ? ldexp(mantissa, (int)(draw % (uint64_t)(2 * range)) - range) : mantissa * 8;
}

static builtin_value edge_value(char type, int edge) {
  builtin_value value = { .type = type };
  unsigned char bytes[8];
  if (!builtin_type_is_real(type)) {
    builtin_value_set_bits(&value, type == 'b' ? (uint64_t)edge & 1 : (uint64_t)integer_edges[edge]);
    return value;
  }
  if (type == 'f')
    memcpy(bytes, &float_edges[edge], sizeof float_edges[edge]);
  else
    memcpy(bytes, &double_edges[edge], sizeof double_edges[edge]);
  return builtin_value_read(type, bytes);
}

static builtin_value drawn_value(char type, uint64_t draw, int index) {
  builtin_value value = { .type = type };
  unsigned char bytes[8];
  if (!builtin_type_is_real(type)) {
    builtin_value_set_bits(&value, draw);
    return value;
  }
  double real = drawn_real(type == 'f', draw, index % 2 == 0);
  float narrow = (float)real;
  if (type == 'f')
    memcpy(bytes, &narrow, sizeof narrow);
  else
    memcpy(bytes, &real, sizeof real);
  return builtin_value_read(type, bytes);
}

builtin_value builtin_value_input(char type, int index, int argument, int arguments) {
  uint64_t draw = drawn_number((uint64_t)index * 8 + (uint64_t)argument + 1);
  if (arguments == 1 && index < EDGES)
    return edge_value(type, index);
  if (arguments == 2)
    return edge_value(type, argument == 0 ? index / EDGES : index % EDGES);
  int rest = index;
  for (int i = 0; i < argument; i++)
    rest /= EDGES_OF_THREE;
  if (arguments == 3 && index < EDGES_OF_THREE * EDGES_OF_THREE * EDGES_OF_THREE)
    return edge_value(type, rest % EDGES_OF_THREE);
  if (arguments > 3 && index % 2 == 0)
    return edge_value(type, (int)(draw % EDGES));
  return drawn_value(type, draw, index);
}

/* ---- comparing -------------------------------------------------------------------------------------------- */

static long double unit_at(char type, long double real) {
  int digits = type == 'f' ? FLT_MANT_DIG : DBL_MANT_DIG, least = type == 'f' ? FLT_MIN_EXP : DBL_MIN_EXP, exponent;
  frexpl(real, &exponent);
  return ldexpl(1, (exponent < least ? least : exponent) - digits);
}

static bool reals_agree(const builtin_value *seen, const builtin_value *expected, const builtin_limit *limit) {
  builtin_value rounded = *expected;
  builtin_value_set_real(&rounded, expected->real);
  if (isnan(rounded.real) || isnan(seen->real))
    return isnan(rounded.real) && isnan(seen->real);
  if (isinf(rounded.real))
    return seen->real == rounded.real;
  if (limit->units == 0 && limit->absolute == 0)
    return seen->real == rounded.real &&
           (seen->real != 0 || expected->any_zero || !signbit(seen->real) == !signbit(rounded.real));
  long double allowed = limit->units * unit_at(seen->type, expected->real) + (long double)limit->absolute;
  return fabsl(seen->real - expected->real) <= allowed;
}

bool builtin_value_agrees(const builtin_value *seen, const builtin_value *expected, const builtin_limit *limit) {
  if (expected->is_undefined)
    return true;
  if (builtin_type_is_real(expected->type))
    return reals_agree(seen, expected, limit);
  uint64_t mask = expected->low_three_bits ? 7 : ~(uint64_t)0;
  return ((seen->bits ^ expected->bits) & mask) == 0;
}

/* ---- references ------------------------------------------------------------------------------------------- */

static const builtin_reference *const tables[] = { builtin_integer_references, builtin_atomic_references,
                                                   builtin_real_references, builtin_convert_references,
                                                   builtin_special_references };

static const builtin_reference *reference_named(const char *name, size_t length) {
  for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)
    for (const builtin_reference *each = tables[table]; each->name != NULL; each++)
      if (strlen(each->name) == length && strncmp(each->name, name, length) == 0)
        return each;
  return NULL;
}

static bool ends_with(const char *name, const char *suffix) {
  size_t length = strlen(name), tail = strlen(suffix);
  return length > tail && strcmp(name + length - tail, suffix) == 0;
}

const builtin_reference *builtin_reference_find(const char *name, const char *signature, int *rounding_out) {
  static const struct {
    const char *text;
    int rounding;
  } suffixes[] = { { "_rn", FE_TONEAREST },  { "_rd", FE_DOWNWARD },     { "_ru", FE_UPWARD },
                   { "_rz", FE_TOWARDZERO }, { "_block", FE_TONEAREST }, { "_system", FE_TONEAREST },
                   { "f", FE_TONEAREST } };
  *rounding_out = FE_TONEAREST;
  const builtin_reference *found = reference_named(name, strlen(name));
  for (size_t i = 0; found == NULL && i < sizeof suffixes / sizeof *suffixes; i++) {
    const char *suffix = suffixes[i].text;
    if (!ends_with(name, suffix) || (*suffix == 'f' && strchr(signature, 'f') == NULL))
      continue;
    found = reference_named(name, strlen(name) - strlen(suffix));
    *rounding_out = suffixes[i].rounding;
  }
  return found;
}

void builtin_reference_call(const builtin_reference *reference, const builtin_value *in, builtin_value *out,
                            int rounding) {
  if (reference->compute != NULL) {
    fesetround(rounding);
    reference->compute(in, out, rounding);
    fesetround(FE_TONEAREST);
  } else if (reference->of_one != NULL) {
    out->real = reference->of_one(in->real);
  } else {
    out->real = reference->of_two(in[0].real, in[1].real);
  }
  if (reference->largest > 0 && !(fabsl(in->real) <= (long double)reference->largest))
    for (int i = 0; i < BUILTIN_MOST_OUTPUTS; i++)
      out[i].is_undefined = true;
}
