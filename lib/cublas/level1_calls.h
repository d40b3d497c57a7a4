/* SPDX-License-Identifier: MIT */
/*
 * level1_calls - cuBLAS's functions of level1.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define SCAL(letters, T, A, type)                                                                                     \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##scal)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const A *alpha,      \
                                                       T *x, VPTR_CUBLAS_INT incx) {                                  \
    return vptr__blas_scal("cublas" #letters "scal", handle, type, sizeof(T) != sizeof(A), n, alpha, x, incx);        \
  }
SCAL(S, float, float, VPTR__BLAS_S)
SCAL(D, double, double, VPTR__BLAS_D)
SCAL(C, cuComplex, cuComplex, VPTR__BLAS_C)
SCAL(Z, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_Z)
SCAL(Cs, cuComplex, float, VPTR__BLAS_C)
SCAL(Zd, cuDoubleComplex, double, VPTR__BLAS_Z)
#undef SCAL

#define VECTORS(letter, T, type)                                                                                      \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##axpy)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *alpha,       \
                                                      const T *x, VPTR_CUBLAS_INT incx, T *y,                         \
                                                      VPTR_CUBLAS_INT incy) {                                         \
    return vptr__blas_axpy("cublas" #letter "axpy", handle, type, n, alpha, x, incx, y, incy);                        \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##copy)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x,           \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy) {             \
    return vptr__blas_copy("cublas" #letter "copy", handle, type, n, x, incx, y, incy);                               \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##swap)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x,                 \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy) {             \
    return vptr__blas_swap("cublas" #letter "swap", handle, type, n, x, incx, y, incy);                               \
  }
VECTORS(S, float, VPTR__BLAS_S)
VECTORS(D, double, VPTR__BLAS_D)
VECTORS(C, cuComplex, VPTR__BLAS_C)
VECTORS(Z, cuDoubleComplex, VPTR__BLAS_Z)
#undef VECTORS

#define ROT(letters, T, R, S_T, type)                                                                                 \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##rot)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x,                 \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy, const R *c,   \
                                                      const S_T *s) {                                                 \
    return vptr__blas_rot("cublas" #letters "rot", handle, type, sizeof(T) != sizeof(S_T), n, x, incx, y, incy, c,    \
                          s);                                                                                         \
  }
ROT(S, float, float, float, VPTR__BLAS_S)
ROT(D, double, double, double, VPTR__BLAS_D)
ROT(C, cuComplex, float, cuComplex, VPTR__BLAS_C)
ROT(Z, cuDoubleComplex, double, cuDoubleComplex, VPTR__BLAS_Z)
ROT(Cs, cuComplex, float, float, VPTR__BLAS_C)
ROT(Zd, cuDoubleComplex, double, double, VPTR__BLAS_Z)
#undef ROT

#define ROTM(letter, T, type)                                                                                         \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##rotm)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x,                 \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy,               \
                                                      const T *param) {                                               \
    return rotate_modified("cublas" #letter "rotm", handle, type, n, x, incx, y, incy, param);                        \
  }
ROTM(S, float, VPTR__BLAS_S)
ROTM(D, double, VPTR__BLAS_D)
#undef ROTM

#endif
