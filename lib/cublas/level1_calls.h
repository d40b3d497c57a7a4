/* SPDX-License-Identifier: MIT */
/*
 * level1_calls - cuBLAS's functions of level1.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define SCAL(letters, T, R, A, type)                                                                                  \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##scal)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const A *alpha,      \
                                                       T *x, VPTR_CUBLAS_INT incx) {                                  \
    return vptr__blas_scal("cublas" #letters "scal", handle, type, sizeof(T) != sizeof(A), n, alpha, x, incx);        \
  }
VPTR__BLAS_FOR_FACTORS(SCAL)
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
VPTR__BLAS_FOR_ALL(VECTORS)
#undef VECTORS

#define ROT(letters, T, R, S_T, type)                                                                                 \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letters##rot)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x,                 \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy, const R *c,   \
                                                      const S_T *s) {                                                 \
    return rotate_plain("cublas" #letters "rot", handle, type, sizeof(T) != sizeof(S_T), n, x, incx, y, incy, c,      \
                          s);                                                                                         \
  }
VPTR__BLAS_FOR_FACTORS(ROT)
#undef ROT

#define ROTM(letter, T, type)                                                                                         \
  cublasStatus_t VPTR_CUBLAS_V2(cublas##letter##rotm)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x,                 \
                                                      VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy,               \
                                                      const T *param) {                                               \
    return rotate_modified("cublas" #letter "rotm", handle, type, n, x, incx, y, incy, param);                        \
  }
VPTR__BLAS_FOR_REAL(ROTM)
#undef ROTM

#endif
