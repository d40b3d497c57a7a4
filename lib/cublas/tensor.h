/* SPDX-License-Identifier: MIT */
/*
 * tensor - products of doubles by the tensor cores of NVIDIA's devices, from compute capability 9.0 on.
 *
 * OpenCL C has no words for them, but NVIDIA's compiler takes PTX in asm(): mma of 16 by 8 by 16 (PTX ISA, "Matrix
 * multiply-accumulate operation using mma instruction"). CLBlast's kernels reach a fifth of what these do.
 */
#ifndef VPTR_CUBLAS_TENSOR_H
#define VPTR_CUBLAS_TENSOR_H

#include "cublas/product.h"

/* Sends a product. False, and nothing was sent: the device has no such units, the product is too small, an operand is
 * out of reach, or the driver does not build the kernel. */
bool vptr__blas_tensor_multiply(vptr__blas_call *call, const vptr__blas_product *product);

#endif
