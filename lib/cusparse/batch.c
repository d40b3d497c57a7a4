/* SPDX-License-Identifier: MIT */
/*
 * batch - one matrix of a batch; see batch.h.
 *
 * No state and no locks. Called by product.c and sample.c. Nothing waits.
 */
#include "cusparse/batch.h"

#include "cusparse/lines.h"

/* Without memory, a matrix has no place to be moved from. */
static void *moved(const void *from, int64_t count, int64_t stride, size_t size) {
  return from == NULL ? NULL : (char *)vptr__sparse_address(from) + count * stride * (int64_t)size;
}

/* Bytes of an element; 0 if no call computes with the type. */
static size_t size_of(cudaDataType type) {
  static const size_t sizes[] = {
    [CUDA_R_32F] = 4, [CUDA_R_64F] = 8, [CUDA_R_16F] = 2, [CUDA_C_32F] = 8, [CUDA_C_64F] = 16, [CUDA_R_16BF] = 2
  };
  return (size_t)type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

struct cusparseSpMatDescr vptr__sparse_matrix_at(const struct cusparseSpMatDescr *batch, int i) {
  struct cusparseSpMatDescr it = *batch;
  if (batch->batch > 1) {
    it.offsets = moved(it.offsets, i, it.offsets_stride, vptr__sparse_index_size(it.offset_type));
    it.indices = moved(it.indices, i, it.entries_stride, vptr__sparse_index_size(it.index_type));
    it.values = moved(it.values, i, it.values_stride, size_of(it.type));
  }
  it.batch = 1;
  return it;
}

struct cusparseDnMatDescr vptr__sparse_dense_at(const struct cusparseDnMatDescr *batch, int i) {
  struct cusparseDnMatDescr it = *batch;
  if (batch->batch > 1)
    it.values = moved(it.values, i, it.batch_stride, size_of(it.type));
  it.batch = 1;
  return it;
}

void vptr__sparse_require_batches(vptr__sparse_call *call, int of_c, int of_a, int of_b) {
  vptr__sparse_require(call, (of_a == 1 || of_a == of_c) && (of_b == 1 || of_b == of_c),
                       "matC is a batch of %d, so matA and matB must not be of %d and %d", of_c, of_a, of_b);
}
