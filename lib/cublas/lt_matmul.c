/* SPDX-License-Identifier: MIT */
/*
 * lt_matmul - cublasLtMatmul(), and which products it can be asked for.
 *
 * A matrix by rows is the transpose of one by columns, so orders become operations, and a product by rows becomes that
 * of its transposed factors in the other order: all is one of product.h's. Where D is not C, what beta keeps is copied
 * there first. What follows the product is a kernel: in place where D is as wide as what is added up; else the product
 * is made in float aside, so that D is rounded once.
 *
 * Shapes and types are looked at first (describe_task()), which is all that the heuristic does; then memory; then it is
 * sent. No state, no locks. Called by programs; and by lt_transform.c, for orders. Nothing waits but for compilers.
 */
#include "base/error.h"
#include "cublas/gemm.h"
#include "cublas/lt_descriptor.h"
#include "cublas/lt_logger.h"
#include "cublas/lt_matmul.h"
#include "cuda/error.h"

#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

enum { MOST_Z = 65535, HAS_BIAS = CUBLASLT_EPILOGUE_BIAS, HAS_AUX = 128 };

/* A product as it lies in memory: by columns. */
typedef struct task {
  const char *call;
  vptr__lt_matmul desc;
  vptr__lt_layout a, b, c, d;
  vptr__blas_family family;
  vptr__blas_batch batch; /* the operands' addresses and the factors are put in later */
  bool is_by_rows;        /* of D: m and n, and A and B, have changed places */
} task;

static cublasStatus_t refuse_task(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s", call, why);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

static int64_t stored_rows(const vptr__lt_layout *it) {
  return (int64_t)(it->order == CUBLASLT_ORDER_ROW ? it->columns : it->rows);
}

static int64_t stored_columns(const vptr__lt_layout *it) {
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
  else if (it->order >= CUBLASLT_ORDER_COL && it->order <= CUBLASLT_ORDER_ROW &&
           (it->ld < 1 || it->ld < stored_rows(it)))
    wrong = "has a leading dimension that is shorter than what is stored";
  if (wrong != NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s %s: %llu by %llu, ld %lld, batch %d", call, what, wrong,
                (unsigned long long)it->rows, (unsigned long long)it->columns, (long long)it->ld, it->batch_count);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (it->order != CUBLASLT_ORDER_COL && it->order != CUBLASLT_ORDER_ROW)
    return refuse_task(call, "matrices are by columns or by rows: CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW");
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_layouts(const task *it) {
  cublasStatus_t status = vptr__lt_check_layout(it->call, "A", &it->a);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_layout(it->call, "B", &it->b);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_layout(it->call, "C", &it->c);
  return status == CUBLAS_STATUS_SUCCESS ? vptr__lt_check_layout(it->call, "D", &it->d) : status;
}

static cublasStatus_t check_shapes(const task *it) {
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

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static cudaDataType scale_of(vptr__blas_family family) {
  static const cudaDataType plain[] = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };
  if (family <= VPTR__BLAS_OF_Z)
    return plain[family];
  return family == VPTR__BLAS_OF_H ? CUDA_R_16F : family == VPTR__BLAS_OF_BYTE_INT ? CUDA_R_32I : CUDA_R_32F;
}

static bool is_rounded(vptr__blas_family family) {
  return family == VPTR__BLAS_OF_H || family == VPTR__BLAS_OF_HALF || family == VPTR__BLAS_OF_BFLOAT16;
}

static cublasStatus_t check_epilogue(const task *it) {
  static const uint32_t known[] = { CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_RELU,
                                    CUBLASLT_EPILOGUE_BIAS,     CUBLASLT_EPILOGUE_RELU_BIAS,
                                    CUBLASLT_EPILOGUE_GELU,     CUBLASLT_EPILOGUE_GELU_BIAS,
                                    CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS };
  const vptr__lt_matmul *desc = &it->desc;
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    is_known |= desc->epilogue == known[i];
  if (!is_known)
    return refuse_task(it->call, "epilogues are DEFAULT, BIAS, RELU, GELU, RELU_BIAS, GELU_BIAS and GELU_AUX(_BIAS)");
  if (desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT)
    return CUBLAS_STATUS_SUCCESS;
  if (it->family == VPTR__BLAS_OF_C || it->family == VPTR__BLAS_OF_Z || it->family == VPTR__BLAS_OF_BYTE_INT ||
      (it->family == VPTR__BLAS_OF_H && desc->pointer_mode != CUBLASLT_POINTER_MODE_HOST))
    return refuse_task(it->call,
                       "complex and integer products have no epilogue, nor has half with factors of half on "
                       "the device");
  if ((desc->bias_type != -1 && (uint32_t)desc->bias_type != it->d.type) ||
      (desc->aux_type != -1 && (uint32_t)desc->aux_type != it->d.type))
    return refuse_task(it->call, "bias and auxiliary matrix are of D's type");
  return CUBLAS_STATUS_SUCCESS;
}

/* What the epilogue reads and writes, which the heuristic is not told yet. */
static cublasStatus_t check_epilogue_memory(const task *it) {
  if ((it->desc.epilogue & HAS_BIAS) != 0 && it->desc.bias == NULL)
    return vptr__blas_invalid(it->call, "the epilogue has a bias, and BIAS_POINTER is NULL");
  if ((it->desc.epilogue & HAS_AUX) != 0 && (it->desc.aux == NULL || it->desc.aux_ld < stored_rows(&it->d)))
    return vptr__blas_invalid(it->call, "EPILOGUE_AUX_POINTER is NULL, or EPILOGUE_AUX_LD is shorter than D");
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_support(task *it) {
  const vptr__lt_matmul *desc = &it->desc;
  cublasStatus_t status =
      vptr__blas_family_of(it->call, (cudaDataType)it->a.type, (cudaDataType)it->b.type, (cudaDataType)it->d.type,
                           (cublasComputeType_t)desc->compute_type, &it->family);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (it->c.type != it->d.type || it->c.order != it->d.order)
    return refuse_task(it->call, "C and D are of one type and one order");
  if (desc->scale_type != (int32_t)scale_of(it->family))
    return refuse_task(it->call, "the factors' type is not that of the compute type");
  if (desc->pointer_mode != CUBLASLT_POINTER_MODE_HOST && desc->pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
    return refuse_task(it->call, "factors are numbers, on the host or on the device, and no vectors");
  if (desc->trans_c != CUBLAS_OP_N || desc->fill_mode != CUBLAS_FILL_MODE_FULL)
    return refuse_task(it->call, "C is neither transposed nor a triangle");
  return check_epilogue(it);
}

/* ---- from orders to operations -------------------------------------------------------------------------------- */

static vptr__blas_operand operand_of(const task *it, const vptr__lt_layout *layout, int32_t operation) {
  cublasOperation_t op = (cublasOperation_t)operation;
  if (layout->order == CUBLASLT_ORDER_ROW)
    op = vptr__lt_transposed(op);
  if (it->is_by_rows)
    op = vptr__lt_transposed(op);
  if (it->family != VPTR__BLAS_OF_C && it->family != VPTR__BLAS_OF_Z)
    op = op == CUBLAS_OP_CONJG ? CUBLAS_OP_N : op == CUBLAS_OP_C ? CUBLAS_OP_T : op;
  return (vptr__blas_operand){ NULL, layout->ld, op };
}

static void arrange_task(task *it) {
  vptr__blas_product *each = &it->batch.each;
  it->is_by_rows = it->d.order == CUBLASLT_ORDER_ROW;
  each->m = stored_rows(&it->d);
  each->n = stored_columns(&it->d);
  each->k = (int64_t)(it->desc.trans_a == CUBLAS_OP_N ? it->a.columns : it->a.rows);
  each->a = operand_of(it, it->is_by_rows ? &it->b : &it->a, it->is_by_rows ? it->desc.trans_b : it->desc.trans_a);
  each->b = operand_of(it, it->is_by_rows ? &it->a : &it->b, it->is_by_rows ? it->desc.trans_a : it->desc.trans_b);
  each->ldc = it->d.ld;
  it->batch.a_stride = it->is_by_rows ? it->b.batch_stride : it->a.batch_stride;
  it->batch.b_stride = it->is_by_rows ? it->a.batch_stride : it->b.batch_stride;
  it->batch.c_stride = it->d.batch_stride;
  it->batch.count = it->d.batch_count;
}

static cublasStatus_t describe_task(const char *call, cublasLtHandle_t handle, const cublasLtMatmulDescOpaque_t *desc,
                                    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                    cublasLtMatrixLayout_t d, task *task_out) {
  vptr__lt_log(call);
  cublasStatus_t status = vptr__blas_handle_check(call, (const struct cublasContext *)(const void *)handle);
  const void *all[] = { desc, a, b, c, d };
  static const char *const what[] = { "the operation's descriptor", "Adesc", "Bdesc", "Cdesc", "Ddesc" };
  for (int i = 0; i < 5 && status == CUBLAS_STATUS_SUCCESS; i++)
    status = vptr__lt_check(call, what[i], all[i], i == 0 ? VPTR__LT_MATMUL : VPTR__LT_LAYOUT);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  task it = { .call = call,
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

/* ---- sending ---------------------------------------------------------------------------------------------------- */

/* On the host, and all its bits: nothing of C is kept. */
static bool is_nothing(const vptr__blas_scalar *factor) {
  static const char zeros[sizeof factor->value];
  return factor->at == NULL && memcmp(&factor->value, zeros, sizeof zeros) == 0;
}

static void check_matrix(vptr__blas_call *call, const char *what, const void *at, const vptr__lt_layout *layout,
                         size_t size) {
  vptr__blas_strided(call, what, at, size, stored_rows(layout), stored_columns(layout), layout->ld,
                     layout->batch_stride, layout->batch_count);
}

static void check_memory(vptr__blas_call *call, const task *it, const void *a, const void *b, const void *c) {
  size_t input = vptr__blas_input_size(it->family), output = vptr__blas_output_size(it->family);
  check_matrix(call, "A", a, &it->a, input);
  check_matrix(call, "B", b, &it->b, input);
  if (!is_nothing(&it->batch.each.beta))
    check_matrix(call, "C", c, &it->c, output);
  check_matrix(call, "D", it->batch.each.c, &it->d, output);
  if ((it->desc.epilogue & HAS_BIAS) != 0)
    vptr__blas_strided(call, "the bias", it->desc.bias, output, (int64_t)it->d.rows, 1, (int64_t)it->d.rows,
                       it->desc.bias_stride, it->batch.count);
  if ((it->desc.epilogue & HAS_AUX) != 0)
    vptr__blas_strided(call, "the auxiliary matrix", it->desc.aux, output, it->batch.each.m, it->batch.each.n,
                       it->desc.aux_ld, it->desc.aux_stride, it->batch.count);
}

/* D is C, where the product is added to. */
static void copy_result(vptr__blas_call *call, const task *it, const void *c) {
  size_t size = vptr__blas_output_size(it->family);
  const vptr__blas_product *each = &it->batch.each;
  for (int64_t i = 0; i < it->batch.count && call->status == CUBLAS_STATUS_SUCCESS; i++) {
    cudaError_t error =
        cudaMemcpy2DAsync((char *)each->c + (int64_t)size * it->d.batch_stride * i, (size_t)it->d.ld * size,
                          (const char *)c + (int64_t)size * it->c.batch_stride * i, (size_t)it->c.ld * size,
                          (size_t)each->m * size, (size_t)each->n, cudaMemcpyDefault, (cudaStream_t)call->stream);
    if (error == cudaSuccess)
      continue;
    vptr__cuda_unrecord();
    vptr__blas_fail(call,
                    error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_EXECUTION_FAILED);
  }
}

/* CLBlast knows no conjugate that is not transposed; the library's own kernel does. */
static void multiply(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *batch) {
  bool is_plain = batch->each.a.operation != CUBLAS_OP_CONJG && batch->each.b.operation != CUBLAS_OP_CONJG;
  if (is_plain && batch->count == 1 && family <= VPTR__BLAS_OF_Z)
    vptr__blas_multiply(call, &batch->each);
  else if (is_plain)
    vptr__blas_multiply_batch(call, family, batch);
  else
    vptr__blas_launch_batch(call, family, batch);
}

/* p: m by n, in columns p_column apart, each matrix p_stride behind the one before. */
static void finish_product(vptr__blas_call *call, const task *it, const void *p, int64_t p_column, int64_t p_stride,
                           vptr__blas_scalar beta, const void *c) {
  const vptr__blas_product *each = &it->batch.each;
  int64_t m = each->m, n = each->n, c_column = it->c.ld, c_stride = it->c.batch_stride, d_column = it->d.ld;
  int64_t d_stride = it->d.batch_stride, bias_stride = it->desc.bias_stride, count = it->batch.count;
  int64_t aux_column = it->desc.aux_ld, aux_stride = it->desc.aux_stride;
  const void *bias = (it->desc.epilogue & HAS_BIAS) != 0 ? it->desc.bias : NULL, *beta_at = beta.at;
  void *aux = (it->desc.epilogue & HAS_AUX) != 0 ? it->desc.aux : NULL, *d = each->c;
  int by_column = it->is_by_rows, function = 0;
  if ((it->desc.epilogue & CUBLASLT_EPILOGUE_RELU) != 0)
    function = 1;
  else if ((it->desc.epilogue & CUBLASLT_EPILOGUE_GELU) != 0)
    function = 2;
  vptr__blas_family family = it->family == VPTR__BLAS_OF_D          ? VPTR__BLAS_OF_D
                             : it->family == VPTR__BLAS_OF_BFLOAT16 ? VPTR__BLAS_OF_BFLOAT16
                             : is_rounded(it->family)               ? VPTR__BLAS_OF_HALF
                                                                    : VPTR__BLAS_OF_S;
  vptr__blas_shape shape = vptr__blas_plane(m, n);
  shape.grid[2] = (uint32_t)(count < MOST_Z ? count : MOST_Z);
  vptr__blas_launch_of(call, family, VPTR__BLAS_EPILOGUE, shape,
                       VPTR__BLAS_ARGUMENTS(&m, &n, &p, &p_column, &p_stride, &beta.value, &beta_at, &c, &c_column,
                                            &c_stride, &bias, &bias_stride, &by_column, &function, &aux, &aux_column,
                                            &aux_stride, &d, &d_column, &d_stride, &count));
}

static void multiply_rounded(vptr__blas_call *call, const task *it, const void *c) {
  vptr__blas_batch aside = it->batch;
  size_t elements;
  if (__builtin_mul_overflow((size_t)aside.each.m, (size_t)aside.each.n * sizeof(float), &elements) ||
      __builtin_mul_overflow(elements, (size_t)aside.count, &elements))
    elements = SIZE_MAX;
  void *work = vptr__blas_work(call, elements);
  aside.each.c = work;
  aside.each.ldc = aside.each.m;
  aside.each.beta = vptr__blas_constant(VPTR__BLAS_S, 0);
  aside.c_stride = aside.each.m * aside.each.n;
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return;
  multiply(call, it->family == VPTR__BLAS_OF_BFLOAT16 ? VPTR__BLAS_OF_BFLOAT16_FLOAT : VPTR__BLAS_OF_HALF_FLOAT,
           &aside);
  finish_product(call, it, work, aside.each.ldc, aside.c_stride, it->batch.each.beta, c);
}

static void send_task(vptr__blas_call *call, const task *it, const void *c) {
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return;
  if (it->desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT && is_rounded(it->family)) {
    multiply_rounded(call, it, c);
    return;
  }
  if (c != it->batch.each.c && !is_nothing(&it->batch.each.beta))
    copy_result(call, it, c);
  multiply(call, it->family, &it->batch);
  if (it->desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    finish_product(call, it, it->batch.each.c, it->d.ld, it->d.batch_stride, vptr__blas_constant(call->type, 0),
                   it->batch.each.c);
}

static cublasStatus_t check_algorithm(const char *call, const cublasLtMatmulAlgo_t *algo) {
  return algo == NULL ? CUBLAS_STATUS_SUCCESS : vptr__lt_check(call, "the algorithm", algo, VPTR__LT_ALGORITHM);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t Adesc, const void *B,
                              cublasLtMatrixLayout_t Bdesc, const void *beta, const void *C,
                              cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspaceSizeInBytes,
                              cudaStream_t stream) {
  static const char name[] = "cublasLtMatmul";
  task it;
  cublasStatus_t status = describe_task(name, lightHandle, computeDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check_algorithm(name, algo);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check_epilogue_memory(&it);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  vptr__blas_call call =
      vptr__blas_enter_stream(name, (cublasHandle_t)(void *)lightHandle,
                              it.family <= VPTR__BLAS_OF_Z ? (vptr__blas_type)it.family : VPTR__BLAS_S, stream,
                              it.desc.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE);
  vptr__blas_require(&call, workspace != NULL || workspaceSizeInBytes == 0,
                     "the workspace is NULL, and its size is not 0");
  vptr__blas_require(&call, C != D || (it.c.ld == it.d.ld && it.c.batch_stride == it.d.batch_stride),
                     "C is D, and has another leading dimension or stride");
  if (call.status != CUBLAS_STATUS_SUCCESS || it.d.rows == 0 || it.d.columns == 0 || it.batch.count == 0)
    return vptr__blas_finish(&call);
  vptr__blas_product *each = &it.batch.each;
  each->alpha = vptr__blas_factor_of(&call, it.family, "alpha", alpha);
  each->beta = vptr__blas_factor_of(&call, it.family, "beta", beta);
  each->a.at = it.is_by_rows ? B : A;
  each->b.at = it.is_by_rows ? A : B;
  each->c = D;
  check_memory(&call, &it, A, B, C);
  send_task(&call, &it, C);
  return vptr__blas_finish(&call);
}

/* ---- the heuristic ---------------------------------------------------------------------------------------------- */

static void tell_algorithm(cublasLtMatmulHeuristicResult_t *result) {
  const vptr__lt_algorithm algorithm = { VPTR__LT_ALGORITHM, 0 };
  memset(result, 0, sizeof *result);
  memcpy(&result->algo, &algorithm, sizeof algorithm);
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                              cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                              cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                              cublasLtMatmulPreference_t preference, int requestedAlgoCount,
                                              cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
                                              int *returnAlgoCount) {
  static const char name[] = "cublasLtMatmulAlgoGetHeuristic";
  task it;
  cublasStatus_t status = describe_task(name, lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS && preference != NULL)
    status = vptr__lt_check(name, "the preference", preference, VPTR__LT_PREFERENCE);
  if (status == CUBLAS_STATUS_SUCCESS &&
      (requestedAlgoCount < 1 || heuristicResultsArray == NULL || returnAlgoCount == NULL))
    status = vptr__blas_invalid(name, "there is no place for a result or their count, or none is wanted");
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  tell_algorithm(&heuristicResultsArray[0]);
  *returnAlgoCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result) {
  static const char name[] = "cublasLtMatmulAlgoCheck";
  task it;
  cublasStatus_t status = describe_task(name, lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check(name, "the algorithm", algo, VPTR__LT_ALGORITHM);
  if (status == CUBLAS_STATUS_SUCCESS && result == NULL)
    status = vptr__blas_invalid(name, "there is no place for the result");
  if (status == CUBLAS_STATUS_SUCCESS)
    tell_algorithm(result);
  return status;
}
