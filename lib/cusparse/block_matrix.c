/* SPDX-License-Identifier: MIT */
/*
 * block_matrix - the descriptors of sparse matrices in blocks: BSR and blocked ELL.
 *
 * Rows and columns of a descriptor are those of elements, whatever the program counts in, and its entries are the
 * values of all blocks, those of blocks that are not there included.
 *
 * No locks: see descriptor.h. Called by programs. Nothing blocks.
 */
#include "cusparse/descriptor.h"

/* Whether blocks fit the types and have memory, as many as there are places for. */
static bool is_right(const struct cusparseSpMatDescr *as) {
  return as->nnz >= 0 && (as->nnz == 0 || (as->indices != NULL && as->values != NULL)) &&
         vptr__sparse_is_index_type(as->offset_type) && vptr__sparse_is_index_type(as->index_type) &&
         vptr__sparse_is_base(as->base) && vptr__sparse_is_data_type(as->type);
}

/* ---- BSR --------------------------------------------------------------------------------------------------- */

/* Counts of blocks become those of elements. False if one is below 0, or too large for 64 bits. */
static bool count_elements(struct cusparseSpMatDescr *as, int64_t rows, int64_t columns, int64_t blocks) {
  int64_t area = 0;
  return rows >= 0 && columns >= 0 && blocks >= 0 && as->block_height > 0 && as->block_width > 0 &&
         (columns == 0 ? blocks == 0 : (blocks + columns - 1) / columns <= rows) &&
         !__builtin_mul_overflow(rows, as->block_height, &as->rows) &&
         !__builtin_mul_overflow(columns, as->block_width, &as->cols) &&
         !__builtin_mul_overflow(as->block_height, as->block_width, &area) &&
         !__builtin_mul_overflow(blocks, area, &as->nnz);
}

static cusparseStatus_t create_bsr(const char *call, void *place, struct cusparseSpMatDescr as, int64_t rows,
                                   int64_t columns, int64_t blocks) {
  bool is_order = as.block_order == CUSPARSE_ORDER_COL || as.block_order == CUSPARSE_ORDER_ROW;
  bool counts = is_order && count_elements(&as, rows, columns, blocks) && (blocks == 0 || as.offsets != NULL);
  as.format = CUSPARSE_FORMAT_BSR;
  as.batch = 1;
  return vptr__sparse_create(call, counts && is_right(&as), &as, sizeof as, place);
}

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *spMatDescr, int64_t brows, int64_t bcols, int64_t bnnz,
                                   int64_t rowBlockSize, int64_t colBlockSize, void *bsrRowOffsets, void *bsrColInd,
                                   void *bsrValues, cusparseIndexType_t bsrRowOffsetsType,
                                   cusparseIndexType_t bsrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType, cusparseOrder_t order) {
  struct cusparseSpMatDescr as = { .block_height = rowBlockSize,
                                   .block_width = colBlockSize,
                                   .block_order = order,
                                   .offsets = bsrRowOffsets,
                                   .indices = bsrColInd,
                                   .values = bsrValues,
                                   .offset_type = bsrRowOffsetsType,
                                   .index_type = bsrColIndType,
                                   .base = idxBase,
                                   .type = valueType };
  return create_bsr("cusparseCreateBsr", spMatDescr, as, brows, bcols, bnnz);
}

cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *spMatDescr, int64_t brows, int64_t bcols,
                                        int64_t bnnz, int64_t rowBlockDim, int64_t colBlockDim,
                                        const void *bsrRowOffsets, const void *bsrColInd, const void *bsrValues,
                                        cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order) {
  struct cusparseSpMatDescr as = { .block_height = rowBlockDim,
                                   .block_width = colBlockDim,
                                   .block_order = order,
                                   .offsets = vptr__sparse_address(bsrRowOffsets),
                                   .indices = vptr__sparse_address(bsrColInd),
                                   .values = vptr__sparse_address(bsrValues),
                                   .offset_type = bsrRowOffsetsType,
                                   .index_type = bsrColIndType,
                                   .base = idxBase,
                                   .type = valueType };
  return create_bsr("cusparseCreateConstBsr", spMatDescr, as, brows, bcols, bnnz);
}

/* A stride of 0 is a matrix, or a part of one, that is the same for all. */
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t offsetsBatchStride, int64_t columnsBatchStride,
                                            int64_t ValuesBatchStride) {
  cusparseStatus_t status = vptr__sparse_check_arguments(
      "cusparseBsrSetStridedBatch", spMatDescr != NULL && spMatDescr->format == CUSPARSE_FORMAT_BSR &&
                                        batchCount > 0 && offsetsBatchStride >= 0 && columnsBatchStride >= 0 &&
                                        ValuesBatchStride >= 0);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  spMatDescr->batch = batchCount;
  spMatDescr->offsets_stride = offsetsBatchStride;
  spMatDescr->entries_stride = columnsBatchStride;
  spMatDescr->values_stride = ValuesBatchStride;
  return CUSPARSE_STATUS_SUCCESS;
}

/* ---- blocked ELL ------------------------------------------------------------------------------------------- */

/* Blocks are square, and fill the matrix and the columns that are stored. */
static cusparseStatus_t create_ell(const char *call, void *place, int64_t rows, int64_t columns, int64_t side,
                                   int64_t ell_columns, const void *indices, const void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  struct cusparseSpMatDescr as = { .format = CUSPARSE_FORMAT_BLOCKED_ELL,
                                   .rows = rows,
                                   .cols = columns,
                                   .indices = vptr__sparse_address(indices),
                                   .values = vptr__sparse_address(values),
                                   .offset_type = index_type,
                                   .index_type = index_type,
                                   .base = base,
                                   .type = type,
                                   .batch = 1,
                                   .block_height = side,
                                   .block_width = side,
                                   .ell_columns = ell_columns,
                                   .block_order = CUSPARSE_ORDER_ROW };
  bool fits = rows >= 0 && columns >= 0 && side > 0 && ell_columns >= 0 && ell_columns <= columns &&
              rows % side == 0 && columns % side == 0 && ell_columns % side == 0 &&
              !__builtin_mul_overflow(rows, ell_columns, &as.nnz);
  return vptr__sparse_create(call, fits && is_right(&as), &as, sizeof as, place);
}

cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols,
                                          int64_t ellBlockSize, int64_t ellCols, void *ellColInd, void *ellValue,
                                          cusparseIndexType_t ellIdxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType) {
  return create_ell("cusparseCreateBlockedEll", spMatDescr, rows, cols, ellBlockSize, ellCols, ellColInd, ellValue,
                    ellIdxType, idxBase, valueType);
}

cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t *spMatDescr, int64_t rows, int64_t cols,
                                               int64_t ellBlockSize, int64_t ellCols, const void *ellColInd,
                                               const void *ellValue, cusparseIndexType_t ellIdxType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create_ell("cusparseCreateConstBlockedEll", spMatDescr, rows, cols, ellBlockSize, ellCols, ellColInd,
                    ellValue, ellIdxType, idxBase, valueType);
}

cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols,
                                            int64_t *ellBlockSize, int64_t *ellCols, const void **ellColInd,
                                            const void **ellValue, cusparseIndexType_t *ellIdxType,
                                            cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  bool are_right = spMatDescr != NULL && spMatDescr->format == CUSPARSE_FORMAT_BLOCKED_ELL && rows != NULL &&
                   cols != NULL && ellBlockSize != NULL && ellCols != NULL && ellColInd != NULL && ellValue != NULL &&
                   ellIdxType != NULL && idxBase != NULL && valueType != NULL;
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseBlockedEllGet", are_right);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *rows = spMatDescr->rows;
  *cols = spMatDescr->cols;
  *ellBlockSize = spMatDescr->block_height;
  *ellCols = spMatDescr->ell_columns;
  *ellColInd = spMatDescr->indices;
  *ellValue = spMatDescr->values;
  *ellIdxType = spMatDescr->index_type;
  *idxBase = spMatDescr->base;
  *valueType = spMatDescr->type;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t spMatDescr, int64_t *rows, int64_t *cols,
                                       int64_t *ellBlockSize, int64_t *ellCols, void **ellColInd, void **ellValue,
                                       cusparseIndexType_t *ellIdxType, cusparseIndexBase_t *idxBase,
                                       cudaDataType *valueType) {
  return cusparseConstBlockedEllGet(spMatDescr, rows, cols, ellBlockSize, ellCols, (const void **)ellColInd,
                                    (const void **)ellValue, ellIdxType, idxBase, valueType);
}
