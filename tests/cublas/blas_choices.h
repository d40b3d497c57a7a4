/* SPDX-License-Identifier: MIT */
/*
 * blas_choices - what the tests of matrices choose from, in CBLAS's values and in cuBLAS's, one for the other; and
 * where factors are.
 */
#ifndef BLAS_CHOICES_H
#define BLAS_CHOICES_H

#include "blas_check.h"

#include <cublas_v2.h>

static const CBLAS_TRANSPOSE transposes[] = { CblasNoTrans, CblasTrans, CblasConjTrans };
static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
static const CBLAS_SIDE sides[] = { CblasLeft, CblasRight };
static const CBLAS_UPLO triangles[] = { CblasLower, CblasUpper };
static const cublasFillMode_t fills[] = { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
static const CBLAS_DIAG units[] = { CblasNonUnit, CblasUnit };
static const cublasDiagType_t diagonals[] = { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };

/* A factor on the host, or its copy on the device, as the handle's pointer mode is. */
static bool on_the_device;
#define FACTOR(host) (on_the_device ? on_device(host, sizeof *(host)) : (host))

static inline void choose_place_of_factors(cublasHandle_t handle, bool is_device) {
  on_the_device = is_device;
  EXPECT("cublasSetPointerMode",
         cublasSetPointerMode(handle, is_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
             CUBLAS_STATUS_SUCCESS);
}

#endif
