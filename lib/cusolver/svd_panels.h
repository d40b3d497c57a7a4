/* SPDX-License-Identifier: MIT */
/*
 * svd_panels - singular values and vectors of a matrix that is too large for the host alone.
 *
 * Within a call that goes on, of memory that was checked. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_SVD_PANELS_H
#define VPTR_CUSOLVER_SVD_PANELS_H

#include "cusolver/call.h"

/* a, m by n, columns side by side, and s, the values in descending order, are on the host: a is spoilt. The others are
 * on the device: so many columns of U, of m rows, and of V, of n rows. */
typedef struct vptr__solver_svd_panels {
  int m, n;
  void *a, *s, *work;
  int left, right;
  void *u, *v;
  int64_t ldu, ldv;
  bool is_turned; /* V^H is wanted, n by n, in V's place: `right` is n, and m is not below it */
} vptr__solver_svd_panels;

/* Elements of a work area on the device; and columns, of the smaller side, up to which LAPACK counts its own. */
int64_t vptr__solver_svd_panels_room(int64_t m, int64_t n);
enum { VPTR__SOLVER_SVD_MOST = 26754 };

/* The info is LAPACK's. It waits. */
void vptr__solver_svd_panels_solve(vptr__solver_call *call, const vptr__solver_svd_panels *it);

#endif
