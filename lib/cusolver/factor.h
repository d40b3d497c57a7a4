/* SPDX-License-Identifier: MIT */
/*
 * factor - what the functions of one type and those of types as arguments (generic.c) share: each checks the arguments
 * of a call that was entered, computes, and finishes it. No locks.
 */
#ifndef VPTR_CUSOLVER_FACTOR_H
#define VPTR_CUSOLVER_FACTOR_H

#include "cusolver/call.h"

/* Matrices of at most so many columns are factored on the host as a whole; larger ones in panels of VPTR__SOLVER_PANEL
 * columns, each on the host, while cuBLAS updates the rest. */
enum { VPTR__SOLVER_WHOLE = 384, VPTR__SOLVER_PANEL = 128 };

void vptr__solver_require_square(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, int64_t lda);
void vptr__solver_require_oblong(vptr__solver_call *call, int64_t m, int64_t n, int64_t lda);

cusolverStatus_t vptr__solver_potrf(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, void *a, int64_t lda,
                                    int *info);
cusolverStatus_t vptr__solver_potrs(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                    const void *a, int64_t lda, void *b, int64_t ldb, int *info);

/* pivot_size: of an element of ipiv, 4 or 8 bytes. ipiv is NULL: no rows are exchanged. */
cusolverStatus_t vptr__solver_getrf(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *ipiv,
                                    size_t pivot_size, int *info);
cusolverStatus_t vptr__solver_getrs(vptr__solver_call *call, cublasOperation_t trans, int64_t n, int64_t nrhs,
                                    const void *a, int64_t lda, const void *ipiv, size_t pivot_size, void *b,
                                    int64_t ldb, int *info);

/* The elements that geqrf needs there, and geqrf. */
int64_t vptr__solver_geqrf_room(int64_t m, int64_t n);
cusolverStatus_t vptr__solver_geqrf(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *tau,
                                    vptr__solver_area work, int *info);

/* The elements of a routine's work area, from what it wrote into the first one when it was asked. */
int vptr__solver_asked(const vptr__solver_call *call, const void *answer);

#endif
