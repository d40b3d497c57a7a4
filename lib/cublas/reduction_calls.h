/* SPDX-License-Identifier: MIT */
/*
 * reduction_calls - cuBLAS's functions of reduction.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define DOT(letter, verb, T, type, conjugates)                                                                        \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##verb)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,           \
                                                      VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy,         \
                                                      T *result) {                                                    \
    return vptr__blas_dot("cublas" #letter #verb, handle, type, conjugates, n, x, incx, y, incy, result);             \
  }
VPTR__BLAS_FOR_PAIRS(DOT, dot)
#undef DOT

#define REDUCE(letters, T, R, type)                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##asum)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,          \
                                                       VPTR_CUBLAS_INT incx, R *result) {                             \
    return vptr__blas_asum("cublas" #letters "asum", handle, type, n, x, incx, result);                               \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##nrm2)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,          \
                                                       VPTR_CUBLAS_INT incx, R *result) {                             \
    return vptr__blas_nrm2("cublas" #letters "nrm2", handle, type, n, x, incx, result);                               \
  }
VPTR__BLAS_FOR_SIZES(REDUCE)
#undef REDUCE

#define EXTREME(letter, T, type)                                                                                      \
  cublasStatus_t VPTR_CUBLAS_V2(cublasI##letter##amax)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,          \
                                                       VPTR_CUBLAS_INT incx, VPTR_CUBLAS_INT *result) {               \
    return vptr__blas_extreme("cublasI" #letter "amax", handle, type, 1, n, x, incx, result,                          \
                              sizeof(VPTR_CUBLAS_INT) == sizeof(int64_t));                                            \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublasI##letter##amin)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,          \
                                                       VPTR_CUBLAS_INT incx, VPTR_CUBLAS_INT *result) {               \
    return vptr__blas_extreme("cublasI" #letter "amin", handle, type, -1, n, x, incx, result,                         \
                              sizeof(VPTR_CUBLAS_INT) == sizeof(int64_t));                                            \
  }
EXTREME(s, float, VPTR__BLAS_S)
EXTREME(d, double, VPTR__BLAS_D)
EXTREME(c, cuComplex, VPTR__BLAS_C)
EXTREME(z, cuDoubleComplex, VPTR__BLAS_Z)
#undef EXTREME

#endif
