/* SPDX-License-Identifier: MIT */
/*
 * symmetric_calls - cuBLAS's functions of symmetric.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define SYMM(name, T, type, mirror)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                      VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha, const T *A,               \
                                      VPTR_CUBLAS_INT lda, const T *B, VPTR_CUBLAS_INT ldb, const T *beta, T *C,      \
                                      VPTR_CUBLAS_INT ldc) {                                                          \
    return vptr__blas_symm(#name, handle, type, mirror, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);       \
  }
SYMM(cublasSsymm, float, VPTR__BLAS_S, VPTR__BLAS_SAME)
SYMM(cublasDsymm, double, VPTR__BLAS_D, VPTR__BLAS_SAME)
SYMM(cublasCsymm, cuComplex, VPTR__BLAS_C, VPTR__BLAS_SAME)
SYMM(cublasZsymm, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_SAME)
SYMM(cublasChemm, cuComplex, VPTR__BLAS_C, VPTR__BLAS_CONJUGATE)
SYMM(cublasZhemm, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_CONJUGATE)
#undef SYMM

#define SYRK(name, T, TS, type, hermitian)                                                                            \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const TS *alpha, const T *A,              \
                                      VPTR_CUBLAS_INT lda, const TS *beta, T *C, VPTR_CUBLAS_INT ldc) {               \
    return vptr__blas_syrk(#name, handle, type, VPTR__BLAS_RANK_K, hermitian, uplo, trans, n, k, alpha, A, lda, NULL, \
                           0, beta, C, ldc);                                                                          \
  }
SYRK(cublasSsyrk, float, float, VPTR__BLAS_S, false)
SYRK(cublasDsyrk, double, double, VPTR__BLAS_D, false)
SYRK(cublasCsyrk, cuComplex, cuComplex, VPTR__BLAS_C, false)
SYRK(cublasZsyrk, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_Z, false)
SYRK(cublasCherk, cuComplex, float, VPTR__BLAS_C, true)
SYRK(cublasZherk, cuDoubleComplex, double, VPTR__BLAS_Z, true)
#undef SYRK

#define SYR2K(symbol, name, T, TB, type, kind, hermitian)                                                             \
  cublasStatus_t symbol(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, VPTR_CUBLAS_INT n,     \
                        VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B,               \
                        VPTR_CUBLAS_INT ldb, const TB *beta, T *C, VPTR_CUBLAS_INT ldc) {                             \
    return vptr__blas_syrk(name, handle, type, kind, hermitian, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C,    \
                           ldc);                                                                                      \
  }
#define BOTH(verb, letter, T, TB, type, hermitian)                                                                    \
  SYR2K(VPTR_CUBLAS_V2(cublas##letter##verb##2k), "cublas" #letter #verb "2k", T, TB, type, VPTR__BLAS_RANK_2K,       \
        hermitian)                                                                                                    \
  SYR2K(VPTR_CUBLAS_NAME(cublas##letter##verb##kx), "cublas" #letter #verb "kx", T, TB, type, VPTR__BLAS_RANK_KX,     \
        hermitian)
BOTH(syr, S, float, float, VPTR__BLAS_S, false)
BOTH(syr, D, double, double, VPTR__BLAS_D, false)
BOTH(syr, C, cuComplex, cuComplex, VPTR__BLAS_C, false)
BOTH(syr, Z, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_Z, false)
BOTH(her, C, cuComplex, float, VPTR__BLAS_C, true)
BOTH(her, Z, cuDoubleComplex, double, VPTR__BLAS_Z, true)
#undef BOTH
#undef SYR2K

#endif
