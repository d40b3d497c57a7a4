/* SPDX-License-Identifier: MIT */
/*
 * gemm_ex_calls - cuBLAS's functions of gemm_ex.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

/* One product, whose compute type is in the name. */
#define GEMM_EX(name, TS, compute)                                                                                    \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,    \
                                        VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k, const TS *alpha,     \
                                        const void *A, cudaDataType Atype, VPTR_CUBLAS_INT lda, const void *B,        \
                                        cudaDataType Btype, VPTR_CUBLAS_INT ldb, const TS *beta, void *C,             \
                                        cudaDataType Ctype, VPTR_CUBLAS_INT ldc) {                                    \
    vptr__blas_family family;                                                                                         \
    cublasStatus_t status = find_family(#name, handle, Atype, Btype, Ctype, compute, &family);                        \
    if (status == CUBLAS_STATUS_SUCCESS && (family == VPTR__BLAS_OF_C) != (sizeof(TS) == sizeof(cuComplex)))          \
      status = refuse_types(#name, Atype, Btype, Ctype, compute);                                                     \
    return status != CUBLAS_STATUS_SUCCESS                                                                            \
               ? status                                                                                               \
               : vptr__blas_gemm_many(#name, handle, family, VPTR__BLAS_BATCH(A, B, C, 1), alpha, beta);              \
  }
GEMM_EX(cublasSgemmEx, float, CUBLAS_COMPUTE_32F)
GEMM_EX(cublasCgemmEx, cuComplex, CUBLAS_COMPUTE_32F)
GEMM_EX(cublasCgemm3mEx, cuComplex, CUBLAS_COMPUTE_32F)
#undef GEMM_EX

cublasStatus_t VPTR_CUBLAS_NAME(cublasGemmEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                              VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT k,
                                              const void *alpha, const void *A, cudaDataType Atype,
                                              VPTR_CUBLAS_INT lda, const void *B, cudaDataType Btype,
                                              VPTR_CUBLAS_INT ldb, const void *beta, void *C, cudaDataType Ctype,
                                              VPTR_CUBLAS_INT ldc, cublasComputeType_t computeType,
                                              cublasGemmAlgo_t algo) {
  vptr__blas_family family;
  cublasStatus_t status = find_family("cublasGemmEx", handle, Atype, Btype, Ctype, computeType, &family);
  (void)algo;
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : vptr__blas_gemm_many("cublasGemmEx", handle, family, VPTR__BLAS_BATCH(A, B, C, 1), alpha, beta);
}

cublasStatus_t VPTR_CUBLAS_NAME(cublasGemmBatchedEx)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n,
    VPTR_CUBLAS_INT k, const void *alpha, const void *const Aarray[], cudaDataType Atype, VPTR_CUBLAS_INT lda,
    const void *const Barray[], cudaDataType Btype, VPTR_CUBLAS_INT ldb, const void *beta, void *const Carray[],
    cudaDataType Ctype, VPTR_CUBLAS_INT ldc, VPTR_CUBLAS_INT batchCount, cublasComputeType_t computeType,
    cublasGemmAlgo_t algo) {
  vptr__blas_family family;
  vptr__blas_batch batch = VPTR__BLAS_BATCH(Aarray, Barray, Carray, batchCount);
  cublasStatus_t status = find_family("cublasGemmBatchedEx", handle, Atype, Btype, Ctype, computeType, &family);
  (void)algo;
  batch.by_pointers = true;
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : vptr__blas_gemm_many("cublasGemmBatchedEx", handle, family, batch, alpha, beta);
}

cublasStatus_t VPTR_CUBLAS_NAME(cublasGemmStridedBatchedEx)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n,
    VPTR_CUBLAS_INT k, const void *alpha, const void *A, cudaDataType Atype, VPTR_CUBLAS_INT lda,
    vptr_long_long strideA, const void *B, cudaDataType Btype, VPTR_CUBLAS_INT ldb, vptr_long_long strideB,
    const void *beta, void *C, cudaDataType Ctype, VPTR_CUBLAS_INT ldc, vptr_long_long strideC,
    VPTR_CUBLAS_INT batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
  vptr__blas_family family;
  vptr__blas_batch batch = VPTR__BLAS_BATCH(A, B, C, batchCount);
  cublasStatus_t status = find_family("cublasGemmStridedBatchedEx", handle, Atype, Btype, Ctype, computeType, &family);
  (void)algo;
  batch.a_stride = strideA;
  batch.b_stride = strideB;
  batch.c_stride = strideC;
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : vptr__blas_gemm_many("cublasGemmStridedBatchedEx", handle, family, batch, alpha, beta);
}

#define GEMV_BATCHED(name, TA, TY, TS, family)                                                                        \
  cublasStatus_t VPTR_CUBLAS_NAME(name##Batched)(                                                                     \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const TS *alpha,          \
      const TA *const Aarray[], VPTR_CUBLAS_INT lda, const TA *const xarray[], VPTR_CUBLAS_INT incx, const TS *beta,  \
      TY *const yarray[], VPTR_CUBLAS_INT incy, VPTR_CUBLAS_INT batchCount) {                                         \
    vector_batch batch = { trans, m,    n, Aarray, xarray, (void *)(uintptr_t)yarray, lda, incx, incy, 0, 0, 0,       \
                           batchCount, true };                                                                        \
    return multiply_vectors(#name "Batched", handle, family, batch, alpha, beta);                                     \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(name##StridedBatched)(                                                              \
      cublasHandle_t handle, cublasOperation_t trans, VPTR_CUBLAS_INT m, VPTR_CUBLAS_INT n, const TS *alpha,          \
      const TA *A, VPTR_CUBLAS_INT lda, vptr_long_long strideA, const TA *x, VPTR_CUBLAS_INT incx,                    \
      vptr_long_long stridex, const TS *beta, TY *y, VPTR_CUBLAS_INT incy, vptr_long_long stridey,                    \
      VPTR_CUBLAS_INT batchCount) {                                                                                   \
    vector_batch batch = { trans, m, n, A, x, y, lda, incx, incy, strideA, stridex, stridey, batchCount, false };     \
    return multiply_vectors(#name "StridedBatched", handle, family, batch, alpha, beta);                              \
  }
GEMV_BATCHED(cublasSgemv, float, float, float, VPTR__BLAS_OF_S)
GEMV_BATCHED(cublasDgemv, double, double, double, VPTR__BLAS_OF_D)
GEMV_BATCHED(cublasCgemv, cuComplex, cuComplex, cuComplex, VPTR__BLAS_OF_C)
GEMV_BATCHED(cublasZgemv, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_OF_Z)
GEMV_BATCHED(cublasHSHgemv, VPTR_CUBLAS_HALF, VPTR_CUBLAS_HALF, float, VPTR__BLAS_OF_HALF)
GEMV_BATCHED(cublasHSSgemv, VPTR_CUBLAS_HALF, float, float, VPTR__BLAS_OF_HALF_FLOAT)
GEMV_BATCHED(cublasTSTgemv, VPTR_CUBLAS_BFLOAT16, VPTR_CUBLAS_BFLOAT16, float, VPTR__BLAS_OF_BFLOAT16)
GEMV_BATCHED(cublasTSSgemv, VPTR_CUBLAS_BFLOAT16, float, float, VPTR__BLAS_OF_BFLOAT16_FLOAT)
#undef GEMV_BATCHED

#endif
