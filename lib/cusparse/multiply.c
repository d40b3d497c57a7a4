/* SPDX-License-Identifier: MIT */
/*
 * multiply - cusparseSpMV(): a sparse matrix times a vector.
 *
 * Work is cut by lines' ends and entries, not by lines, so that rows of any length cost what memory costs; see
 * kernels/multiply.cuh. COO is cut by entries alone, as its rows are where they are. A matrix that is turned, by its
 * format or by the operation, adds to y by atomics, in any order. What tiles carry lies in memory of the pool: the
 * program's buffer is not needed, and its size is told as 0. BSR is multiplied as with a dense matrix of one column.
 *
 * No state and no locks. Called by programs. Nothing waits.
 */
#include "cusparse/blocked.h"
#include "cusparse/kernel.h"
#include "cusparse/lines.h"
#include "cusparse/narrow.h"
#include "cusparse/tile.h"

static bool has_algorithm(cusparseFormat_t format, cusparseSpMVAlg_t algorithm) {
  switch (algorithm) {
  case CUSPARSE_SPMV_ALG_DEFAULT:
    return true;
  case CUSPARSE_SPMV_COO_ALG1:
  case CUSPARSE_SPMV_COO_ALG2:
    return format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMV_CSR_ALG1:
  case CUSPARSE_SPMV_CSR_ALG2:
    return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
  case CUSPARSE_SPMV_BSR_ALG1:
    return format == CUSPARSE_FORMAT_BSR;
  default:
    return false;
  }
}

/* What an operation makes of lines, and what it takes and gives. */
typedef struct product {
  vptr__sparse_lines lines;
  vptr__sparse_scalar alpha, beta;
  const void *x;
  void *y;
  int64_t size; /* of y */
  int conjugates;
  bool spreads, is_coo;
} product;

static product check_product(vptr__sparse_call *call, cusparseOperation_t operation, const void *alpha,
                             cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x, const void *beta,
                             cusparseConstDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm) {
  product it = { .conjugates = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
  vptr__sparse_require_operation(call, "opA", operation);
  vptr__sparse_require(call, matrix != NULL && x != NULL && y != NULL, "matA, vecX or vecY is NULL");
  vptr__sparse_compute_in(call, type);
  call->takes_narrow = true;
  it.alpha = vptr__sparse_scalar_at(call, "alpha", alpha);
  it.beta = vptr__sparse_scalar_at(call, "beta", beta);
  if (!vptr__sparse_is_well(call))
    return it;
  bool is_turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  vptr__sparse_require(call, has_algorithm(matrix->format, algorithm), "algorithm %d is none of format %d",
                       (int)algorithm, (int)matrix->format);
  vptr__sparse_support(call, matrix->format != CUSPARSE_FORMAT_BLOCKED_ELL,
                       "matA is blocked ELL, which cusparseSpMM() takes");
  vptr__sparse_support(call, matrix->format != CUSPARSE_FORMAT_BSR || !is_turned, "a matrix of blocks is not turned");
  vptr__sparse_require_vector(call, "vecX", x, is_turned ? matrix->rows : matrix->cols);
  vptr__sparse_require_vector(call, "vecY", y, is_turned ? matrix->cols : matrix->rows);
  it.x = x->values;
  it.y = y->values;
  it.size = y->size;
  it.spreads = is_turned != (matrix->format == CUSPARSE_FORMAT_CSC);
  it.is_coo = matrix->format == CUSPARSE_FORMAT_COO;
  return it;
}

/* Adds what tiles carried, and what doing so carries, until one block is left. */
static void carry(vptr__sparse_call *call, const product *it, int64_t count, void *lines, void *sums) {
  while (count > 0 && vptr__sparse_is_well(call)) {
    vptr__sparse_shape shape = vptr__sparse_tiles(call, count);
    int64_t blocks = shape.grid[0];
    bool is_last = blocks == 1;
    void *next_lines = is_last ? NULL : vptr__sparse_work(call, blocks, sizeof(int64_t));
    void *next_sums = is_last ? NULL : vptr__sparse_work(call, blocks, vptr__sparse_size(call->type));
    vptr__sparse_launch(call, VPTR__SPARSE_CARRY, shape,
                        VPTR__SPARSE_ARGUMENTS(&count, &lines, &sums, &it->lines.count, &it->y, &it->alpha.value,
                                               &it->alpha.at, &next_lines, &next_sums));
    lines = next_lines;
    sums = next_sums;
    count = is_last ? 0 : blocks;
  }
}

static void gather(vptr__sparse_call *call, product *it) {
  vptr__sparse_lines *a = &it->lines;
  vptr__sparse_shape shape = vptr__sparse_tiles(call, a->count + a->entries);
  void *lines = vptr__sparse_work(call, shape.grid[0], sizeof(int64_t));
  void *sums = vptr__sparse_work(call, shape.grid[0], vptr__sparse_size(call->type));
  vptr__sparse_launch(call, shape.block[0] == 1 ? VPTR__SPARSE_WALK : VPTR__SPARSE_MULTIPLY, shape,
                      VPTR__SPARSE_ARGUMENTS(&a->count, &a->entries, &a->offsets.narrow, &a->offsets.wide, &a->base,
                                             &a->indices.narrow, &a->indices.wide, &a->index_base, &a->values,
                                             &it->conjugates, &it->x, &it->y, &it->alpha.value, &it->alpha.at,
                                             &it->beta.value, &it->beta.at, &lines, &sums));
  carry(call, it, shape.grid[0], lines, sums);
}

static void scale(vptr__sparse_call *call, const product *it) {
  int64_t one = 1;
  vptr__sparse_launch(call, VPTR__SPARSE_SCALE, vptr__sparse_line(it->size),
                      VPTR__SPARSE_ARGUMENTS(&it->size, &one, &it->size, &it->y, &it->beta.value, &it->beta.at));
}

static void spread(vptr__sparse_call *call, product *it) {
  vptr__sparse_lines *a = &it->lines;
  scale(call, it);
  if (a->entries > 0)
    vptr__sparse_launch(call, VPTR__SPARSE_SPREAD, vptr__sparse_tiles(call, a->count + a->entries),
                        VPTR__SPARSE_ARGUMENTS(&a->count, &a->entries, &a->offsets.narrow, &a->offsets.wide, &a->base,
                                               &a->indices.narrow, &a->indices.wide, &a->index_base, &a->values,
                                               &it->conjugates, &it->x, &it->y, &it->alpha.value, &it->alpha.at));
}

/* Of COO: `offsets` are rows. */
static void gather_entries(vptr__sparse_call *call, product *it) {
  vptr__sparse_lines *a = &it->lines;
  vptr__sparse_shape shape = vptr__sparse_tiles(call, a->entries);
  scale(call, it);
  if (a->entries == 0)
    return;
  void *lines = vptr__sparse_work(call, shape.grid[0], sizeof(int64_t));
  void *sums = vptr__sparse_work(call, shape.grid[0], vptr__sparse_size(call->type));
  vptr__sparse_launch(call, VPTR__SPARSE_MULTIPLY_COO, shape,
                      VPTR__SPARSE_ARGUMENTS(&a->entries, &a->offsets.narrow, &a->offsets.wide, &a->indices.narrow,
                                             &a->indices.wide, &a->base, &a->values, &it->conjugates, &it->x, &it->y,
                                             &it->alpha.value, &it->alpha.at, &lines, &sums));
  carry(call, it, shape.grid[0], lines, sums);
}

static void spread_entries(vptr__sparse_call *call, product *it) {
  vptr__sparse_lines *a = &it->lines;
  scale(call, it);
  vptr__sparse_launch(call, VPTR__SPARSE_SPREAD_COO, vptr__sparse_line(a->entries),
                      VPTR__SPARSE_ARGUMENTS(&a->entries, &a->offsets.narrow, &a->offsets.wide, &a->indices.narrow,
                                             &a->indices.wide, &a->base, &a->values, &it->conjugates, &it->x, &it->y,
                                             &it->alpha.value, &it->alpha.at));
}

/* Of BSR. */
static void multiply_blocks(vptr__sparse_call *call, const vptr__sparse_blocked *a, const product *it) {
  int64_t columns = 1, step = 1;
  vptr__sparse_launch(call, VPTR__SPARSE_MULTIPLY_BLOCKED, vptr__sparse_blocked_shape(call, a, a->height),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_BLOCKED(a), &columns, &it->x, &step, &columns,
                                             &it->conjugates, &it->y, &step, &columns, &it->alpha.value,
                                             &it->alpha.at, &it->beta.value, &it->beta.at));
}

static void multiply(vptr__sparse_call *call, product *it) {
  if (it->is_coo)
    (it->spreads ? spread_entries : gather_entries)(call, it);
  else
    (it->spreads ? spread : gather)(call, it);
}

/* All is right: operands of 16 bits become floats, and the result such again. */
static void compute(vptr__sparse_call *call, product *it, cusparseConstSpMatDescr_t matrix,
                    cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y, vptr__sparse_blocked *blocks) {
  void *to = it->y,
       *values = vptr__sparse_widen(call, matrix->type, matrix->values, vptr__sparse_extent_of(matrix->nnz));
  it->x = vptr__sparse_widen(call, x->type, it->x, vptr__sparse_extent_of(x->size));
  it->y = vptr__sparse_widen(call, y->type, to, vptr__sparse_extent_of(y->size));
  it->lines.values = blocks->values = values;
  if (vptr__sparse_is_blocked(matrix))
    multiply_blocks(call, blocks, it);
  else
    multiply(call, it);
  vptr__sparse_narrow(call, y->type, it->y, to, vptr__sparse_extent_of(y->size));
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,
                              cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg,
                              void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMV", handle);
  vptr__sparse_blocked blocks = { .rows = 0 };
  product it = check_product(&call, opA, alpha, matA, vecX, beta, vecY, computeType, alg);
  if (vptr__sparse_is_well(&call) && vptr__sparse_is_blocked(matA))
    blocks = vptr__sparse_blocked_of(&call, "matA", matA);
  else
    it.lines = vptr__sparse_entries_of(&call, "matA", matA);
  if (vptr__sparse_is_well(&call) && it.size > 0)
    compute(&call, &it, matA, vecX, vecY, &blocks);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMV_bufferSize", handle);
  check_product(&call, opA, alpha, matA, vecX, beta, vecY, computeType, alg);
  vptr__sparse_require(&call, bufferSize != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *bufferSize = 0;
  return vptr__sparse_finish(&call);
}

/* There is nothing to prepare: it checks. */
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMV_preprocess", handle);
  check_product(&call, opA, alpha, matA, vecX, beta, vecY, computeType, alg);
  return vptr__sparse_finish(&call);
}
