/* SPDX-License-Identifier: MIT */
/*
 * vector_product_calls - cuBLAS's functions of vector_product.c, for one type of sizes: included twice. Called by
 * programs.
 */
#ifdef VPTR_CUBLAS_INT

#define WHOLE(letter, T, type)                                                                                        \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##gemv)(                                                                \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha,           \
      const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy) { \
    return vptr__blas_gemv("cublas" #letter "gemv", handle, type, trans, m, n, alpha, A, lda, x, incx, beta, y,       \
                           incy);                                                                                     \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##gbmv)(                                                                \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT kl,       \
      VPTR_CUBLAS_INT ku, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx,          \
      const T *beta, T *y, VPTR_CUBLAS_INT incy) {                                                                    \
    return vptr__blas_gbmv("cublas" #letter "gbmv", handle, type, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta,  \
                           y, incy);                                                                                  \
  }
WHOLE(S, float, VPTR__BLAS_S)
WHOLE(D, double, VPTR__BLAS_D)
WHOLE(C, cuComplex, VPTR__BLAS_C)
WHOLE(Z, cuDoubleComplex, VPTR__BLAS_Z)
#undef WHOLE

#define SYMV(name, T, type, mirror)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x,                    \
                                      VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy) {              \
    return vptr__blas_symv(#name, handle, type, VPTR__BLAS_COLUMNS, mirror, uplo, n, 0, alpha, A, lda, x, incx, beta, \
                           y, incy);                                                                                  \
  }
SYMV(cublasSsymv, float, VPTR__BLAS_S, VPTR__BLAS_SAME)
SYMV(cublasDsymv, double, VPTR__BLAS_D, VPTR__BLAS_SAME)
SYMV(cublasCsymv, cuComplex, VPTR__BLAS_C, VPTR__BLAS_SAME)
SYMV(cublasZsymv, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_SAME)
SYMV(cublasChemv, cuComplex, VPTR__BLAS_C, VPTR__BLAS_CONJUGATE)
SYMV(cublasZhemv, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_CONJUGATE)
#undef SYMV

#define SBMV(name, T, type, mirror)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x, \
                                      VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy) {              \
    return vptr__blas_symv(#name, handle, type, VPTR__BLAS_BAND, mirror, uplo, n, k, alpha, A, lda, x, incx, beta, y, \
                           incy);                                                                                     \
  }
SBMV(cublasSsbmv, float, VPTR__BLAS_S, VPTR__BLAS_SAME)
SBMV(cublasDsbmv, double, VPTR__BLAS_D, VPTR__BLAS_SAME)
SBMV(cublasChbmv, cuComplex, VPTR__BLAS_C, VPTR__BLAS_CONJUGATE)
SBMV(cublasZhbmv, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_CONJUGATE)
#undef SBMV

#define SPMV(name, T, type, mirror)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n,                \
                                      const T *alpha, const T *AP, const T *x, VPTR_CUBLAS_INT incx, const T *beta,   \
                                      T *y, VPTR_CUBLAS_INT incy) {                                                   \
    return vptr__blas_symv(#name, handle, type, VPTR__BLAS_PACKED, mirror, uplo, n, 0, alpha, AP, 1, x, incx, beta,   \
                           y, incy);                                                                                  \
  }
SPMV(cublasSspmv, float, VPTR__BLAS_S, VPTR__BLAS_SAME)
SPMV(cublasDspmv, double, VPTR__BLAS_D, VPTR__BLAS_SAME)
SPMV(cublasChpmv, cuComplex, VPTR__BLAS_C, VPTR__BLAS_CONJUGATE)
SPMV(cublasZhpmv, cuDoubleComplex, VPTR__BLAS_Z, VPTR__BLAS_CONJUGATE)
#undef SPMV

#define TRIANGLE_OF(letter, verb, T, type, solves)                                                                    \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tr##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, const T *A, VPTR_CUBLAS_INT lda, T *x, VPTR_CUBLAS_INT incx) {                               \
    return vptr__blas_trmv("cublas" #letter "tr" #verb, handle, type, VPTR__BLAS_COLUMNS, solves, uplo, trans, diag,  \
                           n, 0, A, lda, x, incx);                                                                    \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tb##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *A, VPTR_CUBLAS_INT lda, T *x, VPTR_CUBLAS_INT incx) {            \
    return vptr__blas_trmv("cublas" #letter "tb" #verb, handle, type, VPTR__BLAS_BAND, solves, uplo, trans, diag, n,  \
                           k, A, lda, x, incx);                                                                       \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tp##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, const T *AP, T *x, VPTR_CUBLAS_INT incx) {                                                   \
    return vptr__blas_trmv("cublas" #letter "tp" #verb, handle, type, VPTR__BLAS_PACKED, solves, uplo, trans, diag,   \
                           n, 0, AP, 1, x, incx);                                                                     \
  }
#define TRIANGLE(letter, T, type)                                                                                     \
  TRIANGLE_OF(letter, mv, T, type, false)                                                                             \
  TRIANGLE_OF(letter, sv, T, type, true)
TRIANGLE(S, float, VPTR__BLAS_S)
TRIANGLE(D, double, VPTR__BLAS_D)
TRIANGLE(C, cuComplex, VPTR__BLAS_C)
TRIANGLE(Z, cuDoubleComplex, VPTR__BLAS_Z)
#undef TRIANGLE
#undef TRIANGLE_OF

#endif
