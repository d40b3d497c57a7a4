/* SPDX-License-Identifier: MIT */
/*
 * outcome - keeps the events of a stream's commands until they are over, and their failures until somebody is told.
 *
 * A command that fails fails its event alone: the queue goes on, and waiting for it succeeds. So a stream keeps the
 * events of its commands, oldest first, until they are over, and looks at them when somebody asks for the stream:
 *
 *     ring   over | over, failed | running | queued | -      looked at from the left, up to the first that is not over
 *
 * (A callback for each would cost a thread's wake-up, and PoCL 3.1 calls none for what failed.)
 *
 * Each look lets go of what is over, and one is made when the ring is full; only if most of it is still to come, it
 * doubles. So the ring is at most about twice as long as what the driver itself had pending, and each command costs
 * one look. Room is made before a command is sent: there is no good answer to a command that is under way and cannot
 * be watched. Who knows how many will come, as the launch of a graph does, makes room for all of them at once. The
 * thread that sends keeps the event of its last command to itself (`noted`) until it ends its turn with the stream
 * (vptr__stream_end()), or asks for more room.
 *
 * The ring is vptr__stream.outcomes (state.h); mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards it.
 * Callers of classify, make_room, watch, watch_noted, take and by_id hold it; expect, peek and the functions that poll
 * take it, and so does reserve; note and fail need it not, nor forget_outcomes, for a stream that nobody else knows
 * any more. `failure`, the first code that nobody has been told, `watched` and `completed` are atomic, and read
 * without it. `noted` is the sending thread's own. Nothing here waits for the device; host memory for the ring can run
 * out, before a command is sent.
 *
 * Called by order.c when a turn with a stream begins and ends, for each barrier that it puts, and when a flush failed;
 * by stream.c and event.c when somebody has waited for a stream, when one is destroyed, and to fail one; by host.c and
 * word.c, which fail a stream; and by those who send, and hand over the events of their commands or ask for failures:
 * the files of lib/vptr/transfer and lib/cudart/module, cublas/clblast.c, cublas/tensor.c, cufft/run.c,
 * cudart/image/image.c, cudart/cuda/array.c, cudart/cuda/array_content.c, cudart/cuda/array_copy.c and
 * cudart/replay/send.c. Declared in stream.h and, for this folder, in state.h.
 */
#include "stream/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"

enum { FIRST_ROOM = 16 };

/* ---- the ring ------------------------------------------------------------------------------------------- */

VPTR__HOT static cl_event *ring_place(const vptr__outcomes *ring, size_t index) {
  return &ring->events[(ring->first + index) & (ring->room - 1)];
}

static vptr_status grow_ring(vptr__outcomes *ring, size_t least) {
  size_t room = ring->room > 0 ? 2 * ring->room : FIRST_ROOM;
  while (room < least)
    room *= 2;
  cl_event *events = vptr__memory_calloc(room, sizeof *events);
  if (events == NULL)
    return vptr__error_host_memory(room * sizeof *events);
  for (size_t i = 0; i < ring->count; i++)
    events[i] = *ring_place(ring, i);
  vptr__memory_free(ring->events);
  *ring = (vptr__outcomes){ events, room, 0, ring->count };
  return VPTR_SUCCESS;
}

VPTR__HOT static void drop_oldest(vptr__device *device, vptr__outcomes *ring) {
  device->ops->event.release(device, *ring_place(ring, 0));
  ring->first = (ring->first + 1) & (ring->room - 1);
  ring->count--;
}

/* ---- looking -------------------------------------------------------------------------------------------- */

/* An event that cannot be asked now stays, for the next look. */
VPTR__HOT void vptr__stream_classify(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  vptr__outcomes *ring = &stream->outcomes;
  if (ring->count == 0)
    return;
  vptr__error_try();
  for (cl_int state; ring->count > 0; drop_oldest(device, ring)) {
    if (device->ops->event.state(device, *ring_place(ring, 0), &state) != VPTR_SUCCESS || state > CL_COMPLETE)
      break;
    if (state < 0)
      vptr__stream_fail(stream, state);
  }
  atomic_store_explicit(&stream->watched, ring->count > 0, memory_order_release);
  vptr__error_tried(VPTR_SUCCESS);
}

VPTR__HOT vptr_status vptr__stream_make_room(vptr__stream *stream) {
  vptr__outcomes *ring = &stream->outcomes;
  if (ring->count < ring->room)
    return VPTR_SUCCESS;
  vptr__stream_classify(stream);
  return ring->room > 0 && ring->count <= ring->room / 2 ? VPTR_SUCCESS : grow_ring(ring, 0);
}

VPTR__HOT void vptr__stream_watch(vptr__stream *stream, cl_event event) {
  vptr__outcomes *ring = &stream->outcomes;
  *ring_place(ring, ring->count) = event;
  ring->count++;
  atomic_store_explicit(&stream->watched, true, memory_order_release);
}

void vptr__stream_forget_outcomes(vptr__stream *stream) {
  while (stream->outcomes.count > 0)
    drop_oldest(stream->mapper->device, &stream->outcomes);
  vptr__memory_free(stream->outcomes.events);
  stream->outcomes = (vptr__outcomes){ NULL, 0, 0, 0 };
}

/* ---- for those who send --------------------------------------------------------------------------------- */

VPTR__HOT void vptr__stream_watch_noted(vptr__stream *stream) {
  if (stream->noted != NULL)
    vptr__stream_watch(stream, stream->noted);
  stream->noted = NULL;
}

VPTR__HOT vptr_status vptr__stream_expect(vptr__stream *stream) {
  vptr__lock_take(&stream->mapper->stream_lock);
  vptr__stream_watch_noted(stream);
  vptr_status status = vptr__stream_make_room(stream);
  vptr__lock_give(&stream->mapper->stream_lock);
  return status;
}

/* The one that is noted gets a place, too. */
vptr_status vptr__stream_reserve(vptr__stream *stream, size_t count) {
  const vptr__outcomes *ring = &stream->outcomes;
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&stream->mapper->stream_lock);
  if (ring->room < ring->count + count + 1)
    vptr__stream_classify(stream);
  if (ring->room < ring->count + count + 1)
    status = grow_ring(&stream->outcomes, ring->count + count + 1);
  vptr__lock_give(&stream->mapper->stream_lock);
  return status;
}

/* Most streams that are begun send one command, and the lock is taken at their end anyway. There is room for one event
 * each time that somebody asked for it, so the one before was taken in then. */
VPTR__HOT void vptr__stream_note(vptr__stream *stream, cl_event event) {
  if (event != NULL)
    stream->noted = event;
}

/* ---- failures that are kept ----------------------------------------------------------------------------- */

void vptr__stream_fail(vptr__stream *stream, cl_int code) {
  cl_int none = CL_SUCCESS;
  atomic_compare_exchange_strong(&stream->failure, &none, code);
}

VPTR__HOT cl_int vptr__stream_take(vptr__stream *stream) {
  vptr__stream_classify(stream);
  return atomic_exchange(&stream->failure, CL_SUCCESS);
}

static vptr_status report_outcome(cl_int code, uint64_t id) {
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "earlier work of stream %llu failed", (unsigned long long)id);
}

/* What follows from one failure in other streams is told with it. */
VPTR__HOT cl_int vptr__stream_take_told(vptr__stream_set *set, vptr__stream *stream) {
  cl_int code = vptr__stream_take(stream);
  if (!atomic_load_explicit(&stream->is_told, memory_order_relaxed))
    return code;
  bool is_told = false;
  for (vptr__stream *other = set->first; other != NULL; other = other->next)
    if (other->told_to == stream->id) {
      cl_int others = vptr__stream_take(other);
      code = code != CL_SUCCESS ? code : others;
      is_told = true;
    }
  atomic_store_explicit(&stream->is_told, is_told, memory_order_relaxed);
  return code;
}

/* Who was told before hears of what is over. */
void vptr__stream_tell(vptr__stream *stream, vptr__stream *to) {
  vptr_mapper *mapper = stream->mapper;
  vptr__lock_take(&mapper->stream_lock);
  cl_int code = stream->told_to != 0 && stream->told_to != to->id ? vptr__stream_take(stream) : CL_SUCCESS;
  if (code != CL_SUCCESS)
    vptr__stream_fail(vptr__stream_by_id(mapper, stream->told_to), code);
  stream->told_to = to->id;
  atomic_store_explicit(&to->is_told, true, memory_order_release);
  vptr__lock_give(&mapper->stream_lock);
}

/* Whoever waits for the legacy stream has waited for the blocking ones. The first failure is told, of the stream's own
 * first; the others' stay for who asks next. */
VPTR__HOT static cl_int take_of_all(vptr__stream_set *set, vptr__stream *stream, uint64_t *id_out) {
  cl_int code = vptr__stream_take_told(set, stream);
  *id_out = stream->id;
  if (!stream->is_legacy)
    return code;
  for (vptr__stream *other = set->first; other != NULL && code == CL_SUCCESS; other = other->next)
    if (vptr__stream_is_blocking(other)) {
      code = vptr__stream_take_told(set, other);
      *id_out = other->id;
    }
  return code;
}

/* Whether there can be a failure to tell. An event that another thread has only noted is not seen here: that thread's
 * next call takes it in. */
VPTR__HOT static bool has_news(const vptr__stream_set *set, const vptr__stream *stream) {
  return atomic_load_explicit(&stream->watched, memory_order_acquire) ||
         atomic_load_explicit(&stream->failure, memory_order_acquire) != CL_SUCCESS ||
         atomic_load_explicit(&stream->is_told, memory_order_acquire) ||
         (stream->is_legacy && atomic_load_explicit(&set->blocking, memory_order_acquire) > 0);
}

/* Every blocking copy asks, and mostly nothing else was sent: that costs no lock. The caller has waited for the
 * stream's work up to that number; 0: for none. */
VPTR__HOT vptr_status vptr__stream_poll_failure_behind(vptr__stream *stream, uint64_t number) {
  vptr_mapper *mapper = stream->mapper;
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  uint64_t id;
  if (number <= atomic_load_explicit(&stream->completed, memory_order_relaxed) && !has_news(set, stream))
    return VPTR_SUCCESS;
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream_note_completed(stream, number);
  cl_int code = take_of_all(set, stream, &id);
  vptr__lock_give(&mapper->stream_lock);
  return report_outcome(code, id);
}

vptr_status vptr__stream_poll_failure(vptr__stream *stream) {
  return vptr__stream_poll_failure_behind(stream, 0);
}

vptr__stream *vptr__stream_by_id(vptr_mapper *mapper, uint64_t id) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  for (vptr__stream *stream = set->first; stream != NULL; stream = stream->next)
    if (stream->id == id)
      return stream;
  return &set->legacy;
}

vptr_status vptr__stream_poll_failure_id(vptr_mapper *mapper, uint64_t id) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr__lock_take(&mapper->stream_lock);
  cl_int code = take_of_all(set, vptr__stream_by_id(mapper, id), &id);
  vptr__lock_give(&mapper->stream_lock);
  return report_outcome(code, id);
}

/* Under the lock. */
static cl_int look_at(vptr__stream *stream) {
  vptr__stream_classify(stream);
  return atomic_load(&stream->failure);
}

cl_int vptr__stream_peek(vptr__stream *stream) {
  vptr_mapper *mapper = stream->mapper;
  vptr__lock_take(&mapper->stream_lock);
  cl_int code = look_at(stream);
  const bool is_told = atomic_load_explicit(&stream->is_told, memory_order_relaxed);
  vptr__stream *other = is_told ? vptr__stream_set_get(mapper)->first : NULL;
  for (; other != NULL && code == CL_SUCCESS; other = other->next)
    if (other->told_to == stream->id)
      code = look_at(other);
  vptr__lock_give(&mapper->stream_lock);
  return code;
}
