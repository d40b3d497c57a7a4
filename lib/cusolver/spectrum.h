/* SPDX-License-Identifier: MIT */
/*
 * spectrum - eigenvalues of a matrix on the host, by LAPACK's divide and conquer, and of a pair of matrices.
 *
 * Work areas are taken once, for any number of problems of one shape. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_SPECTRUM_H
#define VPTR_CUSOLVER_SPECTRUM_H

#include "cusolver/call.h"

/* b: NULL: one matrix; else a pair, of the kind itype. */
typedef struct vptr__solver_spectrum {
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int itype, n, lda, ldb;
  void *a, *b, *w;
} vptr__solver_spectrum;

/* LAPACK's work areas: of elements, of reals, and of int. */
typedef struct vptr__solver_spectrum_areas {
  void *work, *rwork;
  int *iwork;
  int room, real_room, int_room;
} vptr__solver_spectrum_areas;

vptr__solver_spectrum_areas vptr__solver_spectrum_take(vptr__solver_call *call, const vptr__solver_spectrum *it);

/* Values in ascending order; vectors in the place of a; b's factor in its place. The info is LAPACK's. */
void vptr__solver_spectrum_compute(vptr__solver_call *call, const vptr__solver_spectrum *it,
                                   const vptr__solver_spectrum_areas *in);

#endif
