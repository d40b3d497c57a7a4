/* SPDX-License-Identifier: MIT */
/*
 * copy_queue - the queues for a mirror's transfers, one a device, and batches of such transfers (copy_queue.h).
 *
 * The static list `copy_queues` has one for each device that has managed memory, or memory with words that streams wait
 * for; `users` counts who opened it, and the last one's close ends it. The static `lock`, of rank HEAP, guards the list
 * and the counts, and is held while a queue is made or released; callers may hold vptr__mirror.lock, of rank MIRROR, or
 * mapper->stream_lock, of rank STREAM. A batch is its caller's variable, and takes no lock.
 *
 * Called by backing.c, which opens the device's once for each backing buffer, and closes it; by stream/word.c, which
 * opens it for a mapper, and stream/stream.c, which closes that; and by acquire.c, bring.c, visit.c and stream/word.c,
 * which send batches. vptr__copy_batch_end() blocks until all transfers of the batch are over, and returns the first
 * failure; a transfer that finds VPTR__COPY_BATCH_TRANSFERS pending blocks until those are over.
 */
#include "mirror/copy_queue.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/completion.h"

struct vptr__copy_queue {
  vptr__copy_queue *next;
  vptr__device *device;
  cl_command_queue queue;
  size_t users;
};

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_HEAP);
static vptr__copy_queue *copy_queues;

/* ---- life ----------------------------------------------------------------------------------------------- */

static vptr_status make_copy_queue(vptr__device *device, vptr__copy_queue **copy_queue_out) {
  vptr__copy_queue *copy_queue = vptr__memory_calloc(1, sizeof *copy_queue);
  if (copy_queue == NULL)
    return vptr__error_host_memory(sizeof *copy_queue);
  *copy_queue = (vptr__copy_queue){ .next = copy_queues, .device = device };
  vptr_status status = device->ops->queue.create(device, 0, false, &copy_queue->queue);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(copy_queue);
    return status;
  }
  copy_queues = copy_queue;
  *copy_queue_out = copy_queue;
  return VPTR_SUCCESS;
}

vptr_status vptr__copy_queue_open(vptr__device *device, vptr__copy_queue **copy_queue_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  vptr__copy_queue *copy_queue = copy_queues;
  while (copy_queue != NULL && copy_queue->device != device)
    copy_queue = copy_queue->next;
  if (copy_queue == NULL)
    status = make_copy_queue(device, &copy_queue);
  if (status == VPTR_SUCCESS) {
    copy_queue->users++;
    *copy_queue_out = copy_queue;
  }
  vptr__lock_give(&lock);
  return status;
}

static void remove_copy_queue(const vptr__copy_queue *copy_queue) {
  vptr__copy_queue **at = &copy_queues;
  while (*at != copy_queue)
    at = &(*at)->next;
  *at = copy_queue->next;
}

/* Nothing is in flight: each batch was waited for. */
void vptr__copy_queue_close(vptr__copy_queue *copy_queue) {
  vptr__lock_take(&lock);
  if (--copy_queue->users == 0) {
    remove_copy_queue(copy_queue);
    copy_queue->device->ops->queue.release(copy_queue->device, copy_queue->queue);
    vptr__memory_free(copy_queue);
  }
  vptr__lock_give(&lock);
}

/* ---- batches ---------------------------------------------------------------------------------------------- */

static void note_status(vptr__copy_batch *batch, vptr_status status) {
  if (batch->status == VPTR_SUCCESS)
    batch->status = status;
}

/* A command that fails fails its event alone, so each is asked. Behind this the host memory of all is its owner's. */
static void await_all(vptr__copy_batch *batch) {
  const vptr__copy_queue *on = batch->copy_queue;
  for (int i = 0; i < batch->pending; i++)
    note_status(batch, vptr__completion_await(on->device, on->queue, batch->events[i]));
  batch->pending = 0;
}

/* Whether one more may be sent. */
static bool has_room(vptr__copy_batch *batch) {
  if (batch->pending == VPTR__COPY_BATCH_TRANSFERS)
    await_all(batch);
  return batch->status == VPTR_SUCCESS;
}

static void note_command(vptr__copy_batch *batch, vptr_status status) {
  if (status == VPTR_SUCCESS)
    batch->pending++;
  note_status(batch, status);
}

void vptr__copy_batch_fetch(vptr__copy_batch *batch, size_t offset, void *to, size_t size) {
  vptr__device *device = batch->copy_queue->device;
  if (has_room(batch))
    note_command(batch, device->ops->transfer.enqueue_read(device, batch->copy_queue->queue, batch->buffer, offset,
                                                           to, size, &batch->events[batch->pending]));
}

void vptr__copy_batch_send(vptr__copy_batch *batch, size_t offset, const void *from, size_t size) {
  vptr__device *device = batch->copy_queue->device;
  if (has_room(batch))
    note_command(batch, device->ops->transfer.enqueue_write(device, batch->copy_queue->queue, batch->buffer, offset,
                                                            from, size, &batch->events[batch->pending]));
}

vptr_status vptr__copy_batch_end(vptr__copy_batch *batch) {
  await_all(batch);
  return batch->status;
}
