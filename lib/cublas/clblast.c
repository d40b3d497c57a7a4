/* SPDX-License-Identifier: MIT */
/*
 * clblast - products of matrices by CLBlast.
 *
 * CLBlast is asked for plain products alone. Its other routines stop the host in between (symm, hemm, trmm, trsm), take
 * no negative increments (levels 1 and 2), or read batched matrices from the wrong place where they do not begin with
 * their buffer (1.5.3). It takes a buffer and an offset in elements (place.h), so an interior pointer goes as it is.
 *
 * CLBlast compiles its kernels when a routine is first used on a device, which takes seconds, and the stream's turn is
 * held meanwhile: other threads that send to that stream wait.
 *
 * No state, no locks; CLBlast has its own. Called by product.c, and by tuning.c, which tries products.
 */
#include "cublas/product.h"

#include "base/error.h"
#include "cublas/place.h"
#include "cublas/tuning.h"

#include <clblast_c.h>

static CLBlastTranspose transpose_of(const vptr__blas_call *call, cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N)
    return CLBlastTransposeNo;
  return operation == CUBLAS_OP_C && vptr__blas_is_complex(call->type) ? CLBlastTransposeConjugate
                                                                       : CLBlastTransposeYes;
}

static CLBlastStatusCode send_product(const vptr__blas_call *call, const vptr__blas_product *it,
                                      const vptr__blas_places *at, cl_command_queue *queue, cl_event *event) {
  const vptr__blas_place *a = &at->a, *b = &at->b, *c = &at->c;
  CLBlastTranspose a_turn = transpose_of(call, it->a.operation), b_turn = transpose_of(call, it->b.operation);
  size_t m = (size_t)it->m, n = (size_t)it->n, k = (size_t)it->k;
  switch (call->type) {
  case VPTR__BLAS_S:
    return CLBlastSgemm(CLBlastLayoutColMajor, a_turn, b_turn, m, n, k, it->alpha.value.s, a->buffer, a->offset,
                        a->ld, b->buffer, b->offset, b->ld, it->beta.value.s, c->buffer, c->offset, c->ld, queue,
                        event);
  case VPTR__BLAS_D:
    return CLBlastDgemm(CLBlastLayoutColMajor, a_turn, b_turn, m, n, k, it->alpha.value.d, a->buffer, a->offset,
                        a->ld, b->buffer, b->offset, b->ld, it->beta.value.d, c->buffer, c->offset, c->ld, queue,
                        event);
  case VPTR__BLAS_C: {
    cl_float2 alpha = { { it->alpha.value.c[0], it->alpha.value.c[1] } };
    cl_float2 beta = { { it->beta.value.c[0], it->beta.value.c[1] } };
    return CLBlastCgemm(CLBlastLayoutColMajor, a_turn, b_turn, m, n, k, alpha, a->buffer, a->offset, a->ld, b->buffer,
                        b->offset, b->ld, beta, c->buffer, c->offset, c->ld, queue, event);
  }
  default: {
    cl_double2 alpha = { { it->alpha.value.z[0], it->alpha.value.z[1] } };
    cl_double2 beta = { { it->beta.value.z[0], it->beta.value.z[1] } };
    return CLBlastZgemm(CLBlastLayoutColMajor, a_turn, b_turn, m, n, k, alpha, a->buffer, a->offset, a->ld, b->buffer,
                        b->offset, b->ld, beta, c->buffer, c->offset, c->ld, queue, event);
  }
  }
}

static cublasStatus_t status_of(const vptr__blas_call *call, CLBlastStatusCode code) {
  if (code == CLBlastSuccess)
    return CUBLAS_STATUS_SUCCESS;
  vptr__error(VPTR_ERROR_OPENCL, "%s: CLBlast ended with status %d", call->name, (int)code);
  switch (code) {
  case CLBlastTempBufferAllocFailure:
  case CLBlastOpenCLOutOfHostMemory:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case CLBlastNoDoublePrecision:
    return CUBLAS_STATUS_ARCH_MISMATCH;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

static void send_in_turn(vptr__blas_call *call, const vptr__blas_product *product, const vptr__blas_places *at) {
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(call->stream, &queue);
  if (status != VPTR_SUCCESS) {
    vptr__blas_fail(call, vptr__blas_status_of(status));
    return;
  }
  CLBlastStatusCode code = send_product(call, product, at, &queue, &event);
  vptr__stream_note(call->stream, event);
  vptr__stream_end(call->stream);
  vptr__blas_fail(call, status_of(call, code));
}

bool vptr__blas_clblast_multiply(vptr__blas_call *call, const vptr__blas_product *it) {
  vptr__blas_places places;
  if (!vptr__blas_places_can_be(call, it))
    return false;
  vptr__blas_tuning_begin(call, (double)it->m * (double)it->n * (double)it->k);
  if (!vptr__blas_places_take(call, it, &places))
    return false;
  send_in_turn(call, it, &places);
  vptr__blas_places_give(&places);
  return true;
}
