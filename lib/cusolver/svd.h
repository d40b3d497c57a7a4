/* SPDX-License-Identifier: MIT */
/*
 * svd - what functions for singular values share: gesvd's and gesvdj's arguments, for names of one type and for those
 * that take types as arguments.
 *
 * Each function checks the arguments of a call that was entered, computes, and finishes it. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_SVD_H
#define VPTR_CUSOLVER_SVD_H

#include "cusolver/call.h"

/* The elements that are needed in the program's area; 1: LAPACK has all. */
int64_t vptr__solver_svd_room(const vptr__solver_call *call, int64_t m, int64_t n);

/* u, vt: NULL where the job does not want them. */
typedef struct vptr__solver_svd {
  signed char jobu, jobvt; /* as LAPACK's */
  int64_t m, n, lda, ldu, ldvt;
  void *a, *s, *u, *vt;
  vptr__solver_area area;
} vptr__solver_svd;

void vptr__solver_svd_require(vptr__solver_call *call, const vptr__solver_svd *svd);
cusolverStatus_t vptr__solver_svd_solve(vptr__solver_call *call, const vptr__solver_svd *svd, int *info);

/* V in the place of its conjugate transpose, and matrices of any shape. */
typedef struct vptr__solver_gesvdj {
  cusolverEigMode_t jobz;
  int econ;
  int64_t m, n, lda, ldu, ldv;
  const void *a, *s, *u, *v;
  vptr__solver_area area;
} vptr__solver_gesvdj;

void vptr__solver_gesvdj_require(vptr__solver_call *call, const vptr__solver_gesvdj *it);

/* residual: where the norm of A - U S V^H goes, if there are vectors; NULL: nobody asks. */
cusolverStatus_t vptr__solver_gesvdj_solve(vptr__solver_call *call, const vptr__solver_gesvdj *it, int *info,
                                           double *residual);

#endif
