/* SPDX-License-Identifier: MIT */
/*
 * held_copy - a copy whose two ends are checked to the byte, held, and acquired where they are managed.
 *
 * All copies become one of these, whoever asks for them: vptr_memcpy() (transfer/copy.c) and streams (async.c). Then
 * only the table of strategy.c is left to say how its bytes move, and no strategy refuses an argument any more.
 *
 *     hold to -> hold from -> acquire both -> strategy -> give back -> release from -> release to
 *
 * A value of one call in one thread, which no lock guards. To hold and to acquire takes the locks that endpoint.h
 * names, and on a full device, while a thread tries anew, that of heap/residence.c, of rank LEASE. To give managed
 * memory back takes mapper->stream_lock, of rank STREAM.
 */
#ifndef VPTR_TRANSFER_HELD_COPY_H
#define VPTR_TRANSFER_HELD_COPY_H

#include "transfer/rect.h"

/* Whose order a copy keeps, and who waits for it. */
typedef enum vptr__copy_mode {
  VPTR__COPY_QUEUED, /* a stream's work; the caller waits only for what else it could not hand back */
  VPTR__COPY_WAITED, /* a stream's work; the caller waits until it is done */
  VPTR__COPY_LEGACY, /* the same on the legacy stream, whose queue is the mapper's own */
  VPTR__COPY_OWN,    /* on the mapper's own queue, and no stream's work: vptr_memcpy(), which copies lines and waits */
  VPTR__COPY_MODES
} vptr__copy_mode;

typedef struct vptr__held_copy {
  vptr_mapper *mapper;   /* whose device does it */
  vptr__stream *stream;  /* of that mapper; NULL in the mode OWN */
  vptr__copy_mode mode;
  vptr__pitched_endpoint to, from; /* of one device at most, the mapper's */
  size_t region[3];                /* flattened once it is held */
} vptr__held_copy;

/* The caller has set mapper, stream, mode and region, and classified the operands. The reaches are what
 * vptr__rect_check() said. Errors: those of vptr__endpoint_hold() and _acquire(); then nothing is held. */
vptr_status vptr__held_copy_begin(vptr__held_copy *copy, const vptr__operand *to, size_t to_reach,
                                  const vptr__operand *from, size_t from_reach);

/* Lets go of both ends. Managed memory stays acquired for as long as the commands take that were sent, however it
 * went: status is what the strategy returned. */
void vptr__held_copy_end(vptr__held_copy *copy, vptr_status status);

#endif
