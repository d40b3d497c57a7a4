/* SPDX-License-Identifier: MIT */
/*
 * matrix - a matrix of level 2 or 3, however it is stored: what kernels/element.cuh is told.
 */
#ifndef VPTR_CUBLAS_MATRIX_H
#define VPTR_CUBLAS_MATRIX_H

#include "cublas/call.h"

enum vptr__blas_storage { VPTR__BLAS_COLUMNS, VPTR__BLAS_BAND, VPTR__BLAS_PACKED };
enum vptr__blas_triangle { VPTR__BLAS_ALL, VPTR__BLAS_LOWER, VPTR__BLAS_UPPER };
enum vptr__blas_mirror { VPTR__BLAS_ZEROS, VPTR__BLAS_SAME, VPTR__BLAS_CONJUGATE };

typedef struct vptr__blas_matrix_of {
  const void *at;
  int64_t ld;
  int storage, triangle, mirror, unit;
  int64_t lower, upper; /* how far a band reaches from the diagonal */
  int64_t n;            /* the order of what is packed or square */
} vptr__blas_matrix_of;

/* What a kernel's parameters of element.cuh are. */
#define VPTR__BLAS_MATRIX(matrix)                                                                                     \
  &(matrix).at, &(matrix).ld, &(matrix).storage, &(matrix).triangle, &(matrix).mirror, &(matrix).unit,               \
      &(matrix).lower, &(matrix).upper, &(matrix).n

static inline int vptr__blas_triangle_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? VPTR__BLAS_LOWER : VPTR__BLAS_UPPER;
}

#endif
