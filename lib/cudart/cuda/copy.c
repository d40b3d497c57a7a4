/* SPDX-License-Identifier: MIT */
/*
 * copy - cudaMemcpy() and its asynchronous form, and what all copies share: kinds, streams, pinned memory (copy.h).
 *
 * There is no data but constant tables (`directions`, `plain_ways`), and no lock of its own: the copies themselves are
 * lib/vptr/transfer's, and while units wait for memory (unit.h) a call tries them, under the lock of rank UNIT: so
 * callers hold no lock of that rank or behind it. Called by programs; by batch.c, copy_rect.c, copy_peer.c, set.c,
 * symbol.c and array_copy.c, for lines, rects, streams and pinned memory; by driver/copy.c, cudart/library/call.c,
 * cublas/tuning.c and cusolver/call.c; and by cudart/replay/work_of.c, to check ranges. cudaMemcpy() blocks until the
 * bytes have moved, but between two places in one device's memory, where nobody waits, as in CUDA; cudaMemcpyAsync()
 * does for pageable memory only, as CUDA allows; the current thread's last error is set by the exported functions
 * alone.
 */
#include "cuda/copy.h"

#include "base/error.h"
#include "base/hot.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/pointer.h"
#include "cuda/stream.h"
#include "graph/memory.h"
#include "mapper/host.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "transfer/line.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>

typedef struct copy_direction {
  const char *name;
  bool to_device, from_device; /* the endpoint must be device memory */
} copy_direction;

static const copy_direction directions[] = {
  [cudaMemcpyHostToHost] = { "cudaMemcpyHostToHost", false, false },
  [cudaMemcpyHostToDevice] = { "cudaMemcpyHostToDevice", true, false },
  [cudaMemcpyDeviceToHost] = { "cudaMemcpyDeviceToHost", false, true },
  [cudaMemcpyDeviceToDevice] = { "cudaMemcpyDeviceToDevice", true, true },
  [cudaMemcpyDefault] = { "cudaMemcpyDefault", false, false },
};

/* ---- ends ----------------------------------------------------------------------------------------------- */

/* One endpoint of a copy. */
typedef struct copy_endpoint {
  vptr__operand *operand;
  size_t reach;        /* from the first byte to behind the last; a rect that wraps around is refused later */
  bool must_be_device; /* memory that the device reaches */
} copy_endpoint;

/* From how many bytes on it is worth knowing, in a copy that waits, whether memory is pinned: see transfer/bulk.h. */
static const size_t LARGE = (size_t)1 << 20;

static copy_endpoint look_at(vptr__operand *operand, const char *what, bool must_be_device,
                             const vptr__cuda_copy *copy) {
  const size_t *region = copy->region;
  copy_endpoint endpoint = { operand, region[0] + (region[1] - 1) * operand->row + (region[2] - 1) * operand->slice,
                             must_be_device };
  operand->what = what;
  vptr__operand_classify(operand);
  operand->pinned =
      operand->kind == VPTR__MEMORY_HOST && (must_be_device || !copy->when.synchronous || endpoint.reach >= LARGE) &&
      (vptr__pinned_is(operand->ptr, endpoint.reach) || vptr__cuda_is_variable(operand->ptr, endpoint.reach));
  return endpoint;
}

static vptr_status refuse_host(const copy_endpoint *endpoint, const char *direction, bool swapped) {
  vptr_status status = vptr__host_check(endpoint->operand->what, endpoint->operand->ptr, endpoint->reach);
  if (status != VPTR_SUCCESS)
    return status;
  return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                     "%s: %p is host memory, or none at all, and %s needs a device address%s",
                     endpoint->operand->what, endpoint->operand->ptr, direction,
                     swapped ? "; are destination and source swapped?" : "; cudaMemcpyDefault takes any");
}

/* What the kind has to say; whether the memory is there is looked at when it is held. */
static vptr_status check_endpoint(const copy_endpoint *endpoint, const copy_endpoint *other, const char *direction) {
  if (endpoint->operand->ptr == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: NULL, with bytes to copy", endpoint->operand->what);
  if (endpoint->operand->kind != VPTR__MEMORY_HOST || endpoint->operand->pinned || !endpoint->must_be_device)
    return VPTR_SUCCESS;
  return refuse_host(endpoint, direction, other->operand->owner != NULL && !other->must_be_device);
}

static vptr_status check_device_range(vptr_mapper *owner, const char *what, const void *ptr, size_t bytes) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate_all(owner, ptr, bytes, &location);
  if (status == VPTR_SUCCESS || (vptr__graph_memory_any() && vptr__graph_memory_has(ptr, bytes)))
    return VPTR_SUCCESS;
  return vptr__mapper_explain(owner, status, what, ptr, bytes);
}

cudaError_t vptr__cuda_check_range(const char *what, const void *ptr, size_t bytes, bool must_be_device) {
  vptr_mapper *owner;
  vptr__memory_kind kind = vptr__memory_kind_of(ptr, &owner);
  if (owner != NULL)
    return vptr__cuda_from_status(check_device_range(owner, what, ptr, bytes));
  if (kind != VPTR__MEMORY_HOST || !must_be_device || vptr__pinned_is(ptr, bytes) ||
      vptr__cuda_is_variable(ptr, bytes))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "%s: %p is host memory, or none at all, and no device reaches it", what,
              ptr);
  return cudaErrorInvalidValue;
}

/* ---- streams -------------------------------------------------------------------------------------------- */

/* From host to host any mapper will do. It is the current device's, which is thereby opened, as in CUDA. */
VPTR__HOT cudaError_t vptr__cuda_stream_for(vptr_mapper *owner, vptr__cuda_when when, vptr__stream **stream_out) {
  if (!when.synchronous)
    return vptr__cuda_stream(when.stream, stream_out);
  cudaError_t error = owner != NULL ? vptr__cuda_permitted() : vptr__cuda_current_mapper(&owner);
  if (error != cudaSuccess)
    return error;
  return vptr__cuda_from_status(when.stream == cudaStreamPerThread ? vptr__stream_per_thread(owner, stream_out)
                                                                   : vptr__stream_legacy(owner, stream_out));
}

/* ---- copies --------------------------------------------------------------------------------------------- */

static cudaError_t refuse_kind(const char *name, enum cudaMemcpyKind kind) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kind %d is no direction, they are 0 to %d", name, (int)kind,
              (int)cudaMemcpyDefault);
  return cudaErrorInvalidMemcpyDirection;
}

/* Between two places of the device nobody waits, as in CUDA; else a synchronous call has something to hand back. */
static unsigned flags_of(const vptr__cuda_copy *copy) {
  bool waits = copy->when.synchronous && (copy->to.owner == NULL || copy->from.owner == NULL);
  return waits ? VPTR__TRANSFER_WAIT : 0;
}

/* Pinned memory stays until the work is done that is about to be queued: on the stream, or on the device of the other
 * end. One that was freed since it was looked at is ordinary memory, or none. Acquired once more when the work is
 * queued: what was acquired before, another thread's free may have waited for already. */
static void acquire_pinned(const copy_endpoint *endpoint, const copy_endpoint *other, vptr__stream *stream) {
  vptr__operand *operand = endpoint->operand;
  vptr_mapper *user = other->operand->owner != NULL ? other->operand->owner : vptr__stream_mapper(stream);
  if (operand->pinned)
    operand->pinned = vptr__pinned_acquire(user, operand->ptr, endpoint->reach) ||
                      vptr__cuda_is_variable(operand->ptr, endpoint->reach);
}

/* A managed variable is no pinned memory. Where the driver takes pageable bytes when a copy is queued, what comes
 * before it in the stream has to be done by then. */
static cudaError_t await_source(const copy_endpoint *to, const copy_endpoint *from, vptr__stream *stream) {
  if (!vptr__stream_mapper(stream)->device->quirk.takes_early || to->operand->owner == NULL ||
      from->operand->owner != NULL || !vptr__cuda_is_variable(from->operand->ptr, from->reach))
    return cudaSuccess;
  return vptr__cuda_from_status(vptr__stream_synchronize(stream));
}

/* Says what is wrong with a copy that is not empty; what is not, gets its ends and its stream. */
static cudaError_t check_copy(vptr__cuda_copy *copy, copy_endpoint *to, copy_endpoint *from,
                              vptr__stream **stream_out) {
  if ((unsigned)copy->kind > cudaMemcpyDefault)
    return refuse_kind(copy->call->name, copy->kind);
  const copy_direction *direction = &directions[copy->kind];
  *to = look_at(&copy->to, copy->call->destination, direction->to_device, copy);
  *from = look_at(&copy->from, copy->call->source, direction->from_device, copy);
  vptr_status status = check_endpoint(to, from, direction->name);
  if (status == VPTR_SUCCESS)
    status = check_endpoint(from, to, direction->name);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  return vptr__cuda_stream_for(copy->to.owner != NULL ? copy->to.owner : copy->from.owner, copy->when, stream_out);
}

/* Of a copy that is not sent now. Kinds have been looked at. */
static cudaError_t check_ranges(const copy_endpoint *to, const copy_endpoint *from) {
  cudaError_t error = vptr__cuda_check_range(to->operand->what, to->operand->ptr, to->reach, false);
  return error == cudaSuccess ? vptr__cuda_check_range(from->operand->what, from->operand->ptr, from->reach, false)
                              : error;
}

cudaError_t vptr__cuda_copy_rect(vptr__cuda_copy *copy) {
  copy_endpoint to, from;
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess || copy->region[0] == 0 || copy->region[1] == 0 || copy->region[2] == 0)
    return error;
  error = check_copy(copy, &to, &from, &stream);
  if (copy->when.is_never)
    return error == cudaSuccess ? check_ranges(&to, &from) : error;
  if (error == cudaSuccess && vptr__captures_any() && vptr__cuda_captures_copy(copy, stream, &error))
    return error;
  if (error == cudaSuccess)
    error = await_source(&to, &from, stream);
  if (error != cudaSuccess)
    return error;
  acquire_pinned(&to, &from, stream);
  acquire_pinned(&from, &to, stream);
  unsigned flags = flags_of(copy);
  error = vptr__cuda_from_status(vptr__transfer_copy_classified(stream, &copy->to, &copy->from, copy->region, flags));
  acquire_pinned(&to, &from, stream);
  acquire_pinned(&from, &to, stream);
  bool has_waited = (flags & VPTR__TRANSFER_WAIT) != 0;
  return has_waited ? vptr__cuda_poll_failure(error, vptr__stream_mapper(stream)->device->ordinal) : error;
}

cudaError_t vptr__cuda_copy_line(const vptr__cuda_call *call, void *dst, const void *src, size_t count,
                                 enum cudaMemcpyKind kind, vptr__cuda_when when) {
  vptr__cuda_copy copy = { .call = call,
                           .to = { .ptr = dst },
                           .from = { .ptr = (void *)(uintptr_t)src },
                           .region = { count, 1, 1 },
                           .kind = kind,
                           .when = when };
  return vptr__cuda_copy_rect(&copy);
}

static const vptr__cuda_call memcpy_call = { "cudaMemcpy", "cudaMemcpy destination", "cudaMemcpy source" };
static const vptr__cuda_call async_call = { "cudaMemcpyAsync", "cudaMemcpyAsync destination",
                                            "cudaMemcpyAsync source" };

static const unsigned plain_ways[] = {
  [cudaMemcpyHostToHost] = 0,
  [cudaMemcpyHostToDevice] = VPTR__LINE_TO_DEVICE,
  [cudaMemcpyDeviceToHost] = VPTR__LINE_TO_HOST,
  [cudaMemcpyDeviceToDevice] = 0,
  [cudaMemcpyDefault] = VPTR__LINE_TO_DEVICE | VPTR__LINE_TO_HOST,
};

/* Whether that was all there is to do. */
static bool copy_plainly(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaError_t *error_out) {
  vptr_mapper *mapper;
  vptr_status status;
  if ((unsigned)kind > cudaMemcpyDefault || vptr__captures_any() || vptr__cuda_lost() != cudaSuccess ||
      !vptr__line_copy(dst, src, count, plain_ways[kind], &mapper, &status))
    return false;
  *error_out = vptr__cuda_poll_failure(vptr__cuda_from_status(status), mapper->device->ordinal);
  return true;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  cudaError_t error;
  if (!copy_plainly(dst, src, count, kind, &error))
    error = vptr__cuda_copy_line(&memcpy_call, dst, src, count, kind, vptr__cuda_now());
  return vptr__cuda_record(error);
}

cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  return vptr__cuda_record(vptr__cuda_copy_line(&memcpy_call, dst, src, count, kind, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return vptr__cuda_record(vptr__cuda_copy_line(&async_call, dst, src, count, kind, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return cudaMemcpyAsync(dst, src, count, kind, vptr__cuda_own_default(stream));
}
