/* SPDX-License-Identifier: MIT */
/*
 * lt_task - a product as it lies in memory: by columns.
 *
 * Shapes and types are looked at here, which is all that the heuristic does; memory is the sender's matter
 * (lt_matmul.c).
 */
#ifndef VPTR_CUBLAS_LT_TASK_H
#define VPTR_CUBLAS_LT_TASK_H

#include "cublas/lt_descriptor.h"
#include "cublas/product.h"

typedef struct vptr__lt_task {
  const char *call;
  vptr__lt_matmul desc;
  vptr__lt_layout a, b, c, d;
  vptr__blas_family family;
  vptr__blas_batch batch; /* the operands' addresses and the factors are put in later */
  bool is_by_rows;        /* of D: m and n, and A and B, have changed places */
} vptr__lt_task;

/* INVALID_VALUE: what is asked for is no product; NOT_SUPPORTED: there is none such. Both are said. */
cublasStatus_t vptr__lt_describe(const char *call, cublasLtHandle_t handle, const cublasLtMatmulDescOpaque_t *desc,
                                 cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                 cublasLtMatrixLayout_t d, vptr__lt_task *task_out);

/* The kernels for types; NOT_SUPPORTED, which is said: there are none. */
cublasStatus_t vptr__lt_family_of(const char *call, cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
                                  cudaDataType b, cudaDataType c, cudaDataType d, vptr__blas_family *family_out);

/* Says what there is not; returns NOT_SUPPORTED. */
cublasStatus_t vptr__lt_refuse(const char *call, const char *why);

/* A matrix as one by columns. */
int64_t vptr__lt_stored_rows(const vptr__lt_layout *layout);
int64_t vptr__lt_stored_columns(const vptr__lt_layout *layout);

/* The operation on a matrix whose transpose is stored; and the one that makes the transpose of a result. */
cublasOperation_t vptr__lt_transposed(cublasOperation_t operation);

/* INVALID_VALUE: no shape; NOT_SUPPORTED: neither by columns nor by rows. Both are said. */
cublasStatus_t vptr__lt_check_layout(const char *call, const char *what, const vptr__lt_layout *layout);

#endif
