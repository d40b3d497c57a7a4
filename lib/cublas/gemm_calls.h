/* SPDX-License-Identifier: MIT */
/*
 * gemm_calls - cuBLAS's functions of gemm.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define GEMM(symbol, name, T, type)                                                                                   \
  cublasStatus_t symbol(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, \
                        VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda,        \
                        const T *B, VPTR_CUBLAS_INT ldb, const T *beta, T *C, VPTR_CUBLAS_INT ldc) {                  \
    return vptr__blas_gemm(name, handle, type, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);         \
  }
GEMM(VPTR_CUBLAS_V2(cublasSgemm), "cublasSgemm", float, VPTR__BLAS_S)
GEMM(VPTR_CUBLAS_V2(cublasDgemm), "cublasDgemm", double, VPTR__BLAS_D)
GEMM(VPTR_CUBLAS_V2(cublasCgemm), "cublasCgemm", cuComplex, VPTR__BLAS_C)
GEMM(VPTR_CUBLAS_V2(cublasZgemm), "cublasZgemm", cuDoubleComplex, VPTR__BLAS_Z)
GEMM(VPTR_CUBLAS_NAME(cublasCgemm3m), "cublasCgemm3m", cuComplex, VPTR__BLAS_C)
GEMM(VPTR_CUBLAS_NAME(cublasZgemm3m), "cublasZgemm3m", cuDoubleComplex, VPTR__BLAS_Z)
#undef GEMM

#define BATCHED(name, T, type)                                                                                        \
  cublasStatus_t VPTR_CUBLAS_NAME(name##Batched)(                                                                     \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *const Aarray[], VPTR_CUBLAS_INT lda,             \
      const T *const Barray[], VPTR_CUBLAS_INT ldb, const T *beta, T *const Carray[], VPTR_CUBLAS_INT ldc,            \
      VPTR_CUBLAS_INT batchCount) {                                                                                   \
    return multiply_pointers(#name "Batched", handle, type, BATCH_OF(Aarray, Barray, Carray), alpha, beta);           \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(name##StridedBatched)(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, long long int strideA,   \
      const T *B, VPTR_CUBLAS_INT ldb, long long int strideB, const T *beta, T *C, VPTR_CUBLAS_INT ldc,               \
      long long int strideC, VPTR_CUBLAS_INT batchCount) {                                                            \
    vptr__blas_batch batch = BATCH_OF(A, B, C);                                                                       \
    batch.a_stride = strideA;                                                                                         \
    batch.b_stride = strideB;                                                                                         \
    batch.c_stride = strideC;                                                                                         \
    return multiply_strided(#name "StridedBatched", handle, type, batch, alpha, beta);                                \
  }
BATCHED(cublasSgemm, float, VPTR__BLAS_S)
BATCHED(cublasDgemm, double, VPTR__BLAS_D)
BATCHED(cublasCgemm, cuComplex, VPTR__BLAS_C)
BATCHED(cublasZgemm, cuDoubleComplex, VPTR__BLAS_Z)
BATCHED(cublasCgemm3m, cuComplex, VPTR__BLAS_C)
#undef BATCHED

#endif
