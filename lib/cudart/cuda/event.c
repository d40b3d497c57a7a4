/* SPDX-License-Identifier: MIT */
/*
 * event - cudaEvent_t: places in streams, and the time between them.
 *
 * A handle is the address of a vptr__event, and checked before it is followed. No data but constants, and no locks
 * here: an event is stream/event.c's, guarded by mapper->stream_lock, of rank STREAM; and pools (lib/vptr/pool), with
 * their lock of rank POOL, are told of each record and wait, since an event says what memory may be used again. Called
 * by programs, and by driver/event.c. Only cudaEventSynchronize() waits for work; cudaEventCreate(), and what names a
 * default stream, may open the device.
 */
#include "base/error.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/shared_event.h"
#include "cuda/stream.h"
#include "stream/event.h"
#include "pool/pool.h"

#include <vptr/cuda/cuda_runtime_api.h>

static const unsigned known_flags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

static cudaError_t find_event(cudaEvent_t handle, vptr__event **found_out) {
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (!vptr__event_is_live(handle)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no event: it was destroyed, or never created", (void *)handle);
    return cudaErrorInvalidResourceHandle;
  }
  *found_out = (vptr__event *)handle;
  return cudaSuccess;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static cudaError_t check_flags(unsigned flags) {
  if ((flags & ~known_flags) == 0 &&
      (flags & (cudaEventInterprocess | cudaEventDisableTiming)) != cudaEventInterprocess)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "cudaEventCreateWithFlags: flags are 0x%x; there are 0x%x, and cudaEventInterprocess needs "
              "cudaEventDisableTiming",
              flags, known_flags);
  return cudaErrorInvalidValue;
}

static cudaError_t share_event(vptr__event *event) {
  vptr_status status = vptr__shared_event_make(event);
  if (status != VPTR_SUCCESS)
    vptr__pool_event_destroy(event);
  return vptr__cuda_from_status(status);
}

static cudaError_t create_event(const char *call, cudaEvent_t *event, unsigned flags) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (event == NULL)
    return vptr__cuda_null_output(call, "event");
  error = check_flags(flags);
  if (error != cudaSuccess)
    return error;
  vptr__event *found;
  error = vptr__cuda_from_status(vptr__event_create(mapper, flags, &found));
  if (error == cudaSuccess && (flags & cudaEventInterprocess) != 0)
    error = share_event(found);
  if (error == cudaSuccess)
    *event = (cudaEvent_t)found;
  return error;
}

static cudaError_t destroy_event(cudaEvent_t handle) {
  vptr__event *found;
  cudaError_t error = find_event(handle, &found);
  if (error != cudaSuccess)
    return error;
  if (vptr__captures_any())
    vptr__capture_forget_event(found);
  vptr__shared_event_forget(found);
  return vptr__pool_event_destroy(found) == VPTR_SUCCESS ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return vptr__cuda_record(create_event("cudaEventCreate", event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return vptr__cuda_record(create_event("cudaEventCreateWithFlags", event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return vptr__cuda_record(destroy_event(event));
}

/* ---- recording and waiting ------------------------------------------------------------------------------ */

static cudaError_t record_event(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags) {
  vptr__event *found;
  vptr__stream *stream;
  cudaError_t error = find_event(handle, &found);
  if (error == cudaSuccess)
    error = vptr__cuda_stream(stream_handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (vptr__event_mapper(found) != vptr__stream_mapper(stream)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaEventRecord: the event and the stream are of different devices");
    return cudaErrorInvalidResourceHandle;
  }
  if (vptr__captures_any() && vptr__cuda_captures_record(stream, handle, flags, &error))
    return error;
  if (flags != cudaEventRecordDefault) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaEventRecordWithFlags: flags are 0x%x; 0 is possible, and %d while the stream is captured", flags,
                cudaEventRecordExternal);
    return flags == cudaEventRecordExternal ? cudaErrorIllegalState : cudaErrorInvalidValue;
  }
  return vptr__cuda_from_status(vptr__shared_event_record(found, stream));
}

static cudaError_t refuse_ended(const char *call) {
  vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT,
      "%s: the event was recorded last in a capture that has ended, so that no work of a stream is before it: record "
      "it again outside, or with cudaEventRecordExternal",
      call);
  return cudaErrorInvalidValue;
}

/* Of a capture that goes on, which is invalid then; of one that has ended, which does others no harm, as NVIDIA's
 * runtime was seen to tell it; and other captures may forbid the question. */
static cudaError_t check_captures(const char *call, vptr__event *event) {
  cudaError_t error = vptr__captures_any() ? vptr__capture_check_event(call, event) : cudaSuccess;
  if (error == cudaSuccess && vptr__event_is_captured(event))
    return refuse_ended(call);
  return error == cudaSuccess && vptr__captures_any() ? vptr__capture_unsafe(call) : error;
}

static cudaError_t query_event(cudaEvent_t handle) {
  vptr__event *found;
  cudaError_t error = find_event(handle, &found);
  if (error == cudaSuccess)
    error = check_captures("cudaEventQuery", found);
  if (error != cudaSuccess)
    return error;
  return vptr__cuda_poll_failure(vptr__cuda_from_status(vptr__shared_event_query(found)),
                                 vptr__event_mapper(found)->device->ordinal);
}

static cudaError_t synchronize_event(cudaEvent_t handle) {
  vptr__event *found;
  cudaError_t error = find_event(handle, &found);
  if (error == cudaSuccess)
    error = check_captures("cudaEventSynchronize", found);
  if (error != cudaSuccess)
    return error;
  error = vptr__cuda_from_status(vptr__shared_event_synchronize(found));
  int device = vptr__event_mapper(found)->device->ordinal;
  vptr__pool_after_event(found);
  return vptr__cuda_poll_failure(error, device);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return vptr__cuda_record(record_event(event, stream, cudaEventRecordDefault));
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecord(event, vptr__cuda_own_default(stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return vptr__cuda_record(record_event(event, stream, flags));
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return cudaEventRecordWithFlags(event, vptr__cuda_own_default(stream), flags);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return vptr__cuda_record(query_event(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return vptr__cuda_record(synchronize_event(event));
}

/* ---- time ----------------------------------------------------------------------------------------------- */

static cudaError_t check_timed(vptr__event *found) {
  if ((vptr__event_flags(found) & cudaEventDisableTiming) == 0 && vptr__event_is_recorded(found))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaEventElapsedTime: the event %p was %s", (void *)found,
              vptr__event_is_recorded(found) ? "created without timing" : "never recorded");
  return cudaErrorInvalidResourceHandle;
}

static cudaError_t check_pair(vptr__event *from, vptr__event *to) {
  cudaError_t error = check_timed(from);
  if (error == cudaSuccess)
    error = check_timed(to);
  if (error != cudaSuccess || vptr__event_mapper(from) == vptr__event_mapper(to))
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaEventElapsedTime: the events are of different devices");
  return cudaErrorInvalidResourceHandle;
}

/* One of them is of a capture, which that does no harm. */
static cudaError_t refuse_elapsed(const vptr__event *from, const vptr__event *to) {
  if (!vptr__capture_has_event(from) && !vptr__capture_has_event(to))
    return refuse_ended("cudaEventElapsedTime");
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "cudaEventElapsedTime: an event was recorded last in a capture that goes on");
  return cudaErrorCapturedEvent;
}

static cudaError_t get_elapsed(float *ms, cudaEvent_t start, cudaEvent_t end) {
  vptr__event *from, *to;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && ms == NULL)
    error = vptr__cuda_null_output("cudaEventElapsedTime", "ms");
  if (error == cudaSuccess)
    error = find_event(start, &from);
  if (error == cudaSuccess)
    error = find_event(end, &to);
  if (error != cudaSuccess)
    return error;
  if (vptr__event_is_captured(from) || vptr__event_is_captured(to))
    return refuse_elapsed(from, to);
  error = check_pair(from, to);
  return error != cudaSuccess ? error : vptr__cuda_from_status(vptr__event_elapsed(from, to, ms));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  return vptr__cuda_record(get_elapsed(ms, start, end));
}

cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, start, end);
}
