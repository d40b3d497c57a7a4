/* SPDX-License-Identifier: MIT */
/*
 * conform_level2 - matrices and vectors against BLAS on the host: all types, kinds of storage, triangles, operations
 * and diagonals, shapes and increments at random, both pointer modes.
 */
#include "blas_check.h"

#include <cublas_v2.h>

static bool on_the_device;
static const CBLAS_TRANSPOSE transposes[] = { CblasNoTrans, CblasTrans, CblasConjTrans };
static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
static const CBLAS_UPLO triangles[] = { CblasLower, CblasUpper };
static const cublasFillMode_t fills[] = { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
static const CBLAS_DIAG units[] = { CblasNonUnit, CblasUnit };
static const cublasDiagType_t diagonals[] = { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };

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
