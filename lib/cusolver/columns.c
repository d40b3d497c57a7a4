/* SPDX-License-Identifier: MIT */
/*
 * columns - rows and products of a panel on the host; see columns.h.
 *
 * Constant; no locks. Called by bidiagonal.c and tridiagonal.c. Nothing waits.
 */
#include "cusolver/columns.h"

#include "cusolver/lapack.h"

#include <complex.h>

static vptr__lapack_gemv *const gemv[] = VPTR__LAPACK_ALL(gemv);

#define ROW(letter, T, CONJ)                                                                                         \
  static void conjugate_##letter(int count, const void *row, int ld, void *to) {                                     \
    for (int j = 0; j < count; j++)                                                                                  \
      ((T *)to)[j] = CONJ(((const T *)row)[(size_t)j * (size_t)ld]);                                                 \
  }
ROW(s, float, )
ROW(d, double, )
ROW(c, float complex, conjf)
ROW(z, double complex, conj)

static void (*const conjugate[])(int count, const void *row, int ld, void *to) = { conjugate_s, conjugate_d,
                                                                                   conjugate_c, conjugate_z };

const void *vptr__solver_number(const vptr__solver_call *call, int value) {
  static const float narrow[][2] = { { -1, 0 }, { 0, 0 }, { 1, 0 } };
  static const double wide[][2] = { { -1, 0 }, { 0, 0 }, { 1, 0 } };
  return vptr__solver_real_size(call->type) == sizeof(float) ? (const void *)narrow[value + 1]
                                                             : (const void *)wide[value + 1];
}

void vptr__solver_columns_row(const vptr__solver_call *call, int count, const void *row, int ld, void *to) {
  conjugate[call->type](count, row, ld, to);
}

void vptr__solver_columns_subtract(const vptr__solver_call *call, int m, int n, const void *a, int lda, const void *x,
                                   void *y) {
  const int step = 1;
  gemv[call->type]("N", &m, &n, vptr__solver_number(call, -1), a, &lda, x, &step, vptr__solver_number(call, 1), y,
                   &step, 1);
}

void vptr__solver_columns_multiply(const vptr__solver_call *call, int m, int n, const void *a, int lda, const void *x,
                                   void *y) {
  const int step = 1;
  gemv[call->type]("C", &m, &n, vptr__solver_number(call, 1), a, &lda, x, &step, vptr__solver_number(call, 0), y,
                   &step, 1);
}
