/* SPDX-License-Identifier: MIT */
/*
 * level1_ex_calls - cuBLAS's functions of level1_ex.c, for one type of sizes: included twice. Called by programs.
 */
#ifdef VPTR_CUBLAS_INT

cublasStatus_t VPTR_CUBLAS_NAME(cublasAxpyEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *alpha,
                                              cudaDataType alphaType, const void *x, cudaDataType xType,
                                              VPTR_CUBLAS_INT incx, void *y, cudaDataType yType, VPTR_CUBLAS_INT incy,
                                              cudaDataType executiontype) {
  vptr__blas_type type;
  cublasStatus_t status = find_type("cublasAxpyEx", handle, xType, yType, executiontype, false, &type);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = find_type("cublasAxpyEx", handle, xType, alphaType, executiontype, false, &type);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : vptr__blas_axpy("cublasAxpyEx", handle, type, n, alpha, x, incx, y, incy);
}

cublasStatus_t VPTR_CUBLAS_NAME(cublasScalEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *alpha,
                                              cudaDataType alphaType, void *x, cudaDataType xType,
                                              VPTR_CUBLAS_INT incx, cudaDataType executionType) {
  vptr__blas_type type;
  cublasStatus_t status = find_type("cublasScalEx", handle, xType, alphaType, executionType, false, &type);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : vptr__blas_scal("cublasScalEx", handle, type, false, n, alpha, x, incx);
}

#define DOT(name, conjugates)                                                                                         \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,  \
                                        VPTR_CUBLAS_INT incx, const void *y, cudaDataType yType,                      \
                                        VPTR_CUBLAS_INT incy, void *result, cudaDataType resultType,                  \
                                        cudaDataType executionType) {                                                 \
    vptr__blas_type type;                                                                                             \
    cublasStatus_t status = find_type(#name, handle, xType, yType, resultType, false, &type);                         \
    if (status == CUBLAS_STATUS_SUCCESS)                                                                              \
      status = find_type(#name, handle, xType, yType, executionType, false, &type);                                   \
    return status != CUBLAS_STATUS_SUCCESS                                                                            \
               ? status                                                                                               \
               : vptr__blas_dot(#name, handle, type, conjugates, n, x, incx, y, incy, result);                        \
  }
DOT(cublasDotEx, false)
DOT(cublasDotcEx, true)
#undef DOT

#define REDUCE(name, verb)                                                                                            \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,  \
                                        VPTR_CUBLAS_INT incx, void *result, cudaDataType resultType,                  \
                                        cudaDataType executionType) {                                                 \
    vptr__blas_type type;                                                                                             \
    cublasStatus_t status = find_type(#name, handle, xType, xType, resultType, true, &type);                          \
    if (status == CUBLAS_STATUS_SUCCESS && executionType != resultType)                                               \
      status = find_type(#name, handle, xType, xType, executionType, false, &type);                                   \
    return status != CUBLAS_STATUS_SUCCESS ? status                                                                   \
                                           : vptr__blas_##verb(#name, handle, type, n, x, incx, result);              \
  }
REDUCE(cublasNrm2Ex, nrm2)
REDUCE(cublasAsumEx, asum)
#undef REDUCE

cublasStatus_t VPTR_CUBLAS_NAME(cublasCopyEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x,
                                              cudaDataType xType, VPTR_CUBLAS_INT incx, void *y, cudaDataType yType,
                                              VPTR_CUBLAS_INT incy) {
  vptr__blas_type type;
  cublasStatus_t status = find_type("cublasCopyEx", handle, xType, yType, xType, false, &type);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : vptr__blas_copy("cublasCopyEx", handle, type, n, x, incx, y, incy);
}

cublasStatus_t VPTR_CUBLAS_NAME(cublasSwapEx)(cublasHandle_t handle, VPTR_CUBLAS_INT n, void *x, cudaDataType xType,
                                              VPTR_CUBLAS_INT incx, void *y, cudaDataType yType,
                                              VPTR_CUBLAS_INT incy) {
  vptr__blas_type type;
  cublasStatus_t status = find_type("cublasSwapEx", handle, xType, yType, xType, false, &type);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : vptr__blas_swap("cublasSwapEx", handle, type, n, x, incx, y, incy);
}

#define EXTREME(name, turns)                                                                                          \
  cublasStatus_t VPTR_CUBLAS_NAME(name)(cublasHandle_t handle, VPTR_CUBLAS_INT n, const void *x, cudaDataType xType,  \
                                        VPTR_CUBLAS_INT incx, VPTR_CUBLAS_INT *result) {                              \
    vptr__blas_type type;                                                                                             \
    cublasStatus_t status = find_type(#name, handle, xType, xType, xType, false, &type);                              \
    return status != CUBLAS_STATUS_SUCCESS ? status                                                                   \
                                           : vptr__blas_extreme(#name, handle, type, turns, n, x, incx, result,       \
                                                                sizeof(VPTR_CUBLAS_INT) == sizeof(int64_t));          \
  }
EXTREME(cublasIamaxEx, 1)
EXTREME(cublasIaminEx, -1)
#undef EXTREME

#endif
