/* SPDX-License-Identifier: MIT */
/*
 * level3 - the functions of level 3 by type, for those with a type in their name and cublas.h's.
 *
 * All of them are products of whole matrices (product.h) and small kernels around these. Sizes below 0, leading
 * dimensions that are too small and letters that mean nothing are INVALID_VALUE. C is not read where beta is 0, nor A
 * and B where alpha is 0.
 */
#ifndef VPTR_CUBLAS_LEVEL3_H
#define VPTR_CUBLAS_LEVEL3_H

#include "cublas/call.h"
#include "cublas/matrix.h"
#include "cublas/product.h"

/* gemm.c. */
cublasStatus_t vptr__blas_gemm(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasOperation_t transa,
                               cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha,
                               const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c,
                               int64_t ldc);

/* One product or many, of any family; the batch's factors are read from where alpha and beta point. */
cublasStatus_t vptr__blas_gemm_many(const char *name, cublasHandle_t handle, vptr__blas_family family,
                                    vptr__blas_batch batch, const void *alpha, const void *beta);

/* What is asked of the shape of a product, for all functions that have one; rows that are stored of A and of B. */
void vptr__blas_require_product(vptr__blas_call *call, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                                int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc);

/* symmetric.c: mirror is enum vptr__blas_mirror. */
cublasStatus_t vptr__blas_symm(const char *name, cublasHandle_t handle, vptr__blas_type type, int mirror,
                               cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const void *alpha,
                               const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c,
                               int64_t ldc);

/* The kinds of products with a transposed matrix: one matrix; alpha A op(B) + op(alpha) B op(A); alpha A op(B) alone,
 * of which the caller knows that it is symmetric. */
typedef enum vptr__blas_rank_kind { VPTR__BLAS_RANK_K, VPTR__BLAS_RANK_2K, VPTR__BLAS_RANK_KX } vptr__blas_rank_kind;

cublasStatus_t vptr__blas_syrk(const char *name, cublasHandle_t handle, vptr__blas_type type, vptr__blas_rank_kind kind,
                               bool is_hermitian, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                               const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                               const void *beta, void *c, int64_t ldc);

/* triangular.c. */
cublasStatus_t vptr__blas_trmm(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasSideMode_t side,
                               cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m,
                               int64_t n, const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                               void *c, int64_t ldc);
cublasStatus_t vptr__blas_trsm(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasSideMode_t side,
                               cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m,
                               int64_t n, const void *alpha, const void *a, int64_t lda, void *b, int64_t ldb);

#endif
