/* SPDX-License-Identifier: MIT */
/*
 * backing - a mirror's memory on one device: a buffer, and the queue of its copies.
 *
 * A mirror keeps the backing buffers that it has left, so that one that two devices use in turns gets no new buffer
 * each time. A backing buffer that is not in use holds no valid bytes, and is given up like any other when its device
 * is full.
 *
 * It has no lock: vptr__mirror.lock, of rank MIRROR, guards it, once it is one of the mirror's backing buffers.
 */
#ifndef VPTR_MIRROR_BACKING_H
#define VPTR_MIRROR_BACKING_H

#include "mirror/copy_queue.h"
#include "mirror/resident_set.h"
#include "mapper/mapper.h"

typedef struct vptr__backing {
  struct vptr__backing *next; /* of the mirror's */
  vptr_mapper *mapper;     /* down to address: set once */
  vptr__copy_queue *copy_queue;
  cl_mem buffer;
  uint64_t address;        /* the device's own; 0: it tells none. See vptr__backing_address() */
  vptr__residency residency;
  bool pin_was_tried, is_pinned;
  cl_mem pin;
} vptr__backing;

/* A buffer of size bytes, hidden yet (resident_set.h). On a full device the heap's idle buffers go; if it insists, what
 * pools have too, and other mirrors', which may wait, and no mirror's lock may be held. Errors: INVALID_SIZE,
 * OUT_OF_DEVICE_MEMORY, OUT_OF_HOST_MEMORY, OPENCL; NOT_READY if it insists and the calling thread has acquired memory,
 * and others have. */
vptr_status vptr__backing_open(vptr_mapper *mapper, size_t size, bool insists, vptr__backing **backing_out);

/* The device's own address of the buffer now: a mapper may go to another device. 0: it tells none. */
uint64_t vptr__backing_address(const vptr__backing *backing);

/* Pins the host's bytes for transfers to and from here, once, if that can be had. Nobody may write them meanwhile. */
void vptr__backing_pin(vptr__backing *backing, void *host, size_t size);
void vptr__backing_unpin(vptr__backing *backing, void *host);

/* Hidden, unpinned, and nothing uses its buffer. */
void vptr__backing_close(vptr__backing *backing);

#endif
