/* SPDX-License-Identifier: MIT */
/*
 * blas - cuBLAS's functions that update what is left of a matrix, by the call's type; factors are real numbers.
 *
 * They go to the handle's stream. Nothing is sent for a call that has failed. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_BLAS_H
#define VPTR_CUSOLVER_BLAS_H

#include "cusolver/call.h"

/* C = C - op(A) op(B), m by n, by way of k. */
void vptr__solver_subtract_product(vptr__solver_call *call, cublasOperation_t transa, cublasOperation_t transb,
                                   int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                                   int64_t ldb, void *c, int64_t ldc);

/* C = alpha op(A) op(B) + beta C; nothing where m, n or k is 0. */
void vptr__solver_multiply(vptr__solver_call *call, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                           int64_t n, int64_t k, double alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                           double beta, void *c, int64_t ldc);

/* y = op(A) x, of a matrix of m rows and n columns. */
void vptr__solver_multiply_vector(vptr__solver_call *call, cublasOperation_t trans, int64_t m, int64_t n,
                                  const void *a, int64_t lda, const void *x, void *y);

/* A^H, in n rows without gaps, of a matrix of m rows and n columns. */
void vptr__solver_turn(vptr__solver_call *call, int64_t m, int64_t n, const void *a, int64_t lda, void *to);

/* B = op(A)^-1 B, or B op(A)^-1. */
void vptr__solver_solve(vptr__solver_call *call, cublasSideMode_t side, cublasFillMode_t uplo,
                        cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *a,
                        int64_t lda, void *b, int64_t ldb);

/* C = C - A A^H in a triangle, or C - A^H A with CUBLAS_OP_C. */
void vptr__solver_subtract_square(vptr__solver_call *call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,
                                  int64_t k, const void *a, int64_t lda, void *c, int64_t ldc);

/* Exchanges two vectors. */
void vptr__solver_swap(vptr__solver_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy);

#endif
