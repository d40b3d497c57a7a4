/* SPDX-License-Identifier: MIT */
/*
 * captured - what a library's call sends to a stream that is captured: nodes of the capture's graph.
 *
 *     a kernel of the library's          a kernel node
 *     memory that a call takes           a node that allocates, and one that frees
 *     what goes to the queue by calls    an empty node that makes the call when the graph is launched, on the stream
 *     of OpenCL that are not ours        that it goes to then, with a copy of its arguments
 *
 * What is wrong has been said. Thread-safe; no data, and no lock of its own: each function takes vptr__graph_lock(), of
 * rank GRAPH. Called by call.c and kernel.c of lib/cublas and lib/cusparse, by cublas/product.c, cufft/run.c and
 * curand/generate.c.
 */
#ifndef VPTR_LIBRARY_CAPTURED_H
#define VPTR_LIBRARY_CAPTURED_H

#include <stddef.h>

#include "graph/graph.h"
#include "module/module.h"
#include "stream/stream.h"

/* Errors: OUT_OF_HOST_MEMORY; UNSUPPORTED: the capture is invalid; of memory those of allocation. */
VPTR_API vptr_status vptr__library_capture_launch(vptr__function *function, vptr__stream *stream,
                                                  const vptr__launch *launch);
VPTR_API vptr_status vptr__library_capture_alloc(const char *call, size_t bytes, const void *site, vptr__stream *stream,
                                                 void **ptr_out);
VPTR_API vptr_status vptr__library_capture_free(const char *call, void *ptr, vptr__stream *stream);
VPTR_API vptr_status vptr__library_capture_call(const vptr__graph_call *call, vptr__stream *stream);

/* The call does what a graph cannot: the capture is invalid, which is said. UNSUPPORTED. */
VPTR_API vptr_status vptr__library_capture_refuse(const char *call, vptr__stream *stream);

#endif
