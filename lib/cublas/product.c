/* SPDX-License-Identifier: MIT */
/*
 * product - by which means matrices are multiplied and added; see product.h.
 *
 *     a plain product, scalars known here, of doubles,     tensor cores (tensor.c), if the device has some
 *     ... others                                           CLBlast (clblast.c), if it can reach the operands
 *     ... scalars on the device, small                     the library's own kernel
 *     ... scalars on the device, large                     CLBlast into memory of the call's own, then a sum with the
 *                                                          scalars: m by n elements more, and one pass over C
 *     many products, each large                            one after the other, as above
 *     all other many products, and types of 16 and 8 bits  the library's own kernel
 *     nothing to multiply, or alpha is 0                   a sum
 *     a captured stream, and none of the latter three      a node that does it as above when the graph is launched
 *
 * No state, no locks. Called by the files of this folder that have products in them. Nothing waits but for compilers.
 */
#include "cublas/product.h"

#include "base/error.h"
#include "cublas/matrix.h"
#include "cublas/tensor.h"
#include "library/captured.h"

#include <string.h>

enum { TILE = 32, MOST_Y = 65535, MOST_Z = 65535 };

/* Multiplications from which on CLBlast's ways are worth a pass over C, or a call for each product. */
static const double LARGE = 1 << 21;

static double work_of(const vptr__blas_product *it) {
  return (double)it->m * (double)it->n * (double)it->k;
}

/* ---- the library's own kernel ------------------------------------------------------------------------------- */

typedef struct layout {
  int64_t row, column;
  int conjugates;
} layout;

static layout layout_of(const vptr__blas_operand *operand, vptr__blas_family family) {
  cublasOperation_t operation = operand->operation;
  bool turns = operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
  bool conjugates = operation == CUBLAS_OP_C || operation == CUBLAS_OP_CONJG;
  bool is_complex = family == VPTR__BLAS_OF_C || family == VPTR__BLAS_OF_Z;
  return (layout){ turns ? operand->ld : 1, turns ? 1 : operand->ld, conjugates && is_complex };
}

size_t vptr__blas_input_size(vptr__blas_family family) {
  if (family <= VPTR__BLAS_OF_Z)
    return vptr__blas_size((vptr__blas_type)family);
  return family == VPTR__BLAS_OF_BYTE_FLOAT || family == VPTR__BLAS_OF_BYTE_INT ? 1 : 2;
}

size_t vptr__blas_output_size(vptr__blas_family family) {
  if (family <= VPTR__BLAS_OF_Z)
    return vptr__blas_size((vptr__blas_type)family);
  return family == VPTR__BLAS_OF_H || family == VPTR__BLAS_OF_HALF || family == VPTR__BLAS_OF_BFLOAT16 ? 2 : 4;
}

vptr__blas_scalar vptr__blas_factor_of(vptr__blas_call *call, vptr__blas_family family, const char *what,
                                       const void *at) {
  if (family <= VPTR__BLAS_OF_Z)
    return vptr__blas_scalar_at(call, what, at);
  if (family != VPTR__BLAS_OF_H || at == NULL)
    return vptr__blas_scalar_of(call, what, at, VPTR__BLAS_S);
  vptr__blas_scalar scalar = vptr__blas_constant(VPTR__BLAS_S, 0);
  if (call->scalars_on_device) {
    vptr__blas_memory(call, what, at, sizeof(unsigned short));
    scalar.at = at;
  } else {
    scalar.value.s = vptr_cuda_half_to(*(const unsigned short *)at);
  }
  return scalar;
}

/* `n` columns of C, from column `from` on. */
static void launch_columns(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *it, int64_t from,
                           int64_t n) {
  const vptr__blas_product *each = &it->each;
  layout a = layout_of(&each->a, family), b = layout_of(&each->b, family);
  int64_t c_row = 1, b_skipped = from * b.column, c_skipped = from * each->ldc, m = each->m, k = each->k;
  int64_t a_more = it->a_stride, b_more = it->b_stride + (it->by_pointers ? b_skipped : 0);
  int64_t c_more = it->c_stride + (it->by_pointers ? c_skipped : 0), ldc = each->ldc, count = it->count;
  const void *a_at = each->a.at, *alpha_at = each->alpha.at, *beta_at = each->beta.at, *b_at = each->b.at;
  void *c_at = each->c;
  if (!it->by_pointers && from > 0) {
    b_at = (const char *)b_at + (size_t)b_skipped * vptr__blas_input_size(family);
    c_at = (char *)c_at + (size_t)c_skipped * vptr__blas_output_size(family);
  }
  vptr__blas_scalar alpha = each->alpha, beta = each->beta;
  vptr__blas_shape shape = { { (uint32_t)((m - 1) / TILE + 1), (uint32_t)((n - 1) / TILE + 1),
                               (uint32_t)(count < MOST_Z ? count : MOST_Z) },
                             { 16, 16, 1 } };
  vptr__blas_launch_of(call, family, it->by_pointers ? VPTR__BLAS_GEMM_BATCHED : VPTR__BLAS_GEMM, shape,
                       VPTR__BLAS_ARGUMENTS(&m, &n, &k, &alpha.value, &alpha_at, &a_at, &a.row, &a.column, &a_more,
                                            &a.conjugates, &b_at, &b.row, &b.column, &b_more, &b.conjugates,
                                            &beta.value, &beta_at, &c_at, &c_row, &ldc, &c_more, &count));
}

void vptr__blas_launch_batch(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *it) {
  const int64_t most = (int64_t)MOST_Y * TILE;
  for (int64_t from = 0; from < it->each.n; from += most)
    launch_columns(call, family, it, from, it->each.n - from < most ? it->each.n - from : most);
}

void vptr__blas_multiply_batch(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *it) {
  if (call->status != CUBLAS_STATUS_SUCCESS || it->each.m <= 0 || it->each.n <= 0 || it->count <= 0)
    return;
  if (it->by_pointers || family > VPTR__BLAS_OF_Z || work_of(&it->each) < LARGE) {
    vptr__blas_launch_batch(call, family, it);
    return;
  }
  size_t size = vptr__blas_size(call->type);
  for (int64_t i = 0; i < it->count; i++) {
    vptr__blas_product each = it->each;
    each.a.at = (const char *)each.a.at + (int64_t)size * it->a_stride * i;
    each.b.at = (const char *)each.b.at + (int64_t)size * it->b_stride * i;
    each.c = (char *)each.c + (int64_t)size * it->c_stride * i;
    vptr__blas_multiply(call, &each);
  }
}

/* ---- one product ---------------------------------------------------------------------------------------------- */

void vptr__blas_add(vptr__blas_call *call, const vptr__blas_sum *it) {
  if (it->m <= 0 || it->n <= 0)
    return;
  layout a = layout_of(&it->a, (vptr__blas_family)call->type), b = layout_of(&it->b, (vptr__blas_family)call->type);
  vptr__blas_sum sum = *it;
  int is_hermitian = it->is_hermitian;
  vptr__blas_launch(call, VPTR__BLAS_GEAM, vptr__blas_plane(it->m, it->n),
                    VPTR__BLAS_ARGUMENTS(&sum.m, &sum.n, &sum.alpha.value, &sum.alpha.at, &sum.a.at, &a.row,
                                         &a.column, &a.conjugates, &sum.beta.value, &sum.beta.at, &sum.b.at, &b.row,
                                         &b.column, &b.conjugates, &sum.c, &sum.ldc, &sum.triangle, &is_hermitian));
}

/* C = beta C. */
static void scale_result(vptr__blas_call *call, const vptr__blas_product *it) {
  const vptr__blas_operand c = { it->c, it->ldc, CUBLAS_OP_N };
  if (!vptr__blas_scalar_is(call, &it->beta, 1))
    vptr__blas_add(call, &(vptr__blas_sum){ .m = it->m,
                                            .n = it->n,
                                            .alpha = vptr__blas_constant(call->type, 0),
                                            .beta = it->beta,
                                            .a = c,
                                            .b = c,
                                            .c = it->c,
                                            .ldc = it->ldc });
}

static void multiply_aside(vptr__blas_call *call, const vptr__blas_product *it) {
  void *work = vptr__blas_work(call, (size_t)it->m * (size_t)it->n * vptr__blas_size(call->type));
  vptr__blas_product aside = *it;
  aside.alpha = vptr__blas_constant(call->type, 1);
  aside.beta = vptr__blas_constant(call->type, 0);
  aside.c = work;
  aside.ldc = it->m;
  vptr__blas_multiply(call, &aside);
  vptr__blas_add(call, &(vptr__blas_sum){ .m = it->m,
                                          .n = it->n,
                                          .alpha = it->alpha,
                                          .beta = it->beta,
                                          .a = { work, it->m, CUBLAS_OP_N },
                                          .b = { it->c, it->ldc, CUBLAS_OP_N },
                                          .c = it->c,
                                          .ldc = it->ldc });
  if (work != NULL)
    vptr__blas_work_end(call);
}

/* What a graph makes of it, when it is launched. */
typedef struct captured_product {
  vptr_mapper *mapper;
  vptr__blas_type type;
  vptr__blas_product product;
} captured_product;

static vptr_status send_captured(const void *context, const char *what, vptr__stream *stream) {
  const captured_product *it = context;
  vptr__blas_call call = { .name = what, .mapper = it->mapper, .stream = stream, .type = it->type };
  if (vptr__stream_mapper(stream) != it->mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER, "%s: the stream is of another device than the handle was", what);
  vptr__blas_multiply(&call, &it->product);
  switch (vptr__blas_finish(&call)) {
  case CUBLAS_STATUS_SUCCESS:
    return VPTR_SUCCESS;
  case CUBLAS_STATUS_ALLOC_FAILED:
    return VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  default:
    return VPTR_ERROR_INVALID_ARGUMENT;
  }
}

static void capture_product(vptr__blas_call *call, const vptr__blas_product *product) {
  captured_product it;
  memset(&it, 0, sizeof it);
  it.mapper = call->mapper;
  it.type = call->type;
  it.product = *product;
  const vptr__graph_call node = { call->name, send_captured, &it, sizeof it };
  vptr__blas_fail(call, vptr__blas_status_of(vptr__library_capture_call(&node, call->stream)));
}

void vptr__blas_multiply(vptr__blas_call *call, const vptr__blas_product *it) {
  if (call->status != CUBLAS_STATUS_SUCCESS || it->m <= 0 || it->n <= 0)
    return;
  if (it->k <= 0 || vptr__blas_scalar_is(call, &it->alpha, 0)) {
    scale_result(call, it);
    return;
  }
  if (call->captures) {
    capture_product(call, it);
    return;
  }
  bool on_device = it->alpha.at != NULL || it->beta.at != NULL;
  if (on_device && work_of(it) >= LARGE)
    multiply_aside(call, it);
  else if (on_device || !(vptr__blas_tensor_multiply(call, it) || vptr__blas_clblast_multiply(call, it)))
    vptr__blas_launch_batch(call, (vptr__blas_family)call->type, &(vptr__blas_batch){ .each = *it, .count = 1 });
}
