/* SPDX-License-Identifier: MIT */
/*
 * transfer_calls - cuBLAS's functions of transfer.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

#define VECTOR(name, way)                                                                                             \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *x,                   \
                                        VPTR_CUBLAS_INT incx, void *y, VPTR_CUBLAS_INT incy) {                        \
    return copy_vector((rows){ #name, 0, n, elemSize, incx, incy, x, y, way, false, NULL });                          \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(name##Async)(VPTR_CUBLAS_INT n, VPTR_CUBLAS_INT elemSize, const void *x,            \
                                               VPTR_CUBLAS_INT incx, void *y, VPTR_CUBLAS_INT incy,                   \
                                               cudaStream_t stream) {                                                 \
    return copy_vector((rows){ #name "Async", 0, n, elemSize, incx, incy, x, y, way, true, stream });                 \
  }
VECTOR(cublasSetVector, cudaMemcpyHostToDevice)
VECTOR(cublasGetVector, cudaMemcpyDeviceToHost)
#undef VECTOR

#define MATRIX(name, way)                                                                                             \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(VPTR_CUBLAS_INT rows_of, VPTR_CUBLAS_INT cols, VPTR_CUBLAS_INT elemSize,      \
                                        const void *A, VPTR_CUBLAS_INT lda, void *B, VPTR_CUBLAS_INT ldb) {           \
    return copy_matrix((rows){ #name, rows_of, cols, elemSize, lda, ldb, A, B, way, false, NULL });                   \
  }                                                                                                                   \
  cublasStatus_t VPTR_CUBLAS_NAME(name##Async)(VPTR_CUBLAS_INT rows_of, VPTR_CUBLAS_INT cols,                         \
                                               VPTR_CUBLAS_INT elemSize, const void *A, VPTR_CUBLAS_INT lda, void *B, \
                                               VPTR_CUBLAS_INT ldb, cudaStream_t stream) {                            \
    return copy_matrix((rows){ #name "Async", rows_of, cols, elemSize, lda, ldb, A, B, way, true, stream });          \
  }
MATRIX(cublasSetMatrix, cudaMemcpyHostToDevice)
MATRIX(cublasGetMatrix, cudaMemcpyDeviceToHost)
#undef MATRIX

#endif
