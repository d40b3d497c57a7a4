/* SPDX-License-Identifier: MIT */
/*
 * vector_product_calls - cuBLAS's functions of vector_product.c, for one type of sizes: included twice. Called by
 * programs.
 */
#ifdef VPTR_CUBLAS_INT

#define WHOLE(letter, T, type)                                                                                        \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##gemv)(                                                                \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha,           \
      const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y,                         \
      VPTR_CUBLAS_INT incy) {                                                                                         \
    return multiply_whole("cublas" #letter "gemv", handle, type, trans, m, n, alpha, A, lda, x, incx, beta, y,        \
                          incy);                                                                                      \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##gbmv)(                                                                \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT kl,       \
      VPTR_CUBLAS_INT ku, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx,          \
      const T *beta, T *y, VPTR_CUBLAS_INT incy) {                                                                    \
    return multiply_band("cublas" #letter "gbmv", handle, type, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta,    \
                         y, incy);                                                                                    \
  }
VPTR__BLAS_FOR_ALL(WHOLE)
#undef WHOLE

#define SYMV(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, const T *A,                    \
      VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy) {             \
    return multiply_symmetric("cublas" #letter #verb, handle, type, VPTR__BLAS_COLUMNS, hermitian, uplo, n, 0,        \
                              alpha, A, lda, x, incx, beta, y, incy);                                                 \
  }
VPTR__BLAS_FOR_SYMMETRIC(SYMV, mv)
#undef SYMV

#define SBMV(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha,             \
      const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y,                         \
      VPTR_CUBLAS_INT incy) {                                                                                         \
    return multiply_symmetric("cublas" #letter #verb, handle, type, VPTR__BLAS_BAND, hermitian, uplo, n, k, alpha,    \
                              A, lda, x, incx, beta, y, incy);                                                        \
  }
VPTR__BLAS_FOR_STORED(SBMV, bmv)
#undef SBMV

#define SPMV(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, const T *AP, const T *x,       \
      VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy) {                                              \
    return multiply_symmetric("cublas" #letter #verb, handle, type, VPTR__BLAS_PACKED, hermitian, uplo, n, 0, alpha,  \
                              AP, 1, x, incx, beta, y, incy);                                                         \
  }
VPTR__BLAS_FOR_STORED(SPMV, pmv)
#undef SPMV

#define TRIANGLE_OF(letter, verb, T, type, solves)                                                                    \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tr##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, const T *A, VPTR_CUBLAS_INT lda, T *x, VPTR_CUBLAS_INT incx) {                               \
    return multiply_or_solve("cublas" #letter "tr" #verb, handle, type, VPTR__BLAS_COLUMNS, solves, uplo, trans,      \
                             diag, n, 0, A, lda, x, incx);                                                            \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tb##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *A, VPTR_CUBLAS_INT lda, T *x, VPTR_CUBLAS_INT incx) {            \
    return multiply_or_solve("cublas" #letter "tb" #verb, handle, type, VPTR__BLAS_BAND, solves, uplo, trans, diag,   \
                             n, k, A, lda, x, incx);                                                                  \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##tp##verb)(                                                            \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,                   \
      VPTR_CUBLAS_INT n, const T *AP, T *x, VPTR_CUBLAS_INT incx) {                                                   \
    return multiply_or_solve("cublas" #letter "tp" #verb, handle, type, VPTR__BLAS_PACKED, solves, uplo, trans,       \
                             diag, n, 0, AP, 1, x, incx);                                                             \
  }
#define TRIANGLE(letter, T, type)                                                                                     \
  TRIANGLE_OF(letter, mv, T, type, false)                                                                             \
  TRIANGLE_OF(letter, sv, T, type, true)
VPTR__BLAS_FOR_ALL(TRIANGLE)
#undef TRIANGLE
#undef TRIANGLE_OF

#endif
