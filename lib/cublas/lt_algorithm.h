/* SPDX-License-Identifier: MIT */
/* lt_algorithm - the algorithm of products by descriptors: there is one. */
#ifndef VPTR_CUBLAS_LT_ALGORITHM_H
#define VPTR_CUBLAS_LT_ALGORITHM_H

#include "cublas/lt_descriptor.h"

/* INVALID_VALUE: none, or never made one; NOT_SUPPORTED: with choices that there are not. Both are said. */
cublasStatus_t vptr__lt_check_algorithm(const char *call, const cublasLtMatmulAlgo_t *algo);

#endif
