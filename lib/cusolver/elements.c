/* SPDX-License-Identifier: MIT */
/*
 * elements - loops over numbers of a type; see elements.h.
 *
 * Constant; no locks. Called by eigen_panels.c and svd_panels.c. It waits where numbers go to the device.
 */
#include "cusolver/elements.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { CHUNK = 128 };

#define ELEMENTS(letter, T, R, PARTS)                                                                                \
  static double most_##letter(size_t count, const void *numbers) {                                                   \
    double most = 0;                                                                                                 \
    for (size_t i = 0; i < count * PARTS; i++)                                                                       \
      most = fmax(most, fabs((double)((const R *)numbers)[i]));                                                      \
    return most;                                                                                                     \
  }                                                                                                                  \
  static void scale_##letter(size_t count, double by, void *numbers) {                                               \
    for (size_t i = 0; i < count; i++)                                                                               \
      ((T *)numbers)[i] *= (R)by;                                                                                    \
  }                                                                                                                  \
  static void widen_##letter(size_t count, const void *reals, void *to) {                                            \
    for (size_t i = 0; i < count; i++)                                                                               \
      ((T *)to)[i] = ((const R *)reals)[i];                                                                          \
  }
ELEMENTS(s, float, float, 1)
ELEMENTS(d, double, double, 1)
ELEMENTS(c, float complex, float, 2)
ELEMENTS(z, double complex, double, 2)

static double (*const most[])(size_t count, const void *numbers) = { most_s, most_d, most_c, most_z };
static void (*const scale[])(size_t count, double by, void *numbers) = { scale_s, scale_d, scale_c, scale_z };
static void (*const widen[])(size_t count, const void *reals, void *to) = { widen_s, widen_d, widen_c, widen_z };

static bool is_wide(const vptr__solver_call *call) {
  return vptr__solver_real_size(call->type) == sizeof(double);
}

double vptr__solver_elements_most(const vptr__solver_call *call, size_t count, const void *numbers) {
  return most[call->type](count, numbers);
}

double vptr__solver_elements_factor(const vptr__solver_call *call, double largest) {
  const double small = is_wide(call) ? DBL_MIN / DBL_EPSILON : (double)(FLT_MIN / FLT_EPSILON);
  const double least = sqrt(small), limit = sqrt(1 / small);
  if (largest > 0 && largest < least)
    return least / largest;
  return largest > limit && !isinf(largest) ? limit / largest : 1;
}

void vptr__solver_elements_scale(const vptr__solver_call *call, size_t count, double by, void *numbers) {
  scale[call->type](count, by, numbers);
}

void vptr__solver_reals_scale(const vptr__solver_call *call, size_t count, double by, void *reals) {
  scale[is_wide(call) ? VPTR__SOLVER_D : VPTR__SOLVER_S](count, by, reals);
}

/* A few columns at a time, for they become complex on the host. */
void vptr__solver_reals_put(vptr__solver_call *call, const void *reals, int64_t rows, int64_t columns, void *to,
                            int64_t ld) {
  const size_t column = (size_t)rows * vptr__solver_real_size(call->type);
  void *wide = vptr__solver_work(call, (size_t)rows * CHUNK, vptr__solver_size(call->type));
  for (int64_t from = 0; from < columns && call->status == CUSOLVER_STATUS_SUCCESS; from += CHUNK) {
    const int64_t width = columns - from < CHUNK ? columns - from : CHUNK;
    widen[call->type]((size_t)(rows * width), (const char *)reals + (size_t)from * column, wide);
    vptr__solver_put(call, wide, rows, vptr__solver_element(call, to, ld, 0, from), ld, rows, width);
  }
}
