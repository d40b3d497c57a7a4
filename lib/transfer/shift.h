/* SPDX-License-Identifier: MIT */
/*
 * shift - a rect copied from one place of a device to another, inside one buffer too.
 *
 * OpenCL refuses copies inside one buffer that overlap. They go in pieces through a packed bounce buffer, from the end
 * that is safe to begin with, as memmove() does:
 *
 *     to > from:  last piece first        |  from ......|
 *                                             |...... to  |
 *
 * vptr_memcpy() has a path of its own for that (transfer/copy.c), which may wait and therefore goes through the stack
 * for a few bytes; here nothing waits. No locks.
 */
#ifndef VPTR_TRANSFER_SHIFT_H
#define VPTR_TRANSFER_SHIFT_H

#include "stream/stream.h"
#include "transfer/rect.h"

/* Queues the copy of a flattened rect between two endpoints of the stream's device, whose queue was begun. The event,
 * if it is wanted, is the last command's, and there is room to note it; it stays as it is where nothing had to be done.
 * Earlier commands are noted here. Errors: those of the device's; after one, part of it may have been queued. */
vptr_status vptr__shift_send(vptr__stream *stream, cl_command_queue queue, const vptr__pitched_endpoint *to,
                             const vptr__pitched_endpoint *from, const size_t region[3], cl_event *event_out);

/* A place inside an endpoint, as the device's rects have it: `at` is bytes, rows and slices from the start. */
vptr__rect vptr__pitched_endpoint_rect(const vptr__pitched_endpoint *pitched, const size_t at[3]);

#endif
