/* SPDX-License-Identifier: MIT */
/*
 * blocked - a matrix of blocks as kernels see it; see blocked.h.
 *
 * No state and no locks. Called by convert.c, multiply.c, product.c and sample.c. Nothing waits.
 */
#include "cusparse/blocked.h"

#include "cusparse/tile.h"

#include <limits.h>

static void check_memory(vptr__sparse_call *call, cusparseConstSpMatDescr_t matrix, int64_t rows, int64_t blocks) {
  if (matrix->format == CUSPARSE_FORMAT_BSR)
    vptr__sparse_memory(call, "offsets", matrix->offsets, rows > 0 ? rows + 1 : 0,
                        vptr__sparse_index_size(matrix->offset_type));
  vptr__sparse_memory(call, "indices", matrix->indices, blocks, vptr__sparse_index_size(matrix->index_type));
  vptr__sparse_memory(call, "values", matrix->values, matrix->nnz,
                      vptr__sparse_operand_size(call->type, matrix->type));
}

vptr__sparse_blocked vptr__sparse_blocked_of(vptr__sparse_call *call, const char *what,
                                             cusparseConstSpMatDescr_t matrix) {
  vptr__sparse_blocked it = { .rows = 0 };
  vptr__sparse_require_type(call, what, matrix->type);
  vptr__sparse_support(call, matrix->batch == 1,
                       "%s is a batch of %d, which only cusparseSpMM() and cusparseSDDMM() take", what,
                       matrix->batch);
  vptr__sparse_support(call, matrix->block_height <= INT_MAX && matrix->block_width <= INT_MAX,
                       "%s has blocks of %lld by %lld: below 2^31 is supported", what,
                       (long long)matrix->block_height, (long long)matrix->block_width);
  if (!vptr__sparse_is_well(call))
    return it;
  int64_t area = matrix->block_height * matrix->block_width;
  bool is_ell = matrix->format == CUSPARSE_FORMAT_BLOCKED_ELL;
  bool is_by_columns = matrix->block_order == CUSPARSE_ORDER_COL;
  it.rows = matrix->rows / matrix->block_height;
  check_memory(call, matrix, it.rows, matrix->nnz / area);
  it.base = (int64_t)matrix->base;
  it.offsets = vptr__sparse_indices_of(matrix->offset_type, is_ell ? NULL : matrix->offsets);
  it.indices = vptr__sparse_indices_of(matrix->index_type, matrix->indices);
  it.values = matrix->values;
  it.height = (int)matrix->block_height;
  it.width = (int)matrix->block_width;
  it.slots = is_ell ? matrix->ell_columns / matrix->block_width : 0;
  it.step = is_ell ? matrix->block_width : area;
  it.down = is_ell ? matrix->ell_columns : is_by_columns ? 1 : matrix->block_width;
  it.along = is_by_columns ? matrix->block_height : 1;
  return it;
}

vptr__sparse_shape vptr__sparse_blocked_shape(const vptr__sparse_call *call, const vptr__sparse_blocked *it,
                                              int64_t elements) {
  enum { ACROSS_MOST = 64 };
  vptr__sparse_shape shape = vptr__sparse_teams(call, it->rows, elements > LANES ? THREADS : LANES);
  int64_t across = shape.block[0] > 1 ? (elements - 1) / THREADS + 1 : 1;
  shape.grid[1] = (uint32_t)(across < 1 ? 1 : across < ACROSS_MOST ? across : ACROSS_MOST);
  return shape;
}
