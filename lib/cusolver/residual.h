/* SPDX-License-Identifier: MIT */
/*
 * residual - how far factors are from the matrix that they were made of: Frobenius's norm of the difference.
 *
 * All matrices lie on the host, columns side by side. A call that has failed computes nothing, and says -1.
 *
 * No state, no locks.
 */
#ifndef VPTR_CUSOLVER_RESIDUAL_H
#define VPTR_CUSOLVER_RESIDUAL_H

#include "cusolver/call.h"

/* A V - V diag(w), of a triangle of a hermitian matrix. */
double vptr__solver_eigen_residual(vptr__solver_call *call, cublasFillMode_t uplo, int n, const void *a, int lda,
                                   const void *v, const void *w);

/* U of m rows, VT of k rows of n, and k values; scaled: room for m by k elements. */
typedef struct vptr__solver_factors {
  int m, n, k, lda, ldu, ldvt;
  void *a;
  const void *u, *s, *vt;
  void *scaled;
} vptr__solver_factors;

/* A - U diag(s) VT; a is spoilt. */
double vptr__solver_svd_residual(const vptr__solver_call *call, const vptr__solver_factors *it);

#endif
