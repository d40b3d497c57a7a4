/* SPDX-License-Identifier: MIT */
/*
 * level1 - the functions of level 1 by type, for those with a type in their name and the Ex ones.
 *
 * A vector without elements is nothing to do. Negative increments are BLAS's: the vector is walked from its far end; of
 * functions with one vector (scal, nrm2, asum, amax, amin) one that is not positive is none at all. Results of vectors
 * without elements are 0.
 */
#ifndef VPTR_CUBLAS_LEVEL1_H
#define VPTR_CUBLAS_LEVEL1_H

#include "cublas/call.h"

cublasStatus_t vptr__blas_scal(const char *name, cublasHandle_t handle, vptr__blas_type type, bool by_real, int64_t n,
                               const void *alpha, void *x, int64_t incx);
cublasStatus_t vptr__blas_axpy(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                               const void *alpha, const void *x, int64_t incx, void *y, int64_t incy);
cublasStatus_t vptr__blas_copy(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n, const void *x,
                               int64_t incx, void *y, int64_t incy);
cublasStatus_t vptr__blas_swap(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n, void *x,
                               int64_t incx, void *y, int64_t incy);

/* reduction.c. */
cublasStatus_t vptr__blas_dot(const char *name, cublasHandle_t handle, vptr__blas_type type, bool conjugates, int64_t n,
                              const void *x, int64_t incx, const void *y, int64_t incy, void *result);
cublasStatus_t vptr__blas_asum(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n, const void *x,
                               int64_t incx, void *result);
cublasStatus_t vptr__blas_nrm2(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n, const void *x,
                               int64_t incx, void *result);
/* turns: 1 the largest, -1 the smallest; the result is an int, or an int64_t if it is_wide. */
cublasStatus_t vptr__blas_extreme(const char *name, cublasHandle_t handle, vptr__blas_type type, int turns, int64_t n,
                                  const void *x, int64_t incx, void *result, bool is_wide);

#endif
