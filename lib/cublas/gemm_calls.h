/* SPDX-License-Identifier: MIT */
/*
 * gemm_calls - cuBLAS's functions of gemm.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define GEMM(symbol, name, T, type)                                                                                   \
  cublasStatus_t symbol(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,                    \
                        VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *A,          \
                        VPTR_CUBLAS_INT lda, const T *B, VPTR_CUBLAS_INT ldb, const T *beta, T *C,                    \
                        VPTR_CUBLAS_INT ldc) {                                                                        \
    return multiply_one(name, handle, type, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);            \
  }
GEMM(VPTR_CUBLAS_V2(cublasSgemm), "cublasSgemm", float, VPTR__BLAS_S)
GEMM(VPTR_CUBLAS_V2(cublasDgemm), "cublasDgemm", double, VPTR__BLAS_D)
GEMM(VPTR_CUBLAS_V2(cublasCgemm), "cublasCgemm", cuComplex, VPTR__BLAS_C)
GEMM(VPTR_CUBLAS_V2(cublasZgemm), "cublasZgemm", cuDoubleComplex, VPTR__BLAS_Z)
GEMM(VPTR_CUBLAS_NAME(cublasCgemm3m), "cublasCgemm3m", cuComplex, VPTR__BLAS_C)
GEMM(VPTR_CUBLAS_NAME(cublasZgemm3m), "cublasZgemm3m", cuDoubleComplex, VPTR__BLAS_Z)
#undef GEMM

#define BATCHED(name, T, family)                                                                                      \
  cublasStatus_t VPTR_CUBLAS_NAME(name##Batched)(                                                                     \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *const Aarray[], VPTR_CUBLAS_INT lda,             \
      const T *const Barray[], VPTR_CUBLAS_INT ldb, const T *beta, T *const Carray[], VPTR_CUBLAS_INT ldc,            \
      VPTR_CUBLAS_INT batchCount) {                                                                                   \
    vptr__blas_batch batch = VPTR__BLAS_BATCH(Aarray, Barray, Carray, batchCount);                                    \
    batch.by_pointers = true;                                                                                         \
    return vptr__blas_gemm_many(#name "Batched", handle, family, batch, alpha, beta);                                 \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(name##StridedBatched)(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m,                   \
      VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const T *alpha, const T *A, VPTR_CUBLAS_INT lda, vptr_long_long strideA,  \
      const T *B, VPTR_CUBLAS_INT ldb, vptr_long_long strideB, const T *beta, T *C, VPTR_CUBLAS_INT ldc,              \
      vptr_long_long strideC, VPTR_CUBLAS_INT batchCount) {                                                           \
    vptr__blas_batch batch = VPTR__BLAS_BATCH(A, B, C, batchCount);                                                   \
    batch.a_stride = strideA;                                                                                         \
    batch.b_stride = strideB;                                                                                         \
    batch.c_stride = strideC;                                                                                         \
    return vptr__blas_gemm_many(#name "StridedBatched", handle, family, batch, alpha, beta);                          \
  }
BATCHED(cublasSgemm, float, VPTR__BLAS_OF_S)
BATCHED(cublasDgemm, double, VPTR__BLAS_OF_D)
BATCHED(cublasCgemm, cuComplex, VPTR__BLAS_OF_C)
BATCHED(cublasZgemm, cuDoubleComplex, VPTR__BLAS_OF_Z)
BATCHED(cublasCgemm3m, cuComplex, VPTR__BLAS_OF_C)
BATCHED(cublasHgemm, VPTR_CUBLAS_HALF, VPTR__BLAS_OF_H)
#undef BATCHED

cublasStatus_t VPTR_CUBLAS_NAME(cublasHgemm)(cublasHandle_t handle, cublasOperation_t transa,
                                             cublasOperation_t transb, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n,
                                             VPTR_CUBLAS_INT k, const VPTR_CUBLAS_HALF *alpha,
                                             const VPTR_CUBLAS_HALF *A, VPTR_CUBLAS_INT lda,
                                             const VPTR_CUBLAS_HALF *B, VPTR_CUBLAS_INT ldb,
                                             const VPTR_CUBLAS_HALF *beta, VPTR_CUBLAS_HALF *C, VPTR_CUBLAS_INT ldc) {
  return vptr__blas_gemm_many("cublasHgemm", handle, VPTR__BLAS_OF_H, VPTR__BLAS_BATCH(A, B, C, 1), alpha, beta);
}

/* All groups are checked before the first is sent. */
#define GROUPED(letter, T, family)                                                                                    \
  cublasStatus_t VPTR_CUBLAS_NAME(cublas##letter##gemmGroupedBatched)(                                                \
      cublasHandle_t handle, const cublasOperation_t transa_array[], const cublasOperation_t transb_array[],          \
      const VPTR_CUBLAS_INT m_array[], const VPTR_CUBLAS_INT n_array[], const VPTR_CUBLAS_INT k_array[],              \
      const T alpha_array[], const T *const Aarray[], const VPTR_CUBLAS_INT lda_array[], const T *const Barray[],     \
      const VPTR_CUBLAS_INT ldb_array[], const T beta_array[], T *const Carray[], const VPTR_CUBLAS_INT ldc_array[],  \
      VPTR_CUBLAS_INT group_count, const VPTR_CUBLAS_INT group_size[]) {                                              \
    static const char name[] = "cublas" #letter "gemmGroupedBatched";                                                 \
    cublasStatus_t status = check_groups(name, handle, group_count);                                                  \
    for (int sends = 0; sends < 2; sends++) {                                                                         \
      int64_t done = 0;                                                                                               \
      for (VPTR_CUBLAS_INT i = 0; i < group_count && status == CUBLAS_STATUS_SUCCESS; done += group_size[i++]) {      \
        cublasOperation_t transa = transa_array[i], transb = transb_array[i];                                         \
        VPTR_CUBLAS_INT m = m_array[i], n = n_array[i], k = k_array[i];                                               \
        VPTR_CUBLAS_INT lda = lda_array[i], ldb = ldb_array[i], ldc = ldc_array[i];                                   \
        vptr__blas_batch batch = VPTR__BLAS_BATCH(Aarray + done, Barray + done, Carray + done, group_size[i]);        \
        batch.by_pointers = true;                                                                                     \
        status = multiply_many(name, handle, family, batch, &alpha_array[i], &beta_array[i], sends);                  \
      }                                                                                                               \
    }                                                                                                                 \
    return status;                                                                                                    \
  }
GROUPED(S, float, VPTR__BLAS_OF_S)
GROUPED(D, double, VPTR__BLAS_OF_D)
#undef GROUPED

#endif
