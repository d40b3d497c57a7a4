/* SPDX-License-Identifier: MIT */
/*
 * sample - cusparseSDDMM(): a product of dense matrices, where a sparse one has entries or blocks.
 *
 * Threads of a block share a line of the sparse matrix, or a row of its blocks; an entry is a thread's. A batch is
 * looked at as a whole, and then sent one by one.
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/batch.h"
#include "cusparse/blocked.h"
#include "cusparse/kernel.h"
#include "cusparse/lines.h"
#include "cusparse/narrow.h"
#include "cusparse/tile.h"

/* The operands; of a batch, those of one of its samples. */
typedef struct operands {
  cusparseOperation_t op_a, op_b;
  const void *alpha, *beta;
  struct cusparseDnMatDescr a, b;
  struct cusparseSpMatDescr c;
  cudaDataType type;
  cusparseSDDMMAlg_t algorithm;
} operands;

/* What the kernels take. */
typedef struct sample {
  vptr__sparse_scalar alpha, beta;
  vptr__sparse_dense a, b;
  int64_t depth;
} sample;

static operands operands_of(vptr__sparse_call *call, const cusparseOperation_t operations[2], const void *alpha,
                            cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                            cusparseConstSpMatDescr_t c, cudaDataType type, cusparseSDDMMAlg_t algorithm) {
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
  vptr__sparse_require(call, c->batch == 1 || c->values_stride >= c->nnz,
                       "matC is a batch whose values are %lld apart, and are %lld each: they overlap",
                       (long long)c->values_stride, (long long)c->nnz);
  return it;
}

static operands sample_of(const operands *of, int i) {
  operands it = *of;
  it.a = vptr__sparse_dense_at(&of->a, i);
  it.b = vptr__sparse_dense_at(&of->b, i);
  it.c = vptr__sparse_matrix_at(&of->c, i);
  return it;
}

static sample check_sample(vptr__sparse_call *call, const operands *of) {
  sample it = { .depth = of->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? of->a.cols : of->a.rows };
  vptr__sparse_require_operation(call, "opA", of->op_a);
  vptr__sparse_require_operation(call, "opB", of->op_b);
  vptr__sparse_require(call, of->algorithm == CUSPARSE_SDDMM_ALG_DEFAULT, "there is no algorithm %d",
                       (int)of->algorithm);
  vptr__sparse_compute_in(call, of->type);
  call->takes_narrow = true;
  it.alpha = vptr__sparse_scalar_at(call, "alpha", of->alpha);
  it.beta = vptr__sparse_scalar_at(call, "beta", of->beta);
  if (!vptr__sparse_is_well(call))
    return it;
  vptr__sparse_support(call, of->c.format != CUSPARSE_FORMAT_BLOCKED_ELL,
                       "matC is blocked ELL: samples take CSR and BSR");
  vptr__sparse_require_operand(call, "matA", &of->a, of->op_a, of->c.rows, it.depth);
  vptr__sparse_require_operand(call, "matB", &of->b, of->op_b, it.depth, of->c.cols);
  it.a = vptr__sparse_dense_of(&of->a, of->op_a);
  it.b = vptr__sparse_dense_of(&of->b, of->op_b);
  return it;
}

/* All samples of a batch are looked at before one is sent; sizes and preparations leave out the entries. */
static void check_all(vptr__sparse_call *call, const operands *of, bool has_entries) {
  for (int i = 0; i < of->c.batch && vptr__sparse_is_well(call); i++) {
    operands one = sample_of(of, i);
    check_sample(call, &one);
    if (has_entries && vptr__sparse_is_well(call) && vptr__sparse_is_blocked(&one.c))
      vptr__sparse_blocked_of(call, "matC", &one.c);
    else if (has_entries)
      vptr__sparse_entries_of(call, "matC", &one.c);
  }
}

/* ---- sending ------------------------------------------------------------------------------------------------- */

/* The values of C, in floats at least. */
static void sample_blocks(vptr__sparse_call *call, cusparseConstSpMatDescr_t matrix, const void *values,
                          const sample *it) {
  vptr__sparse_blocked c = vptr__sparse_blocked_of(call, "matC", matrix);
  c.values = values;
  vptr__sparse_launch(call, VPTR__SPARSE_SAMPLE_BLOCKED, vptr__sparse_teams(call, c.rows, THREADS),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_BLOCKED(&c), &it->depth, &it->a.at, &it->a.steps.down,
                                             &it->a.steps.along, &it->a.conjugates, &it->b.at, &it->b.steps.down,
                                             &it->b.steps.along, &it->b.conjugates, &it->alpha.value, &it->alpha.at,
                                             &it->beta.value, &it->beta.at));
}

static void sample_lines(vptr__sparse_call *call, cusparseConstSpMatDescr_t matrix, const void *values,
                         const sample *it) {
  vptr__sparse_lines c = vptr__sparse_lines_of(call, "matC", matrix);
  int is_turned = c.is_turned;
  vptr__sparse_launch(call, VPTR__SPARSE_SAMPLED, vptr__sparse_blocks(c.count),
                      VPTR__SPARSE_ARGUMENTS(
                          &c.count, &it->depth, &c.offsets.narrow, &c.offsets.wide, &c.base, &c.indices.narrow,
                          &c.indices.wide, &c.index_base, &values, &it->a.at, &it->a.steps.down, &it->a.steps.along,
                          &it->a.conjugates, &it->b.at, &it->b.steps.down, &it->b.steps.along, &it->b.conjugates,
                          &it->alpha.value, &it->alpha.at, &it->beta.value, &it->beta.at, &is_turned));
}

/* Of operands of 16 bits, those in floats take the place; the result becomes such again. */
static void send_sample(vptr__sparse_call *call, const operands *of) {
  const vptr__sparse_extent entries = vptr__sparse_extent_of(of->c.nnz);
  sample it = check_sample(call, of);
  if (!vptr__sparse_is_well(call) || of->c.nnz == 0)
    return;
  it.a.at = vptr__sparse_widen(call, of->a.type, of->a.values, vptr__sparse_extent_of_matrix(&of->a));
  it.b.at = vptr__sparse_widen(call, of->b.type, of->b.values, vptr__sparse_extent_of_matrix(&of->b));
  void *values = vptr__sparse_widen(call, of->c.type, of->c.values, entries);
  if (vptr__sparse_is_blocked(&of->c))
    sample_blocks(call, &of->c, values, &it);
  else
    sample_lines(call, &of->c, values, &it);
  vptr__sparse_narrow(call, of->c.type, values, of->c.values, entries);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                               cusparseSDDMMAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSDDMM", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, true);
  cusparseStatus_t status = vptr__sparse_finish(&call);
  for (int i = 0; i < all.c.batch && status == CUSPARSE_STATUS_SUCCESS; i++) {
    operands one = sample_of(&all, i);
    call = vptr__sparse_enter("cusparseSDDMM", handle); /* each gives back its memory before the next */
    send_sample(&call, &one);
    status = vptr__sparse_finish(&call);
  }
  return status;
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSDDMM_bufferSize", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, false);
  vptr__sparse_require(&call, bufferSize != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *bufferSize = 0;
  return vptr__sparse_finish(&call);
}

/* There is nothing to prepare: it checks. */
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSDDMM_preprocess", handle);
  operands all =
      operands_of(&call, (const cusparseOperation_t[2]){ opA, opB }, alpha, matA, matB, beta, matC, computeType, alg);
  check_all(&call, &all, false);
  return vptr__sparse_finish(&call);
}
