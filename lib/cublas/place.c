/* SPDX-License-Identifier: MIT */
/*
 * place - finds the buffers of a product's operands, and holds them; see place.h.
 *
 * No state, no locks of its own; a lease takes the heap's. Called by clblast.c and tensor.c. A lease waits where memory
 * has left a full device.
 */
#include "cublas/place.h"

#include <limits.h>

#include "base/error.h"

typedef vptr_status take_lease(struct vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out,
                               vptr__lease *lease_out);

static bool take_place(const vptr__blas_call *call, take_lease *take, const void *a, int64_t rows, int64_t columns,
                       int64_t ld, vptr__blas_place *place_out) {
  size_t size = vptr__blas_size(call->type);
  size_t elements = (size_t)(columns - 1) * (size_t)ld + (size_t)rows;
  vptr_location location;
  vptr__lease lease;
  if (columns > INT_MAX || ld > INT_MAX || elements > INT_MAX)
    return false;
  vptr__error_try(); /* what lies in several buffers is for the library's own kernels */
  vptr_status status = take(call->mapper->heap, a, elements * size, &location, &lease);
  vptr__error_tried(VPTR_SUCCESS);
  if (status != VPTR_SUCCESS)
    return false;
  size_t offset = location.buffer_offset / size;
  if (location.buffer_offset % size != 0 || offset + elements > INT_MAX) {
    vptr__lease_give(&lease);
    return false;
  }
  *place_out = (vptr__blas_place){ location.buffer, offset, (size_t)ld, lease };
  return true;
}

bool vptr__blas_places_can_be(const vptr__blas_call *call, const vptr__blas_product *it) {
  const vptr__device *device = call->mapper->device;
  return device->cl_context != NULL && device->proxy == NULL && it->alpha.at == NULL && it->beta.at == NULL;
}

bool vptr__blas_places_take(const vptr__blas_call *call, const vptr__blas_product *it, vptr__blas_places *out) {
  bool a_turns = it->a.operation != CUBLAS_OP_N, b_turns = it->b.operation != CUBLAS_OP_N;
  if (!take_place(call, vptr__lease_take_to_read, it->a.at, a_turns ? it->k : it->m, a_turns ? it->m : it->k,
                  it->a.ld, &out->a))
    return false;
  if (!take_place(call, vptr__lease_take_to_read, it->b.at, b_turns ? it->n : it->k, b_turns ? it->k : it->n,
                  it->b.ld, &out->b)) {
    vptr__lease_give(&out->a.lease);
    return false;
  }
  if (take_place(call, vptr__lease_take, it->c, it->m, it->n, it->ldc, &out->c))
    return true;
  vptr__lease_give(&out->b.lease);
  vptr__lease_give(&out->a.lease);
  return false;
}

void vptr__blas_places_give(vptr__blas_places *places) {
  vptr__lease_give(&places->c.lease);
  vptr__lease_give(&places->b.lease);
  vptr__lease_give(&places->a.lease);
}
