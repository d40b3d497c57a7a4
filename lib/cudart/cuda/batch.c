/* SPDX-License-Identifier: MIT */
/*
 * batch - several operations by one call: cudaMemcpyBatchAsync() and cudaMemcpy3DBatchAsync(), and what the calls of
 * batch_managed.c check as these do (batch.h).
 *
 * Operations go to the stream one behind the other, which is an order that no program may count on. All is checked
 * before the first is sent, except where plain memory of the host ends, which nobody knows. A source that must have
 * been read when the call returns is waited for, with all else of the stream, whether or not a later operation fails.
 * No data but constants, no locks of its own: copy.c and copy_rect.c do the copies. Called by programs, by
 * batch_managed.c, and by driver/batch.c.
 */
#include "cuda/batch.h"

#include "base/error.h"
#include "cuda/array.h"
#include "cuda/copy.h"
#include "cuda/copy_rect.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/pool.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "mapper/mapper.h"
#include "transfer/async.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- what all have in common ---------------------------------------------------------------------------- */

cudaError_t vptr__cuda_batch_enter(const char *call, size_t count, bool has_lists, unsigned long long flags,
                                   cudaStream_t handle, vptr__stream **stream_out) {
  cudaError_t error = vptr__cuda_stream(handle, stream_out);
  if (error != cudaSuccess)
    return error;
  if (handle == NULL || handle == cudaStreamLegacy)
    return vptr__cuda_invalid(call, "it takes no legacy default stream; cudaStreamCreate() makes others");
  if (count == 0 || !has_lists)
    return vptr__cuda_invalid(call, count == 0 ? "there is no operation" : "a list is NULL");
  return flags == 0 ? cudaSuccess : vptr__cuda_invalid(call, "flags can only be 0");
}

cudaError_t vptr__cuda_batch_check_indices(const char *call, const size_t *indices, size_t index_count,
                                           size_t count) {
  if (index_count == 0 || index_count > count || indices[0] != 0)
    return vptr__cuda_invalid(call, "there are as many indices as operations at most, and the first is 0");
  for (size_t i = 1; i < index_count; i++)
    if (indices[i] <= indices[i - 1] || indices[i] >= count) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: index %zu is %zu, behind %zu, of %zu operations: they rise", call,
                  i, indices[i], indices[i - 1], count);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

static cudaError_t check_order(const char *call, size_t index, enum cudaMemcpySrcAccessOrder order, unsigned flags) {
  if (order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny &&
      (flags & ~(unsigned)cudaMemcpyFlagPreferOverlapWithCompute) == 0)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: entry %zu has srcAccessOrder %d and flags 0x%x; orders are 1 to 3, and the flag is 1", call, index,
              (int)order, flags);
  return cudaErrorInvalidValue;
}

/* What becomes a graph's node reads its source when the graph is launched. */
static cudaError_t check_capture(const char *call, vptr__stream *stream, bool waits) {
  return waits && vptr__captures_any() ? vptr__capture_refuse(call, stream) : cudaSuccess;
}

/* What has been sent still reads, though the wait fails: it is waited for once more, and no other stream's work. */
static void settle(vptr__stream *stream) {
  vptr__error_try();
  vptr__transfer_settle(stream);
  vptr__error_tried(VPTR_SUCCESS);
}

/* Behind what was sent, and what failed after it: what has been sent by then still reads. */
static cudaError_t finish(vptr__stream *stream, bool waits, cudaError_t sent) {
  if (!waits)
    return sent;
  cudaError_t error = vptr__cuda_from_status(vptr__stream_synchronize(stream));
  if (error != cudaSuccess)
    settle(stream);
  error = vptr__cuda_poll_failure(error, vptr__stream_mapper(stream)->device->ordinal);
  return sent != cudaSuccess ? sent : error;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

static const vptr__cuda_call lines = { "cudaMemcpyBatchAsync", "cudaMemcpyBatchAsync destination",
                                       "cudaMemcpyBatchAsync source" };

typedef struct line_batch {
  void *const *to;
  const void *const *from;
  const size_t *sizes;
  size_t count;
  const struct cudaMemcpyAttributes *attributes;
  const size_t *indices;
  size_t attribute_count;
} line_batch;

static cudaError_t check_memory(const char *what, size_t index, const void *ptr, size_t size) {
  vptr_location location;
  if (ptr == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s %zu: NULL, with %zu bytes to copy", what, index, size);
    return cudaErrorInvalidValue;
  }
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    return cudaSuccess;
  vptr_status status = vptr__mapper_locate_all(owner, ptr, size, &location);
  if (status != VPTR_SUCCESS)
    vptr__mapper_explain(owner, status, what, ptr, size);
  return vptr__cuda_from_status(status);
}

static cudaError_t check_lines(const line_batch *it) {
  cudaError_t error = vptr__cuda_batch_check_indices(lines.name, it->indices, it->attribute_count, it->count);
  for (size_t i = 0; i < it->attribute_count && error == cudaSuccess; i++)
    error = check_order(lines.name, i, it->attributes[i].srcAccessOrder, it->attributes[i].flags);
  for (size_t i = 0; i < it->count && error == cudaSuccess; i++) {
    error = it->sizes[i] > 0 ? check_memory(lines.destination, i, it->to[i], it->sizes[i])
                             : vptr__cuda_invalid(lines.name, "one of the sizes is 0");
    if (error == cudaSuccess)
      error = check_memory(lines.source, i, it->from[i], it->sizes[i]);
  }
  return error;
}

static cudaError_t copy_lines(const line_batch *it, cudaStream_t handle) {
  vptr__stream *stream;
  bool has_lists =
      it->to != NULL && it->from != NULL && it->sizes != NULL && it->attributes != NULL && it->indices != NULL;
  bool waits = false;
  cudaError_t error = vptr__cuda_batch_enter(lines.name, it->count, has_lists, 0, handle, &stream);
  if (error == cudaSuccess)
    error = check_lines(it);
  for (size_t i = 0; error == cudaSuccess && i < it->attribute_count; i++)
    waits = waits || it->attributes[i].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
  if (error == cudaSuccess)
    error = check_capture(lines.name, stream, waits);
  if (error != cudaSuccess)
    return error;
  for (size_t i = 0; error == cudaSuccess && i < it->count; i++)
    error =
        vptr__cuda_copy_line(&lines, it->to[i], it->from[i], it->sizes[i], cudaMemcpyDefault, vptr__cuda_on(handle));
  return finish(stream, waits, error);
}

cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                 cudaStream_t stream) {
  const line_batch it = { dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs };
  return vptr__cuda_record(copy_lines(&it, stream));
}

cudaError_t cudaMemcpyBatchAsync_ptsz(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                      struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                      cudaStream_t stream) {
  return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, vptr__cuda_own_default(stream));
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

static const vptr__cuda_call rects = { "cudaMemcpy3DBatchAsync", "cudaMemcpy3DBatchAsync destination",
                                       "cudaMemcpy3DBatchAsync source" };

/* One end of a copy, as cudaMemcpy3D() has it. */
typedef struct rect_end {
  struct cudaPitchedPtr memory;
  struct cudaPos position;
  cudaArray_t array;
} rect_end;

static cudaError_t refuse_operand(const char *what, size_t index, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s %zu: %s", what, index, why);
  return cudaErrorInvalidValue;
}

static cudaError_t make_pointer_end(const char *what, size_t index, const struct cudaMemcpy3DOperand *operand,
                                    const struct cudaExtent *extent, size_t element, rect_end *end_out) {
  size_t row = operand->op.ptr.rowLength != 0 ? operand->op.ptr.rowLength : extent->width;
  size_t rows = operand->op.ptr.layerHeight != 0 ? operand->op.ptr.layerHeight : extent->height;
  size_t pitch;
  if (operand->op.ptr.ptr == NULL)
    return refuse_operand(what, index, "the pointer is NULL");
  if (row < extent->width || rows < extent->height)
    return refuse_operand(what, index, "its rows or layers are smaller than the extent");
  if (__builtin_mul_overflow(row, element, &pitch))
    return refuse_operand(what, index, "its rows have more bytes than there are addresses");
  end_out->memory = (struct cudaPitchedPtr){ operand->op.ptr.ptr, pitch, pitch, rows };
  return cudaSuccess;
}

static cudaError_t make_end(const char *what, size_t index, const struct cudaMemcpy3DOperand *operand,
                            const struct cudaExtent *extent, size_t element, rect_end *end_out) {
  *end_out = (rect_end){ .array = NULL };
  if (operand->type == cudaMemcpyOperandTypePointer)
    return make_pointer_end(what, index, operand, extent, element, end_out);
  end_out->array = operand->op.array.array;
  end_out->position =
      (struct cudaPos){ operand->op.array.offset.x, operand->op.array.offset.y, operand->op.array.offset.z };
  return cudaSuccess;
}

/* The bytes of an element, *bytes of those found so far; 0: none was. */
static cudaError_t find_element(const char *what, size_t index, const struct cudaMemcpy3DOperand *operand,
                                size_t *bytes) {
  size_t own;
  if (operand->type == cudaMemcpyOperandTypePointer)
    return cudaSuccess;
  if (operand->type != cudaMemcpyOperandTypeArray)
    return refuse_operand(what, index, "its type is neither a pointer's nor an array's");
  cudaError_t error = vptr__cuda_array_element(what, operand->op.array.array, &own);
  if (error == cudaSuccess && *bytes != 0 && *bytes != own)
    return refuse_operand(what, index, "the elements of the two arrays have different sizes");
  *bytes = own;
  return error;
}

static cudaError_t make_ends(const struct cudaMemcpy3DBatchOp *op, size_t index, rect_end *to, rect_end *from) {
  size_t element = 0;
  if (op->extent.width == 0 || op->extent.height == 0 || op->extent.depth == 0)
    return refuse_operand(rects.destination, index, "the extent is empty");
  cudaError_t error = check_order(rects.name, index, op->srcAccessOrder, op->flags);
  if (error == cudaSuccess)
    error = find_element(rects.destination, index, &op->dst, &element);
  if (error == cudaSuccess)
    error = find_element(rects.source, index, &op->src, &element);
  element = element != 0 ? element : 1;
  if (error == cudaSuccess)
    error = make_end(rects.destination, index, &op->dst, &op->extent, element, to);
  return error == cudaSuccess ? make_end(rects.source, index, &op->src, &op->extent, element, from) : error;
}

static cudaError_t copy_one(const struct cudaMemcpy3DBatchOp *op, size_t index, cudaStream_t handle) {
  rect_end to, from;
  cudaError_t error = make_ends(op, index, &to, &from);
  if (error != cudaSuccess)
    return error;
  const vptr__cuda_endpoint destination = { rects.destination, to.array, &to.memory, &to.position };
  const vptr__cuda_endpoint source = { rects.source, from.array, &from.memory, &from.position };
  return vptr__cuda_copy_3d(&rects, &destination, &source, &op->extent, cudaMemcpyDefault, vptr__cuda_on(handle));
}

static cudaError_t copy_rects(size_t count, const struct cudaMemcpy3DBatchOp *list, unsigned long long flags,
                              cudaStream_t handle) {
  vptr__stream *stream;
  rect_end to, from;
  bool waits = false;
  cudaError_t error = vptr__cuda_batch_enter(rects.name, count, list != NULL, flags, handle, &stream);
  for (size_t i = 0; error == cudaSuccess && i < count; i++) {
    error = make_ends(&list[i], i, &to, &from);
    waits = waits || list[i].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
  }
  if (error == cudaSuccess)
    error = check_capture(rects.name, stream, waits);
  if (error != cudaSuccess)
    return error;
  for (size_t i = 0; error == cudaSuccess && i < count; i++)
    error = copy_one(&list[i], i, handle);
  return finish(stream, waits, error);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                                   cudaStream_t stream) {
  return vptr__cuda_record(copy_rects(numOps, opList, flags, stream));
}

cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                                        cudaStream_t stream) {
  return cudaMemcpy3DBatchAsync(numOps, opList, flags, vptr__cuda_own_default(stream));
}
