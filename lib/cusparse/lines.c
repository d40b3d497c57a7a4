/* SPDX-License-Identifier: MIT */
/*
 * lines - a sparse matrix as kernels see it, and what dense operands have to be; see lines.h.
 *
 * No state and no locks. Called by the files of this folder that compute. Nothing waits.
 */
#include "cusparse/lines.h"

#include "cusparse/kernel.h"

vptr__sparse_indices vptr__sparse_indices_of(cusparseIndexType_t type, const void *memory) {
  bool is_wide = type == CUSPARSE_INDEX_64I;
  return (vptr__sparse_indices){ is_wide ? NULL : memory, is_wide ? memory : NULL };
}

/* Rows' offsets, of the rows of entries. */
static vptr__sparse_indices find_offsets(vptr__sparse_call *call, cusparseConstSpMatDescr_t matrix) {
  vptr__sparse_indices rows = vptr__sparse_indices_of(matrix->index_type, matrix->offsets);
  int64_t base = (int64_t)matrix->base, zero = 0;
  void *none = NULL, *offsets = vptr__sparse_work(call, matrix->rows + 1, sizeof(int64_t));
  vptr__sparse_launch(
      call, VPTR__SPARSE_OFFSETS_OF, vptr__sparse_line(matrix->rows + 1),
      VPTR__SPARSE_ARGUMENTS(&matrix->rows, &matrix->nnz, &rows.narrow, &rows.wide, &base, &zero, &none, &offsets));
  return (vptr__sparse_indices){ NULL, offsets };
}

vptr__sparse_lines vptr__sparse_entries_of(vptr__sparse_call *call, const char *what,
                                           cusparseConstSpMatDescr_t matrix) {
  vptr__sparse_lines lines = { .is_turned = false };
  vptr__sparse_require(call, matrix != NULL, "%s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return lines;
  vptr__sparse_support(call, !vptr__sparse_is_blocked(matrix),
                       "%s is in blocks (format %d), which this call does not take", what, (int)matrix->format);
  vptr__sparse_require_type(call, what, matrix->type);
  vptr__sparse_support(call, matrix->batch == 1,
                       "%s is a batch of %d, which only cusparseSpMM() and cusparseSDDMM() take", what,
                       matrix->batch);
  if (!vptr__sparse_is_well(call))
    return lines;
  lines.is_turned = matrix->format == CUSPARSE_FORMAT_CSC;
  lines.count = lines.is_turned ? matrix->cols : matrix->rows;
  lines.length = lines.is_turned ? matrix->rows : matrix->cols;
  lines.entries = matrix->nnz;
  int64_t offset_count = lines.count > 0 ? lines.count + 1 : 0;
  vptr__sparse_memory(call, "offsets", matrix->offsets,
                      matrix->format == CUSPARSE_FORMAT_COO ? matrix->nnz : offset_count,
                      vptr__sparse_index_size(matrix->offset_type));
  vptr__sparse_memory(call, "indices", matrix->indices, matrix->nnz, vptr__sparse_index_size(matrix->index_type));
  vptr__sparse_memory(call, "values", matrix->values, matrix->nnz,
                      vptr__sparse_operand_size(call->type, matrix->type));
  lines.base = lines.index_base = (int64_t)matrix->base;
  lines.offsets = vptr__sparse_indices_of(matrix->offset_type, matrix->offsets);
  lines.indices = vptr__sparse_indices_of(matrix->index_type, matrix->indices);
  lines.values = matrix->values;
  return lines;
}

vptr__sparse_lines vptr__sparse_lines_of(vptr__sparse_call *call, const char *what,
                                         cusparseConstSpMatDescr_t matrix) {
  vptr__sparse_lines lines = vptr__sparse_entries_of(call, what, matrix);
  if (vptr__sparse_is_well(call) && matrix->format == CUSPARSE_FORMAT_COO) {
    lines.base = 0;
    lines.offsets = find_offsets(call, matrix);
  }
  return lines;
}

vptr__sparse_lines vptr__sparse_general_lines(vptr__sparse_call *call, const char *what, cusparseMatDescr_t descr,
                                              int rows, int columns, int nnz, const void *values, size_t value_size,
                                              const int *offsets, const int *indices) {
  vptr__sparse_lines it = { .count = rows, .length = columns, .entries = nnz, .values = values };
  vptr__sparse_require(call, rows >= 0 && columns >= 0 && nnz >= 0,
                       "%s is %d by %d with %d entries: nothing may be below 0", what, rows, columns, nnz);
  vptr__sparse_require(call, descr != NULL, "the descriptor of %s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return it;
  if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL) {
    vptr__sparse_require(call, false, "the type of %s is %d, and has to be general", what, (int)descr->type);
    call->status = CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  vptr__sparse_memory(call, "offsets of rows", offsets, rows > 0 ? (int64_t)rows + 1 : 0, sizeof(int));
  vptr__sparse_memory(call, "indices of columns", indices, nnz, sizeof(int));
  vptr__sparse_memory(call, "values", values, value_size > 0 ? nnz : 0, value_size);
  it.base = it.index_base = (int64_t)descr->base;
  it.offsets.narrow = offsets;
  it.indices.narrow = indices;
  return it;
}

void vptr__sparse_require_vector(vptr__sparse_call *call, const char *what, cusparseConstDnVecDescr_t vector,
                                 int64_t size) {
  vptr__sparse_require(call, vector != NULL, "%s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_require(call, vector->size == size, "%s has %lld elements, and must have %lld", what,
                       (long long)vector->size, (long long)size);
  vptr__sparse_require_type(call, what, vector->type);
  vptr__sparse_memory(call, what, vector->values, vector->size, vptr__sparse_operand_size(call->type, vector->type));
}

void vptr__sparse_require_matrix(vptr__sparse_call *call, const char *what, cusparseConstDnMatDescr_t matrix,
                                 int64_t rows, int64_t columns) {
  vptr__sparse_require(call, matrix != NULL, "%s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_require(call, matrix->rows == rows && matrix->cols == columns,
                       "%s is %lld by %lld, and must be %lld by %lld", what, (long long)matrix->rows,
                       (long long)matrix->cols, (long long)rows, (long long)columns);
  vptr__sparse_require_type(call, what, matrix->type);
  vptr__sparse_support(call, matrix->batch == 1,
                       "%s is a batch of %d, which only cusparseSpMM() and cusparseSDDMM() take", what,
                       matrix->batch);
  bool is_by_columns = matrix->order == CUSPARSE_ORDER_COL;
  int64_t lines = is_by_columns ? matrix->cols : matrix->rows, length = is_by_columns ? matrix->rows : matrix->cols;
  int64_t extent = 0;
  if (lines > 0 && length > 0 &&
      (__builtin_mul_overflow(lines - 1, matrix->ld, &extent) || __builtin_add_overflow(extent, length, &extent)))
    extent = INT64_MAX;
  vptr__sparse_memory(call, what, matrix->values, extent, vptr__sparse_operand_size(call->type, matrix->type));
}

void vptr__sparse_require_operand(vptr__sparse_call *call, const char *what, cusparseConstDnMatDescr_t matrix,
                                  cusparseOperation_t operation, int64_t rows, int64_t columns) {
  bool is_turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  vptr__sparse_require_matrix(call, what, matrix, is_turned ? columns : rows, is_turned ? rows : columns);
}
