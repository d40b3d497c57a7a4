/* SPDX-License-Identifier: MIT */
/*
 * gate - closing and opening a stream for work that the host does in its place (gate.h).
 *
 * A vptr__gate is a variable of the caller's; the file has no data of its own. What other threads see of a gate,
 * vptr__stream.gate and `sending` and the gate's `after` and `number`, is guarded by mapper->stream_lock
 * (mapper/mapper.h), of rank STREAM, which is not held while the earlier work is waited for, and which
 * vptr__gate_put_barrier() finds held. Under it `unsent`, `enqueued`, `worked` and `completed` of the stream change
 * too, and the mapper's work_last and work_drained. A gate begins as a flag in the stream; the barrier that stands for
 * it is put when another thread needs it, or at once where the program may send to the queue by itself.
 *
 * Called by transfer/bulk.c and transfer/pack.c, which close a gate, copy, and open it again; and by order.c, which
 * puts the barrier for a thread that would have to wait. vptr__gate_close() blocks while another thread sends to the
 * stream, or to one that it takes turns with, and then until the earlier work is over.
 */
#include "stream/gate.h"

#include "stream/state.h"

/* In the stream's turn, under the lock: an event behind all that is queued, for the caller to release; NULL: nothing
 * is under way. */
static vptr_status find_earlier(vptr__stream *stream, cl_event *event_out) {
  vptr__device *device = stream->mapper->device;
  cl_event tail = NULL;
  vptr_status status = VPTR_SUCCESS;
  if (stream->is_legacy)
    vptr__stream_notice_strangers(stream);
  if (stream->completed < stream->enqueued)
    status = vptr__stream_tail(stream, &tail);
  if (status == VPTR_SUCCESS && tail != NULL)
    device->ops->event.retain(device, tail);
  if (status == VPTR_SUCCESS)
    *event_out = tail;
  return status;
}

static vptr_status put_barrier(const vptr__stream *stream, cl_event *after_out) {
  vptr__device *device = stream->mapper->device;
  cl_event after;
  vptr_status status = device->ops->event.create_user(device, &after);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->queue.enqueue_barrier(device, vptr__stream_queue(stream), 1, &after, NULL);
  if (status == VPTR_SUCCESS)
    *after_out = after;
  else
    vptr__stream_drop_barrier(device, after);
  return status;
}

/* The barrier never fails, since the event that it waits for never does: it needs no watching. */
vptr_status vptr__gate_put_barrier(vptr__stream *stream) {
  vptr__gate *gate = stream->gate;
  if (gate == NULL)
    return VPTR_SUCCESS;
  vptr_status status = put_barrier(stream, &gate->after);
  if (status != VPTR_SUCCESS)
    return status;
  stream->gate = NULL;
  stream->unsent = true;
  vptr__stream_note_enqueued(stream);
  gate->number = stream->worked = stream->enqueued;
  vptr__stream_stop_sending(stream);
  return VPTR_SUCCESS;
}

/* The program may send to a queue that it has been given without asking anybody, so there the barrier is put at
   once. */
static vptr_status close_behind(vptr__stream *stream, vptr__gate *gate, uint64_t *number_out, cl_event *earlier_out) {
  vptr_status status = vptr__stream_await_turn(stream);
  if (status == VPTR_SUCCESS)
    status = find_earlier(stream, earlier_out);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_count(stream->mapper); /* something is under way from here on */
  *number_out = gate->number = stream->enqueued;
  stream->sending = true;
  stream->gate = gate;
  if (!stream->is_legacy || !atomic_load_explicit(&stream->mapper->queue_shown, memory_order_relaxed))
    return VPTR_SUCCESS;
  status = vptr__gate_put_barrier(stream);
  if (status == VPTR_SUCCESS)
    return status;
  stream->gate = NULL;
  vptr__stream_stop_sending(stream);
  if (*earlier_out != NULL)
    gate->device->ops->event.release(gate->device, *earlier_out);
  return status;
}

static vptr_status await_earlier(const vptr__gate *gate, uint64_t number, cl_event earlier) {
  if (earlier == NULL)
    return VPTR_SUCCESS;
  vptr_status status = gate->device->ops->event.wait(gate->device, earlier);
  gate->device->ops->event.release(gate->device, earlier);
  if (status == VPTR_SUCCESS)
    vptr__stream_note_over(gate->stream, number);
  return status;
}

static void let_pass(vptr__gate *gate) {
  vptr__stream *stream = gate->stream;
  vptr__lock_take(&stream->mapper->stream_lock);
  if (gate->after == NULL) {
    stream->gate = NULL;
    vptr__stream_stop_sending(stream);
  }
  vptr__lock_give(&stream->mapper->stream_lock);
  if (gate->after == NULL)
    return;
  vptr__stream_drop_barrier(gate->device, gate->after);
}

vptr_status vptr__gate_close(vptr__stream *stream, vptr__gate *gate) {
  cl_event earlier = NULL;
  uint64_t number;
  *gate = (vptr__gate){ .device = stream->mapper->device, .stream = stream };
  vptr__lock_take(&stream->mapper->stream_lock);
  vptr_status status = close_behind(stream, gate, &number, &earlier);
  vptr__lock_give(&stream->mapper->stream_lock);
  if (status != VPTR_SUCCESS)
    return status;
  status = await_earlier(gate, number, earlier);
  if (status != VPTR_SUCCESS)
    let_pass(gate);
  return status;
}

void vptr__gate_open(vptr__gate *gate) {
  let_pass(gate);
  vptr__stream_note_over(gate->stream, gate->number);
}
