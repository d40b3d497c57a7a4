/* SPDX-License-Identifier: MIT */
/*
 * capture_work - copies, sets and host functions as nodes of a graph, where their stream is captured.
 *
 * Each of these is asked while vptr__captures_any(), when arguments have been looked at and the stream is known. True:
 * the call sends nothing, and *error_out is what comes of it. A call that waits cannot be captured, and is refused
 * where the modes of captures say so.
 *
 * No data. They take vptr__graph_lock(), of rank GRAPH. Called by advice_call.c, array_copy.c, copy.c, event.c, pool.c,
 * set.c and stream.c, and by library/captured.c.
 */
#ifndef VPTR_CUDA_CAPTURE_WORK_H
#define VPTR_CUDA_CAPTURE_WORK_H

#include <stdbool.h>

#include "cuda/array.h"
#include "cuda/copy.h"
#include "graph/capture.h"

bool vptr__cuda_captures_copy(const vptr__cuda_copy *copy, vptr__stream *stream, cudaError_t *error_out);
bool vptr__cuda_captures_array_copy(const vptr__cuda_array_copy *copy, vptr__stream *stream, cudaError_t *error_out);
bool vptr__cuda_captures_set(const vptr__operand *to, const vptr__element *element, const size_t region[3],
                             vptr__cuda_when when, vptr__stream *stream, cudaError_t *error_out);
bool vptr__cuda_captures_host(const char *call, cudaHostFn_t function, void *context, vptr__stream *stream,
                              cudaError_t *error_out);

/* Memory in the order of the stream, which the graph's launches allocate and free; of the latter, the address. */
bool vptr__cuda_captures_alloc(const char *call, size_t size, const void *site, vptr__stream *stream, void **ptr_out,
                               cudaError_t *error_out);
bool vptr__cuda_captures_free(const char *call, void *ptr, vptr__stream *stream, cudaError_t *error_out);

/* A prefetch of managed memory, which is an empty node that does it. */
bool vptr__cuda_captures_prefetch(const char *call, const vptr__graph_prefetch *prefetch, vptr__stream *stream,
                                  cudaError_t *error_out);

/* Events, whose flags are looked at here where the stream is captured: an external one is a node. */
bool vptr__cuda_captures_record(vptr__stream *stream, cudaEvent_t event, unsigned flags, cudaError_t *error_out);
bool vptr__cuda_captures_wait(vptr__stream *stream, cudaEvent_t event, unsigned flags, cudaError_t *error_out);

#endif
