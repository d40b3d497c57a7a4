/* SPDX-License-Identifier: MIT */
/*
 * async - transfers that are work of a stream: lines and rects, copied or set.
 *
 * Everything here checks first, to the byte and over the whole rect, then queues: a call that is refused has moved
 * nothing. Root buffers are held until the commands are queued, and from then on by the commands, so a racing free
 * takes no memory away from them. What a call waits for, seen from the host:
 *
 *     device to device, setting device memory     nothing
 *     to or from pinned host memory               nothing; the memory must stay until the stream is there
 *     from pageable host memory                   until the source may be used again: 64 KiB and less are staged
 *                                                 at once, more waits for the stream; so does all of it where
 *                                                 kernels were given such memory (device->acquires_system)
 *     to pageable host memory                     until it is there; large lines on some devices by transfer/bulk.h,
 *                                                 and many rows by transfer/pack.h
 *     host to host, setting pinned memory         until it is done, behind the earlier work of the stream
 *     between two devices, or on a stream of      until it is done, behind the earlier work of the stream
 *       another device than the memory's
 *
 * A transfer touches the bytes of its rect and no other: other streams may write between its rows at the same time.
 *
 * Overlaps inside one allocation move as memmove() does, if both rects have the same pitches; the result is
 * undefined, as in CUDA, if they have not, and between overlapping rects of host memory.
 *
 * Thread-safe. No data, and no locks of its own: sending takes mapper->stream_lock, of rank STREAM (stream/stream.h);
 * holding and acquiring memory takes what transfer/held_copy.h names. The functions are in async.c and set.c.
 */
#ifndef VPTR_TRANSFER_ASYNC_H
#define VPTR_TRANSFER_ASYNC_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "device/device.h"
#include "stream/stream.h"
#include "transfer/endpoint.h"

enum {
  VPTR__TRANSFER_WAIT = 1 /* return only when all of it is done */
};

/* What a caller names as source or destination of a transfer: host memory, or device memory of any mapper; the
 * address tells. */
typedef struct vptr__operand {
  const char *what;  /* begins the sentence about an error: "cudaMemcpy2D source" */
  void *ptr;         /* the first byte of the rect; a source is only read */
  size_t row, slice; /* bytes from one row, one slice, to the next; not looked at where there is only one */
  bool pinned;       /* host memory that a device reaches itself, and that stays until the stream is there */

  /* vptr__operand_classify() */
  vptr__memory_kind kind;
  vptr_mapper *owner; /* of device memory */
} vptr__operand;

static inline void vptr__operand_classify(vptr__operand *operand) {
  operand->kind = vptr__memory_kind_of(operand->ptr, &operand->owner);
}

/* Copies a rect of region[0] bytes, region[1] rows and region[2] slices; one of which 0: nothing is looked at. A line
 * is { size, 1, 1 }. Errors: those of vptr_memcpy(); INVALID_ARGUMENT if the rows or slices of an operand overlap;
 * INVALID_SIZE. */
vptr_status vptr__transfer_copy(vptr__stream *stream, const vptr__operand *to, const vptr__operand *from,
                                const size_t region[3], unsigned flags);

/* The same for a caller that has classified both operands. */
VPTR_API vptr_status vptr__transfer_copy_classified(vptr__stream *stream, const vptr__operand *to,
                                                    const vptr__operand *from, const size_t region[3], unsigned flags);

/* What a rect is set to, over and over: 1, 2, 4 or 8 bytes. */
typedef struct vptr__element {
  unsigned char bytes[8];
  size_t size;
} vptr__element;

/* Sets each element of a rect of device memory, or of pinned host memory; the region is in bytes as ever. Errors:
 * those of vptr_memset(), and as above; INVALID_ARGUMENT: address, row or slice are no multiples of the element. */
VPTR_API vptr_status vptr__transfer_set_elements(vptr__stream *stream, const vptr__operand *to,
                                                 const vptr__element *element, const size_t region[3],
                                                 unsigned flags);

/* The same with bytes. */
vptr_status vptr__transfer_set(vptr__stream *stream, const vptr__operand *to, unsigned char value,
                               const size_t region[3], unsigned flags);

/* ---- inside lib/vptr/transfer -------------------------------------------------------------------------------- */

/* For a command that nobody waits for: where its event goes, which the stream is to watch; NULL: where every queue
 * tells of a failure, its own event would tell no more, and an event costs. */
static inline cl_event *vptr__transfer_watches(const vptr__device *device, cl_event *event) {
  return device->quirk.fails_whole ? NULL : event;
}

/* vptr__stream_end() for commands that nobody outside their queue waits for: without the flush where they begin all the
 * same. */
static inline void vptr__transfer_end(vptr__stream *stream, const vptr__device *device) {
  if (device->quirk.begins_unflushed)
    vptr__stream_end_unflushed(stream);
  else
    vptr__stream_end(stream);
}

/* transfer/async.c: blocks until the earlier work of a stream is done, whatever became of it:
 * vptr__stream_poll_failure() says. */
VPTR_API vptr_status vptr__transfer_settle(vptr__stream *stream);

#endif
