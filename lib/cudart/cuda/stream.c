/* SPDX-License-Identifier: MIT */
/*
 * stream - cudaStream_t and what can be done with one, host functions included; see stream.h.
 *
 * A handle is checked before it is followed, so one that was destroyed is an error and not a crash. No data here but
 * what the thread remembers (vptr__cuda_mine, thread.h), and no locks: streams have mapper->stream_lock, of rank
 * STREAM, and pools, which are told of waits, one of rank POOL. While units wait for memory (unit.h), a call tries
 * them, under the lock of rank UNIT. A program's host functions are called in the thread that runs them
 * (stream/host.c). Called by programs; by nearly every file of this folder that takes a stream or waits
 * (vptr__cuda_stream(), vptr__cuda_permitted()); by replay/exec.c, capture_call.c, condition_node.c, graph_call.c,
 * memory_node.c and plain_node.c; and by driver/stream.c, driver/context_call.c and driver/launch.c. Synchronising
 * waits for work; what asks for a default stream may open the device.
 */
#include "mapper/request.h"
#include "cuda/shared_event.h"
#include "cuda/stream.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/stream_attribute.h"
#include "cuda/thread.h"
#include "cuda/unit.h"
#include "device/device.h"
#include "mapper/registry.h"
#include "stream/event.h"
#include "pool/pool.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- handles -------------------------------------------------------------------------------------------- */

VPTR__HOT cudaError_t vptr__cuda_permitted(void) {
  if (vptr__cuda_at_hand() != NULL)
    return cudaSuccess;
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = vptr__cuda_refuse_lost();
  if (error == cudaSuccess && vptr__cuda_unit_waits())
    vptr__cuda_unit_try_all();
  return error;
}

VPTR__HOT cudaError_t vptr__cuda_may_call(void) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  if (!vptr__stream_in_host_function())
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "a function that a stream calls on the host may not call CUDA: hand the work to another thread");
  return cudaErrorNotPermitted;
}

VPTR__HOT static cudaError_t find_default(cudaStream_t handle, vptr__stream **stream_out) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  return vptr__cuda_from_status(handle == cudaStreamPerThread ? vptr__stream_per_thread(mapper, stream_out)
                                                              : vptr__stream_legacy(mapper, stream_out));
}

static cudaError_t find_stream(cudaStream_t handle, vptr__stream **stream_out) {
  cudaError_t error = vptr__cuda_permitted();
  if (error != cudaSuccess)
    return error;
  if (vptr__cuda_is_default(handle))
    return find_default(handle, stream_out);
  if (!vptr__stream_is_live(handle)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no stream: it was destroyed, or never created", (void *)handle);
    return cudaErrorInvalidResourceHandle;
  }
  *stream_out = (vptr__stream *)handle;
  return cudaSuccess;
}

/* Kept where the mapper is. The epoch is read before anything is asked. */
static cudaError_t find_and_keep(cudaStream_t handle, vptr__stream **stream_out) {
  vptr__cuda_thread *mine = &vptr__cuda_mine;
  unsigned epoch = vptr__epoch_now();
  cudaError_t error = find_stream(handle, stream_out);
  if (error != cudaSuccess || mine->mapper == NULL || mine->epoch != epoch)
    return error;
  mine->handle = handle;
  mine->stream = *stream_out;
  return error;
}

VPTR__HOT cudaError_t vptr__cuda_stream(cudaStream_t handle, vptr__stream **stream_out) {
  vptr__stream *stream = vptr__cuda_stream_at_hand(handle);
  if (stream == NULL)
    return find_and_keep(handle, stream_out);
  *stream_out = stream;
  return cudaSuccess;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static cudaError_t create_stream(const char *call, cudaStream_t *pStream, unsigned flags, int priority) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (pStream == NULL)
    return vptr__cuda_null_output(call, "pStream");
  vptr__stream *stream;
  error = vptr__cuda_from_status(vptr__stream_create(mapper, flags, priority, &stream));
  if (error == cudaSuccess)
    *pStream = (cudaStream_t)stream;
  return error;
}

static cudaError_t destroy_stream(cudaStream_t handle) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error != cudaSuccess)
    return error;
  uint64_t id = vptr__stream_id(stream);
  if (vptr__captures_any() && handle != cudaStreamPerThread && !vptr__stream_is_legacy(stream)) /* that is refused */
    vptr__capture_forget_stream(stream);
  if (vptr__stream_destroy(stream) != VPTR_SUCCESS)
    return cudaErrorInvalidResourceHandle;
  vptr__cuda_stream_attributes_forget(id);
  return cudaSuccess;
}

static cudaError_t get_priority_range(int *least, int *greatest) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (least != NULL)
    *least = 0;
  if (greatest != NULL)
    *greatest = VPTR__STREAM_PRIORITY_HIGH;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream) {
  return vptr__cuda_record(create_stream("cudaStreamCreate", pStream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags) {
  return vptr__cuda_record(create_stream("cudaStreamCreateWithFlags", pStream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority) {
  return vptr__cuda_record(create_stream("cudaStreamCreateWithPriority", pStream, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return vptr__cuda_record(get_priority_range(leastPriority, greatestPriority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return vptr__cuda_record(destroy_stream(stream));
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

/* A stream that is captured has nothing to be waited for; others may not be either, where a capture forbids what is
 * unsafe. */
static cudaError_t check_captures(const char *call, vptr__stream *stream) {
  cudaError_t error = vptr__capture_refuse(call, stream);
  return error == cudaSuccess ? vptr__capture_unsafe(call) : error;
}

static cudaError_t query_stream(cudaStream_t handle) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = check_captures("cudaStreamQuery", stream);
  if (error != cudaSuccess)
    return error;
  error = vptr__cuda_from_status(vptr__stream_query(stream));
  return vptr__cuda_poll_failure(error, vptr__stream_mapper(stream)->device->ordinal);
}

VPTR__HOT static cudaError_t synchronize_stream(cudaStream_t handle) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = check_captures("cudaStreamSynchronize", stream);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__pool_before_wait(mapper, stream);
  error = vptr__cuda_from_status(vptr__stream_synchronize(stream));
  vptr__pool_after_wait(mapper);
  vptr__request_look(mapper);
  return vptr__cuda_poll_failure(error, mapper->device->ordinal);
}

static cudaError_t check_wait_flags(unsigned flags) {
  if (flags == cudaEventWaitDefault || flags == cudaEventWaitExternal)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaStreamWaitEvent: flags are 0x%x, and 0 or %d is possible", flags,
              cudaEventWaitExternal);
  return cudaErrorInvalidValue;
}

static cudaError_t wait_for_event(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess)
    error = check_wait_flags(flags);
  if (error != cudaSuccess)
    return error;
  if (!vptr__event_is_live(event)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no event: it was destroyed, or never created", (void *)event);
    return cudaErrorInvalidResourceHandle;
  }
  if (vptr__captures_any() && vptr__cuda_captures_wait(stream, event, flags, &error))
    return error;
  if (flags != cudaEventWaitDefault) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaStreamWaitEvent: cudaEventWaitExternal is for a stream that is captured, and this one is not");
    return cudaErrorIllegalState;
  }
  if (vptr__event_is_captured((vptr__event *)event)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cudaStreamWaitEvent: the event was recorded last in a capture that has ended: record it anew");
    return cudaErrorInvalidValue;
  }
  return vptr__cuda_from_status(vptr__shared_event_wait(stream, (vptr__event *)event));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return vptr__cuda_record(query_stream(stream));
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) {
  return cudaStreamQuery(vptr__cuda_own_default(stream));
}

VPTR__HOT cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return vptr__cuda_record(synchronize_stream(stream));
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
  return cudaStreamSynchronize(vptr__cuda_own_default(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return vptr__cuda_record(wait_for_event(stream, event, flags));
}

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return cudaStreamWaitEvent(vptr__cuda_own_default(stream), event, flags);
}

/* ---- host functions ------------------------------------------------------------------------------------- */

/* A call to come of either kind; the other function is NULL. */
typedef struct host_call {
  cudaHostFn_t function;
  cudaStreamCallback_t callback;
  cudaStream_t stream; /* as the program named it */
  void *context;
} host_call;

static void make_call(vptr_status status, void *context) {
  host_call call = *(host_call *)context;
  vptr__memory_free(context);
  if (call.callback != NULL)
    call.callback(call.stream, vptr__cuda_from_status(status), call.context);
  else if (status == VPTR_SUCCESS)
    call.function(call.context);
}

static cudaError_t check_call(const char *what, const host_call *call, unsigned flags) {
  if (call->callback == NULL && call->function == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: there is no function to call", what);
    return cudaErrorInvalidValue;
  }
  if (flags != 0) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%x, and only 0 is possible", what, flags);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* A callback is told of errors, which a graph does not tell, and cannot be captured. */
static bool is_captured(const char *what, const host_call *call, vptr__stream *stream, cudaError_t *error_out) {
  if (call->callback == NULL)
    return vptr__cuda_captures_host(what, call->function, call->context, stream, error_out);
  *error_out = vptr__capture_refuse(what, stream);
  return *error_out != cudaSuccess;
}

static cudaError_t enqueue_call(const char *what, const host_call *call, unsigned flags) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(call->stream, &stream);
  if (error == cudaSuccess)
    error = check_call(what, call, flags);
  if (error == cudaSuccess && vptr__captures_any() && is_captured(what, call, stream, &error))
    return error;
  if (error != cudaSuccess)
    return error;
  host_call *kept = vptr__memory_calloc(1, sizeof *kept);
  if (kept == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *kept));
  *kept = *call;
  vptr_status status = vptr__stream_host(stream, make_call, kept);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(kept);
  return vptr__cuda_from_status(status);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags) {
  host_call call = { .callback = callback, .stream = stream, .context = userData };
  return vptr__cuda_record(enqueue_call("cudaStreamAddCallback", &call, flags));
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                       unsigned int flags) {
  return cudaStreamAddCallback(vptr__cuda_own_default(stream), callback, userData, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  host_call call = { .function = fn, .stream = stream, .context = userData };
  return vptr__cuda_record(enqueue_call("cudaLaunchHostFunc", &call, 0));
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  return cudaLaunchHostFunc(vptr__cuda_own_default(stream), fn, userData);
}
