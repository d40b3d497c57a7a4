/* SPDX-License-Identifier: MIT */
/*
 * product - cusparseSpMM(): a sparse matrix times a dense one.
 *
 * The sparse matrix is cut into tiles as for a vector (multiply.c), and threads side by side have columns side by
 * side. A dense matrix that is stored in columns is turned first, for a few columns at a time, so that these read
 * side by side. A matrix that is turned, by its format or by the operation, adds to C by atomics, in any order. One in
 * blocks gives a block of threads a row of blocks (kernels/blocked.cuh).
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/batch.h"
#include "cusparse/blocked.h"
#include "cusparse/kernel.h"
#include "cusparse/lines.h"
#include "cusparse/narrow.h"
#include "cusparse/tile.h"

static bool has_algorithm(cusparseFormat_t format, cusparseSpMMAlg_t algorithm) {
  switch (algorithm) {
  case CUSPARSE_SPMM_ALG_DEFAULT:
    return true;
  case CUSPARSE_SPMM_COO_ALG1:
  case CUSPARSE_SPMM_COO_ALG2:
  case CUSPARSE_SPMM_COO_ALG3:
  case CUSPARSE_SPMM_COO_ALG4:
    return format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMM_CSR_ALG1:
  case CUSPARSE_SPMM_CSR_ALG2:
  case CUSPARSE_SPMM_CSR_ALG3:
    return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
  case CUSPARSE_SPMM_BLOCKED_ELL_ALG1:
    return format == CUSPARSE_FORMAT_BLOCKED_ELL;
  case CUSPARSE_SPMM_BSR_ALG1:
    return format == CUSPARSE_FORMAT_BSR;
  default:
    return false;
  }
}

typedef struct product {
  vptr__sparse_scalar alpha, beta;
  vptr__sparse_dense b, c;
  int conjugates;
  bool spreads;
} product;

static product check_product(vptr__sparse_call *call, cusparseOperation_t op_a, cusparseOperation_t op_b,
                             const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                             const void *beta, cusparseConstDnMatDescr_t c, cudaDataType type,
                             cusparseSpMMAlg_t algorithm) {
  product it = { .conjugates = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
  vptr__sparse_require_operation(call, "opA", op_a);
  vptr__sparse_require_operation(call, "opB", op_b);
  vptr__sparse_require(call, a != NULL && b != NULL && c != NULL, "matA, matB or matC is NULL");
  vptr__sparse_compute_in(call, type);
  call->takes_narrow = true;
  it.alpha = vptr__sparse_scalar_at(call, "alpha", alpha);
  it.beta = vptr__sparse_scalar_at(call, "beta", beta);
  if (!vptr__sparse_is_well(call))
    return it;
  bool is_turned = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
  vptr__sparse_require(call, has_algorithm(a->format, algorithm), "algorithm %d is none of format %d", (int)algorithm,
                       (int)a->format);
  vptr__sparse_support(call, !vptr__sparse_is_blocked(a) || !is_turned, "a matrix of blocks is not turned");
  vptr__sparse_require_operand(call, "matB", b, op_b, is_turned ? a->rows : a->cols, c->cols);
  vptr__sparse_require_matrix(call, "matC", c, is_turned ? a->cols : a->rows, c->cols);
  it.b = vptr__sparse_dense_of(b, op_b);
  it.c = vptr__sparse_dense_of(c, CUSPARSE_OPERATION_NON_TRANSPOSE);
  it.spreads = is_turned != (a->format == CUSPARSE_FORMAT_CSC);
  return it;
}

/* matC = beta matC: its lines are rows or columns, as it is stored. */
static void scale(vptr__sparse_call *call, cusparseDnMatDescr_t c, vptr__sparse_scalar beta) {
  bool is_by_columns = c->order == CUSPARSE_ORDER_COL;
  int64_t length = is_by_columns ? c->rows : c->cols, count = is_by_columns ? c->cols : c->rows;
  vptr__sparse_launch(call, VPTR__SPARSE_SCALE, vptr__sparse_line(length * count),
                      VPTR__SPARSE_ARGUMENTS(&length, &count, &c->ld, &c->values, &beta.value, &beta.at));
}

/* Columns of C, and of op(B), from the first on. */
static vptr__sparse_dense columns_from(const vptr__sparse_call *call, vptr__sparse_dense of, int64_t first) {
  of.at = (const char *)of.at + first * of.steps.along * (int64_t)vptr__sparse_size(call->type);
  return of;
}

/* So many columns of op(B) in rows, unless they are so already, few, or too many for what they would save. */
static vptr__sparse_dense in_rows(vptr__sparse_call *call, vptr__sparse_dense b, int64_t rows, int64_t columns,
                                  void *room) {
  vptr__sparse_shape shape = { { (uint32_t)((columns - 1) / LANES + 1), (uint32_t)((rows - 1) / LANES + 1), 1 },
                               { LANES, THREADS / LANES, 1 } };
  if (room == NULL)
    return b;
  vptr__sparse_launch(call, VPTR__SPARSE_TURN, shape,
                      VPTR__SPARSE_ARGUMENTS(&rows, &columns, &b.at, &b.steps.along, &room));
  return (vptr__sparse_dense){ room, { columns, 1 }, b.conjugates };
}

/* What tiles and columns take. A processor goes through a column at a time, and wants those as they are. */
static void gather(vptr__sparse_call *call, const vptr__sparse_lines *a, const product *it, int64_t columns) {
  enum { CHUNK = 64, FEWEST = 4, ROOM = 1 << 25, GRID_MOST = 65535 };
  vptr__sparse_shape shape = vptr__sparse_tiles(call, a->count + a->entries);
  int64_t groups = shape.block[0] < LANES ? 1 : shape.block[0] / LANES, pieces = shape.grid[0] * groups;
  int64_t most = columns < CHUNK ? columns : CHUNK, rows = a->length;
  bool turns = shape.block[0] >= LANES && it->b.steps.along != 1 && it->b.steps.down == 1 && most >= FEWEST &&
               rows <= a->entries && rows <= ROOM / most && (rows - 1) / LANES < GRID_MOST;
  void *lines = vptr__sparse_work(call, pieces, sizeof(int64_t));
  void *sums = vptr__sparse_work(call, pieces * most, vptr__sparse_size(call->type));
  void *room = turns ? vptr__sparse_work(call, rows * most, vptr__sparse_size(call->type)) : NULL;
  for (int64_t first = 0; first < columns && vptr__sparse_is_well(call); first += CHUNK) {
    int64_t count = columns - first < CHUNK ? columns - first : CHUNK;
    vptr__sparse_dense b = in_rows(call, columns_from(call, it->b, first), rows, count, room);
    vptr__sparse_dense c = columns_from(call, it->c, first);
    shape.grid[1] = (uint32_t)((count - 1) / LANES + 1);
    vptr__sparse_launch(call, VPTR__SPARSE_PRODUCT, shape,
                        VPTR__SPARSE_ARGUMENTS(&a->count, &a->entries, &count, &a->offsets.narrow, &a->offsets.wide,
                                               &a->base, &a->indices.narrow, &a->indices.wide, &a->index_base,
                                               &a->values, &it->conjugates, &b.at, &b.steps.down, &b.steps.along,
                                               &b.conjugates, &c.at, &c.steps.down, &c.steps.along, &it->alpha.value,
                                               &it->alpha.at, &it->beta.value, &it->beta.at, &lines, &sums));
    vptr__sparse_launch(call, VPTR__SPARSE_CARRY_PRODUCT, vptr__sparse_plane(pieces, count),
                        VPTR__SPARSE_ARGUMENTS(&pieces, &count, &lines, &sums, &a->count, &c.at, &c.steps.down,
                                               &c.steps.along, &it->alpha.value, &it->alpha.at));
  }
}

static void spread(vptr__sparse_call *call, const vptr__sparse_lines *a, const product *it, int64_t columns) {
  if (a->entries > 0)
    vptr__sparse_launch(call, VPTR__SPARSE_SPREAD_PRODUCT, vptr__sparse_plane(a->count, columns),
                        VPTR__SPARSE_ARGUMENTS(&a->count, &columns, &a->offsets.narrow, &a->offsets.wide, &a->base,
                                               &a->indices.narrow, &a->indices.wide, &a->index_base, &a->values,
                                               &it->conjugates, &it->b.at, &it->b.steps.down, &it->b.steps.along,
                                               &it->b.conjugates, &it->c.at, &it->c.steps.down, &it->c.steps.along,
                                               &it->alpha.value, &it->alpha.at));
}

/* The operands of a product; of a batch, those of one of its products. */
typedef struct operands {
  cusparseOperation_t op_a, op_b;
  struct cusparseSpMatDescr a;
  struct cusparseDnMatDescr b, c;
  const void *alpha, *beta;
  cudaDataType type;
  cusparseSpMMAlg_t algorithm;
} operands;

static product check_operands(vptr__sparse_call *call, const operands *of) {
  return check_product(call, of->op_a, of->op_b, of->alpha, &of->a, &of->b, of->beta, &of->c, of->type,
                       of->algorithm);
}

/* The i-th product of a batch. A matrix that is no batch is the same for all. */
static operands product_of(const operands *of, int i) {
  operands it = *of;
  it.a = vptr__sparse_matrix_at(&of->a, i);
  it.b = vptr__sparse_dense_at(&of->b, i);
  it.c = vptr__sparse_dense_at(&of->c, i);
  return it;
}

static operands operands_of(vptr__sparse_call *call, const cusparseOperation_t operations[2], const void *alpha,
                            cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                            cusparseConstDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t algorithm) {
  operands it = { .op_a = operations[0], .op_b = operations[1], .alpha = alpha, .beta = beta };
  it.type = type;
  it.algorithm = algorithm;
  vptr__sparse_require(call, a != NULL && b != NULL && c != NULL, "matA, matB or matC is NULL");
  if (!vptr__sparse_is_well(call))
    return it;
  it.a = *a;
  it.b = *b;
  it.c = *c;
  vptr__sparse_require_batches(call, c->batch, a->batch, b->batch);
  return it;
}

/* All products of a batch are looked at before one is sent; sizes and preparations leave out the entries. */
static void check_all(vptr__sparse_call *call, const operands *of, bool has_entries) {
  for (int i = 0; i < of->c.batch && vptr__sparse_is_well(call); i++) {
    operands one = product_of(of, i);
    check_operands(call, &one);
    if (has_entries && vptr__sparse_is_well(call) && vptr__sparse_is_blocked(&one.a))
      vptr__sparse_blocked_of(call, "matA", &one.a);
    else if (has_entries)
      vptr__sparse_entries_of(call, "matA", &one.a);
  }
}

static void multiply_blocks(vptr__sparse_call *call, const vptr__sparse_blocked *a, const product *it,
                            int64_t columns) {
  vptr__sparse_launch(call, VPTR__SPARSE_MULTIPLY_BLOCKED, vptr__sparse_blocked_shape(call, a, a->height * columns),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_BLOCKED(a), &columns, &it->b.at, &it->b.steps.down,
                                             &it->b.steps.along, &it->b.conjugates, &it->c.at, &it->c.steps.down,
                                             &it->c.steps.along, &it->alpha.value, &it->alpha.at, &it->beta.value,
                                             &it->beta.at));
}

/* The sparse matrix is right, and all is in floats at least. */
static void multiply(vptr__sparse_call *call, operands *of, product *it) {
  if (vptr__sparse_is_blocked(&of->a)) {
    vptr__sparse_blocked blocks = vptr__sparse_blocked_of(call, "matA", &of->a);
    multiply_blocks(call, &blocks, it, of->c.cols);
    return;
  }
  vptr__sparse_lines a = vptr__sparse_lines_of(call, "matA", &of->a);
  if (!vptr__sparse_is_well(call))
    return;
  if (it->spreads) {
    scale(call, &of->c, it->beta);
    spread(call, &a, it, of->c.cols);
  } else {
    gather(call, &a, it, of->c.cols);
  }
}

/* Of operands of 16 bits, those in floats take the place; the result becomes such again. */
static void send_product(vptr__sparse_call *call, operands *of) {
  const struct cusparseDnMatDescr to = of->c;
  product it = check_operands(call, of);
  if (!vptr__sparse_is_well(call) || to.rows == 0 || to.cols == 0)
    return;
  of->a.values = vptr__sparse_widen(call, of->a.type, of->a.values, vptr__sparse_extent_of(of->a.nnz));
  it.b.at = vptr__sparse_widen(call, of->b.type, of->b.values, vptr__sparse_extent_of_matrix(&of->b));
  it.c.at = of->c.values = vptr__sparse_widen(call, to.type, to.values, vptr__sparse_extent_of_matrix(&to));
  if (vptr__sparse_is_narrow(of->a.type))
    of->a.type = CUDA_R_32F;
  multiply(call, of, &it);
  vptr__sparse_narrow(call, to.type, of->c.values, to.values, vptr__sparse_extent_of_matrix(&to));
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMM", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, true);
  cusparseStatus_t status = vptr__sparse_finish(&call);
  for (int i = 0; i < all.c.batch && status == CUSPARSE_STATUS_SUCCESS; i++) {
    operands one = product_of(&all, i);
    call = vptr__sparse_enter("cusparseSpMM", handle); /* each gives back its memory before the next */
    send_product(&call, &one);
    status = vptr__sparse_finish(&call);
  }
  return status;
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMM_bufferSize", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, false);
  vptr__sparse_require(&call, bufferSize != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *bufferSize = 0;
  return vptr__sparse_finish(&call);
}

/* There is nothing to prepare: it checks. */
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpMM_preprocess", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, false);
  return vptr__sparse_finish(&call);
}
