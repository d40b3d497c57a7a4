/* SPDX-License-Identifier: MIT */
/*
 * clblast - products of matrices by CLBlast.
 *
 * CLBlast is asked for plain products alone. Its other routines stop the host in between (symm, hemm, trmm, trsm), take
 * no negative increments (levels 1 and 2), or read batched matrices from the wrong place where they do not begin with
 * their buffer (1.5.3). It takes a buffer and an offset in elements, so an interior pointer goes as it is; but its
 * kernels count in int, so each operand has to end before element 2^31 of its buffer, and begin at a whole element.
 *
 * Buffers are leased until the commands are sent, which then hold them. CLBlast compiles its kernels when a routine is
 * first used on a device, which takes seconds, and the stream's turn is held meanwhile: other threads that send to that
 * stream wait.
 *
 * No state, no locks; CLBlast has its own. Called by product.c, and by tuning.c, which tries products.
 */
#include "cublas/product.h"

#include "base/error.h"
#include "cublas/tuning.h"
#include "heap/lease.h"

#include <clblast_c.h>
#include <limits.h>

typedef struct place {
  cl_mem buffer;
  size_t offset, ld; /* in elements */
  vptr__lease lease;
} place;

typedef vptr_status take_lease(struct vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out,
                               vptr__lease *lease_out);

/* Whether the matrix is one that CLBlast's kernels can reach; then its buffer is held. */
static bool take_place(const vptr__blas_call *call, take_lease *take, const void *a, int64_t rows, int64_t columns,
                       int64_t ld, place *place_out) {
  size_t size = vptr__blas_size(call->type);
  size_t elements = (size_t)(columns - 1) * (size_t)ld + (size_t)rows;
  vptr_location location;
  vptr__lease lease;
  if (columns > INT_MAX || ld > INT_MAX || elements > INT_MAX)
    return false;
  if (take(call->mapper->heap, a, elements * size, &location, &lease) != VPTR_SUCCESS)
    return false;
  size_t offset = location.buffer_offset / size;
  if (location.buffer_offset % size != 0 || offset + elements > INT_MAX) {
    vptr__lease_give(&lease);
    return false;
  }
  *place_out = (place){ location.buffer, offset, (size_t)ld, lease };
  return true;
}

static CLBlastTranspose transpose_of(const vptr__blas_call *call, cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N)
    return CLBlastTransposeNo;
  return operation == CUBLAS_OP_C && vptr__blas_is_complex(call->type) ? CLBlastTransposeConjugate
                                                                       : CLBlastTransposeYes;
}

static CLBlastStatusCode send_product(const vptr__blas_call *call, const vptr__blas_product *it, const place *a,
                                      const place *b, const place *c, cl_command_queue *queue, cl_event *event) {
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

static void send_in_turn(vptr__blas_call *call, const vptr__blas_product *product, const place *a, const place *b,
                         const place *c) {
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(call->stream, &queue);
  if (status != VPTR_SUCCESS) {
    vptr__blas_fail(call, vptr__blas_status_of(status));
    return;
  }
  CLBlastStatusCode code = send_product(call, product, a, b, c, &queue, &event);
  vptr__stream_note(call->stream, event);
  vptr__stream_end(call->stream);
  vptr__blas_fail(call, status_of(call, code));
}

bool vptr__blas_clblast_multiply(vptr__blas_call *call, const vptr__blas_product *it) {
  place a, b, c;
  bool a_turns = it->a.operation != CUBLAS_OP_N, b_turns = it->b.operation != CUBLAS_OP_N;
  const vptr__device *device = call->mapper->device;
  if (device->cl_context == NULL || device->proxy != NULL || it->alpha.at != NULL || it->beta.at != NULL)
    return false;
  vptr__blas_tuning_begin(call, (double)it->m * (double)it->n * (double)it->k);
  if (!take_place(call, vptr__lease_take_to_read, it->a.at, a_turns ? it->k : it->m, a_turns ? it->m : it->k,
                  it->a.ld, &a))
    return false;
  bool has_b = take_place(call, vptr__lease_take_to_read, it->b.at, b_turns ? it->n : it->k, b_turns ? it->k : it->n,
                          it->b.ld, &b);
  bool has_c = has_b && take_place(call, vptr__lease_take, it->c, it->m, it->n, it->ldc, &c);
  if (has_c) {
    send_in_turn(call, it, &a, &b, &c);
    vptr__lease_give(&c.lease);
  }
  if (has_b)
    vptr__lease_give(&b.lease);
  vptr__lease_give(&a.lease);
  return has_c;
}
