/* SPDX-License-Identifier: MIT */
/*
 * call - what every call of a library asks: which stream its work goes to, whether the device reaches an operand.
 *
 * The library makes its own status of the verdict; what is wrong has been said, in the words of the call.
 *
 * Thread-safe; no data, and no locks of its own: where a capture is open, it takes vptr__graph_lock(), of rank GRAPH.
 * Called by call.c of lib/cublas, lib/curand, lib/cusparse and lib/cusolver, by cublas/tuning.c, curand/generator.c and
 * cufft/run.c.
 */
#ifndef VPTR_LIBRARY_CALL_H
#define VPTR_LIBRARY_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

#include "mapper/mapper.h"
#include "stream/stream.h"

/* The stream of what a program holds, on the device of that: a default stream is the one of that device, not of the
 * current one. In words, `what` is the stream ("the plan's stream"), and `owner` what a program holds ("plan"). Errors:
 * INVALID_ARGUMENT (the stream is no more, or the call comes from a host function), OTHER_MAPPER, UNSUPPORTED (it is
 * captured, and the capture is invalid from now on), OPENCL (the device is lost), and those of a forked child and of a
 * new stream. */
VPTR_API vptr_status vptr__library_stream(const char *call, const char *what, const char *owner, vptr_mapper *mapper,
                                          cudaStream_t handle, vptr__stream **stream_out);

/* The same where the call can be captured: *captures_out then, and what it would send goes by library/captured.h. */
VPTR_API vptr_status vptr__library_stream_or_capture(const char *call, const char *what, const char *owner,
                                                     vptr_mapper *mapper, cudaStream_t handle,
                                                     vptr__stream **stream_out, bool *captures_out);

/* Whether the bytes are live memory of the mapper's, or of the host's: bounds of what vptr handed out there are checked
 * as well; whether a kernel may use an address of the host's at all, the launch finds out. `what` is the operand. */
VPTR_API vptr_status vptr__library_memory(const char *call, const char *what, vptr_mapper *mapper, const void *at,
                                          size_t bytes);

/* Brings bytes from the device to the host, behind what was sent: waits for the stream. */
VPTR_API vptr_status vptr__library_read(vptr__stream *stream, void *to, const void *from, size_t bytes);

#endif
