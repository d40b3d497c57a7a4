/* SPDX-License-Identifier: MIT */
/*
 * matrix - the descriptor of sparse matrices: CSR, CSC and COO. Those of blocks are made in block_matrix.c.
 *
 * A matrix without entries may have no memory at all: programs make one so that a later call fills.
 *
 * No locks: see descriptor.h. Called by programs. Nothing blocks.
 */
#include "base/memory.h"
#include "cusparse/descriptor.h"

#include <string.h>

/* ---- life ------------------------------------------------------------------------------------------------- */

static cusparseStatus_t create_matrix(const char *call, void *place, const struct cusparseSpMatDescr *as) {
  bool has_memory = as->offsets != NULL && as->indices != NULL && as->values != NULL;
  bool is_right = as->rows >= 0 && as->cols >= 0 && as->nnz >= 0 &&
                  (as->cols == 0 ? as->nnz == 0 : (as->nnz + as->cols - 1) / as->cols <= as->rows) &&
                  (as->nnz == 0 || has_memory) && vptr__sparse_is_index_type(as->offset_type) &&
                  vptr__sparse_is_index_type(as->index_type) && vptr__sparse_is_base(as->base) &&
                  vptr__sparse_is_data_type(as->type);
  return vptr__sparse_create(call, is_right, as, sizeof *as, place);
}

#define CREATE(letters, format_of, C, D, qualified, address)                                                         \
  cusparseStatus_t cusparseCreate##C##letters(D *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,                \
                                              qualified *offsets, qualified *indices, qualified *values,             \
                                              cusparseIndexType_t offset_type, cusparseIndexType_t index_type,       \
                                              cusparseIndexBase_t idxBase, cudaDataType valueType) {                 \
    struct cusparseSpMatDescr as = { .format = format_of,                                                            \
                                     .rows = rows,                                                                   \
                                     .cols = cols,                                                                   \
                                     .nnz = nnz,                                                                     \
                                     .offsets = address(offsets),                                                    \
                                     .indices = address(indices),                                                    \
                                     .values = address(values),                                                      \
                                     .offset_type = offset_type,                                                     \
                                     .index_type = index_type,                                                       \
                                     .base = idxBase,                                                                \
                                     .type = valueType,                                                              \
                                     .batch = 1 };                                                                   \
    return create_matrix("cusparseCreate" #C #letters, spMatDescr, &as);                                             \
  }
CREATE(Csr, CUSPARSE_FORMAT_CSR, , cusparseSpMatDescr_t, void, )
CREATE(Csr, CUSPARSE_FORMAT_CSR, Const, cusparseConstSpMatDescr_t, const void, vptr__sparse_address)
CREATE(Csc, CUSPARSE_FORMAT_CSC, , cusparseSpMatDescr_t, void, )
CREATE(Csc, CUSPARSE_FORMAT_CSC, Const, cusparseConstSpMatDescr_t, const void, vptr__sparse_address)

static cusparseStatus_t create_coo(const char *call, void *place, int64_t rows, int64_t cols, int64_t nnz,
                                   const void *row_indices, const void *column_indices, const void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  struct cusparseSpMatDescr as = { .format = CUSPARSE_FORMAT_COO,
                                   .rows = rows,
                                   .cols = cols,
                                   .nnz = nnz,
                                   .offsets = vptr__sparse_address(row_indices),
                                   .indices = vptr__sparse_address(column_indices),
                                   .values = vptr__sparse_address(values),
                                   .offset_type = index_type,
                                   .index_type = index_type,
                                   .base = base,
                                   .type = type,
                                   .batch = 1 };
  return create_matrix(call, place, &as);
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                   void *cooRowInd, void *cooColInd, void *cooValues, cusparseIndexType_t cooIdxType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create_coo("cusparseCreateCoo", spMatDescr, rows, cols, nnz, cooRowInd, cooColInd, cooValues, cooIdxType,
                    idxBase, valueType);
}

cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *cooRowInd, const void *cooColInd,
                                        const void *cooValues, cusparseIndexType_t cooIdxType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create_coo("cusparseCreateConstCoo", spMatDescr, rows, cols, nnz, cooRowInd, cooColInd, cooValues,
                    cooIdxType, idxBase, valueType);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t spMatDescr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDestroySpMat", spMatDescr != NULL);
  vptr__memory_free(vptr__sparse_address(spMatDescr));
  return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

/* The members that the formats share; the outputs behind them are their callers'. */
static cusparseStatus_t tell_matrix(const char *call, cusparseFormat_t format, cusparseConstSpMatDescr_t matrix,
                                    int64_t *const sizes[3], const void **const memory[3], bool has_rest) {
  bool are_right = matrix != NULL && matrix->format == format && has_rest;
  for (int i = 0; i < 3; i++)
    are_right = are_right && sizes[i] != NULL && memory[i] != NULL;
  cusparseStatus_t status = vptr__sparse_check_arguments(call, are_right);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *sizes[0] = matrix->rows;
  *sizes[1] = matrix->cols;
  *sizes[2] = matrix->nnz;
  *memory[0] = matrix->offsets;
  *memory[1] = matrix->indices;
  *memory[2] = matrix->values;
  return CUSPARSE_STATUS_SUCCESS;
}

#define GET_COMPRESSED(letters, format_of)                                                                           \
  cusparseStatus_t cusparseConst##letters##Get(                                                                      \
      cusparseConstSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, const void **offsets,        \
      const void **indices, const void **values, cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,  \
      cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                                                       \
    bool has_rest = offset_type != NULL && index_type != NULL && idxBase != NULL && valueType != NULL;               \
    cusparseStatus_t status =                                                                                        \
        tell_matrix("cusparse" #letters "Get", format_of, spMatDescr, (int64_t *const[3]){ rows, cols, nnz },        \
                    (const void **const[3]){ offsets, indices, values }, has_rest);                                  \
    if (status != CUSPARSE_STATUS_SUCCESS)                                                                           \
      return status;                                                                                                 \
    *offset_type = spMatDescr->offset_type;                                                                          \
    *index_type = spMatDescr->index_type;                                                                            \
    *idxBase = spMatDescr->base;                                                                                     \
    *valueType = spMatDescr->type;                                                                                   \
    return CUSPARSE_STATUS_SUCCESS;                                                                                  \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letters##Get(cusparseSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols,             \
                                          int64_t *nnz, void **offsets, void **indices, void **values,               \
                                          cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,         \
                                          cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                   \
    return cusparseConst##letters##Get(spMatDescr, rows, cols, nnz, (const void **)offsets, (const void **)indices,  \
                                       (const void **)values, offset_type, index_type, idxBase, valueType);          \
  }
GET_COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
GET_COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)

cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                     const void **cooRowInd, const void **cooColInd, const void **cooValues,
                                     cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                     cudaDataType *valueType) {
  cusparseStatus_t status =
      tell_matrix("cusparseCooGet", CUSPARSE_FORMAT_COO, spMatDescr, (int64_t *const[3]){ rows, cols, nnz },
                  (const void **const[3]){ cooRowInd, cooColInd, cooValues },
                  idxType != NULL && idxBase != NULL && valueType != NULL);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *idxType = spMatDescr->index_type;
  *idxBase = spMatDescr->base;
  *valueType = spMatDescr->type;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                void **cooRowInd, void **cooColInd, void **cooValues, cusparseIndexType_t *idxType,
                                cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  return cusparseConstCooGet(spMatDescr, rows, cols, nnz, (const void **)cooRowInd, (const void **)cooColInd,
                             (const void **)cooValues, idxType, idxBase, valueType);
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

static cusparseStatus_t set_pointers(const char *call, cusparseFormat_t format, cusparseSpMatDescr_t matrix,
                                     void *offsets, void *indices, void *values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments(call, matrix != NULL && matrix->format == format && offsets != NULL &&
                                             (matrix->nnz == 0 || (indices != NULL && values != NULL)));
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t spMatDescr, void *csrRowOffsets, void *csrColInd,
                                        void *csrValues) {
  return set_pointers("cusparseCsrSetPointers", CUSPARSE_FORMAT_CSR, spMatDescr, csrRowOffsets, csrColInd, csrValues);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t spMatDescr, void *cscColOffsets, void *cscRowInd,
                                        void *cscValues) {
  return set_pointers("cusparseCscSetPointers", CUSPARSE_FORMAT_CSC, spMatDescr, cscColOffsets, cscRowInd, cscValues);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t spMatDescr, void *cooRows, void *cooColumns,
                                        void *cooValues) {
  return set_pointers("cusparseCooSetPointers", CUSPARSE_FORMAT_COO, spMatDescr, cooRows, cooColumns, cooValues);
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t spMatDescr, cusparseFormat_t *format) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatGetFormat", spMatDescr != NULL && format != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *format = spMatDescr->format;
  return status;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t spMatDescr, cusparseIndexBase_t *idxBase) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatGetIndexBase", spMatDescr != NULL && idxBase != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *idxBase = spMatDescr->base;
  return status;
}

cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t spMatDescr, const void **values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatGetValues", spMatDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *values = spMatDescr->values;
  return status;
}

cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t spMatDescr, void **values) {
  return cusparseConstSpMatGetValues(spMatDescr, (const void **)values);
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t spMatDescr, void *values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatSetValues", spMatDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    spMatDescr->values = values;
  return status;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols,
                                      int64_t *nnz) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseSpMatGetSize", spMatDescr != NULL && rows != NULL &&
                                                                                     cols != NULL && nnz != NULL);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *rows = spMatDescr->rows;
  *cols = spMatDescr->cols;
  *nnz = spMatDescr->nnz;
  return CUSPARSE_STATUS_SUCCESS;
}

/* ---- batches ------------------------------------------------------------------------------------------------ */

static cusparseStatus_t set_batch(const char *call, cusparseFormat_t format, cusparseSpMatDescr_t matrix, int count,
                                  int64_t offsets_stride, int64_t entries_stride) {
  cusparseStatus_t status = vptr__sparse_check_arguments(
      call, matrix != NULL && matrix->format == format && count > 0 && offsets_stride >= 0 && entries_stride >= 0);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  matrix->batch = count;
  matrix->offsets_stride = offsets_stride;
  matrix->entries_stride = matrix->values_stride = entries_stride;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t offsetsBatchStride, int64_t columnsValuesBatchStride) {
  return set_batch("cusparseCsrSetStridedBatch", CUSPARSE_FORMAT_CSR, spMatDescr, batchCount, offsetsBatchStride,
                   columnsValuesBatchStride);
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t spMatDescr, int batchCount, int64_t batchStride) {
  return set_batch("cusparseCooSetStridedBatch", CUSPARSE_FORMAT_COO, spMatDescr, batchCount, batchStride,
                   batchStride);
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t spMatDescr, int *batchCount) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatGetStridedBatch", spMatDescr != NULL && batchCount != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *batchCount = spMatDescr->batch;
  return status;
}

/* ---- attributes: enumerators that are ints ------------------------------------------------------------------- */

static bool is_attribute(cusparseSpMatAttribute_t attribute, const void *data, size_t size) {
  return (attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE) && data != NULL &&
         size == sizeof(int);
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t spMatDescr, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t dataSize) {
  cusparseStatus_t status = vptr__sparse_check_arguments(
      "cusparseSpMatGetAttribute", spMatDescr != NULL && is_attribute(attribute, data, dataSize));
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  int value = attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)spMatDescr->fill : (int)spMatDescr->diagonal;
  memcpy(data, &value, sizeof value);
  return CUSPARSE_STATUS_SUCCESS;
}

/* Both attributes have the values 0 and 1. */
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t spMatDescr, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t dataSize) {
  int value = -1;
  bool are_right = spMatDescr != NULL && is_attribute(attribute, data, dataSize);
  if (are_right)
    memcpy(&value, data, sizeof value);
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpMatSetAttribute", are_right && (value == 0 || value == 1));
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    spMatDescr->fill = (cusparseFillMode_t)value;
  else
    spMatDescr->diagonal = (cusparseDiagType_t)value;
  return CUSPARSE_STATUS_SUCCESS;
}
