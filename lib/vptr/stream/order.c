/* SPDX-License-Identifier: MIT */
/*
 * order - which stream waits for which: vptr__stream_begin() and vptr__stream_end(), and the barriers between queues.
 *
 * A thread sends its commands without the lock, for a driver may take its time over a command, and only the barriers
 * between queues are sent with it; the stream's `sending` keeps other threads out of that stream meanwhile. Between
 * the legacy stream and blocking ones it keeps both sides out, so that a copy of many commands comes before or after a
 * legacy operation, never around it. Non-blocking streams, and blocking ones among themselves, never wait for each
 * other. No thread waits for another stream while it sends, so there is no cycle. A thread that has a gate may wait;
 * others do not wait for its gate, but put a barrier into the queue instead (gate.h).
 *
 * The file has no data of its own: it changes whose turn it is (`sending`, the set's `waiting`), the numbers and tails
 * of vptr__stream (state.h: enqueued, worked, completed, seen_legacy, seen_by_legacy, tail, tail_at) and `unsent`, and
 * counts work in mapper->work_last. mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards all of that; but
 * `completed` and work_last are atomic: written under the lock, and read without it by others. `captured` and `missed`
 * of a stream are atomic too, and written here without the lock. vptr__stream_begin(), _end(), _end_unflushed(),
 * _end_idle() and _settle_legacy() take the lock; _set_captured(), _has_missed() and _refuse_captured() need none; all
 * others are for callers that hold it. vptr__stream_begin() blocks while another thread sends, on the set's condition
 * `changed`, and never for the device.
 *
 * Called by every sender, around its commands: transfer/async.c, held_copy.c, set.c and strategy.c,
 * cudart/module/child.c, launch.c, managed.c and print.c, cudart/cuda/array.c, array_content.c and array_copy.c,
 * cublas/clblast.c and tensor.c, and cufft/run.c; by cudart/graph/capture.c, which keeps senders out; by the other
 * files of this folder, for turns, tails and numbers; and by transfer/endpoint.c and line.c, which call
 * vptr__stream_settle_legacy() alone. Declared in stream.h and, for this folder, in state.h.
 */
#include "stream/gate.h"
#include "stream/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"

enum { MOST_EVENTS = 32 /* that one barrier waits for */ };

/* ---- tails ---------------------------------------------------------------------------------------------- */

static void replace_tail(vptr__stream *stream, cl_event event) {
  vptr__device *device = stream->mapper->device;
  if (stream->tail != NULL)
    device->ops->event.release(device, stream->tail);
  stream->tail = event;
  stream->tail_at = stream->enqueued;
}

vptr_status vptr__stream_send(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  if (!stream->unsent)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->queue.flush(device, vptr__stream_queue(stream));
  stream->unsent = status != VPTR_SUCCESS;
  return status;
}

static vptr_status enqueue_tail(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  cl_event event;
  vptr_status status = device->ops->queue.enqueue_barrier(device, vptr__stream_queue(stream), 0, NULL, &event);
  if (status != VPTR_SUCCESS)
    return status;
  replace_tail(stream, event);
  stream->unsent = true;
  return VPTR_SUCCESS;
}

vptr_status vptr__stream_tail(vptr__stream *stream, cl_event *event_out) {
  vptr_status status = vptr__stream_has_tail(stream) ? VPTR_SUCCESS : enqueue_tail(stream);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_send(stream);
  if (status == VPTR_SUCCESS)
    *event_out = stream->tail;
  return status;
}

vptr_status vptr__stream_put_tail(vptr__stream *stream) {
  vptr_status status = enqueue_tail(stream);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_note_enqueued(stream);
  stream->tail_at = stream->enqueued;
  if (!stream->mapper->device->quirk.begins_unflushed && vptr__stream_send(stream) != VPTR_SUCCESS)
    vptr__stream_fail(stream, vptr_last_cl_error());
  return VPTR_SUCCESS;
}

VPTR__HOT void vptr__stream_note_enqueued(vptr__stream *stream) {
  stream->enqueued = vptr__stream_count(stream->mapper);
}

VPTR__HOT void vptr__stream_note_completed(vptr__stream *stream, uint64_t number) {
  if (number > atomic_load_explicit(&stream->completed, memory_order_relaxed))
    atomic_store_explicit(&stream->completed, number, memory_order_release);
}

VPTR__HOT void vptr__stream_notice_strangers(vptr__stream *legacy) {
  if (!atomic_load_explicit(&legacy->mapper->queue_shown, memory_order_relaxed))
    return;
  vptr__stream_note_enqueued(legacy);
  legacy->worked = legacy->enqueued;
}

/* ---- barriers ------------------------------------------------------------------------------------------- */

static vptr_status put_barrier(vptr__stream *stream, cl_uint count, const cl_event *events) {
  vptr__device *device = stream->mapper->device;
  cl_event event;
  vptr_status status = vptr__stream_make_room(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->queue.enqueue_barrier(device, vptr__stream_queue(stream), count, events, &event);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_watch(stream, event);
  vptr__stream_note_enqueued(stream);
  return VPTR_SUCCESS;
}

static bool has_news_for_legacy(const vptr__stream *stream) {
  return vptr__stream_is_blocking(stream) && stream->worked > vptr__larger(stream->seen_by_legacy, stream->completed);
}

/* Collects up to MOST_EVENTS tails, from a place in the list on, which moves behind the last one. */
VPTR__HOT static vptr_status collect_tails(vptr__stream **from, cl_event *events, cl_uint *count_out) {
  vptr_status status = VPTR_SUCCESS;
  cl_uint count = 0;
  for (; *from != NULL && count < MOST_EVENTS && status == VPTR_SUCCESS; *from = (*from)->next) {
    if (!has_news_for_legacy(*from))
      continue;
    status = vptr__stream_tail(*from, &events[count]);
    count++;
  }
  *count_out = count;
  return status;
}

VPTR__HOT static void note_seen(vptr__stream *first, const vptr__stream *end) {
  for (vptr__stream *stream = first; stream != end; stream = stream->next)
    if (has_news_for_legacy(stream))
      stream->seen_by_legacy = stream->tail_at;
}

VPTR__HOT static vptr_status order_legacy(vptr__stream_set *set) {
  vptr__stream *end = set->first;
  while (end != NULL) {
    vptr__stream *first = end;
    cl_event events[MOST_EVENTS];
    cl_uint count;
    vptr_status status = collect_tails(&end, events, &count);
    if (status == VPTR_SUCCESS && count > 0)
      status = put_barrier(&set->legacy, count, events);
    if (status != VPTR_SUCCESS)
      return status;
    note_seen(first, end);
  }
  return VPTR_SUCCESS;
}

VPTR__HOT static vptr_status order_blocking(vptr__stream_set *set, vptr__stream *stream) {
  vptr__stream *legacy = &set->legacy;
  vptr__stream_notice_strangers(legacy);
  if (legacy->worked <= vptr__larger(stream->seen_legacy, legacy->completed))
    return VPTR_SUCCESS;
  cl_event event;
  vptr_status status = vptr__stream_tail(legacy, &event);
  if (status == VPTR_SUCCESS)
    status = put_barrier(stream, 1, &event);
  if (status == VPTR_SUCCESS)
    stream->seen_legacy = legacy->tail_at;
  return status;
}

VPTR__HOT static vptr_status order_stream(vptr__stream_set *set, vptr__stream *stream) {
  if (stream->is_legacy)
    return order_legacy(set);
  return vptr__stream_is_blocking(stream) ? order_blocking(set, stream) : VPTR_SUCCESS;
}

/* ---- turns -------------------------------------------------------------------------------------- */

static bool is_blocking_sent(const vptr__stream_set *set) {
  for (const vptr__stream *stream = set->first; stream != NULL; stream = stream->next)
    if (stream->sending && vptr__stream_is_blocking(stream))
      return true;
  return false;
}

VPTR__HOT static bool must_wait(const vptr__stream_set *set, const vptr__stream *stream) {
  if (stream->sending)
    return true;
  return stream->is_legacy ? is_blocking_sent(set) : vptr__stream_is_blocking(stream) && set->legacy.sending;
}

/* Puts barriers in place of the gates of all streams that must_wait() looks at. */
static vptr_status put_barriers_for_gates(vptr__stream_set *set, vptr__stream *stream) {
  vptr_status status = vptr__gate_put_barrier(stream);
  if (status == VPTR_SUCCESS && vptr__stream_is_blocking(stream))
    return vptr__gate_put_barrier(&set->legacy);
  for (vptr__stream *other = set->first; stream->is_legacy && other != NULL && status == VPTR_SUCCESS;
       other = other->next)
    if (vptr__stream_is_blocking(other))
      status = vptr__gate_put_barrier(other);
  return status;
}

static vptr_status await_senders(vptr__stream_set *set, vptr__stream *stream) {
  vptr_status status = put_barriers_for_gates(set, stream);
  set->waiting++;
  while (status == VPTR_SUCCESS && must_wait(set, stream)) {
    pthread_cond_wait(&set->changed, &stream->mapper->stream_lock.mutex);
    status = put_barriers_for_gates(set, stream);
  }
  set->waiting--;
  return status;
}

VPTR__HOT static vptr_status wait_for_senders(vptr__stream_set *set, vptr__stream *stream) {
  return must_wait(set, stream) ? await_senders(set, stream) : VPTR_SUCCESS;
}

VPTR__HOT vptr_status vptr__stream_await_turn(vptr__stream *stream) {
  vptr__stream_set *set = vptr__stream_set_get(stream->mapper);
  vptr_status status = wait_for_senders(set, stream);
  return status == VPTR_SUCCESS ? order_stream(set, stream) : status;
}

/* ---- begin and end -------------------------------------------------------------------------------------- */

void vptr__stream_set_captured(vptr__stream *stream, bool captured) {
  atomic_store(&stream->missed, false);
  atomic_store(&stream->captured, captured);
}

bool vptr__stream_has_missed(const vptr__stream *stream) {
  return atomic_load(&stream->missed);
}

VPTR__APART vptr_status vptr__stream_refuse_captured(vptr__stream *stream) {
  atomic_store(&stream->missed, true);
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "the stream is being captured, and this work cannot become a graph's node");
}

/* Mostly nobody waits, and to wake nobody is a call all the same. */
VPTR__HOT void vptr__stream_stop_sending(vptr__stream *stream) {
  vptr__stream_set *set = vptr__stream_set_get(stream->mapper);
  stream->sending = false;
  if (set->waiting > 0)
    pthread_cond_broadcast(&set->changed);
}

/* Others wait for who is sending. What is sent to a device that stays is sent without waiting for anybody. */
VPTR__HOT static inline void begin_sending(vptr__stream *stream) {
  stream->sending = true;
  if (__builtin_expect(stream->mapper->device->proxy != NULL, 0))
    vptr__lock_begin_duty();
}

VPTR__HOT static inline void end_sending(vptr__stream *stream) {
  if (__builtin_expect(stream->mapper->device->proxy != NULL, 0))
    vptr__lock_end_duty();
  vptr__stream_stop_sending(stream);
}

VPTR__HOT vptr_status vptr__stream_begin(vptr__stream *stream, cl_command_queue *queue_out) {
  vptr_mapper *mapper = stream->mapper;
  if (__builtin_expect(atomic_load_explicit(&stream->captured, memory_order_relaxed), false))
    return vptr__stream_refuse_captured(stream);
  vptr__lock_take(&mapper->stream_lock);
  vptr_status status = vptr__stream_await_turn(stream);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_make_room(stream);
  if (status == VPTR_SUCCESS) {
    vptr__stream_count(mapper); /* something is under way from here on */
    begin_sending(stream);
    *queue_out = vptr__stream_queue(stream);
  }
  vptr__lock_give(&mapper->stream_lock);
  return status;
}

VPTR__HOT static void flush_queue(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  if (device->ops->queue.flush(device, vptr__stream_queue(stream)) != VPTR_SUCCESS)
    vptr__stream_fail(stream, vptr_last_cl_error());
}

VPTR__HOT uint64_t vptr__stream_end(vptr__stream *stream) {
  flush_queue(stream);
  return vptr__stream_end_unflushed(stream);
}

VPTR__HOT uint64_t vptr__stream_end_unflushed(vptr__stream *stream) {
  vptr_mapper *mapper = stream->mapper;
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream_watch_noted(stream);
  vptr__stream_note_enqueued(stream);
  uint64_t number = stream->worked = stream->enqueued;
  end_sending(stream);
  vptr__lock_give(&mapper->stream_lock);
  return number;
}

void vptr__stream_end_idle(vptr__stream *stream) {
  vptr_mapper *mapper = stream->mapper;
  vptr__lock_take(&mapper->stream_lock);
  end_sending(stream);
  vptr__lock_give(&mapper->stream_lock);
}

/* What the caller sends next is no news to anybody: it is done before the caller goes on. */
VPTR__HOT vptr_status vptr__stream_settle_legacy(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  if (set == NULL || atomic_load(&set->blocking) == 0)
    return VPTR_SUCCESS;
  vptr__lock_take(&mapper->stream_lock);
  vptr_status status = wait_for_senders(set, &set->legacy);
  if (status == VPTR_SUCCESS)
    status = order_legacy(set);
  vptr__lock_give(&mapper->stream_lock);
  return status;
}
