/* SPDX-License-Identifier: MIT */
/*
 * lt_task - which products cublasLtMatmul() can be asked for; see lt_task.h.
 *
 * A matrix by rows is the transpose of one by columns, so orders become operations, and a product by rows becomes that
 * of its transposed factors in the other order. No state, no locks. Called by lt_matmul.c, which sends what is
 * described here, by lt_algorithm.c, by lt_epilogue.c, for rows and columns, and by lt_transform.c, for orders.
 * Nothing waits.
 */
#include "cublas/lt_task.h"

#include "base/error.h"
#include "cublas/gemm.h"
#include "cublas/lt_epilogue.h"
#include "cublas/lt_logger.h"

#include <string.h>

cublasStatus_t vptr__lt_refuse(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s", call, why);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

int64_t vptr__lt_stored_rows(const vptr__lt_layout *it) {
  return (int64_t)(it->order == CUBLASLT_ORDER_ROW ? it->columns : it->rows);
}

int64_t vptr__lt_stored_columns(const vptr__lt_layout *it) {
  return (int64_t)(it->order == CUBLASLT_ORDER_ROW ? it->rows : it->columns);
}

cublasOperation_t vptr__lt_transposed(cublasOperation_t operation) {
  switch (operation) {
  case CUBLAS_OP_N:
    return CUBLAS_OP_T;
  case CUBLAS_OP_T:
    return CUBLAS_OP_N;
  default:
    return operation == CUBLAS_OP_C ? CUBLAS_OP_CONJG : CUBLAS_OP_C;
  }
}

cublasStatus_t vptr__lt_check_layout(const char *call, const char *what, const vptr__lt_layout *it) {
  const char *wrong = NULL;
  if (it->rows > INT64_MAX || it->columns > INT64_MAX)
    wrong = "has more rows or columns than 2^63";
  else if (it->batch_count < 0)
    wrong = "has a batch count below 0";
  else if (it->batch_mode > CUBLASLT_BATCH_MODE_POINTER_ARRAY)
    wrong = "has a batch mode that is none";
  else if (it->order >= CUBLASLT_ORDER_COL && it->order <= CUBLASLT_ORDER_ROW &&
           (it->ld < 1 || it->ld < vptr__lt_stored_rows(it)))
    wrong = "has a leading dimension that is shorter than what is stored";
  if (wrong != NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s %s: %llu by %llu, ld %lld, batch %d", call, what, wrong,
                (unsigned long long)it->rows, (unsigned long long)it->columns, (long long)it->ld, it->batch_count);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (it->plane_offset != 0)
    return vptr__lt_refuse(call, "parts of complex numbers lie beside each other, and not in planes");
  if (it->order != CUBLASLT_ORDER_COL && it->order != CUBLASLT_ORDER_ROW)
    return vptr__lt_refuse(call, "matrices are by columns or by rows: CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW");
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_layouts(const vptr__lt_task *it) {
  cublasStatus_t status = vptr__lt_check_layout(it->call, "A", &it->a);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_layout(it->call, "B", &it->b);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_layout(it->call, "C", &it->c);
  return status == CUBLAS_STATUS_SUCCESS ? vptr__lt_check_layout(it->call, "D", &it->d) : status;
}

static cublasStatus_t check_shapes(const vptr__lt_task *it) {
  bool a_turns = it->desc.trans_a != CUBLAS_OP_N, b_turns = it->desc.trans_b != CUBLAS_OP_N;
  uint64_t m = a_turns ? it->a.columns : it->a.rows, k = a_turns ? it->a.rows : it->a.columns;
  uint64_t n = b_turns ? it->b.rows : it->b.columns, deep = b_turns ? it->b.columns : it->b.rows;
  if (!vptr__blas_is_operation((cublasOperation_t)it->desc.trans_a) ||
      !vptr__blas_is_operation((cublasOperation_t)it->desc.trans_b))
    return vptr__blas_invalid(it->call, "TRANSA or TRANSB is no operation");
  if (deep != k || it->d.rows != m || it->d.columns != n || it->c.rows != m || it->c.columns != n) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "%s: op(A) is %llu by %llu, op(B) %llu by %llu, C %llu by %llu and D %llu by %llu", it->call,
                (unsigned long long)m, (unsigned long long)k, (unsigned long long)deep, (unsigned long long)n,
                (unsigned long long)it->c.rows, (unsigned long long)it->c.columns, (unsigned long long)it->d.rows,
                (unsigned long long)it->d.columns);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (it->a.batch_count != it->d.batch_count || it->b.batch_count != it->d.batch_count ||
      it->c.batch_count != it->d.batch_count)
    return vptr__blas_invalid(it->call, "A, B, C and D have different batch counts");
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- what there is
 * ------------------------------------------------------------------------------------------------ */

static cudaDataType scale_of(vptr__blas_family family) {
  static const cudaDataType plain[] = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };
  if (family <= VPTR__BLAS_OF_Z)
    return plain[family];
  return family == VPTR__BLAS_OF_H ? CUDA_R_16F : family == VPTR__BLAS_OF_BYTE_INT ? CUDA_R_32I : CUDA_R_32F;
}

cublasStatus_t vptr__lt_family_of(const char *call, cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
                                  cudaDataType b, cudaDataType c, cudaDataType d, vptr__blas_family *family_out) {
  vptr__blas_family family = VPTR__BLAS_OF_S;
  cublasStatus_t status = vptr__blas_family_of(call, a, b, d, compute, &family);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (c != d)
    return vptr__lt_refuse(call, "C and D are of one type");
  if (scale != scale_of(family))
    return vptr__lt_refuse(call, "the factors' type is not that of the compute type");
  *family_out = family;
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_support(vptr__lt_task *it) {
  const vptr__lt_matmul *desc = &it->desc;
  cublasStatus_t status = vptr__lt_family_of(
      it->call, (cublasComputeType_t)desc->compute_type, (cudaDataType)desc->scale_type, (cudaDataType)it->a.type,
      (cudaDataType)it->b.type, (cudaDataType)it->c.type, (cudaDataType)it->d.type, &it->family);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (it->c.order != it->d.order)
    return vptr__lt_refuse(it->call, "C and D are of one order");
  if (desc->pointer_mode != CUBLASLT_POINTER_MODE_HOST && desc->pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
    return vptr__lt_refuse(it->call, "factors are numbers, on the host or on the device, and no vectors");
  if (desc->trans_c != CUBLAS_OP_N || desc->fill_mode != CUBLAS_FILL_MODE_FULL)
    return vptr__lt_refuse(it->call, "C is neither transposed nor a triangle");
  if (it->a.batch_mode != it->d.batch_mode || it->b.batch_mode != it->d.batch_mode ||
      it->c.batch_mode != it->d.batch_mode)
    return vptr__lt_refuse(it->call, "A, B, C and D are a stride apart, or all of them are arrays of pointers");
  if (it->d.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY && desc->epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    return vptr__lt_refuse(it->call, "with arrays of pointers there is no epilogue");
  return vptr__lt_check_epilogue(it);
}

/* ---- from orders to operations -------------------------------------------------------------------------------- */

static vptr__blas_operand operand_of(const vptr__lt_task *it, const vptr__lt_layout *layout, int32_t operation) {
  cublasOperation_t op = (cublasOperation_t)operation;
  if (layout->order == CUBLASLT_ORDER_ROW)
    op = vptr__lt_transposed(op);
  if (it->is_by_rows)
    op = vptr__lt_transposed(op);
  if (it->family != VPTR__BLAS_OF_C && it->family != VPTR__BLAS_OF_Z)
    op = op == CUBLAS_OP_CONJG ? CUBLAS_OP_N : op == CUBLAS_OP_C ? CUBLAS_OP_T : op;
  return (vptr__blas_operand){ NULL, layout->ld, op };
}

static void arrange_task(vptr__lt_task *it) {
  vptr__blas_product *each = &it->batch.each;
  it->is_by_rows = it->d.order == CUBLASLT_ORDER_ROW;
  each->m = vptr__lt_stored_rows(&it->d);
  each->n = vptr__lt_stored_columns(&it->d);
  each->k = (int64_t)(it->desc.trans_a == CUBLAS_OP_N ? it->a.columns : it->a.rows);
  each->a = operand_of(it, it->is_by_rows ? &it->b : &it->a, it->is_by_rows ? it->desc.trans_b : it->desc.trans_a);
  each->b = operand_of(it, it->is_by_rows ? &it->a : &it->b, it->is_by_rows ? it->desc.trans_a : it->desc.trans_b);
  each->ldc = it->d.ld;
  it->batch.count = it->d.batch_count;
  it->batch.by_pointers = it->d.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  if (it->batch.by_pointers)
    return;
  it->batch.a_stride = it->is_by_rows ? it->b.batch_stride : it->a.batch_stride;
  it->batch.b_stride = it->is_by_rows ? it->a.batch_stride : it->b.batch_stride;
  it->batch.c_stride = it->d.batch_stride;
}

cublasStatus_t vptr__lt_describe(const char *call, cublasLtHandle_t handle, const cublasLtMatmulDescOpaque_t *desc,
                                 cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                 cublasLtMatrixLayout_t d, vptr__lt_task *task_out) {
  vptr__lt_log(call);
  cublasStatus_t status = vptr__blas_handle_check(call, (const struct cublasContext *)(const void *)handle);
  const void *all[] = { desc, a, b, c, d };
  static const char *const what[] = { "the operation's descriptor", "Adesc", "Bdesc", "Cdesc", "Ddesc" };
  for (int i = 0; i < 5 && status == CUBLAS_STATUS_SUCCESS; i++)
    status = vptr__lt_check(call, what[i], all[i], i == 0 ? VPTR__LT_MATMUL : VPTR__LT_LAYOUT);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  vptr__lt_task it = { .call = call,
                       .a = *vptr__lt_layout_of(a),
                       .b = *vptr__lt_layout_of(b),
                       .c = *vptr__lt_layout_of(c),
                       .d = *vptr__lt_layout_of(d) };
  memcpy(&it.desc, desc, sizeof it.desc);
  status = check_layouts(&it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check_shapes(&it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check_support(&it);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  arrange_task(&it);
  *task_out = it;
  return CUBLAS_STATUS_SUCCESS;
}
