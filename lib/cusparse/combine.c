/* SPDX-License-Identifier: MIT */
/*
 * combine - a sparse vector and a dense one: cusparseAxpby(), Gather, Scatter, Rot and SpVV.
 *
 * No state and no locks. Called by programs. A product that goes to the host waits for the stream.
 */
#include "cusparse/kernel.h"
#include "cusparse/lines.h"
#include "cusparse/narrow.h"
#include "cusparse/tile.h"

#include <string.h>

/* Both vectors, of one size and type, in which the call computes. */
typedef struct couple {
  int64_t entries, size, base;
  vptr__sparse_indices indices;
  const void *x;
  void *y;
  cudaDataType type;
} couple;

static couple check_couple(vptr__sparse_call *call, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
  couple it = { .entries = 0 };
  vptr__sparse_require(call, x != NULL && y != NULL, "a vector is NULL");
  if (!vptr__sparse_is_well(call))
    return it;
  vptr__sparse_compute_in(call, vptr__sparse_is_narrow(x->type) ? CUDA_R_32F : x->type);
  call->takes_narrow = true;
  vptr__sparse_support(call, y->type == x->type, "vectors of types %d and %d: they have to be of one", (int)x->type,
                       (int)y->type);
  vptr__sparse_require_vector(call, "the dense vector", y, x->size);
  vptr__sparse_memory(call, "indices", x->indices, x->nnz, vptr__sparse_index_size(x->index_type));
  vptr__sparse_memory(call, "values", x->values, x->nnz, vptr__sparse_operand_size(call->type, x->type));
  call->takes_narrow = false;
  it.entries = x->nnz;
  it.size = x->size;
  it.base = (int64_t)x->base;
  it.indices = vptr__sparse_indices_of(x->index_type, x->indices);
  it.type = x->type;
  it.x = x->values;
  it.y = y->values;
  return it;
}

/* Which kernel moves elements of the couple's size. */
static vptr__sparse_kernel kernel_for(const couple *it, vptr__sparse_kernel wide, vptr__sparse_kernel narrow) {
  return vptr__sparse_is_narrow(it->type) ? narrow : wide;
}

/* y = a x + b y, of floats if they are of 16 bits. */
static void add_vectors(vptr__sparse_call *call, couple *it, const vptr__sparse_scalar *a,
                        const vptr__sparse_scalar *b) {
  int64_t one = 1;
  const vptr__sparse_extent all = vptr__sparse_extent_of(it->size);
  const void *x = vptr__sparse_widen(call, it->type, it->x, vptr__sparse_extent_of(it->entries));
  void *y = vptr__sparse_widen(call, it->type, it->y, all);
  vptr__sparse_launch(call, VPTR__SPARSE_SCALE, vptr__sparse_line(it->size),
                      VPTR__SPARSE_ARGUMENTS(&it->size, &one, &it->size, &y, &b->value, &b->at));
  vptr__sparse_launch(call, VPTR__SPARSE_AXPY, vptr__sparse_line(it->entries),
                      VPTR__SPARSE_ARGUMENTS(&it->entries, &it->indices.narrow, &it->indices.wide, &it->base, &x, &y,
                                             &a->value, &a->at));
  vptr__sparse_narrow(call, it->type, y, it->y, all);
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
                               const void *beta, cusparseDnVecDescr_t vecY) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseAxpby", handle);
  couple it = check_couple(&call, vecX, vecY);
  vptr__sparse_scalar a = vptr__sparse_scalar_at(&call, "alpha", alpha),
                      b = vptr__sparse_scalar_at(&call, "beta", beta);
  if (vptr__sparse_is_well(&call))
    add_vectors(&call, &it, &a, &b);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY, cusparseSpVecDescr_t vecX) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseGather", handle);
  couple it = check_couple(&call, vecX, vecY);
  vptr__sparse_launch(
      &call, kernel_for(&it, VPTR__SPARSE_GATHER, VPTR__SPARSE_GATHER_NARROW), vptr__sparse_line(it.entries),
      VPTR__SPARSE_ARGUMENTS(&it.entries, &it.indices.narrow, &it.indices.wide, &it.base, &it.y, &it.x));
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseScatter", handle);
  couple it = check_couple(&call, vecX, vecY);
  vptr__sparse_launch(
      &call, kernel_for(&it, VPTR__SPARSE_SCATTER, VPTR__SPARSE_SCATTER_NARROW), vptr__sparse_line(it.entries),
      VPTR__SPARSE_ARGUMENTS(&it.entries, &it.indices.narrow, &it.indices.wide, &it.base, &it.x, &it.y));
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseRot", handle);
  couple it = check_couple(&call, vecX, vecY);
  vptr__sparse_scalar c = vptr__sparse_scalar_at(&call, "c_coeff", c_coeff);
  vptr__sparse_scalar s = vptr__sparse_scalar_at(&call, "s_coeff", s_coeff);
  int is_bfloat = it.type == CUDA_R_16BF;
  if (vptr__sparse_is_narrow(it.type))
    vptr__sparse_launch(&call, VPTR__SPARSE_ROTATE_NARROW, vptr__sparse_line(it.entries),
                        VPTR__SPARSE_ARGUMENTS(&it.entries, &it.indices.narrow, &it.indices.wide, &it.base,
                                               &is_bfloat, &it.x, &it.y, &c.value, &c.at, &s.value, &s.at));
  else
    vptr__sparse_launch(&call, VPTR__SPARSE_ROTATE, vptr__sparse_line(it.entries),
                        VPTR__SPARSE_ARGUMENTS(&it.entries, &it.indices.narrow, &it.indices.wide, &it.base, &it.x,
                                               &it.y, &c.value, &c.at, &s.value, &s.at));
  return vptr__sparse_finish(&call);
}

/* ---- their product ------------------------------------------------------------------------------------------ */

static couple check_product(vptr__sparse_call *call, cusparseOperation_t operation, cusparseConstSpVecDescr_t x,
                            cusparseConstDnVecDescr_t y, const void *result, cudaDataType type) {
  vptr__sparse_require(
      call, operation == CUSPARSE_OPERATION_NON_TRANSPOSE || operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
      "opX is %d, and must be one that leaves the vector or its conjugate", (int)operation);
  couple it = check_couple(call, x, y);
  vptr__sparse_require(call, result != NULL, "result is NULL");
  vptr__sparse_require_type(call, "computeType, not a vector,", type);
  return it;
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result, cudaDataType computeType,
                              void *externalBuffer) {
  enum { EACH = 8, MOST = 256 };
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpVV", handle);
  couple it = check_product(&call, opX, vecX, vecY, result, computeType);
  const size_t size = vptr__sparse_size(call.type);
  if (vptr__sparse_is_well(&call)) {
    it.x = vptr__sparse_widen(&call, it.type, it.x, vptr__sparse_extent_of(it.entries));
    it.y = vptr__sparse_widen(&call, it.type, it.y, vptr__sparse_extent_of(it.size));
  }
  int64_t blocks = (it.entries - 1) / (THREADS * EACH) + 1, zero = 0;
  blocks = it.entries == 0 ? 0 : blocks > MOST ? MOST : blocks;
  int conjugates = opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, as_they_are = 0;
  vptr__sparse_shape shape = { { (uint32_t)blocks, 1, 1 }, { THREADS, 1, 1 } },
                     single = { { 1, 1, 1 }, { THREADS, 1, 1 } };
  void *none = NULL, *sums = vptr__sparse_work(&call, blocks, size);
  void *place = call.scalars_on_device ? result : vptr__sparse_work(&call, 1, size);
  if (call.scalars_on_device)
    vptr__sparse_memory(&call, "result", result, 1, size);
  vptr__sparse_launch(&call, VPTR__SPARSE_DOT, shape,
                      VPTR__SPARSE_ARGUMENTS(&it.entries, &it.indices.narrow, &it.indices.wide, &it.base, &it.x,
                                             &it.y, &conjugates, &sums));
  vptr__sparse_launch(&call, VPTR__SPARSE_DOT, single,
                      VPTR__SPARSE_ARGUMENTS(&blocks, &none, &none, &zero, &none, &sums, &as_they_are, &place));
  char bytes[16];
  if (!call.scalars_on_device)
    vptr__sparse_read(&call, bytes, place, size);
  if (!call.scalars_on_device && vptr__sparse_is_well(&call))
    memcpy(result, bytes, size);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                         const void *result, cudaDataType computeType, size_t *bufferSize) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseSpVV_bufferSize", handle);
  check_product(&call, opX, vecX, vecY, result, computeType);
  vptr__sparse_require(&call, bufferSize != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *bufferSize = 0;
  return vptr__sparse_finish(&call);
}
