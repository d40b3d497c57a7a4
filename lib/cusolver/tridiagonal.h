/* SPDX-License-Identifier: MIT */
/*
 * tridiagonal - a large hermitian matrix on the device, reduced to a tridiagonal one by reflectors from both sides.
 *
 * A is Q T Q^H: T has d on its diagonal and e beside it, both real, and Q is H(1) H(2) ... H(n - 1). What LAPACK's
 * sytrd and hetrd do of a lower triangle, where the whole matrix is stored, for products with it are the most work.
 *
 * Within a call that goes on. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_TRIDIAGONAL_H
#define VPTR_CUSOLVER_TRIDIAGONAL_H

#include "cusolver/call.h"

/* a, on the device, n by n, columns side by side: both triangles. It becomes the reflectors, as geqrf leaves them,
 * below the diagonal next to A's. d of n reals, e of n - 1, tau of n - 1 elements: on the host. */
typedef struct vptr__solver_tridiagonal {
  int n;
  void *a, *d, *e, *tau;
} vptr__solver_tridiagonal;

/* Elements of a work area on the device. */
int64_t vptr__solver_tridiagonal_room(int64_t n);

/* It waits. */
void vptr__solver_tridiagonal_reduce(vptr__solver_call *call, const vptr__solver_tridiagonal *it, void *work);

#endif
