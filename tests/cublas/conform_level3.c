/* SPDX-License-Identifier: MIT */
/*
 * conform_level3 - products of matrices against BLAS on the host: all types, shapes and leading dimensions at random,
 * every operation, triangle, side and diagonal, both pointer modes, NaN where nothing may be read.
 */
#include "blas_check.h"

#include <cublas_v2.h>

static bool on_the_device;
static const CBLAS_TRANSPOSE transposes[] = { CblasNoTrans, CblasTrans, CblasConjTrans };
static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
static const CBLAS_SIDE sides[] = { CblasLeft, CblasRight };
static const CBLAS_UPLO triangles[] = { CblasLower, CblasUpper };
static const cublasFillMode_t fills[] = { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
static const CBLAS_DIAG units[] = { CblasNonUnit, CblasUnit };
static const cublasDiagType_t diagonals[] = { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };

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
