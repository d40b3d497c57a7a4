/* SPDX-License-Identifier: MIT */
/*
 * product - products of matrices, which all of level 3 is made of.
 *
 * C = alpha op(A) op(B) + beta C. CLBlast does it where it can be asked; everything else is a kernel of the library's
 * own (product.c has the rules). What is passed was checked; C is not read where beta is 0, nor A and B where alpha is
 * 0.
 */
#ifndef VPTR_CUBLAS_PRODUCT_H
#define VPTR_CUBLAS_PRODUCT_H

#include "cublas/call.h"
#include "cublas/kernel.h"

/* A factor of a product. */
typedef struct vptr__blas_operand {
  const void *at;
  int64_t ld;
  cublasOperation_t operation;
} vptr__blas_operand;

typedef struct vptr__blas_product {
  int64_t m, n, k;
  vptr__blas_scalar alpha, beta;
  vptr__blas_operand a, b;
  void *c;
  int64_t ldc;
} vptr__blas_product;

void vptr__blas_multiply(vptr__blas_call *call, const vptr__blas_product *product);

/* Many products of one shape. Matrices are a stride apart; or, with by_pointers, a.at, b.at and c are arrays of
 * pointers on the device, each of which is followed a "stride" further. The scalars' values are of the type that the
 * family adds up in. The kernel of batches takes CUBLAS_OP_CONJG, too, and negative leading dimensions. */
typedef struct vptr__blas_batch {
  vptr__blas_product each;
  int64_t a_stride, b_stride, c_stride, count;
  bool by_pointers;
} vptr__blas_batch;

void vptr__blas_multiply_batch(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *batch);

/* By the kernel of batches, whatever their size. */
void vptr__blas_launch_batch(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *batch);

/* A batch of the variables that cuBLAS's functions have. */
#define VPTR__BLAS_BATCH(a_at, b_at, c_at, number)                                                                    \
  (vptr__blas_batch){ .each = { .m = m,                                                                               \
                                .n = n,                                                                               \
                                .k = k,                                                                               \
                                .a = { a_at, lda, transa },                                                           \
                                .b = { b_at, ldb, transb },                                                           \
                                .c = (void *)(uintptr_t)(c_at),                                                       \
                                .ldc = ldc },                                                                         \
                      .count = number }

/* Bytes of an element of A and B, and of C. And a factor, by the pointer mode, as the family's kernels take it. */
size_t vptr__blas_input_size(vptr__blas_family family);
size_t vptr__blas_output_size(vptr__blas_family family);
vptr__blas_scalar vptr__blas_factor_of(vptr__blas_call *call, vptr__blas_family family, const char *what,
                                       const void *at);

/* C = alpha op(A) + beta op(B), in a triangle (enum vptr__blas_triangle of matrix.h) or everywhere; hermitian: what is
 * on the diagonal is made real. */
typedef struct vptr__blas_sum {
  int64_t m, n;
  vptr__blas_scalar alpha, beta;
  vptr__blas_operand a, b;
  void *c;
  int64_t ldc;
  int triangle;
  bool is_hermitian;
} vptr__blas_sum;

void vptr__blas_add(vptr__blas_call *call, const vptr__blas_sum *sum);

/* Element (row, column) of a matrix of the call's type. */
static inline void *vptr__blas_element(const vptr__blas_call *call, const void *a, int64_t ld, int64_t row,
                                       int64_t column) {
  return (char *)(uintptr_t)a + (size_t)(row + column * ld) * vptr__blas_size(call->type);
}

/* clblast.c: asks CLBlast. False, and nothing was sent: it cannot be asked for these. */
bool vptr__blas_clblast_multiply(vptr__blas_call *call, const vptr__blas_product *product);

#endif
