/* SPDX-License-Identifier: MIT */
/*
 * reduction_calls - cuBLAS's functions of reduction.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define DOT(name, T, type, conjugates)                                                                                \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x, VPTR_CUBLAS_INT incx,     \
                                      const T *y, VPTR_CUBLAS_INT incy, T *result) {                                  \
    return vptr__blas_dot(#name, handle, type, conjugates, n, x, incx, y, incy, result);                              \
  }
DOT(cublasSdot, float, VPTR__BLAS_S, false)
DOT(cublasDdot, double, VPTR__BLAS_D, false)
DOT(cublasCdotu, cuComplex, VPTR__BLAS_C, false)
DOT(cublasZdotu, cuDoubleComplex, VPTR__BLAS_Z, false)
DOT(cublasCdotc, cuComplex, VPTR__BLAS_C, true)
DOT(cublasZdotc, cuDoubleComplex, VPTR__BLAS_Z, true)
#undef DOT

#define REDUCE(name, T, R, type, verb)                                                                                \
  cublasStatus_t VPTR_CUBLAS_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x, VPTR_CUBLAS_INT incx,     \
                                      R *result) {                                                                    \
    return vptr__blas_##verb(#name, handle, type, n, x, incx, result);                                                \
  }
REDUCE(cublasSasum, float, float, VPTR__BLAS_S, asum)
REDUCE(cublasDasum, double, double, VPTR__BLAS_D, asum)
REDUCE(cublasScasum, cuComplex, float, VPTR__BLAS_C, asum)
REDUCE(cublasDzasum, cuDoubleComplex, double, VPTR__BLAS_Z, asum)
REDUCE(cublasSnrm2, float, float, VPTR__BLAS_S, nrm2)
REDUCE(cublasDnrm2, double, double, VPTR__BLAS_D, nrm2)
REDUCE(cublasScnrm2, cuComplex, float, VPTR__BLAS_C, nrm2)
REDUCE(cublasDznrm2, cuDoubleComplex, double, VPTR__BLAS_Z, nrm2)
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
