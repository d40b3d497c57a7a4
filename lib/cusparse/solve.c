/* SPDX-License-Identifier: MIT */
/*
 * solve - triangular systems with one right side, cusparseSpSV, and with several, cusparseSpSM.
 *
 * The analysis finds levels of rows (triangle.h) and keeps them in the program's descriptor; a solution takes the
 * matrix's values as they are then, or those that cusparseSpSV_updateMatrix() named. A row without a diagonal entry
 * gives 0, unless the diagonal is one of ones.
 *
 * No locks: a descriptor is used by one thread at a time. Called by programs. An analysis waits for the stream. No
 * buffer is needed: its size is told as 0.
 */
#include "base/memory.h"
#include "cusparse/triangle.h"

struct cusparseSpSVDescr {
  vptr__sparse_triangle *triangle;
  const void *values; /* NULL: the matrix's */
};

struct cusparseSpSMDescr {
  struct cusparseSpSVDescr system;
};

/* A call's operands: one right side is a matrix of one column. */
typedef struct operands {
  cusparseOperation_t op_a, op_b;
  cusparseConstSpMatDescr_t a;
  vptr__sparse_scalar alpha;
  const void *b;
  void *x;
  vptr__sparse_steps b_steps, x_steps;
  int64_t sides;
} operands;

static operands check_matrix(vptr__sparse_call *call, cusparseOperation_t operation, const void *alpha,
                             cusparseConstSpMatDescr_t a, cudaDataType type, const void *descr, int algorithm) {
  operands it = { .op_a = operation, .a = a, .sides = 1 };
  vptr__sparse_require_operation(call, "opA", operation);
  vptr__sparse_require(call, a != NULL && descr != NULL, "matA or the descriptor of the solution is NULL");
  vptr__sparse_require(call, algorithm == 0, "there is no algorithm %d", algorithm);
  vptr__sparse_compute_in(call, type);
  if (vptr__sparse_is_well(call))
    vptr__sparse_require(call, a->rows == a->cols, "matA is %lld by %lld, and must be square", (long long)a->rows,
                         (long long)a->cols);
  it.alpha = vptr__sparse_scalar_at(call, "alpha", alpha);
  return it;
}

static void add_vectors(vptr__sparse_call *call, operands *it, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y) {
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_require_vector(call, "vecX", x, it->a->rows);
  vptr__sparse_require_vector(call, "vecY", y, it->a->rows);
  if (!vptr__sparse_is_well(call))
    return;
  it->b = x->values;
  it->x = y->values;
  it->b_steps = it->x_steps = (vptr__sparse_steps){ 1, x->size };
}

static void add_matrices(vptr__sparse_call *call, operands *it, cusparseOperation_t operation,
                         cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c) {
  vptr__sparse_require_operation(call, "opB", operation);
  vptr__sparse_require(call, b != NULL && c != NULL, "matB or matC is NULL");
  if (!vptr__sparse_is_well(call))
    return;
  bool is_turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  vptr__sparse_require_matrix(call, "matC", c, it->a->rows, c->cols);
  vptr__sparse_require_matrix(call, "matB", b, is_turned ? c->cols : c->rows, is_turned ? c->rows : c->cols);
  it->op_b = operation;
  it->b = b->values;
  it->x = c->values;
  it->b_steps = vptr__sparse_steps_of(b, is_turned);
  it->x_steps = vptr__sparse_steps_of(c, false);
  it->sides = c->cols;
}

static cusparseStatus_t tell_no_buffer(vptr__sparse_call *call, size_t *size) {
  vptr__sparse_require(call, size != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(call))
    *size = 0;
  return vptr__sparse_finish(call);
}

static cusparseStatus_t analyse(vptr__sparse_call *call, const operands *it, struct cusparseSpSVDescr *descr) {
  vptr__sparse_lines a = vptr__sparse_lines_of(call, "matA", it->a);
  if (!vptr__sparse_is_well(call))
    return vptr__sparse_finish(call);
  vptr__sparse_triangle *made =
      vptr__sparse_triangle_make(call, &a, it->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE, it->a->fill);
  if (made != NULL) {
    vptr__sparse_triangle_free(descr->triangle);
    descr->triangle = made;
    descr->values = NULL;
  }
  return vptr__sparse_finish(call);
}

static cusparseStatus_t solve(vptr__sparse_call *call, operands *it, const struct cusparseSpSVDescr *descr) {
  if (!vptr__sparse_is_well(call))
    return vptr__sparse_finish(call);
  vptr__sparse_require(call, descr->triangle != NULL && descr->triangle->rows == it->a->rows,
                       "the descriptor was not made by an analysis of this matrix");
  vptr__sparse_require_type(call, "matA", it->a->type);
  const void *values = descr->values != NULL ? descr->values : it->a->values;
  vptr__sparse_memory(call, "values", values, it->a->nnz, vptr__sparse_size(call->type));
  int conjugates = it->op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  int b_conjugates = it->op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  int is_unit = it->a->diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  const void *arguments[] = { NULL,
                              NULL,
                              NULL,
                              NULL,
                              NULL,
                              NULL,
                              NULL,
                              NULL,
                              &values,
                              &conjugates,
                              &is_unit,
                              &it->sides,
                              &it->b,
                              &it->b_steps.down,
                              &it->b_steps.along,
                              &b_conjugates,
                              &it->x,
                              &it->x_steps.down,
                              &it->x_steps.along,
                              &it->alpha.value,
                              &it->alpha.at };
  if (vptr__sparse_is_well(call) && it->sides > 0)
    vptr__sparse_triangle_launch(call, descr->triangle, VPTR__SPARSE_SOLVE, it->sides, arguments);
  return vptr__sparse_finish(call);
}

static cusparseStatus_t update(vptr__sparse_call *call, struct cusparseSpSVDescr *descr, const void *values,
                               int part) {
  vptr__sparse_require(call, descr != NULL && values != NULL, "the descriptor or newValues is NULL");
  vptr__sparse_support(call, part == 0, "all values are replaced, not the diagonal alone");
  if (vptr__sparse_is_well(call))
    descr->values = values;
  return vptr__sparse_finish(call);
}

/* ---- one right side ------------------------------------------------------------------------------------------ */

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr) {
  const struct cusparseSpSVDescr as = { NULL, NULL };
  return vptr__sparse_create("cusparseSpSV_createDescr", true, &as, sizeof as, descr);
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseSpSV_destroyDescr", descr != NULL);
  if (descr != NULL)
    vptr__sparse_triangle_free(descr->triangle);
  vptr__memory_free(descr);
  return status;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t spsvDescr, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSV_bufferSize", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsvDescr, (int)alg);
  add_vectors(&call, &it, vecX, vecY);
  return tell_no_buffer(&call, bufferSize);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                       cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                       cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t spsvDescr, void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSV_analysis", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsvDescr, (int)alg);
  add_vectors(&call, &it, vecX, vecY);
  return analyse(&call, &it, spsvDescr);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                    cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t spsvDescr) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSV_solve", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsvDescr, (int)alg);
  add_vectors(&call, &it, vecX, vecY);
  return solve(&call, &it, spsvDescr);
}

cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t spsvDescr, void *newValues,
                                           cusparseSpSVUpdate_t updatePart) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSV_updateMatrix", handle);
  return update(&call, spsvDescr, newValues, (int)updatePart);
}

/* ---- several right sides -------------------------------------------------------------------------------------- */

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr) {
  const struct cusparseSpSMDescr as = { { NULL, NULL } };
  return vptr__sparse_create("cusparseSpSM_createDescr", true, &as, sizeof as, descr);
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseSpSM_destroyDescr", descr != NULL);
  if (descr != NULL)
    vptr__sparse_triangle_free(descr->system.triangle);
  vptr__memory_free(descr);
  return status;
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t alg,
                                         cusparseSpSMDescr_t spsmDescr, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSM_bufferSize", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsmDescr, (int)alg);
  add_matrices(&call, &it, opB, matB, matC);
  return tell_no_buffer(&call, bufferSize);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                       const void *alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsmDescr,
                                       void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSM_analysis", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsmDescr, (int)alg);
  add_matrices(&call, &it, opB, matB, matC);
  return analyse(&call, &it, spsmDescr != NULL ? &spsmDescr->system : NULL);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMAlg_t alg,
                                    cusparseSpSMDescr_t spsmDescr) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSM_solve", handle);
  operands it = check_matrix(&call, opA, alpha, matA, computeType, spsmDescr, (int)alg);
  add_matrices(&call, &it, opB, matB, matC);
  return solve(&call, &it, spsmDescr != NULL ? &spsmDescr->system : NULL);
}

cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t spsmDescr, void *newValues,
                                           cusparseSpSMUpdate_t updatePart) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpSM_updateMatrix", handle);
  return update(&call, spsmDescr != NULL ? &spsmDescr->system : NULL, newValues, (int)updatePart);
}
