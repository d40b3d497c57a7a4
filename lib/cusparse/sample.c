/* SPDX-License-Identifier: MIT */
/*
 * sample - cusparseSDDMM(): a product of dense matrices, where a sparse one has entries or blocks.
 *
 * Threads of a block share a line of the sparse matrix, or a row of its blocks; an entry is a thread's.
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/blocked.h"
#include "cusparse/kernel.h"
#include "cusparse/lines.h"
#include "cusparse/tile.h"

static int64_t check_sample(vptr__sparse_call *call, cusparseOperation_t op_a, cusparseOperation_t op_b,
                            cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseConstSpMatDescr_t c,
                            cudaDataType type, cusparseSDDMMAlg_t algorithm) {
  vptr__sparse_require_operation(call, "opA", op_a);
  vptr__sparse_require_operation(call, "opB", op_b);
  vptr__sparse_require(call, algorithm == CUSPARSE_SDDMM_ALG_DEFAULT, "there is no algorithm %d", (int)algorithm);
  vptr__sparse_require(call, a != NULL && b != NULL && c != NULL, "matA, matB or matC is NULL");
  vptr__sparse_compute_in(call, type);
  if (!vptr__sparse_is_well(call))
    return 0;
  int64_t depth = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? a->cols : a->rows;
  vptr__sparse_support(call, c->format != CUSPARSE_FORMAT_BLOCKED_ELL,
                       "matC is blocked ELL: samples take CSR and BSR");
  vptr__sparse_require_operand(call, "matA", a, op_a, c->rows, depth);
  vptr__sparse_require_operand(call, "matB", b, op_b, depth, c->cols);
  return depth;
}

/* Where C has blocks. */
static void sample_blocks(vptr__sparse_call *call, cusparseConstSpMatDescr_t matrix, int64_t depth,
                          const vptr__sparse_dense *a, const vptr__sparse_dense *b, const vptr__sparse_scalar *f,
                          const vptr__sparse_scalar *g) {
  vptr__sparse_blocked c = vptr__sparse_blocked_of(call, "matC", matrix);
  vptr__sparse_launch(call, VPTR__SPARSE_SAMPLE_BLOCKED, vptr__sparse_teams(call, c.rows, THREADS),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_BLOCKED(&c), &depth, &a->at, &a->steps.down,
                                             &a->steps.along, &a->conjugates, &b->at, &b->steps.down, &b->steps.along,
                                             &b->conjugates, &f->value, &f->at, &g->value, &g->at));
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                               cusparseSDDMMAlg_t alg, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSDDMM", handle);
  int64_t depth = check_sample(&call, opA, opB, matA, matB, matC, computeType, alg);
  vptr__sparse_scalar f = vptr__sparse_scalar_at(&call, "alpha", alpha);
  vptr__sparse_scalar g = vptr__sparse_scalar_at(&call, "beta", beta);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  vptr__sparse_dense a = vptr__sparse_dense_of(matA, opA), b = vptr__sparse_dense_of(matB, opB);
  if (vptr__sparse_is_blocked(matC)) {
    sample_blocks(&call, matC, depth, &a, &b, &f, &g);
    return vptr__sparse_finish(&call);
  }
  vptr__sparse_lines c = vptr__sparse_lines_of(&call, "matC", matC);
  if (!vptr__sparse_is_well(&call) || c.entries == 0)
    return vptr__sparse_finish(&call);
  int is_turned = c.is_turned;
  vptr__sparse_launch(&call, VPTR__SPARSE_SAMPLED, vptr__sparse_blocks(c.count),
                      VPTR__SPARSE_ARGUMENTS(&c.count, &depth, &c.offsets.narrow, &c.offsets.wide, &c.base,
                                             &c.indices.narrow, &c.indices.wide, &c.index_base, &c.values, &a.at,
                                             &a.steps.down, &a.steps.along, &a.conjugates, &b.at, &b.steps.down,
                                             &b.steps.along, &b.conjugates, &f.value, &f.at, &g.value, &g.at,
                                             &is_turned));
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSDDMM_bufferSize", handle);
  check_sample(&call, opA, opB, matA, matB, matC, computeType, alg);
  vptr__sparse_require(&call, alpha != NULL && beta != NULL && bufferSize != NULL,
                       "alpha, beta or bufferSize is NULL");
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
  check_sample(&call, opA, opB, matA, matB, matC, computeType, alg);
  vptr__sparse_require(&call, alpha != NULL && beta != NULL, "alpha or beta is NULL");
  return vptr__sparse_finish(&call);
}
