/* SPDX-License-Identifier: MIT */
/*
 * captured - the structures of a capture that goes on, and what the files about captures call of each other; see
 * capture.h.
 *
 * Of this folder, capture.c and captured_work.c include it. vptr__graph_lock(), of rank GRAPH, guards all of it, and is
 * held by the callers of what is declared here.
 */
#ifndef VPTR_GRAPH_CAPTURED_H
#define VPTR_GRAPH_CAPTURED_H

#include "graph/capture.h"

typedef struct vptr__captured_stream {
  struct vptr__captured_stream *next;
  vptr__stream *stream;      /* that may be gone: a value to compare with its id, unless it is live */
  uint64_t id;               /* of the stream: addresses come again */
  const vptr_mapper *mapper; /* its own */
  bool is_blocking;
  vptr__graph_list tips;
  cudaGraphEdgeData *edges; /* zeros, as many as there were tips when somebody asked */
} vptr__captured_stream;

typedef struct vptr__captured_event {
  struct vptr__captured_event *next;
  const vptr__event *event;
  vptr__graph_list tips;
} vptr__captured_event;

typedef struct vptr__capture {
  struct vptr__capture *next;
  uint64_t id;
  enum cudaStreamCaptureMode mode;
  const void *thread; /* that has begun it */
  vptr__graph *graph;
  bool is_given; /* the graph is the program's */
  bool is_invalid;
  uint64_t origin; /* the id of the stream that it began in, and ends in */
  const vptr_mapper *mapper; /* the origin's */
  vptr__captured_stream *streams;
  vptr__captured_event *events;
} vptr__capture;

/* The capture that a live stream, or an event, is in, or NULL. */
vptr__captured_stream *vptr__captured_stream_find(const vptr__stream *stream, vptr__capture **capture_out);
vptr__captured_event *vptr__captured_event_find(const vptr__event *event, vptr__capture **capture_out);

/* A stream comes into a capture, without tips; a list of tips gets those that it has not. */
cudaError_t vptr__captured_stream_join(vptr__capture *capture, vptr__stream *stream,
                                       vptr__captured_stream **joined_out);
cudaError_t vptr__captured_tips_add(vptr__graph_list *tips, vptr__graph_node *const *nodes, size_t count);

/* Says why, and returns the error. */
cudaError_t vptr__capture_invalidate(vptr__capture *capture, cudaError_t error, const char *call, const char *why);

/* cudaErrorStreamCaptureInvalidated, said, if it is so. */
cudaError_t vptr__capture_check_valid(const vptr__capture *capture, const char *call);

/* The legacy stream may not wait for captured ones: that invalidates them. And whether it would, which changes nothing:
 * cudaErrorStreamCaptureImplicit, said. */
cudaError_t vptr__capture_check_legacy(const char *call, const vptr__stream *stream);
cudaError_t vptr__capture_tell_legacy(const char *call, const vptr__stream *stream);

#endif
