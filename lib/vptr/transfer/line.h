/* SPDX-License-Identifier: MIT */
/*
 * line - the plain cudaMemcpy(): one line of bytes between the host and a device, waited for, on the legacy stream.
 *
 * No call is made more often, and mostly for a few bytes, where all that happens around the driver's own call shows:
 * the general way (transfer/held_copy.h) takes some 1,550 instructions of ours, this one 580. So here each question is
 * asked once, and what is not plain is left to the general way, with nothing done yet; that one also finds the words
 * for what is wrong. What is left to do is a row of the table in strategy.c.
 *
 * Thread-safe. Mostly takes no lock. It takes mapper->stream_lock, of rank STREAM, where other streams have work that
 * must come first, or commands are still to be looked at, those of rank LEAF that mapper/host.h names for a host
 * address that was vptr's, and vptr__heap.lock, of rank HEAP, for memory that is not on the device or is freed
 * meanwhile (heap/lease.h).
 */
#ifndef VPTR_TRANSFER_LINE_H
#define VPTR_TRANSFER_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "stream/stream.h"
#include "transfer/endpoint.h"

/* Which ways a line may go. */
enum {
  VPTR__LINE_TO_DEVICE = 1,
  VPTR__LINE_TO_HOST = 2
};

/* Copies size bytes, if that is plain: one endpoint is a device's, the other the host's, and the direction is among
 * `ways`. Blocks until done. true: *mapper_out is the device's and *status_out what became of it: SUCCESS; OPENCL,
 * also for earlier work of the stream. false: nothing was done, and nothing said. */
VPTR_API bool vptr__line_copy(void *to, const void *from, size_t size, unsigned ways, vptr_mapper **mapper_out,
                              vptr_status *status_out);

/* ---- inside lib/vptr/transfer -------------------------------------------------------------------------------- */

/* The copy itself, between held endpoints, one of which is the host's. By the device's blocking calls: an event of
 * its own would cost as much as the command. */
vptr_status vptr__line_send(vptr__stream *legacy, const vptr__endpoint *to, const vptr__endpoint *from, size_t size);

#endif
