/* SPDX-License-Identifier: MIT */
/*
 * peer - a stream's transfers of memory that lies on another device than the stream.
 *
 * Two devices have no OpenCL context in common in general, so their queues cannot wait for each other, and their memory
 * meets only in the host's. Such a transfer is done by the calling thread: it waits for the earlier work of the stream,
 * works on a stream of the memory's own device, its peer stream, and returns when it is done; then nobody can come
 * too early. The peer stream of a legacy stream is that device's legacy stream, which gives CUDA's order among both
 * devices' work; any other stream's is a new one, which waits for nobody.
 *
 * No data, and no locks of its own: sending takes mapper->stream_lock, of rank STREAM, of the two mappers, one after
 * the other; holding both ends takes what endpoint.h names, and on a full device, while a thread tries anew, that of
 * heap/residence.c, of rank LEASE.
 */
#ifndef VPTR_TRANSFER_PEER_H
#define VPTR_TRANSFER_PEER_H

#include "transfer/async.h"

/* A stream of owner's, on behalf of a stream of another mapper, whose earlier work has been waited for. */
vptr_status vptr__peer_open(vptr_mapper *owner, vptr__stream *stream, vptr__stream **peer_stream_out);
void vptr__peer_close(vptr__stream *peer_stream);

/* Copies a rect, checked and not empty, between device memory of two mappers, as the operands' class says. The reaches
 * are what vptr__rect_check() said. A range that is refused is so before anything moves. */
vptr_status vptr__peer_copy(vptr__stream *stream, const vptr__operand *to, size_t to_reach, const vptr__operand *from,
                            size_t from_reach, const size_t region[3]);

#endif
