/* SPDX-License-Identifier: MIT */
/*
 * symmetric_calls - cuBLAS's functions of symmetric.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define SYMM(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n,      \
      const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B, VPTR_CUBLAS_INT ldb, const T *beta, T *C,          \
      VPTR_CUBLAS_INT ldc) {                                                                                          \
    return multiply_symmetric("cublas" #letter #verb, handle, type, hermitian, side, uplo, m, n, alpha, A, lda, B,    \
                              ldb, beta, C, ldc);                                                                     \
  }
VPTR__BLAS_FOR_SYMMETRIC(SYMM, mm)
#undef SYMM

#define SYRK(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k,    \
      const R *alpha, const T *A, VPTR_CUBLAS_INT lda, const R *beta, T *C, VPTR_CUBLAS_INT ldc) {                    \
    return multiply_transposed("cublas" #letter #verb, handle, type, RANK_K, hermitian, uplo, trans, n, k, alpha, A,  \
                               lda, NULL, 0, beta, C, ldc);                                                           \
  }
VPTR__BLAS_FOR_SYMMETRIC(SYRK, rk)
#undef SYRK

#define SYR2K(symbol, name, T, R, type, kind, hermitian)                                                              \
  cublasStatus_t symbol(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, VPTR_CUBLAS_INT n,     \
                        VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B,               \
                        VPTR_CUBLAS_INT ldb, const R *beta, T *C, VPTR_CUBLAS_INT ldc) {                              \
    return multiply_transposed(name, handle, type, kind, hermitian, uplo, trans, n, k, alpha, A, lda, B, ldb, beta,   \
                               C, ldc);                                                                               \
  }
#define BOTH(letter, verb, T, R, type, hermitian)                                                                     \
  SYR2K(VPTR_CUBLAS_V2(cublas##letter##verb##2k), "cublas" #letter #verb "2k", T, R, type, RANK_2K, hermitian)        \
  SYR2K(VPTR_CUBLAS_NAME(cublas##letter##verb##kx), "cublas" #letter #verb "kx", T, R, type, RANK_KX, hermitian)
VPTR__BLAS_FOR_SYMMETRIC(BOTH, r)
#undef BOTH
#undef SYR2K

#endif
