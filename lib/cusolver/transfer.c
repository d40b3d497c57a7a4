/* SPDX-License-Identifier: MIT */
/*
 * transfer - copies and zeros on the device; see transfer.h.
 *
 * No state, no locks. Called by qr_panels.c, solve.c, svd_panels.c and tridiagonal.c. It waits where the unit
 * matrix gets its ones from the host.
 */
#include "cusolver/transfer.h"

#include "cuda/error.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* The runtime's last error is the program's own: it is as it was. */
static void note(vptr__solver_call *call, cudaError_t error) {
  if (error == cudaSuccess)
    return;
  vptr__cuda_unrecord();
  vptr__solver_fail(call, error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                                             : CUSOLVER_STATUS_EXECUTION_FAILED);
}

void vptr__solver_copy(vptr__solver_call *call, const void *from, int64_t from_ld, void *to, int64_t to_ld,
                       int64_t rows, int64_t columns) {
  size_t size = vptr__solver_size(call->type);
  if (call->status != CUSOLVER_STATUS_SUCCESS || rows <= 0 || columns <= 0)
    return;
  note(call, cudaMemcpy2DAsync(to, (size_t)to_ld * size, from, (size_t)from_ld * size, (size_t)rows * size,
                               (size_t)columns, cudaMemcpyDeviceToDevice, (cudaStream_t)call->stream));
}

void *vptr__solver_ones(vptr__solver_call *call, int64_t count) {
  size_t reals = vptr__solver_is_complex(call->type) ? 2 : 1;
  void *ones = vptr__solver_work(call, (size_t)count, vptr__solver_size(call->type));
  for (size_t i = 0; ones != NULL && i < (size_t)count; i++)
    if (vptr__solver_real_size(call->type) == sizeof(float))
      ((float *)ones)[i * reals] = 1;
    else
      ((double *)ones)[i * reals] = 1;
  return ones;
}

/* The diagonal is a row whose elements lie a column and an element apart. */
void vptr__solver_unit(vptr__solver_call *call, const void *ones, void *a, int64_t lda, int64_t rows, int64_t first,
                       int64_t end) {
  size_t size = vptr__solver_size(call->type);
  if (call->status != CUSOLVER_STATUS_SUCCESS || rows <= 0 || first >= end)
    return;
  note(call, cudaMemset2DAsync(vptr__solver_element(call, a, lda, 0, first), (size_t)lda * size, 0,
                               (size_t)rows * size, (size_t)(end - first), (cudaStream_t)call->stream));
  vptr__solver_put(call, ones, 1, vptr__solver_element(call, a, lda, first, first), lda + 1, 1, end - first);
}
