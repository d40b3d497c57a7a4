/* SPDX-License-Identifier: MIT */
/*
 * decomposition - singular values and vectors of a matrix on the host, by LAPACK's gesvd.
 *
 * Work areas are taken once, for any number of matrices of one shape. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_DECOMPOSITION_H
#define VPTR_CUSOLVER_DECOMPOSITION_H

#include "cusolver/call.h"

/* Jobs as LAPACK's: A, S, O or N. */
typedef struct vptr__solver_decomposition {
  char jobu, jobvt;
  int m, n, lda, ldu, ldvt;
  void *a, *s, *u, *vt;
} vptr__solver_decomposition;

typedef struct vptr__solver_decomposition_areas {
  void *work, *rwork;
  int room;
} vptr__solver_decomposition_areas;

vptr__solver_decomposition_areas vptr__solver_decomposition_take(vptr__solver_call *call,
                                                                 const vptr__solver_decomposition *it);

/* a is spoilt. The info is LAPACK's. */
void vptr__solver_decomposition_compute(vptr__solver_call *call, const vptr__solver_decomposition *it,
                                        const vptr__solver_decomposition_areas *in);

/* V, the conjugate transpose of the first `rows` rows of VT, of n elements each. */
void vptr__solver_decomposition_turn(const vptr__solver_call *call, int rows, int n, const void *vt, int ldvt, void *v,
                                     int ldv);

#endif
