/* SPDX-License-Identifier: MIT */
/*
 * gemm - products of whole matrices of any family, one or many of one shape: for the functions with a type in their
 * names, and for those whose types are arguments.
 *
 * Sizes below 0, leading dimensions that are too small and operations that are none are INVALID_VALUE. C is not read
 * where beta is 0, nor A and B where alpha is 0.
 */
#ifndef VPTR_CUBLAS_GEMM_H
#define VPTR_CUBLAS_GEMM_H

#include "cublas/product.h"

/* gemm_ex.c: the kernels for types of A, B and C. NOT_SUPPORTED, which is said: there are none. */
cublasStatus_t vptr__blas_family_of(const char *name, cudaDataType a, cudaDataType b, cudaDataType c,
                                    cublasComputeType_t compute, vptr__blas_family *family_out);

/* The batch's factors are read from where alpha and beta point. */
cublasStatus_t vptr__blas_gemm_many(const char *name, cublasHandle_t handle, vptr__blas_family family,
                                    vptr__blas_batch batch, const void *alpha, const void *beta);

#endif
