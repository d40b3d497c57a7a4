/* SPDX-License-Identifier: MIT */
/*
 * span - one allocation that consists of several buffers, since it is larger than a buffer of the device may be.
 *
 *     addresses   [ window | window | window | window | window | window |  ... ]      one run of windows
 *     ranges      [ part 0          | part 1          | part 2   ]                    each with its buffer
 *     kernels     [ buffer 0        | buffer 1        | buffer 2 ]                    one behind the other, too
 *
 * Each part is a range (heap/range.h) of whole windows, the last of what is left, so that look-ups, leases and the
 * table for kernels have a buffer to each window, as ever. Parts of one span live and die together: they become live,
 * freed and released in one step under the heap's lock. What is the allocation's, and not a part's, is here. The
 * buffers lie one behind the other on the device where its memory is the host's (device.h: row_create()), so a kernel
 * that has an address in one goes on in the next. Elsewhere they lie apart: a kernel that has the address of one must
 * not leave it, and such a span's addresses are told to nobody but those who look up what they reach.
 *
 * A span has its windows until its last part is released from leases, and is never in the cache. On a heap that moves
 * its parts leave and come one by one (heap/residence.h): they begin away, without a byte that anybody wrote, so that a
 * span may be larger than the device. A part that comes back to a row is where it was.
 *
 * Guarded by vptr__heap.lock, of rank HEAP, but for `unreleased`, which is atomic.
 */
#ifndef VPTR_HEAP_SPAN_H
#define VPTR_HEAP_SPAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "device/device.h"

struct vptr__heap;
struct vptr__range;

typedef struct vptr__span {
  size_t bytes;          /* of all buffers */
  size_t part_bytes;     /* of each but the last; whole windows */
  uint32_t window;       /* the first */
  uint32_t count;        /* of parts */
  uint32_t undoomed;     /* parts that may still be leased */
  _Atomic(uint32_t) unreleased; /* parts that are there */
  vptr__row *row;        /* (set once) that the buffers lie in; NULL: they lie apart */
  unsigned char byte;    /* (set once) what every byte is at first */
  struct vptr__range *parts[];
} vptr__span;

/* Whether an allocation of so many bytes can be a span that is larger than the device, since its parts may leave it.
 * site: as of vptr__heap_allocate(). */
bool vptr__span_may_exceed(const struct vptr__heap *heap, size_t bytes, const void *site);

/* The error of one that is larger than the device and cannot: INVALID_SIZE, and what would help. */
vptr_status vptr__span_refuse_beyond(const struct vptr__heap *heap, size_t bytes, const void *site);

/* With the lock held, which is given back while the driver works: an allocation of size bytes that was refused as one
 * buffer, as a span, if that was because of its size and the device can have one; else the refusal. Errors also:
 * OUT_OF_ADDRESSES, OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, OPENCL; nothing has changed then. */
vptr_status vptr__span_instead(struct vptr__heap *heap, vptr_status refusal, size_t size, const void *site,
                               void **ptr_out);

/* The same for one whose address and bytes are known, in whole pages, with zeros in them; it is entered, and to be
 * settled. */
vptr_status vptr__span_place(struct vptr__heap *heap, vptr_status refusal, uintptr_t address, size_t bytes,
                             const void *site, vptr__span **span_out);

/* ---- with the lock held --------------------------------------------------------------------------------- */

/* An allocation of so many bytes is in its place, at most the span's. Its call site is prepared. */
void vptr__span_settle(struct vptr__heap *heap, vptr__span *span, size_t size, const void *site);

/* The allocation has ended; the place stays. */
void vptr__span_retire(struct vptr__heap *heap, const vptr__span *span);

/* All of what a range is a part of leaves the heap, withheld or not; false: it is no part. */
bool vptr__span_leave(struct vptr__heap *heap, const struct vptr__range *range, bool is_withheld);

/* A part is leased no more. Whether it was the last, and the windows may go. */
bool vptr__span_doom_part(vptr__span *span);

/* A part's bytes of an allocation of so many. */
size_t vptr__span_share(const vptr__span *span, const struct vptr__range *part, size_t size);

/* Whether a range is a part of buffers that lie apart. */
bool vptr__span_is_apart(const struct vptr__range *range);

/* ---- without the lock ----------------------------------------------------------------------------------- */

/* The buffer of a part, in its place, new or empty. Errors: those of making one; UNSUPPORTED where it is not in its
 * row. */
vptr_status vptr__span_fill_part(const struct vptr__heap *heap, const struct vptr__range *part, cl_mem *buffer_out);

/* A part's buffer was released. The last one ends the span. */
void vptr__span_release_part(const struct vptr__heap *heap, vptr__span *span);

#endif
