/* SPDX-License-Identifier: MIT */
/*
 * event - events: making, recording, waiting for, and timing them; and streams that wait for them (event.h).
 *
 * This file owns struct vptr__event: an event is its creator's until vptr__event_destroy(), and meanwhile in the list
 * vptr__stream_set.events (state.h). mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards that list, and
 * `command` and `stream_id` of each event; `is_captured` is atomic, since each question looks at it, and the rest never
 * changes. The lock is not held while an event is waited for. A wait for another mapper's event is a `relay`, which the
 * driver's callback completes and frees; both mappers count it among their callbacks (host.c), and wait for it before
 * they end.
 *
 * Called by cudart/cuda/event.c, cudart/cuda/stream.c, shared_event.c, sharing.c and capture_work.c there, and
 * cudart/graph/captured_work.c, for CUDA's event calls; by pool/free_list.c, dependency.c and reuse.c, whose events
 * tell how far streams are; by cudart/module/managed.c, whose events say where the last launch with managed variables
 * ends; by vptr/stream/stream.c, which closes what a mapper leaves; by the files of lib/cudart/replay and
 * cudart/graph/memory.c; and by the driver, when the event of a relay is reached. vptr__stream_wait() is declared in
 * stream.h.
 *
 * Without timing an event means the stream's tail, which may be there already. With timing it has a command of its
 * own, as that tells when it ran, on a queue that keeps times (stream/timing.c). Only where the event's own command is
 * the tail, and not reached yet, would one more be reached at the same time, and is not put.
 *
 * Where commands begin without a flush, only another queue that waits for an event's command needs it flushed: that
 * happens when such a queue is made to wait.
 */
#include "stream/event.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "stream/handle.h"
#include "stream/state.h"

struct vptr__event {
  vptr_mapper *mapper;
  unsigned flags;
  vptr__event *next, **link; /* in the mapper's list; link points to what points here */
  cl_event command;          /* NULL: never recorded */
  uint64_t stream_id;        /* where it was recorded */
  atomic_bool is_captured;   /* last of all it was recorded in a capture, which sent nothing */
};

/* ---- life ----------------------------------------------------------------------------------------------- */

static void insert_event(vptr__event *event, vptr__stream_set *set) {
  vptr__lock_take(&event->mapper->stream_lock);
  event->next = set->events;
  event->link = &set->events;
  if (event->next != NULL)
    event->next->link = &event->next;
  set->events = event;
  vptr__lock_give(&event->mapper->stream_lock);
}

static void remove_event(vptr__event *event) {
  vptr__lock_take(&event->mapper->stream_lock);
  *event->link = event->next;
  if (event->next != NULL)
    event->next->link = event->link;
  vptr__lock_give(&event->mapper->stream_lock);
}

static void free_event(vptr__event *event) {
  vptr__device *device = event->mapper->device;
  if (event->command != NULL)
    device->ops->event.release(device, event->command);
  vptr__memory_free(event);
}

vptr_status vptr__event_create(vptr_mapper *mapper, unsigned flags, vptr__event **event_out) {
  vptr__stream_set *set;
  vptr_status status = vptr__stream_set_of(mapper, &set);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__event *event = vptr__memory_calloc(1, sizeof *event);
  if (event == NULL)
    return vptr__error_host_memory(sizeof *event);
  status = vptr__handle_add(event, VPTR__HANDLE_EVENT);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(event);
    return status;
  }
  event->mapper = mapper;
  event->flags = flags;
  insert_event(event, set);
  *event_out = event;
  return VPTR_SUCCESS;
}

vptr_status vptr__event_destroy(vptr__event *event) {
  if (!vptr__handle_remove(event, VPTR__HANDLE_EVENT))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no live event", (void *)event);
  remove_event(event);
  free_event(event);
  return VPTR_SUCCESS;
}

void vptr__event_close_all(vptr_mapper *mapper, vptr__stream_set *set) {
  vptr__lock_take(&mapper->stream_lock);
  vptr__event *events = set->events;
  set->events = NULL;
  vptr__lock_give(&mapper->stream_lock);
  while (events != NULL) {
    vptr__event *next = events->next;
    vptr__handle_remove(events, VPTR__HANDLE_EVENT);
    free_event(events);
    events = next;
  }
}

bool vptr__event_is_live(const void *event) {
  return vptr__handle_is(event, VPTR__HANDLE_EVENT);
}

unsigned vptr__event_flags(const vptr__event *event) {
  return event->flags;
}

vptr_mapper *vptr__event_mapper(const vptr__event *event) {
  return event->mapper;
}

/* ---- recording ------------------------------------------------------------------------------------------ */

/* Under the lock. */
static cl_event retain_event(const vptr__event *event) {
  vptr__device *device = event->mapper->device;
  if (event->command != NULL)
    device->ops->event.retain(device, event->command);
  return event->command;
}

static cl_event event_of(vptr__event *event) {
  vptr__lock_take(&event->mapper->stream_lock);
  cl_event command = retain_event(event);
  vptr__lock_give(&event->mapper->stream_lock);
  return command;
}

/* A queue that goes is flushed. Where one cannot be, its stream keeps the failure. */
cl_event vptr__event_command(vptr__event *event) {
  vptr_mapper *mapper = event->mapper;
  vptr__lock_take(&mapper->stream_lock);
  cl_event command = retain_event(event);
  vptr__stream *stream = vptr__stream_by_id(mapper, event->stream_id);
  if (command != NULL && vptr__stream_send(stream) != VPTR_SUCCESS)
    vptr__stream_fail(stream, vptr_last_cl_error());
  vptr__lock_give(&mapper->stream_lock);
  return command;
}

bool vptr__event_is_recorded(vptr__event *event) {
  vptr__lock_take(&event->mapper->stream_lock);
  bool recorded = event->command != NULL;
  vptr__lock_give(&event->mapper->stream_lock);
  return recorded;
}

void vptr__event_set_captured(vptr__event *event) {
  atomic_store_explicit(&event->is_captured, true, memory_order_release);
}

bool vptr__event_is_captured(vptr__event *event) {
  return atomic_load_explicit(&event->is_captured, memory_order_acquire);
}

static bool is_timed(const vptr__event *event) {
  return (event->flags & VPTR__EVENT_NO_TIMING) == 0;
}

static bool is_pending(vptr__device *device, cl_event command) {
  cl_int state;
  vptr__error_try();
  bool is_known = device->ops->event.state(device, command, &state) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return is_known && state > CL_COMPLETE;
}

/* Whether the stream's tail says what a new one would. One that everything before it was waited for without has no
 * number to be waited for by. Under the lock. */
static bool will_tail_do(const vptr__event *event, const vptr__stream *stream) {
  if (!vptr__stream_has_tail(stream) || stream->completed >= stream->enqueued)
    return false;
  return !is_timed(event) || (event->command == stream->tail && is_pending(event->mapper->device, event->command));
}

/* The stream's tail becomes the event's command. The old one is left to be released without the lock, since that
 * calls the driver. Strangers' work on the mapper's queue is behind no tail that is there already. */
static vptr_status move_event(vptr__event *event, vptr__stream *stream, cl_event *old_out) {
  vptr__device *device = event->mapper->device;
  vptr_status status = vptr__stream_await_turn(stream);
  if (status != VPTR_SUCCESS)
    return status;
  if (stream->is_legacy)
    vptr__stream_notice_strangers(stream);
  if (!will_tail_do(event, stream))
    status = vptr__stream_put_tail(stream);
  if (status != VPTR_SUCCESS)
    return status;
  if (event->command != stream->tail) {
    device->ops->event.retain(device, stream->tail);
    *old_out = event->command;
    event->command = stream->tail;
  }
  event->stream_id = stream->id;
  atomic_store_explicit(&event->is_captured, false, memory_order_release);
  return VPTR_SUCCESS;
}

vptr_status vptr__event_record(vptr__event *event, vptr__stream *stream) {
  vptr_mapper *mapper = event->mapper;
  if (stream->mapper != mapper)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the event and the stream are of different devices");
  cl_event old = NULL;
  vptr_status status = is_timed(event) ? vptr__stream_time(stream) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&mapper->stream_lock);
  status = move_event(event, stream, &old);
  vptr__lock_give(&mapper->stream_lock);
  if (old != NULL)
    mapper->device->ops->event.release(mapper->device, old);
  return status;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

static vptr_status classify_event(vptr__device *device, cl_event command) {
  cl_int state;
  vptr_status status = device->ops->event.state(device, command, &state);
  if (status != VPTR_SUCCESS)
    return status;
  if (state < 0)
    return vptr__error_cl(state, "the work before an event failed");
  return state == CL_COMPLETE ? VPTR_SUCCESS : VPTR_ERROR_NOT_READY;
}

/* Its event tells nothing of the commands before it: their stream does. */
static vptr_status read_stream_outcome(vptr__event *event) {
  vptr__lock_take(&event->mapper->stream_lock);
  uint64_t id = event->stream_id;
  vptr__lock_give(&event->mapper->stream_lock);
  return vptr__stream_poll_failure_id(event->mapper, id);
}

vptr_status vptr__event_poll(vptr__event *event) {
  vptr__device *device = event->mapper->device;
  cl_event command = event_of(event);
  if (command == NULL)
    return VPTR_SUCCESS;
  vptr_status status = classify_event(device, command);
  device->ops->event.release(device, command);
  return status;
}

vptr_status vptr__event_query(vptr__event *event) {
  vptr_status status = vptr__event_poll(event);
  return status == VPTR_SUCCESS && vptr__event_is_recorded(event) ? read_stream_outcome(event) : status;
}

vptr_status vptr__event_synchronize(vptr__event *event) {
  vptr__device *device = event->mapper->device;
  cl_event command = event_of(event);
  if (command == NULL)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->event.wait(device, command);
  device->ops->event.release(device, command);
  return status == VPTR_SUCCESS ? read_stream_outcome(event) : status;
}

/* When the command of an event was reached. */
static vptr_status read_clock(vptr__event *event, uint64_t *ns_out) {
  vptr__device *device = event->mapper->device;
  cl_event command = event_of(event);
  if (command == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "an event that was never recorded has no time");
  uint64_t begin;
  vptr_status status = classify_event(device, command);
  if (status == VPTR_SUCCESS)
    status = device->ops->event.times(device, command, &begin, ns_out);
  device->ops->event.release(device, command);
  return status;
}

vptr_status vptr__event_elapsed(vptr__event *from, vptr__event *to, float *milliseconds_out) {
  if (from->mapper != to->mapper)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "events of different devices have no common clock");
  if (((from->flags | to->flags) & VPTR__EVENT_NO_TIMING) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "an event without timing was asked for its time");
  uint64_t began = 0, ended = 0;
  vptr_status status = read_clock(from, &began);
  if (status == VPTR_SUCCESS)
    status = read_clock(to, &ended);
  if (status == VPTR_SUCCESS)
    *milliseconds_out = (float)((double)(int64_t)(ended - began) / 1e6);
  return status;
}

/* ---- waiting in a stream -------------------------------------------------------------------------------- */

/* A wait for another device's work: an event of the waiting device's, completed by the other's driver. */
typedef struct relay {
  vptr_mapper *from, *to;
  vptr__stream *stream; /* alive while its queue waits */
  cl_event after;
} relay;

/* Both mappers outlive the notice, since they count it. */
static void CL_CALLBACK pass_on(cl_event command, cl_int state, void *context) {
  relay *wait = context;
  vptr_mapper *from = wait->from, *to = wait->to;
  (void)command;
  if (state < 0)
    vptr__stream_fail(wait->stream, state);
  vptr__stream_drop_barrier(to->device, wait->after);
  vptr__memory_free(wait);
  vptr__stream_callback_gone(from);
  vptr__stream_callback_gone(to);
}

static vptr_status put_barrier(vptr__stream *stream, cl_event command) {
  vptr__device *device = stream->mapper->device;
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  cl_event done = NULL;
  status = device->ops->queue.enqueue_barrier(device, queue, 1, &command, &done);
  vptr__stream_note(stream, done);
  vptr__stream_end(stream);
  return status;
}

/* The notice is asked for only when the barrier is there; where it cannot be had, the barrier is the caller's to
   open. */
static vptr_status start_relay(relay *wait, vptr__event *event, cl_event command) {
  vptr__device *from = event->mapper->device;
  vptr_status status = put_barrier(wait->stream, wait->after);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_callback_comes(wait->from);
  vptr__stream_callback_comes(wait->to);
  status = from->ops->event.notify(from, command, pass_on, wait);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__stream_callback_gone(wait->from);
  vptr__stream_callback_gone(wait->to);
  return status;
}

static vptr_status wait_for_stranger(vptr__stream *stream, vptr__event *event, cl_event command) {
  vptr__device *device = stream->mapper->device;
  relay *wait = vptr__memory_calloc(1, sizeof *wait);
  if (wait == NULL)
    return vptr__error_host_memory(sizeof *wait);
  *wait = (relay){ .from = event->mapper, .to = stream->mapper, .stream = stream };
  vptr_status status = device->ops->event.create_user(device, &wait->after);
  if (status != VPTR_SUCCESS)
    goto free_wait;
  status = start_relay(wait, event, command);
  if (status == VPTR_SUCCESS)
    return status;

  vptr__stream_drop_barrier(device, wait->after);
free_wait:
  vptr__memory_free(wait);
  return status;
}

vptr_status vptr__stream_wait(vptr__stream *stream, vptr__event *event) {
  vptr__device *device = event->mapper->device;
  cl_event command = vptr__event_command(event);
  if (command == NULL)
    return VPTR_SUCCESS;
  vptr_status status =
      stream->mapper == event->mapper ? put_barrier(stream, command) : wait_for_stranger(stream, event, command);
  device->ops->event.release(device, command);
  return status;
}
