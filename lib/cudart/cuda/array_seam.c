/* SPDX-License-Identifier: MIT */
/*
 * array_seam - cutting copies between arrays and memory of several buffers (array_seam.h).
 *
 * No data and no locks: a copy is its caller's. The one element that may lie across a seam is read or written by a
 * transfer that waits, and takes what transfer/async.h names. Called by array_copy.c.
 */
#include "cuda/array_seam.h"

#include "base/number.h"
#include "cuda/error.h"
#include "heap/heap.h"
#include "transfer/async.h"

enum { MOST_ELEMENT = 16 }; /* bytes: four numbers of four */

typedef struct cutting {
  size_t element;
  vptr__stream *stream;
  vptr__cuda_array_piece *piece;
  void *context;
} cutting;

/* ---- where the seams are -------------------------------------------------------------------------------- */

static const vptr__operand *memory_of(const vptr__cuda_array_copy *copy) {
  return copy->to.array != NULL ? &copy->from.operand : &copy->to.operand;
}

bool vptr__cuda_array_reach(const vptr__operand *memory, const size_t bytes[3], size_t *reach_out) {
  size_t rows, slices, reach;
  if (__builtin_mul_overflow(memory->row, bytes[1] - 1, &rows) ||
      __builtin_mul_overflow(memory->slice, bytes[2] - 1, &slices) || __builtin_add_overflow(rows, slices, &reach) ||
      __builtin_add_overflow(reach, bytes[0], &reach))
    return false;
  *reach_out = reach;
  return true;
}

bool vptr__cuda_array_has_seam(const vptr__operand *memory, const size_t bytes[3]) {
  const vptr_mapper *owner = vptr__mapper_owning(memory->ptr);
  size_t reach;
  return owner != NULL && vptr__cuda_array_reach(memory, bytes, &reach) &&
         vptr__heap_has_seam(owner->heap, memory->ptr, reach);
}

/* Of a line: how many elements lie before the seam, all of them if what is there was freed meanwhile, which the copy
 * says. */
static size_t elements_before(const vptr__cuda_array_copy *copy, size_t element) {
  vptr_part part;
  const void *ptr = memory_of(copy)->ptr;
  const vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL || vptr__heap_part_at(owner->heap, ptr, &part) != VPTR_SUCCESS)
    return copy->region[0];
  return vptr__smaller(part.size / element, copy->region[0]);
}

/* ---- cutting -------------------------------------------------------------------------------------------- */

static void move_on(vptr__cuda_array_endpoint *endpoint, int dimension, size_t by, size_t element) {
  const size_t steps[3] = { element, endpoint->operand.row, endpoint->operand.slice };
  if (endpoint->array != NULL)
    endpoint->at[dimension] += by;
  else
    endpoint->operand.ptr = (unsigned char *)endpoint->operand.ptr + by * steps[dimension];
}

static vptr__cuda_array_copy behind(const vptr__cuda_array_copy *copy, int dimension, size_t by, size_t element) {
  vptr__cuda_array_copy rest = *copy;
  rest.region[dimension] -= by;
  move_on(&rest.to, dimension, by, element);
  move_on(&rest.from, dimension, by, element);
  return rest;
}

static vptr_status move_bytes(const cutting *it, const vptr__cuda_array_copy *copy, void *host, bool to_host) {
  vptr__operand memory = *memory_of(copy), stage = { .ptr = host };
  memory.what = to_host ? copy->call->source : copy->call->destination;
  stage.what = copy->call->name;
  vptr__operand_classify(&memory);
  vptr__operand_classify(&stage);
  return vptr__transfer_copy_classified(it->stream, to_host ? &stage : &memory, to_host ? &memory : &stage,
                                        (const size_t[3]){ it->element, 1, 1 }, VPTR__TRANSFER_WAIT);
}

/* One element, of which some bytes lie behind the seam. */
static cudaError_t copy_element(const cutting *it, const vptr__cuda_array_copy *copy) {
  unsigned char bytes[MOST_ELEMENT];
  const bool to_array = copy->to.array != NULL;
  vptr__cuda_array_copy piece = *copy;
  vptr_status status = VPTR_SUCCESS;
  (to_array ? &piece.from : &piece.to)->operand = (vptr__operand){ .ptr = bytes };
  piece.kind = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (to_array)
    status = move_bytes(it, copy, bytes, true);
  cudaError_t error = status == VPTR_SUCCESS ? it->piece(it->context, &piece) : vptr__cuda_from_status(status);
  return error != cudaSuccess || to_array ? error : vptr__cuda_from_status(move_bytes(it, copy, bytes, false));
}

static cudaError_t cut(const cutting *it, const vptr__cuda_array_copy *copy) {
  if (!vptr__cuda_array_has_seam(
          memory_of(copy), (const size_t[3]){ copy->region[0] * it->element, copy->region[1], copy->region[2] }))
    return it->piece(it->context, copy);
  const int dimension = copy->region[2] > 1 ? 2 : copy->region[1] > 1 ? 1 : 0;
  size_t by = dimension > 0 ? copy->region[dimension] / 2 : elements_before(copy, it->element);
  if (by == 0 && copy->region[0] == 1)
    return copy_element(it, copy);
  if (by == copy->region[dimension])
    return it->piece(it->context, copy);
  by = by > 0 ? by : 1;
  vptr__cuda_array_copy head = *copy;
  const vptr__cuda_array_copy tail = behind(copy, dimension, by, it->element);
  head.region[dimension] = by;
  cudaError_t error = cut(it, &head);
  return error == cudaSuccess ? cut(it, &tail) : error;
}

cudaError_t vptr__cuda_array_cut(const vptr__cuda_array_copy *copy, size_t element, vptr__stream *stream,
                                 vptr__cuda_array_piece *piece, void *context) {
  const cutting it = { element, stream, piece, context };
  return cut(&it, copy);
}
