/* SPDX-License-Identifier: MIT */
/*
 * rank_calls - cuBLAS's functions of rank.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define GER(name, T, type, conjugates)                                                                                \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha,    \
                                      const T *x, VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *A,       \
                                      VPTR_CUBLAS_INT lda) {                                                          \
    return vptr__blas_ger(#name, handle, type, conjugates, m, n, alpha, x, incx, y, incy, A, lda);                    \
  }
GER(cublasSger, float, VPTR__BLAS_S, false)
GER(cublasDger, double, VPTR__BLAS_D, false)
GER(cublasCgeru, cuComplex, VPTR__BLAS_C, false)
GER(cublasZgeru, cuDoubleComplex, VPTR__BLAS_Z, false)
GER(cublasCgerc, cuComplex, VPTR__BLAS_C, true)
GER(cublasZgerc, cuDoubleComplex, VPTR__BLAS_Z, true)
#undef GER

#define SYR(name, T, A_T, type, hermitian)                                                                            \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const A_T *alpha, const T *x, VPTR_CUBLAS_INT incx, T *A,                       \
                                      VPTR_CUBLAS_INT lda) {                                                          \
    return vptr__blas_syr(#name, handle, type, VPTR__BLAS_COLUMNS, hermitian, false, uplo, n, alpha, x, incx, NULL,   \
                          0, A, lda);                                                                                 \
  }
SYR(cublasSsyr, float, float, VPTR__BLAS_S, false)
SYR(cublasDsyr, double, double, VPTR__BLAS_D, false)
SYR(cublasCsyr, cuComplex, cuComplex, VPTR__BLAS_C, false)
SYR(cublasZsyr, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_Z, false)
SYR(cublasCher, cuComplex, float, VPTR__BLAS_C, true)
SYR(cublasZher, cuDoubleComplex, double, VPTR__BLAS_Z, true)
#undef SYR

#define SPR(name, T, A_T, type, hermitian)                                                                            \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const A_T *alpha, const T *x, VPTR_CUBLAS_INT incx, T *AP) {                    \
    return vptr__blas_syr(#name, handle, type, VPTR__BLAS_PACKED, hermitian, false, uplo, n, alpha, x, incx, NULL, 0, \
                          AP, 1);                                                                                     \
  }
SPR(cublasSspr, float, float, VPTR__BLAS_S, false)
SPR(cublasDspr, double, double, VPTR__BLAS_D, false)
SPR(cublasChpr, cuComplex, float, VPTR__BLAS_C, true)
SPR(cublasZhpr, cuDoubleComplex, double, VPTR__BLAS_Z, true)
#undef SPR

#define SYR2(name, T, type, hermitian)                                                                                \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const T *alpha, const T *x, VPTR_CUBLAS_INT incx, const T *y,                   \
                                      VPTR_CUBLAS_INT incy, T *A, VPTR_CUBLAS_INT lda) {                              \
    return vptr__blas_syr(#name, handle, type, VPTR__BLAS_COLUMNS, hermitian, true, uplo, n, alpha, x, incx, y, incy, \
                          A, lda);                                                                                    \
  }
SYR2(cublasSsyr2, float, VPTR__BLAS_S, false)
SYR2(cublasDsyr2, double, VPTR__BLAS_D, false)
SYR2(cublasCsyr2, cuComplex, VPTR__BLAS_C, false)
SYR2(cublasZsyr2, cuDoubleComplex, VPTR__BLAS_Z, false)
SYR2(cublasCher2, cuComplex, VPTR__BLAS_C, true)
SYR2(cublasZher2, cuDoubleComplex, VPTR__BLAS_Z, true)
#undef SYR2

#define SPR2(name, T, type, hermitian)                                                                                \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const T *alpha, const T *x, VPTR_CUBLAS_INT incx, const T *y,                   \
                                      VPTR_CUBLAS_INT incy, T *AP) {                                                  \
    return vptr__blas_syr(#name, handle, type, VPTR__BLAS_PACKED, hermitian, true, uplo, n, alpha, x, incx, y, incy,  \
                          AP, 1);                                                                                     \
  }
SPR2(cublasSspr2, float, VPTR__BLAS_S, false)
SPR2(cublasDspr2, double, VPTR__BLAS_D, false)
SPR2(cublasChpr2, cuComplex, VPTR__BLAS_C, true)
SPR2(cublasZhpr2, cuDoubleComplex, VPTR__BLAS_Z, true)
#undef SPR2

#endif
