/* SPDX-License-Identifier: MIT */
/*
 * vptr_cublas_calls - the functions of cuBLAS that take sizes, declared for one type of sizes.
 *
 * cublas_api.h includes it twice: for int, and for int64_t, whose functions end in _64. VPTR_CUBLAS_V2() makes the
 * names of functions that cuBLAS has in a second version, VPTR_CUBLAS_NAME() those of all others, VPTR_CUBLAS_INT is
 * the type. S, D, C and Z in a name are the types of BLAS: float, double, and pairs of them.
 */
#ifdef VPTR_CUBLAS_INT

#define VPTR_CUBLAS_CALL(name) VPTR_CUDA_API cublasStatus_t CUBLASWINAPI VPTR_CUBLAS_NAME(name)
#define VPTR_CUBLAS_CALL_V2(name) VPTR_CUDA_API cublasStatus_t CUBLASWINAPI VPTR_CUBLAS_V2(name)
#define VPTR_CUBLAS_FOR_REAL(MACRO, verb) MACRO(cublasS##verb, float) MACRO(cublasD##verb, double)
#define VPTR_CUBLAS_FOR_COMPLEX(MACRO, verb) MACRO(cublasC##verb, cuComplex) MACRO(cublasZ##verb, cuDoubleComplex)
#define VPTR_CUBLAS_FOR_ALL(MACRO, verb) VPTR_CUBLAS_FOR_REAL(MACRO, verb) VPTR_CUBLAS_FOR_COMPLEX(MACRO, verb)

/* ---- between host and device: elements of any size ----------------------------------------------------------- */

VPTR_CUBLAS_CALL(cublasSetVector)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *x, VPTR_CUBLAS_INT incx,
                                  void *devicePtr, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_CALL(cublasGetVector)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *x, VPTR_CUBLAS_INT incx,
                                  void *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_CALL(cublasSetMatrix)(VPTR_CUBLAS_INT rows, VPTR_CUBLAS_INT cols, VPTR_CUBLAS_INT elemSize, const void *A,
                                  VPTR_CUBLAS_INT lda, void *B, VPTR_CUBLAS_INT ldb);
VPTR_CUBLAS_CALL(cublasGetMatrix)(VPTR_CUBLAS_INT rows, VPTR_CUBLAS_INT cols, VPTR_CUBLAS_INT elemSize, const void *A,
                                  VPTR_CUBLAS_INT lda, void *B, VPTR_CUBLAS_INT ldb);
VPTR_CUBLAS_CALL(cublasSetVectorAsync)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *hostPtr,
                                       VPTR_CUBLAS_INT incx, void *devicePtr, VPTR_CUBLAS_INT incy,
                                       cudaStream_t stream);
VPTR_CUBLAS_CALL(cublasGetVectorAsync)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *devicePtr,
                                       VPTR_CUBLAS_INT incx, void *hostPtr, VPTR_CUBLAS_INT incy,
                                       cudaStream_t stream);
VPTR_CUBLAS_CALL(cublasSetMatrixAsync)(VPTR_CUBLAS_INT rows, VPTR_CUBLAS_INT cols, VPTR_CUBLAS_INT elemSize,
                                       const void *A, VPTR_CUBLAS_INT lda, void *B, VPTR_CUBLAS_INT ldb,
                                       cudaStream_t stream);
VPTR_CUBLAS_CALL(cublasGetMatrixAsync)(VPTR_CUBLAS_INT rows, VPTR_CUBLAS_INT cols, VPTR_CUBLAS_INT elemSize,
                                       const void *A, VPTR_CUBLAS_INT lda, void *B, VPTR_CUBLAS_INT ldb,
                                       cudaStream_t stream);

/* ---- level 1: vectors ------------------------------------------------------------------------------------------ */

#define VPTR_CUBLAS_SCAL(name, T, A) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const A *alpha, T *x, VPTR_CUBLAS_INT incx);
VPTR_CUBLAS_SCAL(cublasSscal, float, float)
VPTR_CUBLAS_SCAL(cublasDscal, double, double)
VPTR_CUBLAS_SCAL(cublasCscal, cuComplex, cuComplex)
VPTR_CUBLAS_SCAL(cublasZscal, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_SCAL(cublasCsscal, cuComplex, float)
VPTR_CUBLAS_SCAL(cublasZdscal, cuDoubleComplex, double)

#define VPTR_CUBLAS_AXPY(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *alpha, const T *x, \
                            VPTR_CUBLAS_INT incx, T *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_AXPY, axpy)

#define VPTR_CUBLAS_COPY(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x, VPTR_CUBLAS_INT incx, T *y, \
                            VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_COPY, copy)

#define VPTR_CUBLAS_SWAP(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x, VPTR_CUBLAS_INT incx, T *y, \
                            VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_SWAP, swap)

#define VPTR_CUBLAS_DOT(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x, VPTR_CUBLAS_INT incx, const T *y, \
                            VPTR_CUBLAS_INT incy, T *result);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_DOT, dot)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_DOT, dotu)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_DOT, dotc)

/* Of amax and amin counted from 1. */
#define VPTR_CUBLAS_REDUCE(name, T, R) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const T *x, VPTR_CUBLAS_INT incx, R *result);
VPTR_CUBLAS_REDUCE(cublasSnrm2, float, float)
VPTR_CUBLAS_REDUCE(cublasDnrm2, double, double)
VPTR_CUBLAS_REDUCE(cublasScnrm2, cuComplex, float)
VPTR_CUBLAS_REDUCE(cublasDznrm2, cuDoubleComplex, double)
VPTR_CUBLAS_REDUCE(cublasSasum, float, float)
VPTR_CUBLAS_REDUCE(cublasDasum, double, double)
VPTR_CUBLAS_REDUCE(cublasScasum, cuComplex, float)
VPTR_CUBLAS_REDUCE(cublasDzasum, cuDoubleComplex, double)
VPTR_CUBLAS_REDUCE(cublasIsamax, float, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIdamax, double, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIcamax, cuComplex, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIzamax, cuDoubleComplex, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIsamin, float, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIdamin, double, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIcamin, cuComplex, VPTR_CUBLAS_INT)
VPTR_CUBLAS_REDUCE(cublasIzamin, cuDoubleComplex, VPTR_CUBLAS_INT)

#define VPTR_CUBLAS_ROT(name, T, R, S) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x, VPTR_CUBLAS_INT incx, T *y, \
                            VPTR_CUBLAS_INT incy, const R *c, const S *s);
VPTR_CUBLAS_ROT(cublasSrot, float, float, float)
VPTR_CUBLAS_ROT(cublasDrot, double, double, double)
VPTR_CUBLAS_ROT(cublasCrot, cuComplex, float, cuComplex)
VPTR_CUBLAS_ROT(cublasZrot, cuDoubleComplex, double, cuDoubleComplex)
VPTR_CUBLAS_ROT(cublasCsrot, cuComplex, float, float)
VPTR_CUBLAS_ROT(cublasZdrot, cuDoubleComplex, double, double)

#define VPTR_CUBLAS_ROTM(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, T *x, VPTR_CUBLAS_INT incx, T *y, \
                            VPTR_CUBLAS_INT incy, const T *param);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_ROTM, rotm)

VPTR_CUBLAS_CALL(cublasAxpyEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *alpha, cudaDataType alphaType,
                               const void *x, cudaDataType xType, VPTR_CUBLAS_INT incx, void *y, cudaDataType yType,
                               VPTR_CUBLAS_INT incy, cudaDataType executiontype);
VPTR_CUBLAS_CALL(cublasScalEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *alpha, cudaDataType alphaType,
                               void *x, cudaDataType xType, VPTR_CUBLAS_INT incx, cudaDataType executionType);
VPTR_CUBLAS_CALL(cublasDotEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                              VPTR_CUBLAS_INT incx, const void *y, cudaDataType yType, VPTR_CUBLAS_INT incy,
                              void *result, cudaDataType resultType, cudaDataType executionType);
VPTR_CUBLAS_CALL(cublasDotcEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                               VPTR_CUBLAS_INT incx, const void *y, cudaDataType yType, VPTR_CUBLAS_INT incy,
                               void *result, cudaDataType resultType, cudaDataType executionType);
VPTR_CUBLAS_CALL(cublasNrm2Ex)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                               VPTR_CUBLAS_INT incx, void *result, cudaDataType resultType,
                               cudaDataType executionType);
VPTR_CUBLAS_CALL(cublasAsumEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                               VPTR_CUBLAS_INT incx, void *result, cudaDataType resultType,
                               cudaDataType executiontype);
VPTR_CUBLAS_CALL(cublasCopyEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                               VPTR_CUBLAS_INT incx, void *y, cudaDataType yType, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_CALL(cublasSwapEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, void *x, cudaDataType xType,
                               VPTR_CUBLAS_INT incx, void *y, cudaDataType yType, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_CALL(cublasIamaxEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                                VPTR_CUBLAS_INT incx, VPTR_CUBLAS_INT *result);
VPTR_CUBLAS_CALL(cublasIaminEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,
                                VPTR_CUBLAS_INT incx, VPTR_CUBLAS_INT *result);

/* ---- level 2: matrices and vectors ----------------------------------------------------------------------------- */

#define VPTR_CUBLAS_GEMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                            const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, \
                            const T *beta, T *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_GEMV, gemv)

#define VPTR_CUBLAS_GBMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                            VPTR_CUBLAS_INT kl, VPTR_CUBLAS_INT ku, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, \
                            const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_GBMV, gbmv)

#define VPTR_CUBLAS_SYMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, \
                            const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y, \
                            VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_SYMV, symv)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SYMV, hemv)

#define VPTR_CUBLAS_SBMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, \
                            const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, \
                            const T *beta, T *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_SBMV, sbmv)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SBMV, hbmv)

#define VPTR_CUBLAS_SPMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, \
                            const T *AP, const T *x, VPTR_CUBLAS_INT incx, const T *beta, T *y, VPTR_CUBLAS_INT incy);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_SPMV, spmv)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SPMV, hpmv)

#define VPTR_CUBLAS_TRMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                            cublasDiagType_t diag, VPTR_CUBLAS_INT n, const T *A, VPTR_CUBLAS_INT lda, T *x, \
                            VPTR_CUBLAS_INT incx);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TRMV, trmv)
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TRMV, trsv)

#define VPTR_CUBLAS_TBMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                            cublasDiagType_t diag, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *A, \
                            VPTR_CUBLAS_INT lda, T *x, VPTR_CUBLAS_INT incx);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TBMV, tbmv)
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TBMV, tbsv)

#define VPTR_CUBLAS_TPMV(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                            cublasDiagType_t diag, VPTR_CUBLAS_INT n, const T *AP, T *x, VPTR_CUBLAS_INT incx);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TPMV, tpmv)
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TPMV, tpsv)

#define VPTR_CUBLAS_GER(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const T *alpha, const T *x, \
                            VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *A, VPTR_CUBLAS_INT lda);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_GER, ger)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_GER, geru)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_GER, gerc)

#define VPTR_CUBLAS_SYR(name, T, A_T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const A_T *alpha, \
                            const T *x, VPTR_CUBLAS_INT incx, T *A, VPTR_CUBLAS_INT lda);
VPTR_CUBLAS_SYR(cublasSsyr, float, float)
VPTR_CUBLAS_SYR(cublasDsyr, double, double)
VPTR_CUBLAS_SYR(cublasCsyr, cuComplex, cuComplex)
VPTR_CUBLAS_SYR(cublasZsyr, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_SYR(cublasCher, cuComplex, float)
VPTR_CUBLAS_SYR(cublasZher, cuDoubleComplex, double)

#define VPTR_CUBLAS_SPR(name, T, A_T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const A_T *alpha, \
                            const T *x, VPTR_CUBLAS_INT incx, T *AP);
VPTR_CUBLAS_SPR(cublasSspr, float, float)
VPTR_CUBLAS_SPR(cublasDspr, double, double)
VPTR_CUBLAS_SPR(cublasChpr, cuComplex, float)
VPTR_CUBLAS_SPR(cublasZhpr, cuDoubleComplex, double)

#define VPTR_CUBLAS_SYR2(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, \
                            const T *x, VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *A, \
                            VPTR_CUBLAS_INT lda);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_SYR2, syr2)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SYR2, her2)

#define VPTR_CUBLAS_SPR2(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, VPTR_CUBLAS_INT n, const T *alpha, \
                            const T *x, VPTR_CUBLAS_INT incx, const T *y, VPTR_CUBLAS_INT incy, T *AP);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_SPR2, spr2)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SPR2, hpr2)

/* TA is the type of what is multiplied, TY that of the result, TS that of the factors. */
#define VPTR_CUBLAS_GEMV_BATCHED(name, TA, TY, TS) \
  VPTR_CUBLAS_CALL(name##Batched)(cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, \
                                  VPTR_CUBLAS_INT n, const TS *alpha, const TA *const Aarray[], VPTR_CUBLAS_INT lda, \
                                  const TA *const xarray[], VPTR_CUBLAS_INT incx, const TS *beta, \
                                  TY *const yarray[], VPTR_CUBLAS_INT incy, VPTR_CUBLAS_INT batchCount); \
  VPTR_CUBLAS_CALL(name##StridedBatched)(cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, \
                                         VPTR_CUBLAS_INT n, const TS *alpha, const TA *A, VPTR_CUBLAS_INT lda, \
                                         vptr_long_long strideA, const TA *x, VPTR_CUBLAS_INT incx, \
                                         vptr_long_long stridex, const TS *beta, TY *y, VPTR_CUBLAS_INT incy, \
                                         vptr_long_long stridey, VPTR_CUBLAS_INT batchCount);
VPTR_CUBLAS_GEMV_BATCHED(cublasSgemv, float, float, float)
VPTR_CUBLAS_GEMV_BATCHED(cublasDgemv, double, double, double)
VPTR_CUBLAS_GEMV_BATCHED(cublasCgemv, cuComplex, cuComplex, cuComplex)
VPTR_CUBLAS_GEMV_BATCHED(cublasZgemv, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_GEMV_BATCHED(cublasHSHgemv, VPTR_CUBLAS_HALF, VPTR_CUBLAS_HALF, float)
VPTR_CUBLAS_GEMV_BATCHED(cublasHSSgemv, VPTR_CUBLAS_HALF, float, float)
VPTR_CUBLAS_GEMV_BATCHED(cublasTSTgemv, VPTR_CUBLAS_BFLOAT16, VPTR_CUBLAS_BFLOAT16, float)
VPTR_CUBLAS_GEMV_BATCHED(cublasTSSgemv, VPTR_CUBLAS_BFLOAT16, float, float)

/* ---- level 3: matrices ----------------------------------------------------------------------------------------- */

#define VPTR_CUBLAS_GEMM_OF(CALL, name, T) \
  CALL(name)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, \
             VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B, \
             VPTR_CUBLAS_INT ldb, const T *beta, T *C, VPTR_CUBLAS_INT ldc);
#define VPTR_CUBLAS_GEMM(name, T) VPTR_CUBLAS_GEMM_OF(VPTR_CUBLAS_CALL_V2, name, T)
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_GEMM, gemm)
VPTR_CUBLAS_GEMM_OF(VPTR_CUBLAS_CALL, cublasHgemm, VPTR_CUBLAS_HALF)
VPTR_CUBLAS_GEMM_OF(VPTR_CUBLAS_CALL, cublasCgemm3m, cuComplex)
VPTR_CUBLAS_GEMM_OF(VPTR_CUBLAS_CALL, cublasZgemm3m, cuDoubleComplex)

#define VPTR_CUBLAS_GEMM_BATCHED(name, T) \
  VPTR_CUBLAS_CALL(name##Batched)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                  VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, \
                                  const T *const Aarray[], VPTR_CUBLAS_INT lda, const T *const Barray[], \
                                  VPTR_CUBLAS_INT ldb, const T *beta, T *const Carray[], VPTR_CUBLAS_INT ldc, \
                                  VPTR_CUBLAS_INT batchCount); \
  VPTR_CUBLAS_CALL(name##StridedBatched)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                         VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, \
                                         const T *A, VPTR_CUBLAS_INT lda, vptr_long_long strideA, const T *B, \
                                         VPTR_CUBLAS_INT ldb, vptr_long_long strideB, const T *beta, T *C, \
                                         VPTR_CUBLAS_INT ldc, vptr_long_long strideC, VPTR_CUBLAS_INT batchCount);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_GEMM_BATCHED, gemm)
VPTR_CUBLAS_GEMM_BATCHED(cublasHgemm, VPTR_CUBLAS_HALF)
VPTR_CUBLAS_GEMM_BATCHED(cublasCgemm3m, cuComplex)

#define VPTR_CUBLAS_GEMM_GROUPED(name, T) \
  VPTR_CUBLAS_CALL(name)(cublasHandle_t handle, const cublasOperation_t transa_array[], \
                         const cublasOperation_t transb_array[], const VPTR_CUBLAS_INT m_array[], \
                         const VPTR_CUBLAS_INT n_array[], const VPTR_CUBLAS_INT k_array[], const T alpha_array[], \
                         const T *const Aarray[], const VPTR_CUBLAS_INT lda_array[], const T *const Barray[], \
                         const VPTR_CUBLAS_INT ldb_array[], const T beta_array[], T *const Carray[], \
                         const VPTR_CUBLAS_INT ldc_array[], VPTR_CUBLAS_INT group_count, \
                         const VPTR_CUBLAS_INT group_size[]);
VPTR_CUBLAS_FOR_REAL(VPTR_CUBLAS_GEMM_GROUPED, gemmGroupedBatched)

#define VPTR_CUBLAS_GEMM_EX(name, TS) \
  VPTR_CUBLAS_CALL(name)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, \
                         VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const TS *alpha, const void *A, cudaDataType Atype, \
                         VPTR_CUBLAS_INT lda, const void *B, cudaDataType Btype, VPTR_CUBLAS_INT ldb, \
                         const TS *beta, void *C, cudaDataType Ctype, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_GEMM_EX(cublasSgemmEx, float)
VPTR_CUBLAS_GEMM_EX(cublasCgemmEx, cuComplex)
VPTR_CUBLAS_GEMM_EX(cublasCgemm3mEx, cuComplex)

VPTR_CUBLAS_CALL(cublasGemmEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                               VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const void *alpha,
                               const void *A, cudaDataType Atype, VPTR_CUBLAS_INT lda, const void *B,
                               cudaDataType Btype, VPTR_CUBLAS_INT ldb, const void *beta, void *C, cudaDataType Ctype,
                               VPTR_CUBLAS_INT ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
VPTR_CUBLAS_CALL(cublasGemmBatchedEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                      VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const void *alpha,
                                      const void *const Aarray[], cudaDataType Atype, VPTR_CUBLAS_INT lda,
                                      const void *const Barray[], cudaDataType Btype, VPTR_CUBLAS_INT ldb,
                                      const void *beta, void *const Carray[], cudaDataType Ctype, VPTR_CUBLAS_INT ldc,
                                      VPTR_CUBLAS_INT batchCount, cublasComputeType_t computeType,
                                      cublasGemmAlgo_t algo);
VPTR_CUBLAS_CALL(cublasGemmStridedBatchedEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                             VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k,
                                             const void *alpha, const void *A, cudaDataType Atype, VPTR_CUBLAS_INT lda,
                                             vptr_long_long strideA, const void *B, cudaDataType Btype,
                                             VPTR_CUBLAS_INT ldb, vptr_long_long strideB, const void *beta, void *C,
                                             cudaDataType Ctype, VPTR_CUBLAS_INT ldc, vptr_long_long strideC,
                                             VPTR_CUBLAS_INT batchCount, cublasComputeType_t computeType,
                                             cublasGemmAlgo_t algo);

#define VPTR_CUBLAS_SYMM(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, VPTR_CUBLAS_INT m, \
                            VPTR_CUBLAS_INT n, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B, \
                            VPTR_CUBLAS_INT ldb, const T *beta, T *C, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_SYMM, symm)
VPTR_CUBLAS_FOR_COMPLEX(VPTR_CUBLAS_SYMM, hemm)

#define VPTR_CUBLAS_SYRK(name, T, TS) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, VPTR_CUBLAS_INT n, \
                            VPTR_CUBLAS_INT k, const TS *alpha, const T *A, VPTR_CUBLAS_INT lda, const TS *beta, \
                            T *C, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_SYRK(cublasSsyrk, float, float)
VPTR_CUBLAS_SYRK(cublasDsyrk, double, double)
VPTR_CUBLAS_SYRK(cublasCsyrk, cuComplex, cuComplex)
VPTR_CUBLAS_SYRK(cublasZsyrk, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_SYRK(cublasCherk, cuComplex, float)
VPTR_CUBLAS_SYRK(cublasZherk, cuDoubleComplex, double)

/* TB is the type of beta, which is real of hermitian matrices. */
#define VPTR_CUBLAS_SYR2K(CALL, name, T, TB) \
  CALL(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, VPTR_CUBLAS_INT n, \
             VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B, VPTR_CUBLAS_INT ldb, \
             const TB *beta, T *C, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasSsyr2k, float, float)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasDsyr2k, double, double)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasCsyr2k, cuComplex, cuComplex)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasZsyr2k, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasCher2k, cuComplex, float)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL_V2, cublasZher2k, cuDoubleComplex, double)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasSsyrkx, float, float)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasDsyrkx, double, double)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasCsyrkx, cuComplex, cuComplex)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasZsyrkx, cuDoubleComplex, cuDoubleComplex)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasCherkx, cuComplex, float)
VPTR_CUBLAS_SYR2K(VPTR_CUBLAS_CALL, cublasZherkx, cuDoubleComplex, double)

#define VPTR_CUBLAS_TRMM(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                            cublasOperation_t trans, cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                            const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *B, VPTR_CUBLAS_INT ldb, T *C, \
                            VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TRMM, trmm)

#define VPTR_CUBLAS_TRSM(name, T) \
  VPTR_CUBLAS_CALL_V2(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                            cublasOperation_t trans, cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                            const T *alpha, const T *A, VPTR_CUBLAS_INT lda, T *B, VPTR_CUBLAS_INT ldb);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TRSM, trsm)

#define VPTR_CUBLAS_TRSM_BATCHED(name, T) \
  VPTR_CUBLAS_CALL(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                         cublasOperation_t trans, cublasDiagType_t diag, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                         const T *alpha, const T *const A[], VPTR_CUBLAS_INT lda, T *const B[], VPTR_CUBLAS_INT ldb, \
                         VPTR_CUBLAS_INT batchCount);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_TRSM_BATCHED, trsmBatched)

#define VPTR_CUBLAS_GEAM(name, T) \
  VPTR_CUBLAS_CALL(name)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, \
                         VPTR_CUBLAS_INT n, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, const T *beta, \
                         const T *B, VPTR_CUBLAS_INT ldb, T *C, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_GEAM, geam)

#define VPTR_CUBLAS_DGMM(name, T) \
  VPTR_CUBLAS_CALL(name)(cublasHandle_t handle, cublasSideMode_t mode, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, \
                         const T *A, VPTR_CUBLAS_INT lda, const T *x, VPTR_CUBLAS_INT incx, T *C, VPTR_CUBLAS_INT ldc);
VPTR_CUBLAS_FOR_ALL(VPTR_CUBLAS_DGMM, dgmm)

#endif
