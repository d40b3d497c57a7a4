/* SPDX-License-Identifier: MIT */
/*
 * sparse_narrow - half and bfloat16 on the host, for tests of cuSPARSE: to and from doubles, by their value and not by
 * their bits, and arrays of them on the device.
 */
#ifndef TESTS_CUSPARSE_SPARSE_NARROW_H
#define TESTS_CUSPARSE_SPARSE_NARROW_H

#include "sparse_check.h"

typedef unsigned short word;

typedef struct format {
  cudaDataType type;
  int digits, least, bias; /* behind the point; the smallest exponent; what exponents are stored with */
} format;

static const format formats[] = { { CUDA_R_16F, 10, -14, 15 }, { CUDA_R_16BF, 7, -126, 127 } };

static inline const char *words_of_type(cudaDataType type) { return type == CUDA_R_16F ? "half" : "bfloat16"; }

static inline word encode(format of, double value) {
  word sign = signbit(value) ? 0x8000 : 0, infinite = (word)((2 * of.bias + 1) << of.digits);
  double size = fabs(value);
  if (isnan(value))
    return (word)(infinite | 1);
  if (size == 0)
    return sign;
  int exponent = isinf(size) ? of.bias + 1 : ilogb(size);
  exponent = exponent < of.least ? of.least : exponent;
  if (exponent > of.bias)
    return sign | infinite;
  long units = lrint(ldexp(size, of.digits - exponent)); /* to even */
  return sign | (word)(units + ((long)(exponent - of.least) << of.digits));
}

static inline double decode(format of, word bits) {
  int exponent = (bits & 0x7fff) >> of.digits, units = bits & ((1 << of.digits) - 1);
  double size = exponent == 0 ? ldexp(units, of.least - of.digits)
                              : ldexp(units + (1 << of.digits), exponent - of.bias - of.digits);
  if (exponent == 2 * of.bias + 1)
    size = units != 0 ? NAN : INFINITY;
  return bits & 0x8000 ? -size : size;
}

/* So many random numbers, that the type has. */
static inline double *random_values(format of, int64_t count) {
  double *values = malloc((size_t)(count + 1) * sizeof *values);
  for (int64_t i = 0; i < count; i++)
    values[i] = decode(of, encode(of, random_real()));
  return values;
}

/* Of the narrow type, or floats. */
static inline copy copy_values(format of, bool is_wide, const double *values, int64_t count) {
  void *packed = malloc((size_t)count * 4 + 4);
  for (int64_t i = 0; i < count; i++)
    if (is_wide)
      ((float *)packed)[i] = (float)values[i];
    else
      ((word *)packed)[i] = encode(of, values[i]);
  copy made = copy_bytes(packed, (size_t)count * (is_wide ? 4 : 2), is_wide ? 12 : 6);
  free(packed);
  return made;
}

/* Each number is what it should be, rounded once; a result may lie beside the middle of two. */
static inline void compare_values(format of, bool is_wide, const void *at, const double *expected, int64_t count,
                           double scale) {
  void *packed = malloc((size_t)count * 4 + 4);
  copy_or_end(checked, packed, at, (size_t)count * (is_wide ? 4 : 2));
  for (int64_t i = 0; i < count; i++) {
    double got = is_wide ? (double)((float *)packed)[i] : decode(of, ((word *)packed)[i]), want = expected[i];
    double allowed =
        2e-5 * (scale + 1) + (is_wide ? 0 : ldexp(fabs(want), -of.digits - 1) + ldexp(1, of.least - of.digits));
    checks++;
    if (fabs(got - want) <= allowed || (isnan(got) && isnan(want)))
      continue;
    count_kind("values, %s", combination);
    if (count_failure_at(checked, __LINE__))
      printf("%s: %s: number %lld is %g, and should be %g\n", checked, combination, (long long)i, got, want);
  }
  free(packed);
}

#endif
