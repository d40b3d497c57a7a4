/* SPDX-License-Identifier: MIT */
/*
 * solve - solutions of square systems and of least squares, from a matrix to X in one call: gesv and gels.
 *
 * Each checks the arguments of a call that was entered, computes, and finishes it. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_SOLVE_H
#define VPTR_CUSOLVER_SOLVE_H

#include "cusolver/call.h"

/* A of m by n, B of m by nrhs, X of n by nrhs. A square system has m = n, and may have a place for pivots. */
typedef struct vptr__solver_system {
  int64_t m, n, nrhs, lda, ldb, ldx;
  const void *a, *b;
  void *x;
  int *ipiv;
  void *work;
  size_t bytes; /* of the work area */
} vptr__solver_system;

/* What bufferSize says, and whether the shape is right. */
cusolverStatus_t vptr__solver_gesv_room(vptr__solver_call *call, const vptr__solver_system *it, size_t *bytes);
cusolverStatus_t vptr__solver_gels_room(vptr__solver_call *call, const vptr__solver_system *it, size_t *bytes);

/* iterations: where their number goes, which is 0, of a call that succeeds. */
cusolverStatus_t vptr__solver_gesv(vptr__solver_call *call, const vptr__solver_system *it, int *iterations, int *info);
cusolverStatus_t vptr__solver_gels(vptr__solver_call *call, const vptr__solver_system *it, int *iterations, int *info);

#endif
