/* SPDX-License-Identifier: MIT */
/*
 * capture - streams whose work becomes nodes of a graph instead of being sent.
 *
 *     begin    the stream is the capture's origin; it has no tips
 *     send     a node that depends on the stream's tips, and is its only tip then
 *     record   the event has the stream's tips
 *     wait     a captured stream gets the event's tips beside its own; another one joins the capture with them
 *     end      in the origin: all that was added must be before its tips
 *
 * A call that cannot be captured invalidates the capture: what is sent to its streams from then on fails, and so does
 * the end, which gives no graph.
 *
 * While nothing is captured in the process, a call that sends pays for one load: vptr__captures_any(). While
 * something is, it asks here. Streams that are captured take no other work (vptr__stream_set_captured()), so that what
 * forgets to ask fails, and is not run by mistake.
 *
 * Lock: vptr__graph_lock(), of rank GRAPH, which all functions here take, but vptr__captures_any() and
 * vptr__capture_exchange_mode(): these need none. Used by the calls of lib/cudart/cuda that send, by
 * replay/capture_call.c and exec.c, by library/call.c and captured.c, and by driver/launch.c.
 */
#ifndef VPTR_GRAPH_CAPTURE_H
#define VPTR_GRAPH_CAPTURE_H

#include <stdatomic.h>

#include "graph/graph.h"
#include "stream/event.h"
#include "stream/stream.h"

/* How many captures have begun and not ended, invalid ones included. */
VPTR_API extern atomic_uint vptr__captures_open;

static inline bool vptr__captures_any(void) {
  return __builtin_expect(atomic_load_explicit(&vptr__captures_open, memory_order_acquire) > 0, false);
}

/* What a call begins a capture with: into `graph`, behind some of its nodes, or into a new one, NULL. */
typedef struct vptr__capture_start {
  const char *call;
  enum cudaStreamCaptureMode mode;
  cudaGraph_t graph;
  const cudaGraphNode_t *from;
  size_t count;
} vptr__capture_start;

/* What is known of a stream's capture; without one, status alone is. */
typedef struct vptr__capture_info {
  enum cudaStreamCaptureStatus status;
  uint64_t id;
  vptr__graph *graph;
  vptr__graph_node *const *tips; /* until the stream is used again */
  const cudaGraphEdgeData *edges;
  size_t count;
} vptr__capture_info;

/* Errors: cudaErrorIllegalState (the stream, or the graph, is captured already), cudaErrorStreamCaptureUnsupported (a
 * legacy stream). The nodes have been looked at. */
cudaError_t vptr__capture_begin(const vptr__capture_start *start, vptr__stream *stream);

/* *graph_out is written on success alone; NULL: the graph goes, if it is the capture's own. Errors that end the capture
 * too: cudaErrorStreamCaptureInvalidated, -Unjoined, -WrongThread. Not these: cudaErrorIllegalState (there is none),
 * -Unmatched (not the origin), which makes it invalid. */
cudaError_t vptr__capture_end(const char *call, vptr__stream *stream, vptr__graph **graph_out);

/* Errors: OUT_OF_HOST_MEMORY's; cudaErrorStreamCaptureImplicit for the legacy stream, if another is captured. */
cudaError_t vptr__capture_tell(const char *call, vptr__stream *stream, vptr__capture_info *info_out);

/* The stream's tips: these too, or these alone. Errors: cudaErrorIllegalState, -Invalidated, cudaErrorInvalidValue. */
cudaError_t vptr__capture_update(const char *call, vptr__stream *stream, const cudaGraphNode_t *nodes, size_t count,
                                 bool replaces);

/* The mode of the calling thread, which is exchanged. */
enum cudaStreamCaptureMode vptr__capture_exchange_mode(enum cudaStreamCaptureMode mode);

/* ---- for calls that send, while vptr__captures_any() ------------------------------------------------------ */

/* Whether the stream is captured, so that the call adds a node and sends nothing. Errors: -Invalidated, and
 * cudaErrorStreamCaptureImplicit: the legacy stream would wait for one that is captured, which invalidates that. */
VPTR_API cudaError_t vptr__capture_look(const char *call, vptr__stream *stream, bool *captures_out);

/* Adds a node. The work is taken over, or freed where it fails. */
cudaError_t vptr__capture_add(const char *call, vptr__stream *stream, enum cudaGraphNodeType type,
                              vptr__graph_work *work);

/* Memory that a node of the stream's may have again, as vptr__graph_memory_find(). */
void vptr__capture_find_memory(const vptr__stream *stream, vptr_mapper *mapper, size_t size,
                               vptr__graph_alloc *alloc);

/* The call is none that can be captured: cudaSuccess if it need not be, else cudaErrorStreamCaptureUnsupported, and the
 * capture is invalid. */
VPTR_API cudaError_t vptr__capture_refuse(const char *call, vptr__stream *stream);

/* The call may not be made while the thread captures, or others do in a mode that forbids it: the same. */
VPTR_API cudaError_t vptr__capture_unsafe(const char *call);

/* All captures of a mapper's streams, whatever their mode. */
VPTR_API cudaError_t vptr__capture_refuse_all(const char *call, const vptr_mapper *mapper);

/* Events. True: that was all there is to do, and *error_out is what came of it. */
bool vptr__capture_record(const char *call, vptr__stream *stream, vptr__event *event, cudaError_t *error_out);
bool vptr__capture_wait(const char *call, vptr__stream *stream, vptr__event *event, cudaError_t *error_out);

/* cudaErrorCapturedEvent, and its capture is invalid, if the event was recorded in one that goes on. */
cudaError_t vptr__capture_check_event(const char *call, const vptr__event *event);

/* Whether it was recorded last in a capture that goes on. */
bool vptr__capture_has_event(const vptr__event *event);
void vptr__capture_forget_event(const vptr__event *event);

/* A stream that is about to be destroyed: its capture is invalid, or over, if it began there. And the same of all
 * streams of a mapper, which are about to end. */
void vptr__capture_forget_stream(const vptr__stream *stream);
void vptr__capture_forget_all(const vptr_mapper *mapper);

/* A launch becomes a node: true, if the stream is captured or may not be used. */
VPTR_API bool vptr__capture_launch(const void *stub, vptr__function *function, const vptr__launch *launch,
                                   vptr__stream *stream, cudaError_t *error_out);

#endif
