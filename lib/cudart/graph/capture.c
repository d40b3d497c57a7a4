/* SPDX-License-Identifier: MIT */
/*
 * capture - the list of captures that go on: begun, ended, invalidated, and looked for by a stream (capture.h).
 *
 * Data: the static list `captures`, and the vptr__captured_* records that hang on it (captured.h), which are made and
 * freed here and in captured_work.c, are guarded by vptr__graph_lock(), of rank GRAPH (graph.c). What capture.h
 * declares takes it, but for vptr__capture_exchange_mode(); what captured.h declares is called with it held.
 * `vptr__captures_open`, how many captures there are, is atomic. The thread-local `mode_of_thread` has a thread's mode,
 * and its address stands for the thread.
 *
 * Called by captured_work.c, by the files of lib/cudart/cuda that send, by replay/capture_call.c and exec.c,
 * library/call.c and captured.c, and driver/launch.c. Nothing here waits, but giving the lock back where memory goes
 * with a graph that is dropped (vptr__graph_unlock()).
 */
#include "graph/captured.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/user_object.h"

atomic_uint vptr__captures_open;

static vptr__capture *captures;

static _Thread_local enum cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

enum cudaStreamCaptureMode vptr__capture_exchange_mode(enum cudaStreamCaptureMode mode) {
  enum cudaStreamCaptureMode before = mode_of_thread;
  mode_of_thread = mode;
  return before;
}

/* ---- finding -------------------------------------------------------------------------------------------- */

vptr__captured_stream *vptr__captured_stream_find(const vptr__stream *stream, vptr__capture **capture_out) {
  for (vptr__capture *capture = captures; capture != NULL; capture = capture->next)
    for (vptr__captured_stream *it = capture->streams; it != NULL; it = it->next)
      if (it->stream == stream && it->id == vptr__stream_id(stream)) {
        *capture_out = capture;
        return it;
      }
  return NULL;
}

vptr__captured_event *vptr__captured_event_find(const vptr__event *event, vptr__capture **capture_out) {
  for (vptr__capture *capture = captures; capture != NULL; capture = capture->next)
    for (vptr__captured_event *it = capture->events; it != NULL; it = it->next)
      if (it->event == event) {
        *capture_out = capture;
        return it;
      }
  return NULL;
}

cudaError_t vptr__capture_invalidate(vptr__capture *capture, cudaError_t error, const char *call, const char *why) {
  capture->is_invalid = true;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s; the capture is invalid now", call, why);
  return error;
}

cudaError_t vptr__capture_check_valid(const vptr__capture *capture, const char *call) {
  if (!capture->is_invalid)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the stream's capture is invalid by an earlier error; end it", call);
  return cudaErrorStreamCaptureInvalidated;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

cudaError_t vptr__captured_stream_join(vptr__capture *capture, vptr__stream *stream,
                                       vptr__captured_stream **joined_out) {
  vptr__captured_stream *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL) {
    vptr__error_host_memory(sizeof *it);
    return cudaErrorMemoryAllocation;
  }
  it->stream = stream;
  it->id = vptr__stream_id(stream);
  it->mapper = vptr__stream_mapper(stream);
  it->is_blocking = (vptr__stream_flags(stream) & VPTR__STREAM_NON_BLOCKING) == 0;
  it->next = capture->streams;
  capture->streams = it;
  vptr__stream_set_captured(stream, true);
  *joined_out = it;
  return cudaSuccess;
}

cudaError_t vptr__captured_tips_add(vptr__graph_list *tips, vptr__graph_node *const *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_there = false;
    for (uint32_t k = 0; k < tips->count && !is_there; k++)
      is_there = tips->items[k] == nodes[i];
    if (!is_there && vptr__graph_list_push(tips, nodes[i]) != VPTR_SUCCESS)
      return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

/* Whether it is the stream still that was captured. */
static bool is_there(const vptr__captured_stream *it) {
  return vptr__stream_is_live(it->stream) && vptr__stream_id(it->stream) == it->id;
}

static void free_stream(vptr__captured_stream *it) {
  if (is_there(it))
    vptr__stream_set_captured(it->stream, false);
  vptr__memory_free(it->tips.items);
  vptr__memory_free(it->edges);
  vptr__memory_free(it);
}

static void free_streams(vptr__capture *capture) {
  while (capture->streams != NULL) {
    vptr__captured_stream *it = capture->streams;
    capture->streams = it->next;
    free_stream(it);
  }
}

static void free_events(vptr__capture *capture) {
  while (capture->events != NULL) {
    vptr__captured_event *it = capture->events;
    capture->events = it->next;
    vptr__memory_free(it->tips.items);
    vptr__memory_free(it);
  }
}

/* Off the list, with all but the graph. */
static void end_capture(vptr__capture *capture) {
  vptr__capture **place = &captures;
  while (*place != capture)
    place = &(*place)->next;
  *place = capture->next;
  atomic_fetch_sub(&vptr__captures_open, 1);
  free_streams(capture);
  free_events(capture);
  capture->graph->captures--;
  vptr__memory_free(capture);
}

/* Its graph too, if that is its own. */
static void drop_capture(vptr__capture *capture, vptr__user_holding **holdings) {
  vptr__graph *own = capture->is_given ? NULL : capture->graph;
  end_capture(capture);
  if (own != NULL)
    vptr__graph_destroy(own, holdings);
}

static cudaError_t refuse_begin(const vptr__capture_start *start, vptr__stream *stream) {
  vptr__capture *other;
  if (vptr__stream_is_legacy(stream)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the legacy stream cannot be captured", start->call);
    return cudaErrorStreamCaptureUnsupported;
  }
  const bool is_taken = start->graph != NULL && ((const vptr__graph *)start->graph)->captures > 0;
  if (vptr__captured_stream_find(stream, &other) == NULL && !is_taken)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the %s already", start->call,
              is_taken ? "graph is captured into" : "stream is captured");
  return cudaErrorIllegalState;
}

static cudaError_t open_capture(const vptr__capture_start *start, vptr__stream *stream) {
  vptr__capture *capture = vptr__memory_calloc(1, sizeof *capture);
  vptr__captured_stream *origin = NULL;
  vptr_status status = capture != NULL ? VPTR_SUCCESS : vptr__error_host_memory(sizeof *capture);
  if (status == VPTR_SUCCESS && start->graph == NULL)
    status = vptr__graph_create(&capture->graph);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(capture);
    return cudaErrorMemoryAllocation;
  }
  if (start->graph != NULL)
    capture->graph = (vptr__graph *)start->graph;
  capture->is_given = start->graph != NULL;
  capture->mode = start->mode;
  capture->thread = &mode_of_thread;
  capture->id = vptr__graph_next_id();
  capture->origin = vptr__stream_id(stream);
  capture->mapper = vptr__stream_mapper(stream);
  capture->graph->captures++;
  capture->next = captures;
  captures = capture;
  atomic_fetch_add(&vptr__captures_open, 1);
  cudaError_t error = vptr__captured_stream_join(capture, stream, &origin);
  if (error == cudaSuccess)
    error = vptr__captured_tips_add(&origin->tips, (vptr__graph_node *const *)start->from, start->count);
  if (error != cudaSuccess)
    drop_capture(capture, NULL);
  return error;
}

cudaError_t vptr__capture_begin(const vptr__capture_start *start, vptr__stream *stream) {
  vptr__graph_lock();
  cudaError_t error = refuse_begin(start, stream);
  if (error == cudaSuccess)
    error = open_capture(start, stream);
  vptr__graph_unlock();
  return error;
}

/* Whether all that streams of the capture have sent is before the origin's tips, or among them. */
static bool is_joined(const vptr__capture *capture, const vptr__captured_stream *origin) {
  for (const vptr__captured_stream *it = capture->streams; it != NULL; it = it->next)
    for (uint32_t i = 0; i < it->tips.count; i++) {
      bool is_behind = it->tips.items[i]->to.count > 0;
      for (uint32_t k = 0; k < origin->tips.count && !is_behind; k++)
        is_behind = origin->tips.items[k] == it->tips.items[i];
      if (!is_behind)
        return false;
    }
  return true;
}

/* A stream that was asked for its queue all the same has lost work. */
static bool has_missed(const vptr__capture *capture) {
  for (const vptr__captured_stream *it = capture->streams; it != NULL; it = it->next)
    if (is_there(it) && vptr__stream_has_missed(it->stream))
      return true;
  return false;
}

static cudaError_t check_origin(const char *call, vptr__capture *capture, const vptr__stream *stream) {
  return capture->origin == vptr__stream_id(stream)
             ? cudaSuccess
             : vptr__capture_invalidate(capture, cudaErrorStreamCaptureUnmatched, call,
                                        "the capture began in another stream, and ends there");
}

static cudaError_t check_thread(const char *call, vptr__capture *capture) {
  return capture->mode == cudaStreamCaptureModeRelaxed || capture->thread == &mode_of_thread
             ? cudaSuccess
             : vptr__capture_invalidate(capture, cudaErrorStreamCaptureWrongThread, call,
                                        "another thread has begun the capture, and not in relaxed mode");
}

/* It is over in any case. Nobody asks for the graph where graph_out is NULL. */
static cudaError_t close_capture(const char *call, vptr__capture *capture, const vptr__captured_stream *origin,
                                 vptr__graph **graph_out, vptr__user_holding **holdings) {
  cudaError_t error = vptr__capture_check_valid(capture, call);
  if (error == cudaSuccess)
    error = check_thread(call, capture);
  if (error == cudaSuccess && has_missed(capture))
    error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureInvalidated, call,
                                     "work was sent that cannot be captured");
  if (error == cudaSuccess && !is_joined(capture, origin))
    error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureUnjoined, call,
                                     "another stream's work is not waited for");
  if (error != cudaSuccess || graph_out == NULL) {
    drop_capture(capture, holdings);
    return error;
  }
  *graph_out = capture->graph;
  end_capture(capture);
  return cudaSuccess;
}

cudaError_t vptr__capture_end(const char *call, vptr__stream *stream, vptr__graph **graph_out) {
  vptr__capture *capture = NULL;
  vptr__user_holding *holdings = NULL;
  cudaError_t error = cudaErrorIllegalState;
  vptr__graph_lock();
  const vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  if (it == NULL)
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the stream is not captured", call);
  else
    error = check_origin(call, capture, stream);
  if (error == cudaSuccess)
    error = close_capture(call, capture, it, graph_out, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
  return error;
}

/* ---- what may not be ------------------------------------------------------------------------------------ */

static bool has_blocking(const vptr__capture *capture, const vptr_mapper *mapper) {
  for (const vptr__captured_stream *it = capture->streams; it != NULL; it = it->next)
    if (it->mapper == mapper && it->is_blocking)
      return true;
  return false;
}

cudaError_t vptr__capture_check_legacy(const char *call, const vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  if (!vptr__stream_is_legacy(stream))
    return error;
  for (vptr__capture *capture = captures; capture != NULL; capture = capture->next)
    if (!capture->is_invalid && has_blocking(capture, vptr__stream_mapper(stream)))
      error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureImplicit, call,
                                       "the legacy stream would wait for a stream that is captured");
  return error;
}

cudaError_t vptr__capture_tell_legacy(const char *call, const vptr__stream *stream) {
  bool is_implied = false;
  for (const vptr__capture *capture = captures; capture != NULL && !is_implied; capture = capture->next)
    is_implied =
        vptr__stream_is_legacy(stream) && !capture->is_invalid && has_blocking(capture, vptr__stream_mapper(stream));
  if (!is_implied)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the legacy stream is not captured, and waits for a stream that is",
              call);
  return cudaErrorStreamCaptureImplicit;
}

cudaError_t vptr__capture_refuse(const char *call, vptr__stream *stream) {
  vptr__capture *capture;
  vptr__graph_lock();
  cudaError_t error = cudaSuccess;
  if (vptr__captured_stream_find(stream, &capture) != NULL)
    error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureUnsupported, call,
                                     "the stream is captured, and that cannot be");
  else
    error = vptr__capture_check_legacy(call, stream);
  vptr__graph_unlock();
  return error;
}

static bool is_forbidden(const vptr__capture *capture) {
  const bool is_own = capture->thread == &mode_of_thread;
  if (capture->is_invalid || mode_of_thread == cudaStreamCaptureModeRelaxed)
    return false;
  return is_own ? capture->mode != cudaStreamCaptureModeRelaxed
                : mode_of_thread == cudaStreamCaptureModeGlobal && capture->mode == cudaStreamCaptureModeGlobal;
}

cudaError_t vptr__capture_unsafe(const char *call) {
  cudaError_t error = cudaSuccess;
  vptr__graph_lock();
  for (vptr__capture *capture = captures; capture != NULL; capture = capture->next)
    if (is_forbidden(capture))
      error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureUnsupported, call,
                                       "the modes of the capture and of the thread forbid that call meanwhile");
  vptr__graph_unlock();
  return error;
}

cudaError_t vptr__capture_refuse_all(const char *call, const vptr_mapper *mapper) {
  cudaError_t error = cudaSuccess;
  vptr__graph_lock();
  for (vptr__capture *capture = captures; capture != NULL; capture = capture->next)
    if (!capture->is_invalid && capture->mapper == mapper)
      error = vptr__capture_invalidate(capture, cudaErrorStreamCaptureUnsupported, call,
                                       "a stream of the device is captured");
  vptr__graph_unlock();
  return error;
}

/* Under the lock. A stream that is gone is in no capture; without its origin a capture has no end. */
static void leave_capture(vptr__capture *capture, vptr__captured_stream *it, vptr__user_holding **holdings) {
  vptr__captured_stream **place = &capture->streams;
  if (capture->origin == it->id) {
    drop_capture(capture, holdings);
    return;
  }
  while (*place != it)
    place = &(*place)->next;
  *place = it->next;
  free_stream(it);
  capture->is_invalid = true;
}

/* Under the lock. All streams of a mapper, none of which is the origin; and events, which may be the mapper's. */
static void leave_mapper(vptr__capture *capture, const vptr_mapper *mapper) {
  for (vptr__captured_stream *it = capture->streams, *next; it != NULL; it = next) {
    next = it->next;
    if (it->mapper == mapper) {
      leave_capture(capture, it, NULL);
      free_events(capture);
    }
  }
}

void vptr__capture_forget_stream(const vptr__stream *stream) {
  vptr__capture *capture;
  vptr__user_holding *holdings = NULL;
  vptr__graph_lock();
  vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  if (it != NULL)
    leave_capture(capture, it, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
}

void vptr__capture_forget_all(const vptr_mapper *mapper) {
  vptr__user_holding *holdings = NULL;
  vptr__graph_lock();
  for (vptr__capture *capture = captures, *next; capture != NULL; capture = next) {
    next = capture->next;
    if (capture->mapper == mapper)
      drop_capture(capture, &holdings);
    else
      leave_mapper(capture, mapper);
  }
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
}
