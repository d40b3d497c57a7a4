/* SPDX-License-Identifier: MIT */
/*
 * reflectors - a block of Householder's reflectors, and products with it on the device.
 *
 * A block is Q = H(1) H(2) ... H(width) = I - V T V^H: V as geqrf leaves it, below the diagonal of a part of a matrix,
 * and T of its inner products and of tau. T is made on the host, of width by width products that cuBLAS computes, so
 * that V stays where it is. A block lies in a work area of the program's: V's first rows with their ones and zeros, T,
 * and two products of VPTR__SOLVER_PANEL by as many as the other side of a matrix has.
 *
 * No state, no locks. Nothing is sent for a call that has failed.
 */
#ifndef VPTR_CUSOLVER_REFLECTORS_H
#define VPTR_CUSOLVER_REFLECTORS_H

#include "cusolver/factor.h"

typedef struct vptr__solver_reflectors {
  const void *v; /* on the device: rows by width, of which what lies below the diagonal is read */
  int64_t ldv, rows;
  int width;
  void *head, *factor, *product, *other; /* in the work area */
  void *host;                            /* a square of VPTR__SOLVER_PANEL */
} vptr__solver_reflectors;

/* Elements of the work area, for matrices whose other side is at most so long. */
int64_t vptr__solver_reflectors_room(int64_t other_side);

/* Lays a block out in a work area, which has that room, and takes memory of the host's. */
vptr__solver_reflectors vptr__solver_reflectors_in(vptr__solver_call *call, void *work, int64_t other_side);

/* Makes T of v, ldv, rows, width and tau, which is on the host. It waits. */
void vptr__solver_reflectors_prepare(vptr__solver_call *call, vptr__solver_reflectors *block, const void *tau);

/* C = op(Q) C, of `rows` rows and so many columns; or C = C op(Q), of so many rows. CUBLAS_OP_N, or CUBLAS_OP_C. */
void vptr__solver_reflectors_apply(vptr__solver_call *call, const vptr__solver_reflectors *block,
                                   cublasSideMode_t side, cublasOperation_t trans, int64_t other_side, void *c,
                                   int64_t ldc);

#endif
