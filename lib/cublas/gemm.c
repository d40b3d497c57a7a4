/* SPDX-License-Identifier: MIT */
/*
 * gemm - products of whole matrices, one or many of one shape; see gemm.h.
 *
 * Half precision is added up in float. The pointers of a batch lie in memory of the device and are followed there,
 * so the host neither waits for them nor checks them; matrices that are a stride apart lie in one allocation.
 *
 * No state, no locks. Called by programs (gemm_calls.h); and by gemm_ex.c, legacy.c and
 * cusolver/blas.c. Nothing waits.
 */
#include "cublas/gemm.h"

static void require_product(vptr__blas_call *call, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                            int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc) {
  vptr__blas_require_operation(call, "transa", transa);
  vptr__blas_require_operation(call, "transb", transb);
  vptr__blas_require_size(call, "m", m);
  vptr__blas_require_size(call, "n", n);
  vptr__blas_require_size(call, "k", k);
  vptr__blas_require_leading(call, "lda", lda, transa == CUBLAS_OP_N ? m : k);
  vptr__blas_require_leading(call, "ldb", ldb, transb == CUBLAS_OP_N ? k : n);
  vptr__blas_require_leading(call, "ldc", ldc, m);
}

static void check_operands(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *batch) {
  const vptr__blas_product *it = &batch->each;
  size_t input = vptr__blas_input_size(family), output = vptr__blas_output_size(family);
  bool a_turns = it->a.operation != CUBLAS_OP_N, b_turns = it->b.operation != CUBLAS_OP_N;
  bool is_known = family <= VPTR__BLAS_OF_Z && call->status == CUBLAS_STATUS_SUCCESS;
  if (batch->by_pointers) {
    vptr__blas_pointers(call, "Aarray", it->a.at, batch->count);
    vptr__blas_pointers(call, "Barray", it->b.at, batch->count);
    vptr__blas_pointers(call, "Carray", it->c, batch->count);
    return;
  }
  if (!is_known || !vptr__blas_scalar_is(call, &it->alpha, 0)) {
    vptr__blas_strided(call, "A", it->a.at, input, a_turns ? it->k : it->m, a_turns ? it->m : it->k, it->a.ld,
                       batch->a_stride, batch->count);
    vptr__blas_strided(call, "B", it->b.at, input, b_turns ? it->n : it->k, b_turns ? it->k : it->n, it->b.ld,
                       batch->b_stride, batch->count);
  }
  vptr__blas_strided(call, "C", it->c, output, it->m, it->n, it->ldc, batch->c_stride, batch->count);
}

/* Sent, or only checked. */
static cublasStatus_t multiply_many(const char *name, cublasHandle_t handle, vptr__blas_family family,
                                    vptr__blas_batch batch, const void *alpha, const void *beta, bool sends) {
  vptr__blas_call call =
      vptr__blas_enter(name, handle, family <= VPTR__BLAS_OF_Z ? (vptr__blas_type)family : VPTR__BLAS_S);
  vptr__blas_product *each = &batch.each;
  require_product(&call, each->a.operation, each->b.operation, each->m, each->n, each->k, each->a.ld, each->b.ld,
                  each->ldc);
  vptr__blas_require_size(&call, "batchCount", batch.count);
  if (call.status != CUBLAS_STATUS_SUCCESS || each->m == 0 || each->n == 0 || batch.count == 0)
    return vptr__blas_finish(&call);
  each->alpha = vptr__blas_factor_of(&call, family, "alpha", alpha);
  each->beta = vptr__blas_factor_of(&call, family, "beta", beta);
  check_operands(&call, family, &batch);
  if (sends && family <= VPTR__BLAS_OF_Z && !batch.by_pointers && batch.count == 1)
    vptr__blas_multiply(&call, each);
  else if (sends)
    vptr__blas_multiply_batch(&call, family, &batch);
  return vptr__blas_finish(&call);
}

cublasStatus_t vptr__blas_gemm_many(const char *name, cublasHandle_t handle, vptr__blas_family family,
                                    vptr__blas_batch batch, const void *alpha, const void *beta) {
  return multiply_many(name, handle, family, batch, alpha, beta, true);
}

static cublasStatus_t multiply_one(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                   cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                                   int64_t k, const void *alpha, const void *a, int64_t lda, const void *b,
                                   int64_t ldb, const void *beta, void *c, int64_t ldc) {
  vptr__blas_batch batch = {
    .each = { .m = m, .n = n, .k = k, .a = { a, lda, transa }, .b = { b, ldb, transb }, .c = c, .ldc = ldc },
    .count = 1
  };
  return vptr__blas_gemm_many(name, handle, (vptr__blas_family)type, batch, alpha, beta);
}

/* Factors lie in an array of the host's, one a group. */
static cublasStatus_t check_groups(const char *name, cublasHandle_t handle, int64_t count) {
  cublasStatus_t status = vptr__blas_handle_check(name, handle);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (count < 0)
    return vptr__blas_invalid(name, "group_count is below 0");
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)
    return CUBLAS_STATUS_SUCCESS;
  vptr__blas_invalid(name, "arrays of factors on the device are not supported: set CUBLAS_POINTER_MODE_HOST");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define VPTR_CUBLAS_CALLS "cublas/gemm_calls.h"
#include "cublas/both_sizes.h"
