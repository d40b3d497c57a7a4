/* SPDX-License-Identifier: MIT */
/*
 * timing - queues that keep the times of their commands, for those who measure.
 *
 * Keeping them is not free: on an H100 a blocking copy of a few bytes takes 15 us on such a queue, and 8 us on
 * another. So a stream begins with a queue that keeps none, and gets one that does when the first event with timing is
 * recorded in it: a new queue, behind all that the old one has. Numbers, tails and outcomes (stream/state.h) do not
 * notice. What is in the old queue comes before the new one's first command, so no thread has to wait for the old one;
 * it goes with the stream, since going means waiting. The legacy stream's queue is the device's own, which the device
 * exchanges.
 *
 * A stream that is measured stays so: programs that measure do it again.
 *
 * The file has no data of its own: it changes `queue`, `untimed` and `timed` of a vptr__stream (state.h), and sets
 * `queue_shown` of a mapper. A thread changes them between begin and end; mapper->stream_lock (mapper/mapper.h), of
 * rank STREAM, guards the two queues, and the flags are atomic. The legacy stream's queue is exchanged under the
 * device's own lock, of rank DEVICE. Nothing here waits for the device's work, but for a thread that sends to the
 * stream; vptr_get_queue() also for the driver's start, if it makes the default mapper, and while a device is
 * exchanged.
 *
 * Called by programs, for vptr_get_queue() (vptr.h), and by event.c when an event with timing is recorded
 * (vptr__stream_time(), state.h). vptr_get_queue() makes what it hands out a queue that keeps times, where that can be
 * had.
 */
#include "stream/state.h"

#include "base/error.h"
#include "device/shown.h"

/* Waits on the device, and puts nothing into the way of who waits for the new queue alone. */
static vptr_status put_behind(vptr__stream *stream, cl_command_queue later) {
  vptr__device *device = stream->mapper->device;
  cl_event end;
  vptr__lock_take(&stream->mapper->stream_lock);
  vptr_status status = vptr__stream_tail(stream, &end);
  if (status == VPTR_SUCCESS)
    status = device->ops->queue.enqueue_barrier(device, later, 1, &end, NULL);
  vptr__lock_give(&stream->mapper->stream_lock);
  return status;
}

static void exchange_queue(vptr__stream *stream, cl_command_queue timed) {
  vptr__lock_take(&stream->mapper->stream_lock);
  stream->untimed = stream->queue;
  stream->queue = timed;
  vptr__lock_give(&stream->mapper->stream_lock);
}

static vptr_status replace_queue(vptr__stream *stream) {
  cl_command_queue timed;
  vptr_status status = vptr__stream_open_queue(stream, true, &timed);
  if (status != VPTR_SUCCESS)
    return status;
  status = put_behind(stream, timed);
  if (status == VPTR_SUCCESS)
    exchange_queue(stream, timed);
  else
    vptr__stream_close_queue(stream, timed);
  return status;
}

/* Between begin and end. */
static vptr_status keep_times(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  vptr_status status = VPTR_SUCCESS;
  bool is_shown = stream->is_legacy && atomic_load(&stream->mapper->queue_shown); /* it is what it is then */
  if (atomic_load(&stream->timed))
    return VPTR_SUCCESS;
  if (!is_shown)
    status = stream->is_legacy ? device->ops->queue.time(device) : replace_queue(stream);
  atomic_store(&stream->timed, status == VPTR_SUCCESS);
  return status;
}

vptr_status vptr__stream_time(vptr__stream *stream) {
  cl_command_queue queue;
  if (atomic_load_explicit(&stream->timed, memory_order_acquire))
    return VPTR_SUCCESS;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = keep_times(stream);
  vptr__stream_end_idle(stream);
  return status;
}

/* Between begin and end, so that nobody exchanges a queue that was just shown. */
static vptr_status show_legacy(vptr_mapper *mapper) {
  vptr__stream *legacy;
  cl_command_queue queue;
  vptr_status status = vptr__stream_legacy(mapper, &legacy);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_begin(legacy, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = keep_times(legacy);
  atomic_store_explicit(&mapper->queue_shown, true, memory_order_release);
  vptr__stream_end_unflushed(legacy);
  return status;
}

/* Whoever has seen the queue goes on using it, so it is made what it could still become: one that keeps times. Where
 * that cannot be had it stays as it is, and only who wants times misses something. */
static bool show_queue(vptr_mapper *mapper) {
  if (atomic_load_explicit(&mapper->queue_shown, memory_order_acquire))
    return true;
  vptr__error_try();
  vptr_status status = show_legacy(mapper);
  bool is_shown = atomic_load_explicit(&mapper->queue_shown, memory_order_acquire);
  vptr__error_tried(is_shown ? VPTR_SUCCESS : status);
  return is_shown;
}

cl_command_queue vptr_get_queue(vptr_mapper *mapper) {
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return NULL;
  if (vptr__device_check_shown(meant->device, "vptr_get_queue") != VPTR_SUCCESS || !show_queue(meant))
    return NULL;
  return meant->device->proxy != NULL ? vptr__proxy_show_queue(meant->device)
                                      : (cl_command_queue)meant->device->cl_queue;
}
