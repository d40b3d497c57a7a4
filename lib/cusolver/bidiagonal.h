/* SPDX-License-Identifier: MIT */
/*
 * bidiagonal - a large square matrix on the device, reduced to a bidiagonal one by reflectors from both sides.
 *
 * A is Q B P^H: B has d on its diagonal and e above it, both real, Q is H(1) H(2) ... H(n), and P is G(1) G(2) ...
 * G(n - 1). What LAPACK's gebrd does, but that the reflectors of P lie in columns, as those of Q do.
 *
 * Within a call that goes on. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_BIDIAGONAL_H
#define VPTR_CUSOLVER_BIDIAGONAL_H

#include "cusolver/call.h"

/* On the device, n by n, columns side by side: a becomes the reflectors of Q below the diagonal, as geqrf leaves them;
 * right those of P, below the diagonal next to its own. d of n reals, e of n, of which n - 1 are used, tauq and taup of
 * n elements: on the host. */
typedef struct vptr__solver_bidiagonal {
  int n;
  void *a, *right, *d, *e, *tauq, *taup;
} vptr__solver_bidiagonal;

/* Elements of a work area on the device. */
int64_t vptr__solver_bidiagonal_room(int64_t n);

/* It waits. */
void vptr__solver_bidiagonal_reduce(vptr__solver_call *call, const vptr__solver_bidiagonal *it, void *work);

#endif
