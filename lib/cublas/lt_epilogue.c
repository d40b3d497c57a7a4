/* SPDX-License-Identifier: MIT */
/*
 * lt_epilogue - which epilogues there are, and sending them; see lt_epilogue.h.
 *
 * ReLU's auxiliary matrix has a bit for each element of D, of which the first is the lowest of a byte; GELU's has what
 * the function was given. No state, no locks. Called by lt_task.c, for what there is, and by lt_matmul.c. Nothing waits
 * but for compilers.
 */
#include "cublas/lt_epilogue.h"

#include "base/error.h"

enum {
  MOST_Z = 65535,
  HAS_BIAS = CUBLASLT_EPILOGUE_BIAS,
  HAS_AUX = 128,
  OF_D = 16, /* gradients of the bias */
  OF_INPUTS = CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB,
  OF_RELU = CUBLASLT_EPILOGUE_RELU | 8,
  MASK_STEP = 128 /* bits: leading dimensions and strides of ReLU's matrix are multiples of it */
};

/* Functions of the kernel (epilogue.cuh). */
typedef enum function { NONE, RELU, GELU, RELU_SLOPE, GELU_SLOPE } function;

static function function_of(const vptr__lt_task *it) {
  uint32_t epilogue = it->desc.epilogue;
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0)
    return RELU;
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0)
    return GELU;
  if ((epilogue & 8) != 0)
    return RELU_SLOPE;
  return (epilogue & 64) != 0 ? GELU_SLOPE : NONE;
}

static bool has_mask(const vptr__lt_task *it) {
  return (it->desc.epilogue & HAS_AUX) != 0 && (it->desc.epilogue & OF_RELU) != 0;
}

static bool has_gradient(const vptr__lt_task *it) {
  return (it->desc.epilogue & (OF_D | OF_INPUTS)) != 0;
}

bool vptr__lt_has_function(const vptr__lt_task *task) {
  return task->desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT && (task->desc.epilogue & OF_INPUTS) == 0;
}

/* ---- checks
 * ------------------------------------------------------------------------------------------------------- */

cublasStatus_t vptr__lt_check_epilogue(const vptr__lt_task *task) {
  static const uint32_t known[] = { CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_BIAS,
                                    CUBLASLT_EPILOGUE_RELU,     CUBLASLT_EPILOGUE_RELU_BIAS,
                                    CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
                                    CUBLASLT_EPILOGUE_DRELU,    CUBLASLT_EPILOGUE_DRELU_BGRAD,
                                    CUBLASLT_EPILOGUE_GELU,     CUBLASLT_EPILOGUE_GELU_BIAS,
                                    CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
                                    CUBLASLT_EPILOGUE_DGELU,    CUBLASLT_EPILOGUE_DGELU_BGRAD,
                                    CUBLASLT_EPILOGUE_BGRADA,   CUBLASLT_EPILOGUE_BGRADB };
  const vptr__lt_matmul *desc = &task->desc;
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    is_known |= desc->epilogue == known[i];
  if (!is_known)
    return vptr__lt_refuse(task->call, "the epilogue is none of cublasLtEpilogue_t's values");
  if (desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT)
    return CUBLAS_STATUS_SUCCESS;
  if (task->family == VPTR__BLAS_OF_C || task->family == VPTR__BLAS_OF_Z || task->family == VPTR__BLAS_OF_BYTE_INT ||
      (task->family == VPTR__BLAS_OF_H && desc->pointer_mode != CUBLASLT_POINTER_MODE_HOST))
    return vptr__lt_refuse(task->call,
                           "complex and integer products have no epilogue, nor has half with factors of half on the "
                           "device");
  if ((desc->bias_type != -1 && (uint32_t)desc->bias_type != task->d.type) ||
      (desc->aux_type != -1 && (uint32_t)desc->aux_type != task->d.type && !has_mask(task)))
    return vptr__lt_refuse(task->call, "bias and auxiliary matrix are of D's type");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t vptr__lt_check_epilogue_pointers(const vptr__lt_task *task) {
  const vptr__lt_matmul *desc = &task->desc;
  if (((desc->epilogue & HAS_BIAS) != 0 || has_gradient(task)) && desc->bias == NULL)
    return vptr__blas_invalid(task->call, "the epilogue has a bias or its gradient, and BIAS_POINTER is NULL");
  if ((desc->epilogue & HAS_AUX) != 0 && (desc->aux == NULL || desc->aux_ld < vptr__lt_stored_rows(&task->d)))
    return vptr__blas_invalid(task->call, "EPILOGUE_AUX_POINTER is NULL, or EPILOGUE_AUX_LD is shorter than D");
  if (has_mask(task) && (desc->aux_ld % MASK_STEP != 0 || desc->aux_stride % MASK_STEP != 0))
    return vptr__blas_invalid(task->call, "EPILOGUE_AUX_LD and EPILOGUE_AUX_BATCH_STRIDE of ReLU's bits are no "
                                          "multiples of 128");
  return CUBLAS_STATUS_SUCCESS;
}

void vptr__lt_check_epilogue_memory(vptr__blas_call *call, const vptr__lt_task *task) {
  const vptr__lt_matmul *desc = &task->desc;
  const vptr__blas_product *each = &task->batch.each;
  size_t size = vptr__blas_output_size(task->family);
  int64_t length = (int64_t)(desc->epilogue == CUBLASLT_EPILOGUE_BGRADB ? task->d.columns : task->d.rows);
  if ((desc->epilogue & HAS_BIAS) != 0 || has_gradient(task))
    vptr__blas_strided(call, "the bias", desc->bias, size, length, 1, length, desc->bias_stride, task->batch.count);
  if (has_mask(task))
    vptr__blas_strided(call, "the auxiliary matrix", desc->aux, 1, (each->m + 7) / 8, each->n, desc->aux_ld / 8,
                       desc->aux_stride / 8, task->batch.count);
  else if ((desc->epilogue & HAS_AUX) != 0)
    vptr__blas_strided(call, "the auxiliary matrix", desc->aux, size, each->m, each->n, desc->aux_ld,
                       desc->aux_stride, task->batch.count);
}

/* ---- sending
 * ------------------------------------------------------------------------------------------------------ */

/* What is like D, and adds up in float or double. */
static vptr__blas_family family_of_d(const vptr__lt_task *it) {
  switch (it->family) {
  case VPTR__BLAS_OF_D:
  case VPTR__BLAS_OF_BFLOAT16:
    return it->family;
  case VPTR__BLAS_OF_H:
  case VPTR__BLAS_OF_HALF:
    return VPTR__BLAS_OF_HALF;
  default:
    return VPTR__BLAS_OF_S;
  }
}

static vptr__blas_shape many_of(vptr__blas_shape shape, int64_t count) {
  shape.grid[2] = (uint32_t)(count < MOST_Z ? count : MOST_Z);
  return shape;
}

static void send_mask(vptr__blas_call *call, const vptr__lt_task *it) {
  int64_t m = it->batch.each.m, n = it->batch.each.n, d_column = it->d.ld, d_stride = it->d.batch_stride;
  int64_t mask_column = it->desc.aux_ld, mask_stride = it->desc.aux_stride, count = it->batch.count;
  const void *d = it->batch.each.c;
  void *mask = it->desc.aux;
  vptr__blas_launch_of(
      call, family_of_d(it), VPTR__BLAS_RELU_MASK, many_of(vptr__blas_plane((m + 7) / 8, n), count),
      VPTR__BLAS_ARGUMENTS(&m, &n, &d, &d_column, &d_stride, &mask, &mask_column, &mask_stride, &count));
}

void vptr__lt_finish(vptr__blas_call *call, const vptr__lt_task *task, const void *p, int64_t p_column,
                     int64_t p_stride, vptr__blas_scalar beta, const void *c) {
  const vptr__blas_product *each = &task->batch.each;
  const vptr__lt_matmul *desc = &task->desc;
  int64_t m = each->m, n = each->n, c_column = task->c.ld, c_stride = task->c.batch_stride, d_column = task->d.ld;
  int64_t d_stride = task->d.batch_stride, bias_stride = desc->bias_stride, count = task->batch.count;
  int64_t aux_column = desc->aux_ld, aux_stride = desc->aux_stride;
  const void *bias = (desc->epilogue & HAS_BIAS) != 0 ? desc->bias : NULL, *beta_at = beta.at;
  const void *mask = has_mask(task) ? desc->aux : NULL;
  void *aux = (desc->epilogue & HAS_AUX) != 0 && !has_mask(task) ? desc->aux : NULL, *d = each->c;
  int by_column = task->is_by_rows, function = (int)function_of(task);
  vptr__blas_launch_of(call, family_of_d(task), VPTR__BLAS_EPILOGUE, many_of(vptr__blas_plane(m, n), count),
                       VPTR__BLAS_ARGUMENTS(&m, &n, &p, &p_column, &p_stride, &beta.value, &beta_at, &c, &c_column,
                                            &c_stride, &bias, &bias_stride, &by_column, &function, &aux, &mask,
                                            &aux_column, &aux_stride, &d, &d_column, &d_stride, &count));
  if (function == RELU && mask != NULL)
    send_mask(call, task);
}

/* Sums over the columns of op(it), or over its rows. */
static void send_sums(vptr__blas_call *call, const vptr__lt_task *task, vptr__blas_family family, const void *in,
                      const vptr__lt_layout *layout, bool over_rows) {
  bool by_rows = layout->order == CUBLASLT_ORDER_ROW;
  int64_t step = by_rows ? layout->ld : 1, depth_step = by_rows ? 1 : layout->ld, in_stride = layout->batch_stride;
  int64_t length = (int64_t)layout->rows, depth = (int64_t)layout->columns, out_stride = task->desc.bias_stride;
  int64_t count = task->batch.count;
  if (over_rows) {
    int64_t kept = step;
    step = depth_step;
    depth_step = kept;
    length = (int64_t)layout->columns;
    depth = (int64_t)layout->rows;
  }
  const void *out = task->desc.bias;
  vptr__blas_launch_of(
      call, family, VPTR__BLAS_GRADIENT, many_of(vptr__blas_line(length), count),
      VPTR__BLAS_ARGUMENTS(&length, &depth, &in, &step, &depth_step, &in_stride, &out, &out_stride, &count));
}

void vptr__lt_send_gradient(vptr__blas_call *call, const vptr__lt_task *task, const void *a, const void *b) {
  const vptr__lt_matmul *desc = &task->desc;
  vptr__blas_family inputs = task->family == VPTR__BLAS_OF_H ? VPTR__BLAS_OF_HALF : task->family;
  if ((desc->epilogue & OF_D) != 0)
    send_sums(call, task, family_of_d(task), task->batch.each.c, &task->d, false);
  else if (desc->epilogue == CUBLASLT_EPILOGUE_BGRADA)
    send_sums(call, task, inputs, a, &task->a, desc->trans_a != CUBLAS_OP_N);
  else if (desc->epilogue == CUBLASLT_EPILOGUE_BGRADB)
    send_sums(call, task, inputs, b, &task->b, desc->trans_b == CUBLAS_OP_N);
}
