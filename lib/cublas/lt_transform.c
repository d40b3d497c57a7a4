/* SPDX-License-Identifier: MIT */
/*
 * lt_transform - cublasLtMatrixTransform(): sums of matrices, and one order made another.
 *
 * Each matrix of a batch is a sum of product.h's; orders become operations as in lt_task.c. No state, no locks. Called
 * by programs. Nothing waits but for compilers.
 */
#include "base/error.h"
#include "cublas/lt_descriptor.h"
#include "cublas/lt_logger.h"
#include "cublas/lt_task.h"
#include "cublas/matrix.h"
#include "cublas/product.h"

#include <string.h>

typedef struct transform {
  const char *call;
  vptr__lt_transform desc;
  vptr__lt_layout a, b, c;
  bool has_b;
  vptr__blas_type type;
} transform;

static cublasStatus_t find_type(transform *it) {
  static const cudaDataType types[] = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (it->c.type == (uint32_t)types[i] && it->a.type == it->c.type && (!it->has_b || it->b.type == it->c.type) &&
        it->desc.scale_type == (int32_t)types[i]) {
      it->type = (vptr__blas_type)i;
      return CUBLAS_STATUS_SUCCESS;
    }
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: all matrices and factors are of one type, of float or double", it->call);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t check_term(const transform *it, const char *what, const vptr__lt_layout *layout,
                                 int32_t operation) {
  cublasStatus_t status = vptr__lt_check_layout(it->call, what, layout);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  bool turns = operation != CUBLAS_OP_N;
  if (layout->batch_mode != CUBLASLT_BATCH_MODE_STRIDED || it->c.batch_mode != CUBLASLT_BATCH_MODE_STRIDED)
    return vptr__lt_refuse(it->call, "matrices are a stride apart, and no arrays of pointers");
  if (!vptr__blas_is_operation((cublasOperation_t)operation))
    return vptr__blas_invalid(it->call, "TRANSA or TRANSB is no operation");
  if ((turns ? layout->columns : layout->rows) != it->c.rows ||
      (turns ? layout->rows : layout->columns) != it->c.columns || layout->batch_count != it->c.batch_count)
    return vptr__blas_invalid(it->call, "A, B and C are of different shapes or batch counts");
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t describe_transform(transform *it) {
  cublasStatus_t status = vptr__lt_check_layout(it->call, "C", &it->c);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check_term(it, "A", &it->a, it->desc.trans_a);
  if (status == CUBLAS_STATUS_SUCCESS && it->has_b)
    status = check_term(it, "B", &it->b, it->desc.trans_b);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = find_type(it);
  if (status == CUBLAS_STATUS_SUCCESS && it->desc.pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
      it->desc.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: factors are numbers, on the host or on the device", it->call);
    status = CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return status;
}

static bool is_by_rows(const vptr__lt_layout *it) {
  return it->order == CUBLASLT_ORDER_ROW;
}

static void check_matrix(vptr__blas_call *call, const char *what, const void *at, const vptr__lt_layout *it) {
  vptr__blas_strided(call, what, at, vptr__blas_size(call->type), (int64_t)(is_by_rows(it) ? it->columns : it->rows),
                     (int64_t)(is_by_rows(it) ? it->rows : it->columns), it->ld, it->batch_stride, it->batch_count);
}

/* The i-th of a batch, as it is added to C in memory. */
static vptr__blas_operand term_of(const transform *it, const void *at, const vptr__lt_layout *layout,
                                  int32_t operation, int64_t i) {
  cublasOperation_t op = (cublasOperation_t)operation;
  if (is_by_rows(layout) != is_by_rows(&it->c))
    op = vptr__lt_transposed(op);
  return (vptr__blas_operand){ (const char *)at + (int64_t)vptr__blas_size(it->type) * layout->batch_stride * i,
                               layout->ld, op };
}

static void send_sums(vptr__blas_call *call, const transform *it, vptr__blas_sum sum, const void *a, const void *b,
                      void *c) {
  sum.m = (int64_t)(is_by_rows(&it->c) ? it->c.columns : it->c.rows);
  sum.n = (int64_t)(is_by_rows(&it->c) ? it->c.rows : it->c.columns);
  sum.ldc = it->c.ld;
  for (int64_t i = 0; i < it->c.batch_count && call->status == CUBLAS_STATUS_SUCCESS; i++) {
    sum.c = (char *)c + (int64_t)vptr__blas_size(it->type) * it->c.batch_stride * i;
    sum.a = term_of(it, a, &it->a, it->desc.trans_a, i);
    sum.b =
        b != NULL ? term_of(it, b, &it->b, it->desc.trans_b, i) : (vptr__blas_operand){ sum.c, sum.ldc, CUBLAS_OP_N };
    vptr__blas_add(call, &sum);
  }
}

static cublasStatus_t read_transform(cublasLtHandle_t handle, const cublasLtMatrixTransformDescOpaque_t *desc,
                                     cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                     transform *it) {
  cublasStatus_t status = vptr__blas_handle_check(it->call, (const struct cublasContext *)(const void *)handle);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check(it->call, "the descriptor", desc, VPTR__LT_TRANSFORM);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check(it->call, "Adesc", a, VPTR__LT_LAYOUT);
  if (status == CUBLAS_STATUS_SUCCESS && it->has_b)
    status = vptr__lt_check(it->call, "Bdesc", b, VPTR__LT_LAYOUT);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check(it->call, "Cdesc", c, VPTR__LT_LAYOUT);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  memcpy(&it->desc, desc, sizeof it->desc);
  it->a = *vptr__lt_layout_of(a);
  it->c = *vptr__lt_layout_of(c);
  it->b = it->has_b ? *vptr__lt_layout_of(b) : it->c;
  return describe_transform(it);
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc,
                                       const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc,
                                       const void *beta, const void *B, cublasLtMatrixLayout_t Bdesc, void *C,
                                       cublasLtMatrixLayout_t Cdesc, cudaStream_t stream) {
  transform it = { .call = "cublasLtMatrixTransform", .has_b = B != NULL };
  vptr__lt_log(it.call);
  cublasStatus_t status = read_transform(lightHandle, transformDesc, Adesc, Bdesc, Cdesc, &it);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  vptr__blas_call call = vptr__blas_enter_stream(it.call, (cublasHandle_t)(void *)lightHandle, it.type, stream,
                                                 it.desc.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE);
  vptr__blas_require(&call, C != A && C != B, "C is A or B: it must be a matrix of its own");
  if (call.status != CUBLAS_STATUS_SUCCESS || it.c.rows == 0 || it.c.columns == 0 || it.c.batch_count == 0)
    return vptr__blas_finish(&call);
  vptr__blas_sum sum = { .alpha = vptr__blas_scalar_at(&call, "alpha", alpha),
                         .beta =
                             it.has_b ? vptr__blas_scalar_at(&call, "beta", beta) : vptr__blas_constant(it.type, 0) };
  check_matrix(&call, "A", A, &it.a);
  if (it.has_b)
    check_matrix(&call, "B", B, &it.b);
  check_matrix(&call, "C", C, &it.c);
  send_sums(&call, &it, sum, A, B, C);
  return vptr__blas_finish(&call);
}
