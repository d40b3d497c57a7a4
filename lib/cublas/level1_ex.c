/* SPDX-License-Identifier: MIT */
/*
 * level1_ex - vectors whose types are arguments: the four types of BLAS, all operands of one.
 *
 * cuBLAS also has them of half precision and of mixed types; those are NOT_SUPPORTED here. A result of a complex
 * vector's size (nrm2, asum) has the type of its parts.
 *
 * No state, no locks. Called by programs (level1_ex_calls.h, for both types of sizes). Waits where a result goes to the
 * host.
 */
#include "base/error.h"
#include "cublas/level1.h"

static const struct {
  cudaDataType data;
  vptr__blas_type type;
} types[] = { { CUDA_R_32F, VPTR__BLAS_S },
              { CUDA_R_64F, VPTR__BLAS_D },
              { CUDA_C_32F, VPTR__BLAS_C },
              { CUDA_C_64F, VPTR__BLAS_Z } };

/* The type of x, if all others are the same, or real where that is asked; NOT_SUPPORTED, which is said, if not. */
static cublasStatus_t find_type(const char *name, cublasHandle_t handle, cudaDataType x, cudaDataType other,
                                cudaDataType result, bool result_is_real, vptr__blas_type *type_out) {
  cublasStatus_t status = vptr__blas_handle_check(name, handle);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    vptr__blas_type wanted = result_is_real ? vptr__blas_real_type(types[i].type) : types[i].type;
    if (types[i].data == x && other == x && types[wanted].data == result) {
      *type_out = types[i].type;
      return CUBLAS_STATUS_SUCCESS;
    }
  }
  vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: the types %d, %d and %d are no combination that there is: float, double or their complex kinds, all "
      "the same",
      name, (int)x, (int)other, (int)result);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define VPTR_CUBLAS_CALLS "cublas/level1_ex_calls.h"
#include "cublas/both_sizes.h"
