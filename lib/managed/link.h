/* SPDX-License-Identifier: MIT */
/*
 * link - the way that managed memory's bytes take between host and device.
 *
 * A queue of its own for each device that has managed memory. The mapper's own queue would not do: a page fault may come
 * from a host function that the queue is waiting for, and a transfer behind that would wait for itself.
 *
 * A haul is several transfers that are waited for together. They have no order with other queues' work: who hauls has
 * waited for the work that uses the bytes, and sends the work that will use them after the haul has ended.
 *
 * Thread-safe, but that a haul is one thread's. One lock, rank HEAP, guards the list of links: links are closed with a
 * mirror's lock held.
 */
#ifndef VPTR_MANAGED_LINK_H
#define VPTR_MANAGED_LINK_H

#include "device/device.h"

typedef struct vptr__link vptr__link;

/* The device's, made for the first who asks; each open wants a close. Errors: OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__link_open(vptr__device *device, vptr__link **link_out);
void vptr__link_close(vptr__link *link);

enum { VPTR__HAUL_TRANSFERS = 32 };

typedef struct vptr__haul {
  vptr__link *link;
  cl_mem buffer;
  vptr_status status; /* the first error */
  int pending;
  cl_event events[VPTR__HAUL_TRANSFERS];
} vptr__haul;

static inline vptr__haul vptr__haul_begin(vptr__link *link, cl_mem buffer) {
  return (vptr__haul){ .link = link, .buffer = buffer, .status = VPTR_SUCCESS };
}

/* Bytes of the buffer to host memory, and the other way. After an error nothing more is sent. */
void vptr__haul_fetch(vptr__haul *haul, size_t offset, void *to, size_t size);
void vptr__haul_send(vptr__haul *haul, size_t offset, const void *from, size_t size);

/* Waits for all of it. Errors: OPENCL and what the device's enqueue calls say. */
vptr_status vptr__haul_end(vptr__haul *haul);

#endif
