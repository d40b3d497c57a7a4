/* SPDX-License-Identifier: MIT */
/*
 * cublas - cuBLAS as it was at first: no handles, operations as letters, scalars by value, results as values.
 *
 * There is one state for the process: cublasInit() begins it, on the current device, and cublasShutdown() ends it.
 * Errors are kept until cublasGetError() asks, which forgets them; a function that fails returns 0, and one whose
 * result goes to the host waits for it. Letters are BLAS's, in either case: 'n', 't', 'c'; 'u', 'l'; sides 'l', 'r';
 * diagonals 'u', 'n'.
 */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

#include "cuda_runtime.h"

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define cublasStatus cublasStatus_t

VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasInit(void);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasShutdown(void);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasGetError(void);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasGetVersion(int *version);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasAlloc(int n, int elemSize, void **devicePtr);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasFree(void *devicePtr);
VPTR_CUDA_API cublasStatus CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

#define VPTR_CUBLAS_OLD(type) VPTR_CUDA_API type CUBLASWINAPI

/* ---- functions of all types, of real ones, and of complex ones --------------------------------------------------- */

#define VPTR_CUBLAS_OLD_ALL(S, T) \
  VPTR_CUBLAS_OLD(void) cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##copy(int n, const T *x, int incx, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##swap(int n, T *x, int incx, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##scal(int n, T alpha, T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, \
                                        T beta, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T *A, int lda, \
                                        const T *x, int incx, T beta, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##trmv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##tbmv(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, \
                                        int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##tbsv(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, \
                                        int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##tpmv(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##tpsv(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, \
                                        const T *B, int ldb, T beta, T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##S##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, \
                                        int ldb, T beta, T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, \
                                        T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##S##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, \
                                         const T *B, int ldb, T beta, T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##S##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha, \
                                        const T *A, int lda, T *B, int ldb); \
  VPTR_CUBLAS_OLD(void) cublas##S##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha, \
                                        const T *A, int lda, T *B, int ldb);
VPTR_CUBLAS_OLD_ALL(S, float)
VPTR_CUBLAS_OLD_ALL(D, double)
VPTR_CUBLAS_OLD_ALL(C, cuComplex)
VPTR_CUBLAS_OLD_ALL(Z, cuDoubleComplex)

#define VPTR_CUBLAS_OLD_REAL(S, T) \
  VPTR_CUBLAS_OLD(T) cublas##S##dot(int n, const T *x, int incx, const T *y, int incy); \
  VPTR_CUBLAS_OLD(T) cublas##S##nrm2(int n, const T *x, int incx); \
  VPTR_CUBLAS_OLD(T) cublas##S##asum(int n, const T *x, int incx); \
  VPTR_CUBLAS_OLD(void) cublas##S##rot(int n, T *x, int incx, T *y, int incy, T c, T s); \
  VPTR_CUBLAS_OLD(void) cublas##S##rotg(T *a, T *b, T *c, T *s); \
  VPTR_CUBLAS_OLD(void) cublas##S##rotm(int n, T *x, int incx, T *y, int incy, const T *param); \
  VPTR_CUBLAS_OLD(void) cublas##S##rotmg(T *d1, T *d2, T *x1, const T *y1, T *param); \
  VPTR_CUBLAS_OLD(void) cublas##S##symv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, \
                                        T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##sbmv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, \
                                        T beta, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##spmv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, \
                                        int incy); \
  VPTR_CUBLAS_OLD(void) cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, \
                                       int lda); \
  VPTR_CUBLAS_OLD(void) cublas##S##syr(char uplo, int n, T alpha, const T *x, int incx, T *A, int lda); \
  VPTR_CUBLAS_OLD(void) cublas##S##spr(char uplo, int n, T alpha, const T *x, int incx, T *AP); \
  VPTR_CUBLAS_OLD(void) cublas##S##syr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, \
                                        int lda); \
  VPTR_CUBLAS_OLD(void) cublas##S##spr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP);
VPTR_CUBLAS_OLD_REAL(S, float)
VPTR_CUBLAS_OLD_REAL(D, double)

#define VPTR_CUBLAS_OLD_COMPLEX(V, T, R) \
  VPTR_CUBLAS_OLD(T) cublas##V##dotu(int n, const T *x, int incx, const T *y, int incy); \
  VPTR_CUBLAS_OLD(T) cublas##V##dotc(int n, const T *x, int incx, const T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##V##rot(int n, T *x, int incx, T *y, int incy, R c, T s); \
  VPTR_CUBLAS_OLD(void) cublas##V##rotg(T *a, T b, R *c, T *s); \
  VPTR_CUBLAS_OLD(void) cublas##V##hemv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, \
                                        T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##V##hbmv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, \
                                        T beta, T *y, int incy); \
  VPTR_CUBLAS_OLD(void) cublas##V##hpmv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, \
                                        int incy); \
  VPTR_CUBLAS_OLD(void) cublas##V##geru(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, \
                                        int lda); \
  VPTR_CUBLAS_OLD(void) cublas##V##gerc(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, \
                                        int lda); \
  VPTR_CUBLAS_OLD(void) cublas##V##her(char uplo, int n, R alpha, const T *x, int incx, T *A, int lda); \
  VPTR_CUBLAS_OLD(void) cublas##V##hpr(char uplo, int n, R alpha, const T *x, int incx, T *AP); \
  VPTR_CUBLAS_OLD(void) cublas##V##her2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, \
                                        int lda); \
  VPTR_CUBLAS_OLD(void) cublas##V##hpr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, \
                                        T *AP); \
  VPTR_CUBLAS_OLD(void) cublas##V##hemm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, \
                                        int ldb, T beta, T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##V##herk(char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, \
                                        T *C, int ldc); \
  VPTR_CUBLAS_OLD(void) cublas##V##her2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, \
                                         const T *B, int ldb, R beta, T *C, int ldc);
VPTR_CUBLAS_OLD_COMPLEX(C, cuComplex, float)
VPTR_CUBLAS_OLD_COMPLEX(Z, cuDoubleComplex, double)

/* ---- names of two types, and places of extremes, counted from 1 ------------------------------------------------- */

VPTR_CUBLAS_OLD(void) cublasCsscal(int n, float alpha, cuComplex *x, int incx);
VPTR_CUBLAS_OLD(void) cublasZdscal(int n, double alpha, cuDoubleComplex *x, int incx);
VPTR_CUBLAS_OLD(void) cublasCsrot(int n, cuComplex *x, int incx, cuComplex *y, int incy, float c, float s);
VPTR_CUBLAS_OLD(void) cublasZdrot(int n, cuDoubleComplex *x, int incx, cuDoubleComplex *y, int incy, double c,
                                  double s);
VPTR_CUBLAS_OLD(float) cublasScnrm2(int n, const cuComplex *x, int incx);
VPTR_CUBLAS_OLD(double) cublasDznrm2(int n, const cuDoubleComplex *x, int incx);
VPTR_CUBLAS_OLD(float) cublasScasum(int n, const cuComplex *x, int incx);
VPTR_CUBLAS_OLD(double) cublasDzasum(int n, const cuDoubleComplex *x, int incx);
#define VPTR_CUBLAS_OLD_EXTREME(s, T) \
  VPTR_CUBLAS_OLD(int) cublasI##s##amax(int n, const T *x, int incx); \
  VPTR_CUBLAS_OLD(int) cublasI##s##amin(int n, const T *x, int incx);
VPTR_CUBLAS_OLD_EXTREME(s, float)
VPTR_CUBLAS_OLD_EXTREME(d, double)
VPTR_CUBLAS_OLD_EXTREME(c, cuComplex)
VPTR_CUBLAS_OLD_EXTREME(z, cuDoubleComplex)

#ifdef __cplusplus
}
#endif

#endif
