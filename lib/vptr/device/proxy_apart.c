/* SPDX-License-Identifier: MIT */
/*
 * proxy_apart - makes the buffers of host memory that a device keeps apart (proxy_apart.h), and has the turns of the
 * commands that use it.
 *
 * The data are a proxy's: which handles are apart, written with the gate shut, and `turn`, the event of the last
 * command that used any of them, which turn.lock, of rank TURN, guards. The lock is held from a turn's begin to its
 * end, while commands are queued; nothing is waited for. Called by proxy_buffer.c, proxy_image.c and proxy_transfer.c,
 * for copies and fills; by proxy_merge.c, for launches; by proxy_move.c and proxy_plan.c, which make such buffers on
 * the device that is to come; and by proxy.c.
 */
#include "device/proxy_apart.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/completion.h"

/* ---- buffers -------------------------------------------------------------------------------------------- */

/* What no buffer can lie over is apart on any device. */
vptr_status vptr__proxy_share(vptr__device *inner, void *host, size_t bytes, bool may_be_apart, cl_mem *object_out,
                              bool *is_apart_out) {
  const bool is_aligned = (uintptr_t)host % VPTR__SHARE_ALIGNMENT == 0;
  vptr_status status = VPTR_ERROR_UNSUPPORTED;
  *is_apart_out = false;
  if (is_aligned || !may_be_apart) {
    vptr__error_try();
    status = inner->ops->memory.share_host(inner, host, bytes, object_out);
    vptr__error_tried(may_be_apart && status == VPTR_ERROR_UNSUPPORTED ? VPTR_SUCCESS : status);
  }
  if (!may_be_apart || status != VPTR_ERROR_UNSUPPORTED)
    return status;
  *is_apart_out = true;
  return inner->ops->memory.create(inner, bytes, object_out);
}

vptr_status vptr__proxy_refuse_part_apart(const vptr__device *device, size_t bytes) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%zu bytes of pinned host memory are to be a texture or a buffer of their own on %s, which has "
                     "memory of its own and works on a copy: copy them to device memory",
                     bytes, device->name);
}

/* ---- turns ---------------------------------------------------------------------------------------------- */

vptr_status vptr__proxy_turn_take(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue) {
  vptr_status status = VPTR_SUCCESS;
  cl_int state;
  vptr__lock_take(&proxy->turn.lock);
  if (proxy->turn.last != NULL && !vptr__completion_is_told(inner, proxy->turn.last, &state))
    status = inner->ops->queue.enqueue_barrier(inner, queue, 1, &proxy->turn.last, NULL);
  if (status != VPTR_SUCCESS)
    vptr__lock_give(&proxy->turn.lock);
  return status;
}

/* The queue is flushed: others' commands wait for this one. Where that fails they find it when they are waited for. */
void vptr__proxy_turn_give(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue, cl_event last) {
  if (last != NULL) {
    if (proxy->turn.last != NULL)
      inner->ops->event.release(inner, proxy->turn.last);
    inner->ops->event.retain(inner, last);
    proxy->turn.last = last;
  }
  vptr__error_try();
  inner->ops->queue.flush(inner, queue);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__lock_give(&proxy->turn.lock);
}

void vptr__proxy_turn_forget(vptr__proxy *proxy) {
  vptr__device *inner = proxy->inner->device;
  if (proxy->turn.last != NULL)
    inner->ops->event.release(inner, proxy->turn.last);
  proxy->turn.last = NULL;
}

/* ---- copies --------------------------------------------------------------------------------------------- */

static unsigned char *host_at(const vptr__rect *rect) {
  return (unsigned char *)((const vptr__proxy_buffer *)rect->buffer)->host + rect->offset;
}

static bool is_one_line(const size_t region[3]) {
  return region[1] == 1 && region[2] == 1;
}

static vptr_status send_rect(const vptr__proxy_turn *turn, const vptr__rect *from) {
  vptr__rect there = *from;
  there.buffer = vptr__proxy_mem(from->buffer);
  if (is_one_line(turn->region))
    return turn->inner->ops->transfer.enqueue_write(turn->inner, turn->queue, there.buffer, there.offset,
                                                    host_at(from), turn->region[0], NULL);
  return turn->inner->ops->transfer.enqueue_write_rect(turn->inner, turn->queue, &there, host_at(from), from->row,
                                                       from->slice, turn->region, NULL);
}

static vptr_status fetch_rect(const vptr__proxy_turn *turn, cl_event *event_out) {
  vptr__rect there = *turn->to;
  there.buffer = vptr__proxy_mem(turn->to->buffer);
  if (is_one_line(turn->region))
    return turn->inner->ops->transfer.enqueue_read(turn->inner, turn->queue, there.buffer, there.offset,
                                                   host_at(turn->to), turn->region[0], event_out);
  return turn->inner->ops->transfer.enqueue_read_rect(turn->inner, turn->queue, &there, host_at(turn->to),
                                                      turn->to->row, turn->to->slice, turn->region, event_out);
}

vptr_status vptr__proxy_turn_begin(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                                   const vptr__rect *from, const vptr__rect *to, const size_t region[3],
                                   vptr__proxy_turn *turn) {
  const bool sends = from != NULL && vptr__proxy_is_apart(from->buffer);
  const bool fetches = to != NULL && vptr__proxy_is_apart(to->buffer);
  *turn = (vptr__proxy_turn){ .proxy = proxy,
                              .inner = inner,
                              .queue = queue,
                              .to = fetches ? to : NULL,
                              .region = region,
                              .is_taken = sends || fetches };
  if (!turn->is_taken)
    return VPTR_SUCCESS;
  vptr_status status = vptr__proxy_turn_take(proxy, inner, queue);
  if (status != VPTR_SUCCESS) {
    turn->is_taken = false;
    return status;
  }
  if (sends)
    status = send_rect(turn, from);
  if (status != VPTR_SUCCESS) {
    vptr__proxy_turn_give(proxy, inner, queue, NULL);
    turn->is_taken = false;
  }
  return status;
}

/* What is queued already is waited for by the next one, also where the rest failed. */
vptr_status vptr__proxy_turn_end(vptr__proxy_turn *turn, vptr_status status, cl_event *room) {
  vptr__device *inner = turn->inner;
  cl_event copied = turn->event;
  if (!turn->is_taken)
    return status;
  if (status == VPTR_SUCCESS && turn->to != NULL) {
    status = fetch_rect(turn, &turn->event);
    if (status == VPTR_SUCCESS)
      inner->ops->event.release(inner, copied);
    else
      turn->event = copied;
  }
  vptr__proxy_turn_give(turn->proxy, inner, turn->queue, turn->event);
  if (status == VPTR_SUCCESS && room != NULL)
    *room = turn->event;
  else if (turn->event != NULL)
    inner->ops->event.release(inner, turn->event);
  return status;
}
