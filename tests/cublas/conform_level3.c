/* SPDX-License-Identifier: MIT */
/*
 * conform_level3 - products of matrices against BLAS on the host: all types, shapes and leading dimensions at random,
 * every operation, triangle, side and diagonal, both pointer modes, NaN where nothing may be read.
 */
#include "blas_choices.h"

#define BLAS_TESTS "level3_type.h"
#include "blas_types.h"

int main(void) {
  cublasHandle_t handle;
  EXPECT("cublasCreate", cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  level3_s(handle);
  level3_d(handle);
  level3_c(handle);
  level3_z(handle);
  EXPECT("cublasDestroy", cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return verdict("conform_level3");
}
