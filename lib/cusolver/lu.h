/* SPDX-License-Identifier: MIT */
/*
 * lu - factors and solutions of large matrices, which stay on the device, within a call that goes on.
 *
 * No state, no locks. Nothing is done for a call that has failed. It waits for the stream.
 */
#ifndef VPTR_CUSOLVER_LU_H
#define VPTR_CUSOLVER_LU_H

#include "cusolver/call.h"

/* In panels, with pivots, which LAPACK counts, on the host. The call's info is the first that is 0. */
void vptr__solver_lu_factor(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, int *rows);

/* Pivots become those of the program's, of its size. */
void vptr__solver_lu_store(vptr__solver_array *to, const int *pivots);

/* Right sides on the device, and as many elements on the host. */
typedef struct vptr__solver_sides {
  int64_t n, nrhs, ldb;
  void *b, *host;
} vptr__solver_sides;

/* op(A)^-1 of factors and pivots, times the right sides. */
void vptr__solver_lu_solve(vptr__solver_call *call, cublasOperation_t trans, const void *a, int64_t lda,
                           const int *rows, const vptr__solver_sides *to);

#endif
