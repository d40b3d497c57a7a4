/* SPDX-License-Identifier: MIT */
/*
 * lt_epilogue - what follows a product: a function of it, with a bias and an auxiliary matrix, and gradients of a bias.
 *
 * A function is a kernel of its own behind the product; what it reads and writes beside D is named by the descriptor.
 */
#ifndef VPTR_CUBLAS_LT_EPILOGUE_H
#define VPTR_CUBLAS_LT_EPILOGUE_H

#include "cublas/lt_task.h"

/* All bits of the epilogues that there are. */
enum {
  VPTR__LT_EPILOGUES = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU_AUX_BIAS | CUBLASLT_EPILOGUE_GELU_AUX_BIAS |
                       CUBLASLT_EPILOGUE_DRELU_BGRAD | CUBLASLT_EPILOGUE_DGELU_BGRAD | CUBLASLT_EPILOGUE_BGRADA |
                       CUBLASLT_EPILOGUE_BGRADB
};

/* NOT_SUPPORTED, which is said: there is none such, or not for these types. */
cublasStatus_t vptr__lt_check_epilogue(const vptr__lt_task *task);

/* INVALID_VALUE, which is said: a pointer or a leading dimension that the epilogue needs is not there. The heuristic
 * is not told of them yet. */
cublasStatus_t vptr__lt_check_epilogue_pointers(const vptr__lt_task *task);

/* The memory that they lead to is live, and as long as its shape. */
void vptr__lt_check_epilogue_memory(vptr__blas_call *call, const vptr__lt_task *task);

/* Whether D is another function of the product than itself. */
bool vptr__lt_has_function(const vptr__lt_task *task);

/* D = f(P + beta C + bias), and what is kept beside it. P is m by n, in columns p_column apart, each matrix p_stride
 * behind the one before, and may be D. */
void vptr__lt_finish(vptr__blas_call *call, const vptr__lt_task *task, const void *p, int64_t p_column,
                     int64_t p_stride, vptr__blas_scalar beta, const void *c);

/* The gradient of the bias, if one is wanted: behind D, of which it may be. */
void vptr__lt_send_gradient(vptr__blas_call *call, const vptr__lt_task *task, const void *a, const void *b);

#endif
