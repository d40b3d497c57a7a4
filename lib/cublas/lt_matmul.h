/* SPDX-License-Identifier: MIT */
/* lt_matmul - what products and sums by descriptors have in common. */
#ifndef VPTR_CUBLAS_LT_MATMUL_H
#define VPTR_CUBLAS_LT_MATMUL_H

#include "cublas/lt_descriptor.h"

/* The operation on a matrix whose transpose is stored; and the one that makes the transpose of a result. */
cublasOperation_t vptr__lt_transposed(cublasOperation_t operation);

/* INVALID_VALUE: no shape; NOT_SUPPORTED: neither by columns nor by rows. Both are said. */
cublasStatus_t vptr__lt_check_layout(const char *call, const char *what, const vptr__lt_layout *layout);

#endif
