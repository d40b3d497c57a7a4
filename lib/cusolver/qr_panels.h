/* SPDX-License-Identifier: MIT */
/*
 * qr_panels - geqrf, orgqr and ormqr of matrices that are too large for the host alone.
 *
 * Arguments have been checked, but for memory, and the info is noted; each function finishes its call. The work area
 * has the room that is told here, in elements.
 *
 * No state, no locks.
 */
#ifndef VPTR_CUSOLVER_QR_PANELS_H
#define VPTR_CUSOLVER_QR_PANELS_H

#include "cusolver/call.h"

/* A product op(Q) C, or C op(Q). */
typedef struct vptr__solver_qr_product {
  cublasSideMode_t side;
  cublasOperation_t trans;
  int m, n, k;
  int64_t lda, ldc;
} vptr__solver_qr_product;

int64_t vptr__solver_geqrf_panels_room(int64_t n);
cusolverStatus_t vptr__solver_geqrf_panels(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda,
                                           void *tau, void *work);

/* Within a call that goes on, of memory that was checked: tau is on the host. */
void vptr__solver_qr_factor(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *tau,
                            void *work);
void vptr__solver_qr_multiply(vptr__solver_call *call, const vptr__solver_qr_product *by, const void *a,
                              const void *tau, void *c, void *work);

int64_t vptr__solver_orgqr_panels_room(int64_t m, int64_t n);
cusolverStatus_t vptr__solver_orgqr_panels(vptr__solver_call *call, int64_t m, int64_t n, int64_t k, void *a,
                                           int64_t lda, const void *tau, void *work);

int64_t vptr__solver_ormqr_panels_room(const vptr__solver_qr_product *by);
cusolverStatus_t vptr__solver_ormqr_panels(vptr__solver_call *call, const vptr__solver_qr_product *by, const void *a,
                                           const void *tau, void *c, void *work);

#endif
