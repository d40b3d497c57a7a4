/* SPDX-License-Identifier: MIT */
/*
 * sum_calls - cuBLAS's functions of sum.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define SUM(letter, T, type)                                                                                          \
  cublasStatus_t VPTR_CUBLAS_NAME(cublas##letter##geam)(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m,                   \
      VPTR_CUBLAS_INT n, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *beta, const T *B,                  \
      VPTR_CUBLAS_INT ldb, T *C, VPTR_CUBLAS_INT ldc) {                                                               \
    vptr__blas_sum sum = { .m = m, .n = n, .a = { A, lda, transa }, .b = { B, ldb, transb }, .c = C, .ldc = ldc };    \
    return add_matrices("cublas" #letter "geam", handle, type, sum, alpha, beta);                                     \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(cublas##letter##dgmm)(                                                              \
      cublasHandle_t handle, cublasSideMode_t mode, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *A,                 \
      VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, T *C, VPTR_CUBLAS_INT ldc) {                             \
    return scale_by_diagonal("cublas" #letter "dgmm", handle, type, mode, m, n, A, lda, x, incx, C, ldc);             \
  }
VPTR__BLAS_FOR_ALL(SUM)
#undef SUM

#endif
