/* SPDX-License-Identifier: MIT */
/*
 * conform_level2 - matrices and vectors against BLAS on the host: all types, kinds of storage, triangles, operations
 * and diagonals, shapes and increments at random, both pointer modes.
 */
#include "blas_choices.h"

#define BLAS_TESTS "level2_type.h"
#include "blas_types.h"

int main(void) {
  cublasHandle_t handle;
  EXPECT("cublasCreate", cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  level2_s(handle);
  level2_d(handle);
  level2_c(handle);
  level2_z(handle);
  EXPECT("cublasDestroy", cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return verdict("conform_level2");
}
