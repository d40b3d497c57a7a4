/* SPDX-License-Identifier: MIT */
/*
 * mark - see mark.h.
 *
 * Without timing a mark means the stream's tail, which may be there already. With timing it has a command of its own, as
 * that tells when it ran, on a queue that keeps times (stream/timing.c). Only where the mark's own event is the tail, and
 * not reached yet, would one more be reached at the same time, and is not put.
 *
 * Nobody needs a mark's event flushed where commands begin without, except for other queues that wait for it: it is
 * flushed when they do.
 */
#include "stream/mark.h"

#include "base/error.h"
#include "base/memory.h"
#include "stream/handle.h"
#include "stream/state.h"

struct vptr__mark {
  vptr_mapper *mapper;
  unsigned flags;
  vptr__mark *next, **link; /* in the mapper's list; link points to what points here */
  cl_event event;           /* NULL: never recorded */
  uint64_t stream_id;       /* where it was recorded */
};

/* ---- life ----------------------------------------------------------------------------------------------- */

static void insert_mark(vptr__mark *mark, vptr__stream_set *set) {
  vptr__lock_take(&mark->mapper->stream_lock);
  mark->next = set->marks;
  mark->link = &set->marks;
  if (mark->next != NULL)
    mark->next->link = &mark->next;
  set->marks = mark;
  vptr__lock_give(&mark->mapper->stream_lock);
}

static void remove_mark(vptr__mark *mark) {
  vptr__lock_take(&mark->mapper->stream_lock);
  *mark->link = mark->next;
  if (mark->next != NULL)
    mark->next->link = mark->link;
  vptr__lock_give(&mark->mapper->stream_lock);
}

static void free_mark(vptr__mark *mark) {
  vptr__device *device = mark->mapper->device;
  if (mark->event != NULL)
    device->ops->event_release(device, mark->event);
  vptr__memory_free(mark);
}

vptr_status vptr__mark_create(vptr_mapper *mapper, unsigned flags, vptr__mark **mark_out) {
  vptr__stream_set *set;
  vptr_status status = vptr__stream_set_of(mapper, &set);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__mark *mark = vptr__memory_calloc(1, sizeof *mark);
  if (mark == NULL)
    return vptr__error_host_memory(sizeof *mark);
  status = vptr__handle_add(mark, VPTR__HANDLE_MARK);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(mark);
    return status;
  }
  mark->mapper = mapper;
  mark->flags = flags;
  insert_mark(mark, set);
  *mark_out = mark;
  return VPTR_SUCCESS;
}

vptr_status vptr__mark_destroy(vptr__mark *mark) {
  if (!vptr__handle_remove(mark, VPTR__HANDLE_MARK))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no live event", (void *)mark);
  remove_mark(mark);
  free_mark(mark);
  return VPTR_SUCCESS;
}

void vptr__mark_close_all(vptr_mapper *mapper, vptr__stream_set *set) {
  vptr__lock_take(&mapper->stream_lock);
  vptr__mark *marks = set->marks;
  set->marks = NULL;
  vptr__lock_give(&mapper->stream_lock);
  while (marks != NULL) {
    vptr__mark *next = marks->next;
    vptr__handle_remove(marks, VPTR__HANDLE_MARK);
    free_mark(marks);
    marks = next;
  }
}

bool vptr__mark_is_live(const void *mark) {
  return vptr__handle_is(mark, VPTR__HANDLE_MARK);
}

unsigned vptr__mark_flags(const vptr__mark *mark) {
  return mark->flags;
}

vptr_mapper *vptr__mark_mapper(const vptr__mark *mark) {
  return mark->mapper;
}

/* ---- recording ------------------------------------------------------------------------------------------ */

/* Under the lock. */
static cl_event retain_event(const vptr__mark *mark) {
  vptr__device *device = mark->mapper->device;
  if (mark->event != NULL)
    device->ops->event_retain(device, mark->event);
  return mark->event;
}

static cl_event event_of(vptr__mark *mark) {
  vptr__lock_take(&mark->mapper->stream_lock);
  cl_event event = retain_event(mark);
  vptr__lock_give(&mark->mapper->stream_lock);
  return event;
}

/* A queue that goes is flushed. Where one cannot be, its stream keeps the failure. */
cl_event vptr__mark_event(vptr__mark *mark) {
  vptr_mapper *mapper = mark->mapper;
  vptr__lock_take(&mapper->stream_lock);
  cl_event event = retain_event(mark);
  vptr__stream *stream = vptr__stream_by_id(mapper, mark->stream_id);
  if (event != NULL && vptr__stream_send(stream) != VPTR_SUCCESS)
    vptr__stream_fail(stream, vptr_last_cl_error());
  vptr__lock_give(&mapper->stream_lock);
  return event;
}

bool vptr__mark_is_recorded(vptr__mark *mark) {
  vptr__lock_take(&mark->mapper->stream_lock);
  bool recorded = mark->event != NULL;
  vptr__lock_give(&mark->mapper->stream_lock);
  return recorded;
}

static bool is_timed(const vptr__mark *mark) {
  return (mark->flags & VPTR__MARK_NO_TIMING) == 0;
}

static bool is_pending(vptr__device *device, cl_event event) {
  cl_int state;
  vptr__error_try();
  bool is_known = device->ops->event_state(device, event, &state) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return is_known && state > CL_COMPLETE;
}

/* Whether the stream's tail says what a new one would. One that everything before it was waited for without has no
 * number to be waited for by. Under the lock. */
static bool will_tail_do(const vptr__mark *mark, const vptr__stream *stream) {
  if (!vptr__stream_has_tail(stream) || stream->completed >= stream->enqueued)
    return false;
  return !is_timed(mark) || (mark->event == stream->tail && is_pending(mark->mapper->device, mark->event));
}

/* The stream's tail becomes the mark's event. The old one is left to be released without the lock, since that calls the
 * driver. Strangers' work on the mapper's queue is behind no tail that is there already. */
static vptr_status move_mark(vptr__mark *mark, vptr__stream *stream, cl_event *old_out) {
  vptr__device *device = mark->mapper->device;
  vptr_status status = vptr__stream_await_turn(stream);
  if (status != VPTR_SUCCESS)
    return status;
  if (stream->is_legacy)
    vptr__stream_notice_strangers(stream);
  if (!will_tail_do(mark, stream))
    status = vptr__stream_put_tail(stream);
  if (status != VPTR_SUCCESS)
    return status;
  if (mark->event != stream->tail) {
    device->ops->event_retain(device, stream->tail);
    *old_out = mark->event;
    mark->event = stream->tail;
  }
  mark->stream_id = stream->id;
  return VPTR_SUCCESS;
}

vptr_status vptr__mark_record(vptr__mark *mark, vptr__stream *stream) {
  vptr_mapper *mapper = mark->mapper;
  if (stream->mapper != mapper)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the event and the stream are of different devices");
  cl_event old = NULL;
  vptr_status status = is_timed(mark) ? vptr__stream_time(stream) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&mapper->stream_lock);
  status = move_mark(mark, stream, &old);
  vptr__lock_give(&mapper->stream_lock);
  if (old != NULL)
    mapper->device->ops->event_release(mapper->device, old);
  return status;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

static vptr_status classify_event(vptr__device *device, cl_event event) {
  cl_int state;
  vptr_status status = device->ops->event_state(device, event, &state);
  if (status != VPTR_SUCCESS)
    return status;
  if (state < 0)
    return vptr__error_cl(state, "the work before an event failed");
  return state == CL_COMPLETE ? VPTR_SUCCESS : VPTR_ERROR_NOT_READY;
}

/* Its event tells nothing of the commands before it: their stream does. */
static vptr_status read_stream_outcome(vptr__mark *mark) {
  vptr__lock_take(&mark->mapper->stream_lock);
  uint64_t id = mark->stream_id;
  vptr__lock_give(&mark->mapper->stream_lock);
  return vptr__stream_hear_id(mark->mapper, id);
}

vptr_status vptr__mark_look(vptr__mark *mark) {
  vptr__device *device = mark->mapper->device;
  cl_event event = event_of(mark);
  if (event == NULL)
    return VPTR_SUCCESS;
  vptr_status status = classify_event(device, event);
  device->ops->event_release(device, event);
  return status;
}

vptr_status vptr__mark_query(vptr__mark *mark) {
  vptr_status status = vptr__mark_look(mark);
  return status == VPTR_SUCCESS && vptr__mark_is_recorded(mark) ? read_stream_outcome(mark) : status;
}

vptr_status vptr__mark_synchronize(vptr__mark *mark) {
  vptr__device *device = mark->mapper->device;
  cl_event event = event_of(mark);
  if (event == NULL)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->event_wait(device, event);
  device->ops->event_release(device, event);
  return status == VPTR_SUCCESS ? read_stream_outcome(mark) : status;
}

/* When the event of a mark was reached. */
static vptr_status read_clock(vptr__mark *mark, uint64_t *ns_out) {
  vptr__device *device = mark->mapper->device;
  cl_event event = event_of(mark);
  if (event == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "an event that was never recorded has no time");
  uint64_t begin;
  vptr_status status = classify_event(device, event);
  if (status == VPTR_SUCCESS)
    status = device->ops->event_times(device, event, &begin, ns_out);
  device->ops->event_release(device, event);
  return status;
}

vptr_status vptr__mark_elapsed(vptr__mark *from, vptr__mark *to, float *milliseconds_out) {
  if (from->mapper != to->mapper)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "events of different devices have no common clock");
  if (((from->flags | to->flags) & VPTR__MARK_NO_TIMING) != 0)
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
static void CL_CALLBACK pass_on(cl_event event, cl_int state, void *context) {
  relay *wait = context;
  vptr_mapper *from = wait->from, *to = wait->to;
  (void)event;
  if (state < 0)
    vptr__stream_fail(wait->stream, state);
  vptr__stream_open_barrier(to->device, wait->after);
  to->device->ops->event_release(to->device, wait->after);
  vptr__memory_free(wait);
  vptr__stream_callback_gone(from);
  vptr__stream_callback_gone(to);
}

static vptr_status put_barrier(vptr__stream *stream, cl_event event) {
  vptr__device *device = stream->mapper->device;
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  cl_event done = NULL;
  status = device->ops->enqueue_barrier(device, queue, 1, &event, &done);
  vptr__stream_note(stream, done);
  vptr__stream_end(stream);
  return status;
}

/* The notice is asked for only when the barrier is there; and where it cannot be had, the barrier is opened. */
static vptr_status start_relay(relay *wait, vptr__mark *mark, cl_event event) {
  vptr__device *from = mark->mapper->device, *to = wait->to->device;
  vptr_status status = put_barrier(wait->stream, wait->after);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_callback_comes(wait->from);
  vptr__stream_callback_comes(wait->to);
  status = from->ops->event_notify(from, event, pass_on, wait);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__stream_open_barrier(to, wait->after);
  vptr__stream_callback_gone(wait->from);
  vptr__stream_callback_gone(wait->to);
  return status;
}

static vptr_status wait_for_stranger(vptr__stream *stream, vptr__mark *mark, cl_event event) {
  vptr__device *device = stream->mapper->device;
  relay *wait = vptr__memory_calloc(1, sizeof *wait);
  if (wait == NULL)
    return vptr__error_host_memory(sizeof *wait);
  *wait = (relay){ .from = mark->mapper, .to = stream->mapper, .stream = stream };
  vptr_status status = device->ops->user_event(device, &wait->after);
  if (status != VPTR_SUCCESS)
    goto free_wait;
  status = start_relay(wait, mark, event);
  if (status == VPTR_SUCCESS)
    return status;

  device->ops->event_release(device, wait->after);
free_wait:
  vptr__memory_free(wait);
  return status;
}

vptr_status vptr__stream_wait(vptr__stream *stream, vptr__mark *mark) {
  vptr__device *device = mark->mapper->device;
  cl_event event = vptr__mark_event(mark);
  if (event == NULL)
    return VPTR_SUCCESS;
  vptr_status status =
      stream->mapper == mark->mapper ? put_barrier(stream, event) : wait_for_stranger(stream, mark, event);
  device->ops->event_release(device, event);
  return status;
}
