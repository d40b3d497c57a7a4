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

/* A - U diag(s) V^H by way of min(m, n); a is spoilt. */
double vptr__solver_svd_residual(vptr__solver_call *call, int m, int n, void *a, int lda, const void *u, int ldu,
                                 const void *s, const void *vt, int ldvt);

#endif
