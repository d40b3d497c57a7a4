/* SPDX-License-Identifier: MIT */
/*
 * columns - what a panel's columns are multiplied by on the host, one at a time, by LAPACK's gemv.
 *
 * Of the call's type. No state, no locks. Nothing waits.
 */
#ifndef VPTR_CUSOLVER_COLUMNS_H
#define VPTR_CUSOLVER_COLUMNS_H

#include "cusolver/call.h"

/* 1, -1 and 0 of the call's type, whose real part lies first. */
const void *vptr__solver_number(const vptr__solver_call *call, int value);

/* Number i of real ones. */
static inline void *vptr__solver_real_at(const vptr__solver_call *call, void *reals, int i) {
  return (char *)reals + (size_t)i * vptr__solver_real_size(call->type);
}

/* A row of so many elements, conjugated. */
void vptr__solver_columns_row(const vptr__solver_call *call, int count, const void *row, int ld, void *to);

/* y = y - A x, and y = A^H x, of m rows and n columns. */
void vptr__solver_columns_subtract(const vptr__solver_call *call, int m, int n, const void *a, int lda, const void *x,
                                   void *y);
void vptr__solver_columns_multiply(const vptr__solver_call *call, int m, int n, const void *a, int lda, const void *x,
                                   void *y);

#endif
