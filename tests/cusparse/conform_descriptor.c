/* SPDX-License-Identifier: MIT */
/*
 * conform_descriptor - handles, descriptors and their settings, and wrong arguments of these: what cuSPARSE says. It
 * needs no kernels.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

static void check_library(void) {
  int number = 0;
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  FINE(cusparseGetVersion(handle, &number));
  EXPECT(number == CUSPARSE_VERSION);
  FINE(cusparseGetProperty(MAJOR_VERSION, &number));
  EXPECT(number == CUSPARSE_VER_MAJOR);
  FINE(cusparseGetProperty(PATCH_LEVEL, &number));
  EXPECT(number == CUSPARSE_VER_PATCH);
  WRONG(cusparseGetProperty((libraryPropertyType)7, &number));
  FINE(cusparseDestroy(handle));
  EXPECT(strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT") == 0);
  EXPECT(strcmp(cusparseGetErrorName(CUSPARSE_STATUS_SUCCESS), "CUSPARSE_STATUS_SUCCESS") == 0);
  EXPECT(strlen(cusparseGetErrorString(CUSPARSE_STATUS_NOT_SUPPORTED)) > 0);
}

static void check_handle(void) {
  cusparseHandle_t handle;
  cudaStream_t stream, told;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  FINE(cusparseCreate(&handle));
  cudaStreamCreate(&stream);
  FINE(cusparseGetStream(handle, &told));
  EXPECT(told == NULL);
  FINE(cusparseSetStream(handle, stream));
  FINE(cusparseGetStream(handle, &told));
  EXPECT(told == stream);
  FINE(cusparseGetPointerMode(handle, &mode));
  EXPECT(mode == CUSPARSE_POINTER_MODE_HOST);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  FINE(cusparseGetPointerMode(handle, &mode));
  EXPECT(mode == CUSPARSE_POINTER_MODE_DEVICE);
  FINE(cusparseDestroy(handle));
  cudaStreamDestroy(stream);
}

static void check_vectors(void) {
  int64_t size, nnz;
  void *indices, *values, *memory;
  const void *constant;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseSpVecDescr_t sparse;
  cusparseConstSpVecDescr_t constant_sparse;
  cusparseDnVecDescr_t dense;
  cudaMalloc(&memory, 256);
  FINE(cusparseCreateSpVec(&sparse, 10, 4, memory, (char *)memory + 128, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE,
                           CUDA_C_32F));
  FINE(cusparseSpVecGet(sparse, &size, &nnz, &indices, &values, &index_type, &base, &type));
  EXPECT(size == 10 && nnz == 4 && indices == memory && values == (char *)memory + 128);
  EXPECT(index_type == CUSPARSE_INDEX_64I && base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_C_32F);
  FINE(cusparseSpVecGetIndexBase(sparse, &base));
  FINE(cusparseSpVecSetValues(sparse, memory));
  FINE(cusparseSpVecGetValues(sparse, &values));
  EXPECT(values == memory && base == CUSPARSE_INDEX_BASE_ONE);
  FINE(cusparseDestroySpVec(sparse));
  FINE(cusparseCreateConstSpVec(&constant_sparse, 10, 0, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_64F));
  FINE(cusparseConstSpVecGetValues(constant_sparse, &constant));
  EXPECT(constant == NULL);
  FINE(cusparseDestroySpVec(constant_sparse));
  WRONG(
      cusparseCreateSpVec(&sparse, -1, 0, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  WRONG(cusparseCreateSpVec(&sparse, 3, 4, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
#ifndef ON_NVIDIA /* where values may come later */
  WRONG(cusparseCreateSpVec(&sparse, 3, 2, memory, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  WRONG(cusparseCreateDnVec(&dense, 1, NULL, CUDA_R_64F));
#endif
  FINE(cusparseCreateDnVec(&dense, 7, memory, CUDA_R_64F));
  FINE(cusparseDnVecGet(dense, &size, &values, &type));
  EXPECT(size == 7 && values == memory && type == CUDA_R_64F);
  FINE(cusparseDnVecSetValues(dense, (char *)memory + 8));
  FINE(cusparseDnVecGetValues(dense, &values));
  EXPECT(values == (char *)memory + 8);
  FINE(cusparseDestroyDnVec(dense));
  WRONG(cusparseCreateDnVec(&dense, -1, memory, CUDA_R_64F));
  cudaFree(memory);
}

static void check_matrices(void) {
  int64_t rows, cols, nnz;
  char *memory;
  void *offsets, *indices, *values;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cusparseFormat_t format;
  cudaDataType type;
  cusparseSpMatDescr_t a;
  cudaMalloc((void **)&memory, 256);
  FINE(cusparseCreateCsr(&a, 2, 3, 4, memory, memory + 64, memory + 128, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
                         CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F));
  FINE(cusparseCsrGet(a, &rows, &cols, &nnz, &offsets, &indices, &values, &offset_type, &index_type, &base, &type));
  EXPECT(rows == 2 && cols == 3 && nnz == 4 && offsets == memory && indices == memory + 64 && values == memory + 128);
  EXPECT(offset_type == CUSPARSE_INDEX_64I && index_type == CUSPARSE_INDEX_64I && base == CUSPARSE_INDEX_BASE_ONE);
  FINE(cusparseSpMatGetFormat(a, &format));
  EXPECT(format == CUSPARSE_FORMAT_CSR && type == CUDA_R_64F);
  FINE(cusparseCsrSetPointers(a, memory + 8, memory, memory + 64));
  FINE(cusparseSpMatGetValues(a, &values));
  EXPECT(values == memory + 64);
  FINE(cusparseSpMatGetSize(a, &rows, &cols, &nnz));
  EXPECT(rows == 2 && cols == 3 && nnz == 4);
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  FINE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  fill = CUSPARSE_FILL_MODE_LOWER;
  FINE(cusparseSpMatGetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  EXPECT(fill == CUSPARSE_FILL_MODE_UPPER);
  FINE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  FINE(cusparseDestroySpMat(a));
  FINE(cusparseCreateCsc(&a, 2, 3, 4, memory, memory + 64, memory + 128, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  FINE(cusparseCscGet(a, &rows, &cols, &nnz, &offsets, &indices, &values, &offset_type, &index_type, &base, &type));
  EXPECT(rows == 2 && cols == 3 && nnz == 4 && offsets == memory);
  FINE(cusparseDestroySpMat(a));
  FINE(cusparseCreateCoo(&a, 2, 3, 4, memory, memory + 64, memory + 128, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_32F));
  FINE(cusparseCooGet(a, &rows, &cols, &nnz, &offsets, &indices, &values, &index_type, &base, &type));
  EXPECT(rows == 2 && cols == 3 && nnz == 4 && indices == memory + 64 && index_type == CUSPARSE_INDEX_32I);
  FINE(cusparseDestroySpMat(a));
  FINE(cusparseCreateCsr(&a, 5, 5, 0, NULL, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  FINE(cusparseDestroySpMat(a));
  WRONG(cusparseCreateCsr(&a, -1, 3, 4, memory, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  WRONG(cusparseCreateCsr(&a, 2, 3, 7, memory, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cudaFree(memory);
}

static void check_matrices_of_blocks(void) {
  int64_t rows, cols, nnz, side, width;
  char *memory;
  void *indices, *values;
  const void *constant, *constant_values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cusparseFormat_t format;
  cudaDataType type;
  cusparseSpMatDescr_t a;
  cusparseConstSpMatDescr_t b;
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
  const cusparseOrder_t by_rows = CUSPARSE_ORDER_ROW;
  const cudaDataType f = CUDA_R_32F;
  int count = 0;
  cudaMalloc((void **)&memory, 256);
  FINE(cusparseCreateBsr(&a, 2, 3, 4, 2, 2, memory, memory + 64, memory + 128, narrow, narrow, zero, f, by_rows));
  FINE(cusparseSpMatGetFormat(a, &format));
  FINE(cusparseSpMatGetSize(a, &rows, &cols, &nnz));
  EXPECT(format == CUSPARSE_FORMAT_BSR);
#ifndef ON_NVIDIA /* which has not said in what it counts */
  EXPECT(rows == 4 && cols == 6 && nnz == 16);
#endif
  FINE(cusparseBsrSetStridedBatch(a, 2, 3, 4, 16));
  FINE(cusparseSpMatGetStridedBatch(a, &count));
  EXPECT(count == 2);
  WRONG(cusparseBsrSetStridedBatch(a, 0, 3, 4, 16));
  WRONG(cusparseCsrSetStridedBatch(a, 2, 3, 4));
  WRONG(cusparseBlockedEllGet(a, &rows, &cols, &side, &width, &indices, &values, &index_type, &base, &type));
  FINE(cusparseDestroySpMat(a));
  FINE(
      cusparseCreateConstBsr(&b, 2, 3, 4, 2, 2, memory, memory + 64, memory + 128, narrow, narrow, zero, f, by_rows));
  FINE(cusparseDestroySpMat(b));
  WRONG(cusparseCreateBsr(&a, -1, 3, 4, 2, 2, memory, memory, memory, narrow, narrow, zero, f, by_rows));
  WRONG(cusparseCreateBsr(&a, 2, 3, 7, 2, 2, memory, memory, memory, narrow, narrow, zero, f, by_rows));
  WRONG(cusparseCreateBsr(&a, 2, 3, 4, 0, 2, memory, memory, memory, narrow, narrow, zero, f, by_rows));
  FINE(cusparseCreateBlockedEll(&a, 6, 8, 2, 4, memory, memory + 64, narrow, zero, f));
  FINE(cusparseBlockedEllGet(a, &rows, &cols, &side, &width, &indices, &values, &index_type, &base, &type));
  EXPECT(rows == 6 && cols == 8 && side == 2 && width == 4 && indices == memory && values == memory + 64);
  EXPECT(index_type == narrow && base == zero && type == f);
  FINE(cusparseSpMatGetFormat(a, &format));
  EXPECT(format == CUSPARSE_FORMAT_BLOCKED_ELL);
  WRONG(cusparseBsrSetStridedBatch(a, 2, 3, 4, 16));
  FINE(cusparseDestroySpMat(a));
  FINE(cusparseCreateConstBlockedEll(&b, 6, 8, 2, 4, memory, memory + 64, narrow, zero, f));
  FINE(cusparseConstBlockedEllGet(b, &rows, &cols, &side, &width, &constant, &constant_values, &index_type, &base,
                                  &type));
  EXPECT(constant == memory && constant_values == memory + 64);
  FINE(cusparseDestroySpMat(b));
  WRONG(cusparseCreateBlockedEll(&a, 5, 8, 2, 4, memory, memory, narrow, zero, f));
  WRONG(cusparseCreateBlockedEll(&a, 6, 7, 2, 4, memory, memory, narrow, zero, f));
  WRONG(cusparseCreateBlockedEll(&a, 6, 8, 2, 3, memory, memory, narrow, zero, f));
  WRONG(cusparseCreateBlockedEll(&a, 6, 8, 2, 10, memory, memory, narrow, zero, f));
  WRONG(cusparseCreateBlockedEll(&a, 6, 8, 0, 4, memory, memory, narrow, zero, f));
  cudaFree(memory);
}

static void check_dense_matrices(void) {
  int64_t rows, cols, ld;
  void *memory, *values;
  cudaDataType type;
  cusparseOrder_t order;
  cusparseDnMatDescr_t b;
  cudaMalloc(&memory, 512);
  FINE(cusparseCreateDnMat(&b, 4, 3, 5, memory, CUDA_C_64F, CUSPARSE_ORDER_COL));
  FINE(cusparseDnMatGet(b, &rows, &cols, &ld, &values, &type, &order));
  EXPECT(rows == 4 && cols == 3 && ld == 5 && values == memory && type == CUDA_C_64F && order == CUSPARSE_ORDER_COL);
  FINE(cusparseDnMatSetValues(b, (char *)memory + 16));
  FINE(cusparseDnMatGetValues(b, &values));
  EXPECT(values == (char *)memory + 16);
  FINE(cusparseDestroyDnMat(b));
  WRONG(cusparseCreateDnMat(&b, 4, 3, 3, memory, CUDA_R_32F, CUSPARSE_ORDER_COL));
  WRONG(cusparseCreateDnMat(&b, 4, 3, 2, memory, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  cudaFree(memory);
}

static void check_legacy(void) {
  cusparseMatDescr_t descr;
  FINE(cusparseCreateMatDescr(&descr));
  EXPECT(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_GENERAL);
  EXPECT(cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ZERO);
  FINE(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
  FINE(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
  FINE(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_UPPER));
  FINE(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_UNIT));
  EXPECT(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_TRIANGULAR);
  EXPECT(cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE);
  EXPECT(cusparseGetMatFillMode(descr) == CUSPARSE_FILL_MODE_UPPER);
  EXPECT(cusparseGetMatDiagType(descr) == CUSPARSE_DIAG_TYPE_UNIT);
  WRONG(cusparseSetMatType(descr, (cusparseMatrixType_t)9));
  FINE(cusparseDestroyMatDescr(descr));
}

int main(void) {
  check_library();
  check_handle();
  check_vectors();
  check_matrices();
  check_matrices_of_blocks();
  check_dense_matrices();
  check_legacy();
  return verdict("conform_descriptor");
}
