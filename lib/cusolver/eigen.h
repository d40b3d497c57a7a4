/* SPDX-License-Identifier: MIT */
/*
 * eigen - what functions for eigenvalues of hermitian matrices share: all of a spectrum or a part, of one matrix or of
 * a pair.
 *
 * Each checks the arguments of a call that was entered, computes, and finishes it. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_EIGEN_H
#define VPTR_CUSOLVER_EIGEN_H

#include "cusolver/factor.h"

/* itype: 0: of one matrix, b is not looked at. range: 0: all. found: how many there are, of a call that succeeds.
 * area: the program's, which vptr__solver_eigen_solve() asks for. */
typedef struct vptr__solver_eigen {
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n, lda;
  void *a, *w;
  cusolverEigType_t itype;
  int64_t ldb;
  void *b;
  cusolverEigRange_t range;
  double vl, vu;
  int64_t il, iu, found;
  vptr__solver_area area;
} vptr__solver_eigen;

void vptr__solver_eigen_require(vptr__solver_call *call, const vptr__solver_eigen *it);

/* The elements that are needed in the program's area; and bufferSize's answer, with which the call ends. */
int64_t vptr__solver_eigen_room(const vptr__solver_call *call, const vptr__solver_eigen *it);
cusolverStatus_t vptr__solver_eigen_tell(vptr__solver_call *call, const vptr__solver_eigen *it, int *room);

/* residual: where the norm of A V - V W goes, if there are vectors of one matrix; NULL: nobody asks. */
cusolverStatus_t vptr__solver_eigen_solve(vptr__solver_call *call, vptr__solver_eigen *it, int *info,
                                          double *residual);

#endif
