/* SPDX-License-Identifier: MIT */
/*
 * shift - bytes copied from one place of a device to another, inside one buffer too.
 *
 * OpenCL refuses copies inside one buffer that overlap. They go in pieces, from the end that is safe to begin with, as
 * memmove() does:
 *
 *     to > from:  last piece first        |  from ......|
 *                                             |...... to  |
 *
 * A line whose ranges are far enough apart goes in pieces that do not overlap themselves; all else goes through a
 * packed bounce buffer, which takes two commands for each piece. The same pieces are sent in two ways: as work of a
 * stream, which nobody waits for, or one by one by the device's blocking calls. A caller that waits has a third means
 * for a few bytes, the host's stack: a read and a write of so little take 13 us where making a buffer alone takes 45.
 *
 * No data, no locks of its own: noting commands takes mapper->stream_lock, of rank STREAM, and on a full device the
 * heap gives up what is idle, under vptr__heap.lock, of rank HEAP.
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

/* Copies a line between two places of the mapper's device, on the mapper's own queue; blocks until done. Takes no host
 * memory. Errors: as above; after one, part of it may have been moved. */
vptr_status vptr__shift_line(vptr_mapper *mapper, const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from,
                             const size_t region[3]);

/* A place inside an endpoint, as the device's rects have it: `at` is bytes, rows and slices from the start. */
vptr__rect vptr__pitched_endpoint_rect(const vptr__pitched_endpoint *pitched, const size_t at[3]);

#endif
