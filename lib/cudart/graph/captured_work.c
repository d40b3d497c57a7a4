/* SPDX-License-Identifier: MIT */
/*
 * captured_work - turning what is sent to a captured stream into nodes; events; and what can be asked of a capture and
 * changed (capture.h).
 *
 * There is no static data here: captures are capture.c's, and guarded by vptr__graph_lock(), of rank GRAPH, which is
 * taken here; the records of captured events are made and freed under it. Called by the files of lib/cudart/cuda that
 * send, by replay/capture_call.c and replay/exec.c, library/call.c and library/captured.c, and by driver/launch.c.
 * Nothing here waits, but giving the lock back where memory goes with a node that cannot be added
 * (vptr__graph_unlock()).
 */
#include "graph/captured.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/user_object.h"

#include <string.h>

/* ---- nodes ---------------------------------------------------------------------------------------------- */

cudaError_t vptr__capture_look(const char *call, vptr__stream *stream, bool *captures_out) {
  vptr__capture *capture = NULL;
  vptr__graph_lock();
  *captures_out = vptr__captured_stream_find(stream, &capture) != NULL;
  cudaError_t error =
      *captures_out ? vptr__capture_check_valid(capture, call) : vptr__capture_check_legacy(call, stream);
  vptr__graph_unlock();
  return error;
}

/* Under the lock. The work is taken over if it succeeds. */
static cudaError_t add_node(const char *call, const vptr__stream *stream, enum cudaGraphNodeType type,
                            const vptr__graph_work *work) {
  vptr__capture *capture = NULL;
  vptr__graph_node *node = NULL;
  vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  if (it == NULL) { /* another thread has ended it since */
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the stream's capture has ended meanwhile", call);
    return cudaErrorStreamCaptureInvalidated;
  }
  cudaError_t error = vptr__capture_check_valid(capture, call);
  if (error != cudaSuccess)
    return error;
  bool fits = it->tips.count > 0 || vptr__graph_list_push(&it->tips, NULL) == VPTR_SUCCESS; /* room for the new tip */
  if (fits && it->tips.items[0] == NULL)
    it->tips.count = 0;
  vptr_status status = fits ? vptr__graph_add(capture->graph, it->tips.items, NULL, it->tips.count, type, work, &node)
                            : VPTR_ERROR_OUT_OF_HOST_MEMORY;
  if (status != VPTR_SUCCESS) {
    capture->is_invalid = true;
    return status == VPTR_ERROR_OUT_OF_HOST_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
  }
  it->tips.items[0] = node;
  it->tips.count = 1;
  return cudaSuccess;
}

cudaError_t vptr__capture_add(const char *call, vptr__stream *stream, enum cudaGraphNodeType type,
                              vptr__graph_work *work) {
  vptr__user_holding *holdings = NULL;
  vptr__graph_lock();
  cudaError_t error = add_node(call, stream, type, work);
  if (error != cudaSuccess)
    vptr__graph_work_free(type, work, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
  return error;
}

void vptr__capture_find_memory(const vptr__stream *stream, vptr_mapper *mapper, size_t size,
                               vptr__graph_alloc *alloc) {
  vptr__capture *capture = NULL;
  vptr__graph_lock();
  const vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  if (it != NULL && !capture->is_invalid)
    vptr__graph_memory_find(capture->graph, it->tips.items, it->tips.count, mapper, size, alloc);
  vptr__graph_unlock();
}

/* The stream's capture, by a launch that no device has, as NVIDIA's runtime was seen to do. What is wrong was said. */
static cudaError_t invalidate_stream(const vptr__stream *stream) {
  vptr__capture *capture;
  vptr__graph_lock();
  if (vptr__captured_stream_find(stream, &capture) != NULL)
    capture->is_invalid = true;
  vptr__graph_unlock();
  return cudaErrorInvalidValue;
}

bool vptr__capture_launch(const void *stub, vptr__function *function, const vptr__launch *launch,
                          vptr__stream *stream, cudaError_t *error_out) {
  bool captures;
  vptr__graph_work work;
  *error_out = vptr__capture_look(launch->what, stream, &captures);
  if (*error_out != cudaSuccess || !captures)
    return *error_out != cudaSuccess;
  memset(&work, 0, sizeof work);
  work.kernel.stub = stub;
  work.kernel.function = function;
  work.kernel.priority = vptr__stream_priority(stream);
  vptr__launch shape = *launch;
  if (vptr__function_check_shape(function, vptr__stream_mapper(stream), &shape) != VPTR_SUCCESS) {
    *error_out = invalidate_stream(stream);
    return true;
  }
  vptr_status status = vptr__graph_kernel_fill(launch, &work.kernel);
  if (status == VPTR_SUCCESS)
    *error_out = vptr__capture_add(launch->what, stream, cudaGraphNodeTypeKernel, &work);
  else
    *error_out = status == VPTR_ERROR_OUT_OF_HOST_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
  return true;
}

/* ---- events --------------------------------------------------------------------------------------------- */

/* Under the lock. The event is another one from now on. */
static void forget_event(const vptr__event *event) {
  vptr__capture *capture = NULL;
  vptr__captured_event *it = vptr__captured_event_find(event, &capture);
  if (it == NULL)
    return;
  vptr__captured_event **place = &capture->events;
  while (*place != it)
    place = &(*place)->next;
  *place = it->next;
  vptr__memory_free(it->tips.items);
  vptr__memory_free(it);
}

void vptr__capture_forget_event(const vptr__event *event) {
  vptr__graph_lock();
  forget_event(event);
  vptr__graph_unlock();
}

static cudaError_t record_tips(vptr__capture *capture, const vptr__captured_stream *from, vptr__event *event) {
  forget_event(event);
  vptr__captured_event *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL) {
    vptr__error_host_memory(sizeof *it);
    return cudaErrorMemoryAllocation;
  }
  it->event = event;
  it->next = capture->events;
  capture->events = it;
  vptr__event_set_captured(event);
  return vptr__captured_tips_add(&it->tips, from->tips.items, from->tips.count);
}

bool vptr__capture_record(const char *call, vptr__stream *stream, vptr__event *event, cudaError_t *error_out) {
  vptr__capture *capture = NULL;
  vptr__graph_lock();
  const vptr__captured_stream *from = vptr__captured_stream_find(stream, &capture);
  if (from != NULL) {
    *error_out = vptr__capture_check_valid(capture, call);
    if (*error_out == cudaSuccess)
      *error_out = record_tips(capture, from, event);
  } else {
    *error_out = vptr__capture_check_legacy(call, stream);
    if (*error_out == cudaSuccess)
      forget_event(event);
  }
  vptr__graph_unlock();
  return from != NULL || *error_out != cudaSuccess;
}

/* Under the lock: a stream waits for what was recorded in a capture. */
static cudaError_t wait_for_tips(const char *call, vptr__stream *stream, vptr__captured_stream *into,
                                 vptr__capture *capture, const vptr__captured_event *event) {
  cudaError_t error = vptr__capture_check_valid(capture, call);
  if (error != cudaSuccess) /* CUDA tells a stream that is in no capture of its argument */
    return into != NULL ? error : cudaErrorInvalidValue;
  if (into == NULL && vptr__stream_is_legacy(stream))
    return vptr__capture_invalidate(capture, cudaErrorStreamCaptureImplicit, call,
                                    "the legacy stream cannot be captured");
  if (into == NULL)
    error = vptr__captured_stream_join(capture, stream, &into);
  return error == cudaSuccess ? vptr__captured_tips_add(&into->tips, event->tips.items, event->tips.count) : error;
}

static cudaError_t refuse_merge(const char *call, vptr__capture *one, vptr__capture *other) {
  other->is_invalid = true;
  return vptr__capture_invalidate(one, cudaErrorStreamCaptureMerge, call, "stream and event are of two captures");
}

bool vptr__capture_wait(const char *call, vptr__stream *stream, vptr__event *event, cudaError_t *error_out) {
  vptr__capture *of_stream = NULL, *of_event = NULL;
  const bool is_ended = vptr__event_is_captured(event), is_recorded = vptr__event_is_recorded(event);
  vptr__graph_lock();
  vptr__captured_stream *into = vptr__captured_stream_find(stream, &of_stream);
  const vptr__captured_event *from = vptr__captured_event_find(event, &of_event);
  if (into != NULL)
    *error_out = vptr__capture_check_valid(of_stream, call);
  else
    *error_out = from == NULL ? vptr__capture_check_legacy(call, stream) : cudaSuccess;
  bool is_all = into != NULL || from != NULL || *error_out != cudaSuccess;
  if (*error_out == cudaSuccess && into != NULL && from == NULL && is_ended)
    *error_out = vptr__capture_invalidate(of_stream, cudaErrorInvalidValue, call,
                                          "the event was recorded last in a capture that has ended");
  else if (*error_out == cudaSuccess && into != NULL && from == NULL && is_recorded)
    *error_out = vptr__capture_invalidate(of_stream, cudaErrorStreamCaptureIsolation, call,
                                          "the event was not recorded in the capture");
  else if (*error_out == cudaSuccess && into != NULL && from != NULL && of_stream != of_event)
    *error_out = refuse_merge(call, of_stream, of_event);
  else if (*error_out == cudaSuccess && from != NULL)
    *error_out = wait_for_tips(call, stream, into, of_event, from);
  vptr__graph_unlock();
  return is_all;
}

bool vptr__capture_has_event(const vptr__event *event) {
  vptr__capture *capture = NULL;
  vptr__graph_lock();
  const bool is_there = vptr__captured_event_find(event, &capture) != NULL;
  vptr__graph_unlock();
  return is_there;
}

cudaError_t vptr__capture_check_event(const char *call, const vptr__event *event) {
  vptr__capture *capture = NULL;
  cudaError_t error = cudaSuccess;
  vptr__graph_lock();
  if (vptr__captured_event_find(event, &capture) != NULL)
    error = vptr__capture_invalidate(capture, cudaErrorCapturedEvent, call, "the event was recorded in a capture");
  vptr__graph_unlock();
  return error;
}

/* ---- asking and changing -------------------------------------------------------------------------------- */

static cudaError_t fill_info(const vptr__capture *capture, vptr__captured_stream *it, vptr__capture_info *info) {
  vptr__memory_free(it->edges);
  it->edges = vptr__memory_calloc(it->tips.count + (size_t)1, sizeof *it->edges);
  if (it->edges == NULL) {
    vptr__error_host_memory((it->tips.count + (size_t)1) * sizeof *it->edges);
    return cudaErrorMemoryAllocation;
  }
  *info = (vptr__capture_info){
    cudaStreamCaptureStatusActive, capture->id, capture->graph, it->tips.items, it->edges, it->tips.count
  };
  return cudaSuccess;
}

cudaError_t vptr__capture_tell(const char *call, vptr__stream *stream, vptr__capture_info *info_out) {
  vptr__capture *capture = NULL;
  cudaError_t error = cudaSuccess;
  *info_out = (vptr__capture_info){ .status = cudaStreamCaptureStatusNone };
  vptr__graph_lock();
  vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  if (it == NULL)
    error = vptr__capture_tell_legacy(call, stream);
  else if (capture->is_invalid)
    *info_out = (vptr__capture_info){ .status = cudaStreamCaptureStatusInvalidated, .id = capture->id };
  else
    error = fill_info(capture, it, info_out);
  vptr__graph_unlock();
  return error;
}

/* Under the lock. */
static cudaError_t check_tips(const char *call, const vptr__graph *graph, const cudaGraphNode_t *nodes,
                              size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!vptr__live_is(nodes[i], VPTR__LIVE_NODE) || ((const vptr__graph_node *)nodes[i])->graph != graph) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: dependency %zu is no node of the graph that is captured into",
                  call, i);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

cudaError_t vptr__capture_update(const char *call, vptr__stream *stream, const cudaGraphNode_t *nodes, size_t count,
                                 bool replaces) {
  vptr__capture *capture = NULL;
  vptr__graph_lock();
  vptr__captured_stream *it = vptr__captured_stream_find(stream, &capture);
  cudaError_t error = it != NULL ? vptr__capture_check_valid(capture, call) : cudaErrorIllegalState;
  if (it == NULL)
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the stream is not captured", call);
  if (error == cudaSuccess)
    error = check_tips(call, capture->graph, nodes, count);
  if (error == cudaSuccess && replaces)
    it->tips.count = 0;
  if (error == cudaSuccess)
    error = vptr__captured_tips_add(&it->tips, (vptr__graph_node *const *)nodes, count);
  vptr__graph_unlock();
  return error;
}
