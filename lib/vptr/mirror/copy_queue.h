/* SPDX-License-Identifier: MIT */
/*
 * copy_queue - the queue by which managed memory's bytes go between host and device.
 *
 * A queue of its own for each device that has managed memory, or memory with words that streams wait for
 * (stream/word.h). The mapper's own queue would not do: a page fault may come from a host function that the queue is
 * waiting for, and a transfer behind that would wait for itself.
 *
 * A batch is several transfers that are waited for together. Its transfers have no order with other queues' work:
 * whoever sends one has waited for the work that uses the bytes, and sends the work that will use them after the batch
 * has ended.
 *
 * Thread-safe, but that a batch is one thread's. The static `lock` of copy_queue.c, of rank HEAP, guards the list of
 * copy queues; who opens or closes one may hold a mirror's lock (rank MIRROR) or mapper->stream_lock (rank STREAM).
 */
#ifndef VPTR_MIRROR_COPY_QUEUE_H
#define VPTR_MIRROR_COPY_QUEUE_H

#include "device/device.h"

typedef struct vptr__copy_queue vptr__copy_queue;

/* The device's copy queue, made by the first open; each open wants a close. Errors: OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__copy_queue_open(vptr__device *device, vptr__copy_queue **copy_queue_out);
void vptr__copy_queue_close(vptr__copy_queue *copy_queue);

enum { VPTR__COPY_BATCH_TRANSFERS = 32 };

typedef struct vptr__copy_batch {
  vptr__copy_queue *copy_queue;
  cl_mem buffer;
  vptr_status status; /* the first error */
  int pending;
  cl_event events[VPTR__COPY_BATCH_TRANSFERS];
} vptr__copy_batch;

static inline vptr__copy_batch vptr__copy_batch_begin(vptr__copy_queue *copy_queue, cl_mem buffer) {
  return (vptr__copy_batch){ .copy_queue = copy_queue, .buffer = buffer, .status = VPTR_SUCCESS };
}

/* Bytes of the buffer to host memory, and the other way; any number of them. Waits for those before where
 * VPTR__COPY_BATCH_TRANSFERS are pending. After an error nothing more is sent. */
void vptr__copy_batch_fetch(vptr__copy_batch *batch, size_t offset, void *to, size_t size);
void vptr__copy_batch_send(vptr__copy_batch *batch, size_t offset, const void *from, size_t size);

/* Waits for all of it. Errors: OPENCL and what the device's enqueue calls say. */
vptr_status vptr__copy_batch_end(vptr__copy_batch *batch);

#endif
