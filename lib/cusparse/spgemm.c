/* SPDX-License-Identifier: MIT */
/*
 * spgemm - products of two sparse matrices: cusparseSpGEMM_*() and cusparseSpGEMMreuse_*(), of CSR.
 *
 * What is found between calls lies in the buffers that the program brings, and nowhere else:
 *
 *     SpGEMM        1  products and columns of each row   from workEstimation to compute
 *                   2  the product: values, offsets, columns   from compute to copy
 *     SpGEMMreuse   1  as above                           from workEstimation to nnz
 *                   3  the pattern: offsets, columns      from nnz to copy
 *
 * A call without a buffer tells its size, which is never 0, since programs take what cudaMalloc() gives for 0 for no
 * buffer again; that of a product counts its entries first. Buffers 2 and 4 of nnz, 3 of estimateMemory and 5 of copy
 * are not needed, and ask for the least.
 *
 * No locks: a descriptor is used by one thread at a time. Called by programs. What counts waits for the stream.
 */
#include "base/memory.h"
#include "cusparse/kernel.h"
#include "cusparse/pattern.h"

#include <limits.h>

enum { LEAST = 16 }; /* of a buffer: bytes, and what its address is a multiple of */

struct cusparseSpGEMMDescr {
  vptr__sparse_pattern pattern; /* its counts are in the first buffer */
  int64_t a_entries, b_entries;
  bool is_reused;
  void *result;   /* the program's, from compute, or from nnz, on: NULL before */
  bool is_copied; /* the pattern is in C */
};

typedef struct operands {
  struct cusparseSpGEMMDescr *descr;
  cusparseSpMatDescr_t c;
  vptr__sparse_lines a, b;
  vptr__sparse_scalar alpha, beta;
} operands;

/* ---- operands ------------------------------------------------------------------------------------------------ */

static bool is_algorithm(cusparseSpGEMMAlg_t algorithm) {
  return (int)algorithm >= CUSPARSE_SPGEMM_DEFAULT && (int)algorithm <= CUSPARSE_SPGEMM_ALG3;
}

static operands check_matrices(vptr__sparse_call *call, const cusparseOperation_t operations[2],
                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                               cusparseSpGEMMAlg_t algorithm, struct cusparseSpGEMMDescr *descr) {
  operands it = { .descr = descr, .c = c };
  vptr__sparse_require_operation(call, "opA", operations[0]);
  vptr__sparse_require_operation(call, "opB", operations[1]);
  vptr__sparse_require(call, is_algorithm(algorithm), "there is no algorithm %d", (int)algorithm);
  vptr__sparse_require(call, a != NULL && b != NULL && c != NULL && descr != NULL,
                       "matA, matB, matC or the descriptor of the product is NULL");
  vptr__sparse_support(
      call, operations[0] == CUSPARSE_OPERATION_NON_TRANSPOSE && operations[1] == CUSPARSE_OPERATION_NON_TRANSPOSE,
      "matrices are not transposed: turn them by cusparseCsr2cscEx2() first");
  if (!vptr__sparse_is_well(call))
    return it;
  vptr__sparse_support(
      call, a->format == CUSPARSE_FORMAT_CSR && b->format == CUSPARSE_FORMAT_CSR && c->format == CUSPARSE_FORMAT_CSR,
      "matA, matB and matC have to be CSR");
  vptr__sparse_require(call, a->cols == b->rows && a->rows == c->rows && b->cols == c->cols,
                       "matA is %lld by %lld and matB %lld by %lld, so matC must not be %lld by %lld",
                       (long long)a->rows, (long long)a->cols, (long long)b->rows, (long long)b->cols,
                       (long long)c->rows, (long long)c->cols);
  vptr__sparse_support(call, b->cols < INT_MAX, "matB has %lld columns: below 2^31 is supported", (long long)b->cols);
  return it;
}

/* The matrices' memory is looked at behind everything else. */
static void take_lines(vptr__sparse_call *call, operands *it, cusparseConstSpMatDescr_t a,
                       cusparseConstSpMatDescr_t b) {
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_require_type(call, "matC", it->c->type);
  it->a = vptr__sparse_lines_of(call, "matA", a);
  it->b = vptr__sparse_lines_of(call, "matB", b);
}

#define OPERATIONS ((const cusparseOperation_t[2]){ opA, opB })

static operands check_product(vptr__sparse_call *call, const cusparseOperation_t operations[2], const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
                              cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t algorithm,
                              struct cusparseSpGEMMDescr *descr) {
  operands it = check_matrices(call, operations, a, b, c, algorithm, descr);
  vptr__sparse_compute_in(call, type);
  if (vptr__sparse_is_well(call))
    vptr__sparse_require_type(call, "matA", a->type); /* factors are as long as this tells */
  it.alpha = vptr__sparse_scalar_at(call, "alpha", alpha);
  it.beta = vptr__sparse_scalar_at(call, "beta", beta);
  take_lines(call, &it, a, b);
  return it;
}

/* A product of patterns is of the type of A, for kernels of indices have none. */
static operands check_patterns(vptr__sparse_call *call, const cusparseOperation_t operations[2],
                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                               cusparseSpGEMMAlg_t algorithm, struct cusparseSpGEMMDescr *descr) {
  operands it = check_matrices(call, operations, a, b, c, algorithm, descr);
  if (vptr__sparse_is_well(call))
    vptr__sparse_compute_in(call, a->type);
  take_lines(call, &it, a, b);
  return it;
}

/* Whether the program has brought a buffer, which has to be as large as it must be; else tells the size. */
static bool has_buffer(vptr__sparse_call *call, const char *what, size_t bytes, size_t *size, void *buffer) {
  bytes = bytes < LEAST ? LEAST : bytes;
  vptr__sparse_require(call, size != NULL, "the size of %s has no place", what);
  if (!vptr__sparse_is_well(call))
    return false;
  if (buffer == NULL) {
    *size = bytes;
    return false;
  }
  vptr__sparse_require(call, (uintptr_t)buffer % LEAST == 0, "%s begins at %p, no multiple of %d", what, buffer,
                       (int)LEAST);
  if (vptr__sparse_is_well(call) && *size < bytes) {
    vptr__sparse_require(call, false, "%s has %zu bytes, and has to have %zu", what, *size, bytes);
    call->status = CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  }
  vptr__sparse_memory(call, what, buffer, (int64_t)bytes, 1);
  return vptr__sparse_is_well(call);
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

static void estimate(vptr__sparse_call *call, operands *it, bool is_reused, size_t *size, void *buffer) {
  vptr__sparse_pattern pattern = { .product_count = -1 };
  if (!vptr__sparse_is_well(call) ||
      !has_buffer(call, "externalBuffer1", vptr__sparse_pattern_bytes(it->a.count), size, buffer))
    return;
  vptr__sparse_pattern_estimate(call, &it->a, &it->b, buffer, &pattern);
  if (vptr__sparse_is_well(call))
    *it->descr = (struct cusparseSpGEMMDescr){
      .pattern = pattern, .a_entries = it->a.entries, .b_entries = it->b.entries, .is_reused = is_reused
    };
}

/* The descriptor is of these matrices, and of this kind of product. */
static void require_estimate(vptr__sparse_call *call, const operands *it, bool is_reused) {
  if (!vptr__sparse_is_well(call))
    return;
  const struct cusparseSpGEMMDescr *descr = it->descr;
  vptr__sparse_require(call,
                       descr->pattern.product_count >= 0 && descr->is_reused == is_reused &&
                           descr->pattern.rows == it->a.count && descr->pattern.columns == it->b.length &&
                           descr->a_entries == it->a.entries && descr->b_entries == it->b.entries,
                       "the descriptor was not made ready by an estimation of the work of these matrices");
}

static void require_counts(vptr__sparse_call *call, const operands *it) {
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_pattern *pattern = &it->descr->pattern;
  vptr__sparse_memory(call, "externalBuffer1 of the estimation", pattern->products,
                      (int64_t)vptr__sparse_pattern_bytes(pattern->rows), 1);
  if (pattern->nnz < 0)
    vptr__sparse_pattern_count(call, &it->a, &it->b, pattern);
}

/* The parts of a product in its buffer: values first, which need the most of its alignment. */
typedef struct parts {
  void *values;
  int64_t *offsets;
  int *columns;
} parts;

static parts parts_of(void *buffer, size_t value_size, const vptr__sparse_pattern *pattern) {
  char *at = buffer;
  size_t values = (size_t)pattern->nnz * value_size;
  values = (values + 7) / 8 * 8;
  int64_t *offsets = (int64_t *)(void *)(at + values);
  return (parts){ buffer, offsets, (int *)(void *)(offsets + pattern->rows + 1) };
}

static size_t bytes_of(size_t value_size, const vptr__sparse_pattern *pattern) {
  return ((size_t)pattern->nnz * value_size + 7) / 8 * 8 + ((size_t)pattern->rows + 1) * sizeof(int64_t) +
         (size_t)pattern->nnz * sizeof(int);
}

static void accumulate(vptr__sparse_call *call, const operands *it, const vptr__sparse_lines *c,
                       vptr__sparse_scalar beta) {
  enum { TEAM = 32 };
  if (c->entries > 0)
    vptr__sparse_launch(call, VPTR__SPARSE_ACCUMULATE, vptr__sparse_teams(call, it->a.count, TEAM),
                        VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_FACTORS(&it->a, &it->b), &it->a.values, &it->b.values,
                                               &c->offsets.narrow, &c->offsets.wide, &c->base, &c->indices.narrow,
                                               &c->indices.wide, &c->index_base, &c->values, &it->alpha.value,
                                               &it->alpha.at, &beta.value, &beta.at));
}

static void compute(vptr__sparse_call *call, operands *it, size_t *size, void *buffer) {
  require_estimate(call, it, false);
  require_counts(call, it);
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_pattern *pattern = &it->descr->pattern;
  const size_t value_size = vptr__sparse_size(call->type);
  if (!has_buffer(call, "externalBuffer2", bytes_of(value_size, pattern), size, buffer))
    return;
  parts to = parts_of(buffer, value_size, pattern);
  vptr__sparse_pattern_write(call, &it->a, &it->b, pattern, to.offsets, to.columns);
  vptr__sparse_lines c = { .count = pattern->rows,
                           .entries = pattern->nnz,
                           .offsets = { NULL, to.offsets },
                           .indices = { to.columns, NULL },
                           .values = to.values };
  accumulate(call, it, &c, vptr__sparse_constant(call->type, 0));
  if (!vptr__sparse_is_well(call))
    return;
  it->descr->result = buffer;
  it->c->nnz = pattern->nnz;
}

/* C, which has room for the product. */
static vptr__sparse_lines lines_of_result(vptr__sparse_call *call, const operands *it) {
  vptr__sparse_lines none = { .count = 0 };
  if (!vptr__sparse_is_well(call))
    return none;
  vptr__sparse_require(call, it->descr->result != NULL && it->c->nnz == it->descr->pattern.nnz,
                       "the product of these matrices has not been computed");
  vptr__sparse_memory(call, "matC's offsets", it->c->offsets, it->c->rows + 1,
                      vptr__sparse_index_size(it->c->offset_type));
  return vptr__sparse_lines_of(call, "matC", it->c);
}

static void renumber(vptr__sparse_call *call, int64_t n, vptr__sparse_indices from, vptr__sparse_indices to,
                     int64_t base) {
  int64_t zero = 0;
  vptr__sparse_launch(call, VPTR__SPARSE_RENUMBER, vptr__sparse_line(n),
                      VPTR__SPARSE_ARGUMENTS(&n, &from.narrow, &from.wide, &zero, &to.narrow, &to.wide, &base));
}

/* The pattern, and with values, also these. */
static void copy(vptr__sparse_call *call, const operands *it, bool has_values) {
  vptr__sparse_lines c = lines_of_result(call, it);
  if (!vptr__sparse_is_well(call))
    return;
  const size_t value_size = has_values ? vptr__sparse_size(call->type) : 0;
  vptr__sparse_memory(call, "the buffer of the product", it->descr->result,
                      (int64_t)bytes_of(value_size, &it->descr->pattern), 1);
  parts from = parts_of(it->descr->result, value_size, &it->descr->pattern);
  renumber(call, c.count + 1, (vptr__sparse_indices){ NULL, from.offsets }, c.offsets, c.base);
  renumber(call, c.entries, (vptr__sparse_indices){ from.columns, NULL }, c.indices, c.index_base);
  if (has_values)
    vptr__sparse_launch(call, VPTR__SPARSE_BLEND, vptr__sparse_line(c.entries),
                        VPTR__SPARSE_ARGUMENTS(&c.entries, &from.values, &c.values, &it->beta.value, &it->beta.at));
  if (vptr__sparse_is_well(call))
    it->descr->is_copied = true;
}

/* ---- one product --------------------------------------------------------------------------------------------- */

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  const struct cusparseSpGEMMDescr as = { .pattern = { .product_count = -1, .nnz = -1 } };
  return vptr__sparse_create("cusparseSpGEMM_createDescr", true, &as, sizeof as, descr);
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseSpGEMM_destroyDescr", descr != NULL);
  vptr__memory_free(descr);
  return status;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                               size_t *bufferSize1, void *externalBuffer1) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMM_workEstimation", handle);
  operands it = check_product(&call, OPERATIONS, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr);
  estimate(&call, &it, false, bufferSize1, externalBuffer1);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr, int64_t *num_prods) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpGEMM_getNumProducts", spgemmDescr != NULL && num_prods != NULL &&
                                                                        spgemmDescr->pattern.product_count >= 0);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *num_prods = spgemmDescr->pattern.product_count;
  return status;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                               float chunk_fraction, size_t *bufferSize3, void *externalBuffer3,
                                               size_t *bufferSize2) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMM_estimateMemory", handle);
  operands it = check_product(&call, OPERATIONS, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr);
  vptr__sparse_require(&call, chunk_fraction > 0 && chunk_fraction <= 1,
                       "chunk_fraction is %g, and must be above 0 and at most 1", (double)chunk_fraction);
  vptr__sparse_require(&call, externalBuffer3 == NULL || bufferSize2 != NULL, "bufferSize2 is NULL");
  require_estimate(&call, &it, false);
  if (!vptr__sparse_is_well(&call) || !has_buffer(&call, "externalBuffer3", LEAST, bufferSize3, externalBuffer3))
    return vptr__sparse_finish(&call);
  require_counts(&call, &it);
  if (vptr__sparse_is_well(&call))
    *bufferSize2 = bytes_of(vptr__sparse_size(call.type), &spgemmDescr->pattern);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2,
                                        void *externalBuffer2) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMM_compute", handle);
  operands it = check_product(&call, OPERATIONS, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr);
  compute(&call, &it, bufferSize2, externalBuffer2);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                     const void *alpha, cusparseConstSpMatDescr_t matA,
                                     cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t spgemmDescr) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMM_copy", handle);
  operands it = check_product(&call, OPERATIONS, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr);
  require_estimate(&call, &it, false);
  copy(&call, &it, true);
  return vptr__sparse_finish(&call);
}

/* ---- many products of one pattern ------------------------------------------------------------------------------ */

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                                    cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                                    cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                                    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                                    size_t *bufferSize1, void *externalBuffer1) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMMreuse_workEstimation", handle);
  operands it = check_patterns(&call, OPERATIONS, matA, matB, matC, alg, spgemmDescr);
  estimate(&call, &it, true, bufferSize1, externalBuffer1);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                         cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
                                         cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2,
                                         void *externalBuffer2, size_t *bufferSize3, void *externalBuffer3,
                                         size_t *bufferSize4, void *externalBuffer4) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMMreuse_nnz", handle);
  operands it = check_patterns(&call, OPERATIONS, matA, matB, matC, alg, spgemmDescr);
  vptr__sparse_require(&call, bufferSize2 != NULL && bufferSize3 != NULL && bufferSize4 != NULL,
                       "the size of a buffer has no place");
  require_estimate(&call, &it, true);
  require_counts(&call, &it);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  vptr__sparse_pattern *pattern = &spgemmDescr->pattern;
  has_buffer(&call, "externalBuffer2", LEAST, bufferSize2, externalBuffer2);
  has_buffer(&call, "externalBuffer4", LEAST, bufferSize4, externalBuffer4);
  if (!has_buffer(&call, "externalBuffer3", bytes_of(0, pattern), bufferSize3, externalBuffer3))
    return vptr__sparse_finish(&call);
  parts to = parts_of(externalBuffer3, 0, pattern);
  vptr__sparse_pattern_write(&call, &it.a, &it.b, pattern, to.offsets, to.columns);
  if (vptr__sparse_is_well(&call)) {
    spgemmDescr->result = externalBuffer3;
    matC->nnz = pattern->nnz;
  }
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                          cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize5,
                                          void *externalBuffer5) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMMreuse_copy", handle);
  operands it = check_patterns(&call, OPERATIONS, matA, matB, matC, alg, spgemmDescr);
  require_estimate(&call, &it, true);
  if (vptr__sparse_is_well(&call) && has_buffer(&call, "externalBuffer5", LEAST, bufferSize5, externalBuffer5))
    copy(&call, &it, false);
  return vptr__sparse_finish(&call);
}

/* The pattern of C is what copy wrote: entries that are not there any more get nothing. */
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void *alpha,
                                             cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                             const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                             cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpGEMMreuse_compute", handle);
  operands it = check_product(&call, OPERATIONS, alpha, matA, matB, beta, matC, computeType, alg, spgemmDescr);
  require_estimate(&call, &it, true);
  if (vptr__sparse_is_well(&call))
    vptr__sparse_require(&call, spgemmDescr->is_copied, "cusparseSpGEMMreuse_copy() has not been called");
  vptr__sparse_lines c = lines_of_result(&call, &it);
  if (vptr__sparse_is_well(&call))
    accumulate(&call, &it, &c, it.beta);
  return vptr__sparse_finish(&call);
}
