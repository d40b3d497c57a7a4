/* SPDX-License-Identifier: MIT */
/*
 * stream - creation, destruction and waiting for streams (stream.h), and the set of all streams of a mapper.
 *
 * The set (vptr__stream_set, state.h) is made with the mapper's first stream, as its state of SUBSYSTEM_STREAM, and
 * goes with the mapper, or at a reset, when no callback and no call about words is left. This file owns it, its list of
 * streams, and each vptr__stream until it is freed. mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards the
 * list, and what state.h says of a stream; it is not held while a queue is finished or released. `last_id`, the
 * process's latest stream id, and mapper->work_drained, which is written here, are atomic.
 *
 * A stream that is destroyed with work in flight stays in the list, so that the legacy stream and frees go on waiting
 * for that work. No thread watches it: calls that create or destroy a stream, or wait for all of them, look for such
 * streams whose work is done, and free them.
 *
 * Called by the files of lib/cudart/cuda, lib/cudart/module, lib/cudart/replay, lib/vptr/transfer and lib/vptr/pool
 * for creation, waiting and questions, by cudart/library/call.c, cudart/record/recorder.c, curand/call.c,
 * curand/generator.c and cusolver/call.c, by cublas/tuning.c, and by cudart/cuda/reset.c, which closes all; by
 * cudart/graph/capture.c, captured_work.c and memory.c; by cudart/image/image.c, driver/launch.c, cublas/product.c and
 * cufft/run.c, which ask for a stream's mapper, and cudart/pinned/pinned.c, whose frees drain; by the other files of
 * this folder, which need the set, queues and ids; and through base/subsystem.h by mapper/memory.c, whose frees drain
 * the streams, checkpoint/checkpoint.c, which does so too, and mapper/mapper.c, which closes all. Declared in
 * stream.h, and in state.h for this folder. Queries do not block; synchronising calls do.
 */
#include "stream/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/option.h"
#include "base/subsystem.h"
#include "mirror/copy_queue.h"
#include "stream/handle.h"

static atomic_uint_fast64_t last_id;

/* ---- the set -------------------------------------------------------------------------------------------- */

static vptr_status make_set(vptr_mapper *mapper, vptr__stream_set **set_out) {
  vptr__stream_set *set = vptr__memory_calloc(1, sizeof *set);
  if (set == NULL)
    return vptr__error_host_memory(sizeof *set);
  vptr_status status = vptr__handle_add(&set->legacy, VPTR__HANDLE_STREAM);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(set);
    return status;
  }
  pthread_cond_init(&set->changed, NULL);
  set->legacy.mapper = mapper;
  set->legacy.id = atomic_fetch_add(&last_id, 1) + 1;
  set->legacy.is_legacy = true;
  *set_out = set;
  return VPTR_SUCCESS;
}

static bool are_drained(vptr_mapper *mapper);

static void keep_set(vptr_mapper *mapper, vptr__stream_set *set) {
  static const vptr__subsystem subsystem = { .stop = vptr__streams_end_waits,
                                             .close = vptr__streams_close_all,
                                             .is_drained = are_drained,
                                             .drain = vptr__streams_drain };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_STREAM, &subsystem);
  vptr__mapper_keep_state(mapper, VPTR__SUBSYSTEM_STREAM, set);
}

VPTR__HOT vptr_status vptr__stream_set_of(vptr_mapper *mapper, vptr__stream_set **set_out) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr_status status = VPTR_SUCCESS;
  if (set == NULL) {
    vptr__lock_take(&mapper->stream_lock);
    set = vptr__stream_set_get(mapper);
    if (set == NULL)
      status = make_set(mapper, &set);
    if (status == VPTR_SUCCESS)
      keep_set(mapper, set);
    vptr__lock_give(&mapper->stream_lock);
  }
  if (status == VPTR_SUCCESS)
    *set_out = set;
  return status;
}

/* ---- letting go ----------------------------------------------------------------------------------------- */

/* A queue that cannot be waited for stays with the device, whose frees go on waiting for it; so it is tried again. */
void vptr__stream_close_queue(const vptr__stream *stream, cl_command_queue queue) {
  vptr__device *device = stream->mapper->device;
  if (device->ops->queue.drop(device, queue) != VPTR_SUCCESS)
    device->ops->queue.drop(device, queue);
  device->ops->queue.release(device, queue);
}

static void free_stream(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  if (stream->tail != NULL)
    device->ops->event.release(device, stream->tail);
  vptr__stream_forget_outcomes(stream);
  vptr__stream_close_queue(stream, stream->queue);
  if (stream->untimed != NULL)
    vptr__stream_close_queue(stream, stream->untimed);
  vptr__memory_free(stream);
}

static void release_list(vptr__stream *first) {
  while (first != NULL) {
    vptr__stream *next = first->next;
    free_stream(first);
    first = next;
  }
}

/* Whether what the stream's tail is behind is done, also where it failed. Under the lock. */
static bool is_tail_reached(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  cl_int state;
  if (device->ops->event.state(device, stream->tail, &state) != VPTR_SUCCESS || state > CL_COMPLETE)
    return false;
  if (state < 0)
    vptr__stream_fail(stream, state);
  vptr__stream_note_completed(stream, stream->tail_at);
  return true;
}

/* Whether all that is queued is done. Under the lock. */
static bool is_done(vptr__stream *stream) {
  cl_event event;
  if (stream->completed >= stream->enqueued)
    return true;
  return vptr__stream_tail(stream, &event) == VPTR_SUCCESS && is_tail_reached(stream);
}

/* Nobody can ask for the stream any more, but for the one that it tells, or all of the device. */
static void leave_failure(vptr__stream_set *set, vptr__stream *stream) {
  cl_int code = vptr__stream_take_told(set, stream);
  if (code != CL_SUCCESS)
    vptr__stream_fail(stream->told_to != 0 ? vptr__stream_by_id(stream->mapper, stream->told_to) : &set->legacy,
                      code);
}

/* Takes those that are gone off the list. Under the lock; release them without it, since that calls the driver. */
static vptr__stream *take_gone(vptr__stream_set *set) {
  vptr__stream *gone = NULL;
  for (vptr__stream **link = &set->first; *link != NULL;) {
    vptr__stream *stream = *link;
    if (!stream->destroyed || stream->sending || !is_done(stream)) {
      link = &stream->next;
      continue;
    }
    *link = stream->next;
    if (vptr__stream_is_blocking(stream))
      atomic_fetch_sub(&set->blocking, 1);
    leave_failure(set, stream);
    stream->next = gone;
    gone = stream;
  }
  return gone;
}

/* An error while looking is the concern of whoever uses the stream's work, not of who happens to pass by. */
static void reap_streams(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr__error_try();
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream *gone = take_gone(set);
  vptr__lock_give(&mapper->stream_lock);
  release_list(gone);
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__streams_close_all(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  if (set == NULL)
    return;
  vptr__device *device = mapper->device;
  vptr__lock_take(&mapper->stream_lock);
  while (set->callbacks > 0 || set->words > 0)
    pthread_cond_wait(&set->changed, &mapper->stream_lock.mutex);
  vptr__stream *streams = set->first;
  set->first = NULL;
  vptr__lock_give(&mapper->stream_lock);
  vptr__event_close_all(mapper, set);
  for (vptr__stream *stream = streams; stream != NULL; stream = stream->next)
    vptr__handle_remove(stream, VPTR__HANDLE_STREAM);
  release_list(streams);
  vptr__handle_remove(&set->legacy, VPTR__HANDLE_STREAM);
  if (set->legacy.tail != NULL)
    device->ops->event.release(device, set->legacy.tail);
  vptr__stream_forget_outcomes(&set->legacy);
  if (set->copy_queue != NULL)
    vptr__copy_queue_close(set->copy_queue);
  pthread_cond_destroy(&set->changed);
  vptr__memory_free(set);
  vptr__mapper_take_state(mapper, VPTR__SUBSYSTEM_STREAM);
  atomic_store(&mapper->work_drained, atomic_load(&mapper->work_last));
}

/* ---- life ----------------------------------------------------------------------------------------------- */

vptr_status vptr__stream_open_queue(const vptr__stream *stream, bool timed, cl_command_queue *queue_out) {
  vptr__device *device = stream->mapper->device;
  cl_command_queue queue;
  vptr_status status = device->ops->queue.create(device, stream->priority, timed, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__mapper_use_queue(stream->mapper, queue, false);
  if (status != VPTR_SUCCESS) {
    device->ops->queue.release(device, queue);
    return status;
  }
  *queue_out = queue;
  return VPTR_SUCCESS;
}

static void add_to(vptr__stream_set *set, vptr__stream *stream) {
  vptr__lock_take(&stream->mapper->stream_lock);
  stream->next = set->first;
  set->first = stream;
  if (vptr__stream_is_blocking(stream))
    atomic_fetch_add(&set->blocking, 1);
  vptr__lock_give(&stream->mapper->stream_lock);
}

static vptr_status build_stream(vptr__stream *stream, vptr__stream_set *set) {
  vptr_status status = vptr__stream_open_queue(stream, false, &stream->queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__handle_add(stream, VPTR__HANDLE_STREAM);
  if (status == VPTR_SUCCESS) {
    add_to(set, stream);
    return status;
  }
  vptr__stream_close_queue(stream, stream->queue);
  return status;
}

static int clamp_priority(int priority) {
  if (priority > 0)
    return 0;
  return priority < VPTR__STREAM_PRIORITY_HIGH ? VPTR__STREAM_PRIORITY_HIGH : priority;
}

vptr_status vptr__stream_make(vptr_mapper *mapper, unsigned flags, int priority, bool is_own,
                              vptr__stream **stream_out) {
  vptr__stream_set *set;
  vptr_status status = vptr__stream_set_of(mapper, &set);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream *stream = vptr__memory_calloc(1, sizeof *stream);
  if (stream == NULL)
    return vptr__error_host_memory(sizeof *stream);
  stream->mapper = mapper;
  stream->flags = flags;
  stream->priority = clamp_priority(priority);
  stream->is_own = is_own;
  stream->id = atomic_fetch_add(&last_id, 1) + 1;
  status = build_stream(stream, set);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(stream);
    return status;
  }
  reap_streams(mapper);
  *stream_out = stream;
  return VPTR_SUCCESS;
}

vptr_status vptr__stream_create(vptr_mapper *mapper, unsigned flags, int priority, vptr__stream **stream_out) {
  if ((flags & ~(unsigned)VPTR__STREAM_NON_BLOCKING) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "a stream's flags are 0 or %d (non-blocking), not 0x%x",
                       VPTR__STREAM_NON_BLOCKING, flags);
  return vptr__stream_make(mapper, flags, priority, false, stream_out);
}

vptr_status vptr__stream_unmake(vptr__stream *stream) {
  if (!vptr__handle_remove(stream, VPTR__HANDLE_STREAM))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no live stream", (void *)stream);
  vptr_mapper *mapper = stream->mapper;
  vptr__subsystems_end_stream(stream);
  vptr__lock_take(&mapper->stream_lock);
  stream->destroyed = true;
  vptr__lock_give(&mapper->stream_lock);
  reap_streams(mapper);
  return VPTR_SUCCESS;
}

vptr_status vptr__stream_destroy(vptr__stream *stream) {
  if (vptr__stream_is_live(stream) && (stream->is_legacy || stream->is_own))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "a %s stream lives as long as its %s",
                       stream->is_legacy ? "legacy" : "thread's own", stream->is_legacy ? "device" : "thread");
  return vptr__stream_unmake(stream);
}

VPTR__HOT vptr_status vptr__stream_legacy(vptr_mapper *mapper, vptr__stream **stream_out) {
  vptr__stream_set *set;
  vptr_status status = vptr__stream_set_of(mapper, &set);
  if (status == VPTR_SUCCESS)
    *stream_out = &set->legacy;
  return status;
}

VPTR__HOT bool vptr__stream_is_live(const void *stream) {
  return vptr__handle_is(stream, VPTR__HANDLE_STREAM);
}

VPTR__HOT vptr_mapper *vptr__stream_mapper(const vptr__stream *stream) {
  return stream->mapper;
}

unsigned vptr__stream_flags(const vptr__stream *stream) {
  return stream->flags;
}

int vptr__stream_priority(const vptr__stream *stream) {
  return stream->priority;
}

uint64_t vptr__stream_id(const vptr__stream *stream) {
  return stream->id;
}

bool vptr__stream_is_legacy(const vptr__stream *stream) {
  return stream->is_legacy;
}

VPTR__HOT uint64_t vptr__stream_last(const vptr__stream *stream) {
  return atomic_load_explicit(&stream->mapper->work_last, memory_order_acquire);
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

/* Under the lock. */
static bool is_idle(vptr__stream_set *set, vptr__stream *stream) {
  if (stream->sending || !is_done(stream))
    return false;
  if (!stream->is_legacy)
    return true;
  for (vptr__stream *other = set->first; other != NULL; other = other->next)
    if (vptr__stream_is_blocking(other) && (other->sending || !is_done(other)))
      return false;
  return true;
}

/* Strangers' work is suspected only where nothing is known to be pending, and then a tail is put behind it. To do so
 * at each query would put a new one each time, and the answer would never be yes. */
vptr_status vptr__stream_query(vptr__stream *stream) {
  vptr_mapper *mapper = stream->mapper;
  vptr__lock_take(&mapper->stream_lock);
  if (stream->is_legacy && !stream->sending && stream->completed >= stream->enqueued)
    vptr__stream_notice_strangers(stream);
  bool idle = is_idle(vptr__stream_set_get(mapper), stream);
  vptr__lock_give(&mapper->stream_lock);
  return idle ? vptr__stream_poll_failure(stream) : VPTR_ERROR_NOT_READY;
}

/* Whether the stream's own queue is known to be empty. Under the lock. */
VPTR__HOT static bool is_finished(const vptr__stream *stream) {
  return !stream->sending && stream->completed >= stream->enqueued;
}

/* If all queues are, that is written down, so that it need not be found out again. Under the lock. */
VPTR__HOT static bool are_finished(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  bool finished = is_finished(&set->legacy);
  for (const vptr__stream *stream = set->first; finished && stream != NULL; stream = stream->next)
    finished = is_finished(stream);
  if (finished)
    atomic_store_explicit(&mapper->work_drained, atomic_load(&mapper->work_last), memory_order_release);
  return finished;
}

/* What the queue holds now, as a number, and which queue that is; false: nothing. */
VPTR__HOT static bool holds_work(vptr__stream *stream, uint64_t *number_out, cl_command_queue *queue_out) {
  vptr__lock_take(&stream->mapper->stream_lock);
  if (stream->is_legacy)
    vptr__stream_notice_strangers(stream);
  bool holds = !is_finished(stream);
  *number_out = stream->enqueued;
  *queue_out = vptr__stream_queue(stream);
  vptr__lock_give(&stream->mapper->stream_lock);
  return holds;
}

VPTR__HOT void vptr__stream_note_over(vptr__stream *stream, uint64_t number) {
  vptr__lock_take(&stream->mapper->stream_lock);
  vptr__stream_note_completed(stream, number);
  are_finished(stream->mapper);
  vptr__lock_give(&stream->mapper->stream_lock);
}

VPTR__HOT vptr_status vptr__stream_synchronize(vptr__stream *stream) {
  vptr__device *device = stream->mapper->device;
  if (__builtin_expect(atomic_load_explicit(&stream->captured, memory_order_relaxed), false))
    return vptr__stream_refuse_captured(stream);
  vptr_status status = stream->is_legacy ? vptr__stream_settle_legacy(stream->mapper) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  cl_command_queue queue;
  uint64_t number;
  if (!holds_work(stream, &number, &queue))
    return vptr__stream_poll_failure(stream);
  status = device->ops->queue.finish(device, queue);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_note_over(stream, number);
  return vptr__stream_poll_failure(stream);
}

/* The first failure that a stream has kept, and all are taken. Under the lock. */
static cl_int take_all(vptr__stream_set *set) {
  cl_int first = vptr__stream_take(&set->legacy);
  for (vptr__stream *stream = set->first; stream != NULL; stream = stream->next) {
    cl_int code = vptr__stream_take(stream);
    first = first != CL_SUCCESS ? first : code;
  }
  return first;
}

VPTR__HOT static bool are_drained(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  if (set == NULL || vptr__mapper_has_strangers(mapper))
    return false;
  if (vptr__mapper_is_quiet(mapper))
    return true;
  vptr__lock_take(&mapper->stream_lock);
  bool drained = are_finished(mapper);
  vptr__lock_give(&mapper->stream_lock);
  return drained;
}

/* Whether what has a number up to this is done. A tail behind it is kept until it is reached, so that a stream that
 * never runs empty gives an answer too. Under the lock. */
static bool is_done_up_to(vptr__stream *stream, uint64_t number) {
  if (stream->completed >= number)
    return true;
  if (stream->sending)
    return false;
  if (stream->tail == NULL || stream->tail_at < number)
    return is_done(stream);
  return vptr__stream_send(stream) == VPTR_SUCCESS && is_tail_reached(stream);
}

static bool are_done_up_to(vptr_mapper *mapper, vptr__stream_set *set, uint64_t number) {
  vptr__error_try();
  vptr__lock_take(&mapper->stream_lock);
  bool done = is_done_up_to(&set->legacy, number);
  for (vptr__stream *stream = set->first; stream != NULL; stream = stream->next)
    done &= is_done_up_to(stream, number);
  vptr__lock_give(&mapper->stream_lock);
  vptr__error_tried(VPTR_SUCCESS);
  return done;
}

bool vptr__streams_are_over(vptr_mapper *mapper, uint64_t number, bool may_ask) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  if (atomic_load_explicit(&mapper->work_drained, memory_order_acquire) >= number &&
      !vptr__mapper_has_strangers(mapper))
    return true;
  return may_ask && (set == NULL || are_done_up_to(mapper, set, number));
}

static void note_all_completed(vptr_mapper *mapper, vptr__stream_set *set, uint64_t number) {
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream_note_completed(&set->legacy, number);
  for (vptr__stream *stream = set->first; stream != NULL; stream = stream->next)
    vptr__stream_note_completed(stream, number);
  are_finished(mapper);
  vptr__lock_give(&mapper->stream_lock);
}

vptr_status vptr__streams_drain(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  uint64_t number = atomic_load(&mapper->work_last);
  vptr_status status = mapper->device->ops->queue.finish_all(mapper->device);
  if (status == VPTR_SUCCESS && set != NULL)
    note_all_completed(mapper, set, number);
  return status;
}

bool vptr__streams_hold_frees(vptr_mapper *mapper) {
  if (vptr__option_number(VPTR__OPTION_FREE_WAITS, 1) == 0)
    return false;
  vptr__lock_take(&mapper->stream_lock);
  bool finished = vptr__stream_set_get(mapper) == NULL || are_finished(mapper);
  vptr__lock_give(&mapper->stream_lock);
  return !finished;
}

vptr_status vptr__stream_synchronize_all(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr_status status = vptr__streams_drain(mapper);
  if (set == NULL || status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&mapper->stream_lock);
  cl_int code = take_all(set);
  vptr__lock_give(&mapper->stream_lock);
  reap_streams(mapper);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "earlier work of a stream failed");
}
