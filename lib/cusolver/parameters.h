/* SPDX-License-Identifier: MIT */
/*
 * parameters - what syevj, gesvdj and the functions of 64 bits take beside matrices.
 *
 * Tolerance, sweeps and order are kept as the program sets them. LAPACK's methods have no sweeps and go on to the
 * precision of the type, in order: they do better than any tolerance that is above it.
 *
 * No locks: one object is used by one thread at a time.
 */
#ifndef VPTR_CUSOLVER_PARAMETERS_H
#define VPTR_CUSOLVER_PARAMETERS_H

#include "cusolver/call.h"

typedef struct vptr__solver_jacobi {
  double tolerance, residual;
  int most_sweeps, sorts;
} vptr__solver_jacobi;

struct syevjInfo {
  vptr__solver_jacobi it;
};
struct gesvdjInfo {
  vptr__solver_jacobi it;
};
struct cusolverDnParams {
  cusolverAlgMode_t algorithms[CUSOLVERDN_SYEVBATCHED + 1];
};

#endif
