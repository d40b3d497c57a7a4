/* SPDX-License-Identifier: MIT */
/*
 * level2 - the functions of level 2 by type, for those with a type in their name and cublas.h's.
 *
 * Sizes below 0, increments of 0, leading dimensions that are too small and letters that mean nothing are
 * INVALID_VALUE. y is not read where beta is 0, nor A and x where alpha is 0.
 */
#ifndef VPTR_CUBLAS_LEVEL2_H
#define VPTR_CUBLAS_LEVEL2_H

#include "cublas/call.h"
#include "cublas/matrix.h"

/* vector_product.c. */
cublasStatus_t vptr__blas_gemv(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasOperation_t trans,
                               int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda, const void *x,
                               int64_t incx, const void *beta, void *y, int64_t incy);
cublasStatus_t vptr__blas_gbmv(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasOperation_t trans,
                               int64_t m, int64_t n, int64_t kl, int64_t ku, const void *alpha, const void *a,
                               int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);

/* Symmetric and hermitian ones, of any storage: a matrix whose parts are said. k: of a band. */
cublasStatus_t vptr__blas_symv(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage, int mirror,
                               cublasFillMode_t uplo, int64_t n, int64_t k, const void *alpha, const void *a,
                               int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);

/* Triangular ones: x = op(A) x, or what op(A) makes of x is given and x is found. */
cublasStatus_t vptr__blas_trmv(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage, bool solves,
                               cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                               int64_t k, const void *a, int64_t lda, void *x, int64_t incx);

/* rank.c. */
cublasStatus_t vptr__blas_ger(const char *name, cublasHandle_t handle, vptr__blas_type type, bool conjugates, int64_t m,
                              int64_t n, const void *alpha, const void *x, int64_t incx, const void *y, int64_t incy,
                              void *a, int64_t lda);

/* y NULL: A += alpha x op(x), else A += alpha x op(y) + op(alpha) y op(x). */
cublasStatus_t vptr__blas_syr(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage,
                              bool is_hermitian, bool twice, cublasFillMode_t uplo, int64_t n, const void *alpha,
                              const void *x, int64_t incx, const void *y, int64_t incy, void *a, int64_t lda);

#endif
