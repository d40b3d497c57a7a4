/* SPDX-License-Identifier: MIT */
/*
 * triangular_calls - cuBLAS's functions of triangular.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define TRIANGULAR(letter, T, type)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##trmm)(                                                                \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                   \
      cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha, const T *A, VPTR_CUBLAS_INT lda,   \
      const T *B, VPTR_CUBLAS_INT ldb, T *C, VPTR_CUBLAS_INT ldc) {                                                   \
    return multiply_triangular("cublas" #letter "trmm", handle, type, side, uplo, trans, diag, m, n, alpha, A, lda,   \
                               B, ldb, C, ldc);                                                                       \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##trsm)(                                                                \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                   \
      cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha, const T *A, VPTR_CUBLAS_INT lda,   \
      T *B, VPTR_CUBLAS_INT ldb) {                                                                                    \
    return solve_triangular("cublas" #letter "trsm", handle, type, side, uplo, trans, diag, m, n, alpha, A, lda, B,   \
                            ldb);                                                                                     \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(cublas##letter##trsmBatched)(                                                       \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                   \
      cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha, const T *const A[],                \
      VPTR_CUBLAS_INT lda, T *const B[], VPTR_CUBLAS_INT ldb, VPTR_CUBLAS_INT batchCount) {                           \
    return solve_many("cublas" #letter "trsmBatched", handle, type, side, uplo, trans, diag, m, n, alpha, A, lda, B,  \
                      ldb, batchCount);                                                                               \
  }
VPTR__BLAS_FOR_ALL(TRIANGULAR)
#undef TRIANGULAR

#endif
