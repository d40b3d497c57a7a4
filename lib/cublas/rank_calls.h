/* SPDX-License-Identifier: MIT */
/*
 * rank_calls - cuBLAS's functions of rank.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define GER(letter, verb, T, type, conjugates)                                                                        \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(cublasHandle_t handle, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n,    \
                                                      const T *alpha, const T *x, VPTR_CUBLAS_INT incx, const T *y,   \
                                                      VPTR_CUBLAS_INT incy, T *A, VPTR_CUBLAS_INT lda) {              \
    return update_whole("cublas" #letter #verb, handle, type, conjugates, m, n, alpha, x, incx, y, incy, A, lda);     \
  }
VPTR__BLAS_FOR_PAIRS(GER, ger)
#undef GER

#define SYR(letter, verb, T, R, type, hermitian)                                                                      \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                                      VPTR_CUBLAS_INT n, const R *alpha, const T *x,                  \
                                                      VPTR_CUBLAS_INT incx, T *A, VPTR_CUBLAS_INT lda) {              \
    return update_triangle("cublas" #letter #verb, handle, type, VPTR__BLAS_COLUMNS, hermitian, false, uplo, n,       \
                           alpha, x, incx, NULL, 0, A, lda);                                                          \
  }
VPTR__BLAS_FOR_SYMMETRIC(SYR, r)
#undef SYR

#define SPR(letter, verb, T, R, type, hermitian)                                                                      \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                                      VPTR_CUBLAS_INT n, const R *alpha, const T *x,                  \
                                                      VPTR_CUBLAS_INT incx, T *AP) {                                  \
    return update_triangle("cublas" #letter #verb, handle, type, VPTR__BLAS_PACKED, hermitian, false, uplo, n,        \
                           alpha, x, incx, NULL, 0, AP, 1);                                                           \
  }
VPTR__BLAS_FOR_STORED(SPR, pr)
#undef SPR

#define SYR2(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, const T *x,                    \
      VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *A, VPTR_CUBLAS_INT lda) {                            \
    return update_triangle("cublas" #letter #verb, handle, type, VPTR__BLAS_COLUMNS, hermitian, true, uplo, n,        \
                           alpha, x, incx, y, incy, A, lda);                                                          \
  }
VPTR__BLAS_FOR_SYMMETRIC(SYR2, r2)
#undef SYR2

#define SPR2(letter, verb, T, R, type, hermitian)                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(                                                                \
      cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, const T *x,                    \
      VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *AP) {                                                \
    return update_triangle("cublas" #letter #verb, handle, type, VPTR__BLAS_PACKED, hermitian, true, uplo, n, alpha,  \
                           x, incx, y, incy, AP, 1);                                                                  \
  }
VPTR__BLAS_FOR_STORED(SPR2, pr2)
#undef SPR2

#endif
