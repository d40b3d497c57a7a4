/* SPDX-License-Identifier: MIT */
/*
 * home - a mirror's memory on one device: a buffer, and the way there.
 *
 * Mirrors keep the homes that they left: who is used by two devices in turns gets no new buffer each time. A home
 * that is not lived in has nothing, and is given up like any other when its device is full.
 *
 * No locks of its own: the mirror's guards it, once it is one of its homes.
 */
#ifndef VPTR_MANAGED_HOME_H
#define VPTR_MANAGED_HOME_H

#include "managed/copy_queue.h"
#include "managed/room.h"
#include "mapper/mapper.h"

typedef struct vptr__home {
  struct vptr__home *next; /* of the mirror's */
  vptr_mapper *mapper;     /* down to address: set once */
  vptr__copy_queue *copy_queue;
  cl_mem buffer;
  uint64_t address;        /* the device's own; 0: it tells none */
  vptr__tenant tenant;
  bool pin_was_tried, is_pinned;
  cl_mem pin;
} vptr__home;

/* A buffer of size bytes, hidden yet (room.h). On a full device the heap's idle buffers go; if it insists, other
 * mirrors' too, which may wait, and no mirror's lock may be held. Errors: INVALID_SIZE, OUT_OF_DEVICE_MEMORY,
 * OUT_OF_HOST_MEMORY, OPENCL; NOT_READY if it insists and the calling thread has loans, and others have. */
vptr_status vptr__home_open(vptr_mapper *mapper, size_t size, bool insists, vptr__home **home_out);

/* Pins the host's bytes for transfers to and from here, once, if that can be had. Nobody may write them meanwhile. */
void vptr__home_pin(vptr__home *home, void *host, size_t size);
void vptr__home_unpin(vptr__home *home, void *host);

/* Hidden, unpinned, and nothing uses its buffer. */
void vptr__home_close(vptr__home *home);

#endif
