/* SPDX-License-Identifier: MIT */
/*
 * eigen_panels - eigenvalues and eigenvectors of a hermitian matrix that is too large for the host alone.
 *
 * Within a call that goes on, of memory that was checked. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_EIGEN_PANELS_H
#define VPTR_CUSOLVER_EIGEN_PANELS_H

#include "cusolver/call.h"

/* On the host: a, n by n, columns side by side, of which a triangle is read; and w, the values in ascending order. */
typedef struct vptr__solver_eigen_panels {
  bool is_lower, has_vectors;
  int n;
  void *a, *w;
} vptr__solver_eigen_panels;

/* Elements of a work area on the device. */
int64_t vptr__solver_eigen_panels_room(int64_t n);

/* All values. a becomes the vectors of the tridiagonal matrix, whose elements are real, also where a's are not; `tau`,
 * of n - 1 elements, and the work area have the reflectors. The info is LAPACK's. */
void vptr__solver_eigen_panels_reduce(vptr__solver_call *call, const vptr__solver_eigen_panels *it, void *tau,
                                      void *work);

/* Vectors `first` to before `end`, into so many columns on the device. */
void vptr__solver_eigen_panels_vectors(vptr__solver_call *call, const vptr__solver_eigen_panels *it, const void *tau,
                                       void *work, int64_t first, int64_t end, void *to, int64_t ld);

#endif
