/* SPDX-License-Identifier: MIT */
/*
 * gemm - products of whole matrices, one or many of one shape; see level3.h.
 *
 * The pointers of a batch lie in memory of the device and are followed there, so the host neither waits for them nor
 * checks them; matrices that are a stride apart are checked, the first and the last.
 *
 * No state, no locks. Called by programs (gemm_calls.h); and by gemm_ex.c and legacy.c. Nothing waits.
 */
#include "cublas/level3.h"

void vptr__blas_require_product(vptr__blas_call *call, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
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

cublasStatus_t vptr__blas_gemm(const char *name, cublasHandle_t handle, vptr__blas_type type,
                               cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                               const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                               const void *beta, void *c, int64_t ldc) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  vptr__blas_require_product(&call, transa, transb, m, n, k, lda, ldb, ldc);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_product product = { .m = m,
                                 .n = n,
                                 .k = k,
                                 .alpha = vptr__blas_scalar_at(&call, "alpha", alpha),
                                 .beta = vptr__blas_scalar_at(&call, "beta", beta),
                                 .a = { a, lda, transa },
                                 .b = { b, ldb, transb },
                                 .c = c,
                                 .ldc = ldc };
  if (call.status == CUBLAS_STATUS_SUCCESS && !vptr__blas_scalar_is(&call, &product.alpha, 0)) {
    vptr__blas_matrix(&call, "A", a, transa == CUBLAS_OP_N ? m : k, transa == CUBLAS_OP_N ? k : m, lda);
    vptr__blas_matrix(&call, "B", b, transb == CUBLAS_OP_N ? k : n, transb == CUBLAS_OP_N ? n : k, ldb);
  }
  vptr__blas_matrix(&call, "C", c, m, n, ldc);
  vptr__blas_multiply(&call, &product);
  return vptr__blas_finish(&call);
}

/* ---- batches --------------------------------------------------------------------------------------------------- */

/* The shape is right, and there is something to do. The scalars are read into *batch. */
static bool begin_batch(vptr__blas_call *call, vptr__blas_batch *batch, const void *alpha, const void *beta) {
  vptr__blas_product *each = &batch->each;
  vptr__blas_require_product(call, each->a.operation, each->b.operation, each->m, each->n, each->k, each->a.ld,
                             each->b.ld, each->ldc);
  vptr__blas_require_size(call, "batchCount", batch->count);
  if (call->status != CUBLAS_STATUS_SUCCESS || each->m == 0 || each->n == 0 || batch->count == 0)
    return false;
  each->alpha = vptr__blas_scalar_at(call, "alpha", alpha);
  each->beta = vptr__blas_scalar_at(call, "beta", beta);
  return call->status == CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t multiply_pointers(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                        vptr__blas_batch batch, const void *alpha, const void *beta) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (!begin_batch(&call, &batch, alpha, beta))
    return vptr__blas_finish(&call);
  batch.by_pointers = true;
  vptr__blas_pointers(&call, "Aarray", batch.each.a.at, batch.count);
  vptr__blas_pointers(&call, "Barray", batch.each.b.at, batch.count);
  vptr__blas_pointers(&call, "Carray", batch.each.c, batch.count);
  vptr__blas_multiply_batch(&call, (vptr__blas_family)type, &batch);
  return vptr__blas_finish(&call);
}

/* The first and the last of a number of matrices a stride apart. */
static void check_strided(vptr__blas_call *call, const char *what, const void *a, int64_t rows, int64_t columns,
                          int64_t ld, int64_t stride, int64_t count) {
  vptr__blas_matrix(call, what, a, rows, columns, ld);
  if (call->status == CUBLAS_STATUS_SUCCESS && rows > 0 && columns > 0)
    vptr__blas_matrix(call, what, (const char *)a + stride * (count - 1) * (int64_t)vptr__blas_size(call->type), rows,
                      columns, ld);
}

static cublasStatus_t multiply_strided(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                       vptr__blas_batch batch, const void *alpha, const void *beta) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (!begin_batch(&call, &batch, alpha, beta))
    return vptr__blas_finish(&call);
  const vptr__blas_product *it = &batch.each;
  bool a_turns = it->a.operation != CUBLAS_OP_N, b_turns = it->b.operation != CUBLAS_OP_N;
  if (!vptr__blas_scalar_is(&call, &it->alpha, 0)) {
    check_strided(&call, "A", it->a.at, a_turns ? it->k : it->m, a_turns ? it->m : it->k, it->a.ld, batch.a_stride,
                  batch.count);
    check_strided(&call, "B", it->b.at, b_turns ? it->n : it->k, b_turns ? it->k : it->n, it->b.ld, batch.b_stride,
                  batch.count);
  }
  check_strided(&call, "C", it->c, it->m, it->n, it->ldc, batch.c_stride, batch.count);
  vptr__blas_multiply_batch(&call, (vptr__blas_family)type, &batch);
  return vptr__blas_finish(&call);
}

#define BATCH_OF(a_at, b_at, c_at)                                                                                   \
  (vptr__blas_batch) {                                                                                               \
    .each = { .m = m,                                                                                                \
              .n = n,                                                                                                \
              .k = k,                                                                                                \
              .a = { a_at, lda, transa },                                                                            \
              .b = { b_at, ldb, transb },                                                                            \
              .c = (void *)(uintptr_t)(c_at),                                                                        \
              .ldc = ldc },                                                                                          \
    .count = batchCount                                                                                              \
  }

#define VPTR_CUBLAS_INT int
#define VPTR_CUBLAS_NAME(name) name
#define VPTR_CUBLAS_V2(name) name##_v2
#include "cublas/gemm_calls.h"
#undef VPTR_CUBLAS_INT
#undef VPTR_CUBLAS_NAME
#undef VPTR_CUBLAS_V2
#define VPTR_CUBLAS_INT int64_t
#define VPTR_CUBLAS_NAME(name) name##_64
#define VPTR_CUBLAS_V2(name) name##_v2_64
#include "cublas/gemm_calls.h"
