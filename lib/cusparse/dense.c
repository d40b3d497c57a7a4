/* SPDX-License-Identifier: MIT */
/*
 * dense - the descriptor of dense matrices.
 *
 * No locks: see descriptor.h. Called by programs. Nothing blocks.
 */
#include "base/memory.h"
#include "cusparse/descriptor.h"

static cusparseStatus_t create_matrix(const char *call, void *place, const struct cusparseDnMatDescr *as) {
  bool is_order = as->order == CUSPARSE_ORDER_COL || as->order == CUSPARSE_ORDER_ROW;
  int64_t least = as->order == CUSPARSE_ORDER_COL ? as->rows : as->cols;
  bool is_right = is_order && as->rows >= 0 && as->cols >= 0 && as->ld >= least &&
                  (as->rows == 0 || as->cols == 0 || as->values != NULL) && vptr__sparse_is_data_type(as->type);
  return vptr__sparse_create(call, is_right, as, sizeof *as, place);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols, int64_t ld,
                                     void *values, cudaDataType valueType, cusparseOrder_t order) {
  struct cusparseDnMatDescr as = { rows, cols, ld, values, valueType, order, 1, 0 };
  return create_matrix("cusparseCreateDnMat", dnMatDescr, &as);
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *dnMatDescr, int64_t rows, int64_t cols,
                                          int64_t ld, const void *values, cudaDataType valueType,
                                          cusparseOrder_t order) {
  struct cusparseDnMatDescr as = { rows, cols, ld, vptr__sparse_address(values), valueType, order, 1, 0 };
  return create_matrix("cusparseCreateConstDnMat", dnMatDescr, &as);
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t dnMatDescr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDestroyDnMat", dnMatDescr != NULL);
  vptr__memory_free(vptr__sparse_address(dnMatDescr));
  return status;
}

cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t dnMatDescr, int64_t *rows, int64_t *cols,
                                       int64_t *ld, const void **values, cudaDataType *type, cusparseOrder_t *order) {
  bool are_right = dnMatDescr != NULL && rows != NULL && cols != NULL && ld != NULL && values != NULL &&
                   type != NULL && order != NULL;
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDnMatGet", are_right);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *rows = dnMatDescr->rows;
  *cols = dnMatDescr->cols;
  *ld = dnMatDescr->ld;
  *values = dnMatDescr->values;
  *type = dnMatDescr->type;
  *order = dnMatDescr->order;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t dnMatDescr, int64_t *rows, int64_t *cols, int64_t *ld,
                                  void **values, cudaDataType *type, cusparseOrder_t *order) {
  return cusparseConstDnMatGet(dnMatDescr, rows, cols, ld, (const void **)values, type, order);
}

cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t dnMatDescr, const void **values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseDnMatGetValues", dnMatDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *values = dnMatDescr->values;
  return status;
}

cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t dnMatDescr, void **values) {
  return cusparseConstDnMatGetValues(dnMatDescr, (const void **)values);
}

cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t dnMatDescr, void *values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseDnMatSetValues", dnMatDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    dnMatDescr->values = values;
  return status;
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t dnMatDescr, int batchCount, int64_t batchStride) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDnMatSetStridedBatch",
                                                         dnMatDescr != NULL && batchCount > 0 && batchStride >= 0);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  dnMatDescr->batch = batchCount;
  dnMatDescr->batch_stride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t dnMatDescr, int *batchCount,
                                              int64_t *batchStride) {
  cusparseStatus_t status = vptr__sparse_check_arguments(
      "cusparseDnMatGetStridedBatch", dnMatDescr != NULL && batchCount != NULL && batchStride != NULL);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *batchCount = dnMatDescr->batch;
  *batchStride = dnMatDescr->batch_stride;
  return CUSPARSE_STATUS_SUCCESS;
}
