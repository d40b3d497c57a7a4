/* SPDX-License-Identifier: MIT */
/*
 * blas_check - for programs that hold cuBLAS against BLAS on the host: vectors at random and comparison, beside what
 * support/library.h has.
 *
 * Plain CUDA and cuBLAS, so that they run on NVIDIA's libraries as well. Arrays are compared whole, with what lies
 * between rows and behind the end: a function that writes beside its result is caught.
 */
#ifndef BLAS_CHECK_H
#define BLAS_CHECK_H

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "support/library.h"

#define EXPECT(what, condition) check_that(condition, what, #condition, __LINE__)

/* ---- numbers ------------------------------------------------------------------------------------------------- */

/* An increment that is not 0, negative as often as not. */
static inline int random_increment(void) {
  int by = random_int(1, 3);
  return random_int(0, 1) ? by : -by;
}

static inline int size_of_vector(int n, int inc) {
  return n <= 0 ? 0 : 1 + (n - 1) * (inc < 0 ? -inc : inc);
}

static inline void fill_float(void *memory, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((float *)memory)[i] = (float)random_real();
}

static inline void fill_double(void *memory, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((double *)memory)[i] = random_real();
}

/* ---- comparison ------------------------------------------------------------------------------------------------- */

static inline bool is_near(double got, double expected, double tolerance) {
  if (isnan(expected) || isnan(got))
    return isnan(expected) && isnan(got);
  if (isinf(expected) || isinf(got))
    return got == expected;
  return fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

static inline void count_difference(const char *what, size_t i, size_t count, double got, double expected) {
  if (count_failure())
    printf("%s: number %zu of %zu is %g, not %g\n", what, i, count, got, expected);
}

static inline void compare_float(const char *what, const void *device, const void *expected, size_t count,
                                 double tolerance) {
  float *got = malloc(count * sizeof(float) + 1);
  from_device(got, device, count * sizeof(float));
  checks++;
  for (size_t i = 0; i < count; i++)
    if (!is_near((double)got[i], (double)((const float *)expected)[i], tolerance)) {
      count_difference(what, i, count, (double)got[i], (double)((const float *)expected)[i]);
      break;
    }
  free(got);
}

static inline void compare_double(const char *what, const void *device, const void *expected, size_t count,
                                  double tolerance) {
  double *got = malloc(count * sizeof(double) + 1);
  from_device(got, device, count * sizeof(double));
  checks++;
  for (size_t i = 0; i < count; i++)
    if (!is_near(got[i], ((const double *)expected)[i], tolerance)) {
      count_difference(what, i, count, got[i], ((const double *)expected)[i]);
      break;
    }
  free(got);
}

#endif
