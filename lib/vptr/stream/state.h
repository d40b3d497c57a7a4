/* SPDX-License-Identifier: MIT */
/*
 * state - what the files of lib/vptr/stream share: a stream, and all streams of a mapper. (The files of lib/vptr/pool
 * read a stream's id and mapper.)
 *
 * What is to be waited for is told by numbers. Whatever is queued on any of a mapper's streams, work or barrier, gets
 * the next one; a stream remembers those of its last work and of what it queued last, and who has seen which:
 *
 *     blocking stream   1 work  2 work  5 barrier  9 work      enqueued 9, worked 9
 *                                                 completed 2, seen_by_legacy 5: the legacy stream has news to wait for
 *
 * Whoever waited for a stream by other means than its queue, for a blocking copy say, tells up to which number that
 * was: a query would otherwise put a tail and be asked before the device has looked at it.
 *
 * One count for all of them lets a thread that waited for the whole device say so of every stream by one number.
 *
 * An event behind everything that is queued, the tail, is made when somebody needs it and kept until something new is
 * queued: one tail of the legacy stream serves all that wait for it.
 *
 * mapper->stream_lock, of rank STREAM, guards the fields below the line that says so, and all of vptr__stream_set but
 * what is atomic. Fields of a stream that are above that line are written before others see the stream, or are atomic,
 * or belong to the thread that is between begin and end.
 */
#ifndef VPTR_STREAM_STATE_H
#define VPTR_STREAM_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "stream/stream.h"

/* The events of commands that nobody has looked at since they were over: a ring, oldest first. */
typedef struct vptr__outcomes {
  cl_event *events;
  size_t room, first, count; /* room: 0 or a power of two */
} vptr__outcomes;

struct vptr__stream {
  vptr_mapper *mapper;
  uint64_t id;
  unsigned flags;
  int priority;
  bool is_legacy, is_own; /* the mapper's, a thread's: callers do not destroy them */
  _Atomic(cl_int) failure; /* kept for the next synchronising call; CL_SUCCESS: none */
  atomic_bool watched;     /* there are outcomes; written under the lock, read without it by those who need none */
  atomic_bool timed;       /* its queue keeps times, as far as it ever will; changed between begin and end */
  atomic_bool captured;    /* it takes no commands: what is sent to it becomes nodes of a graph */
  atomic_bool missed;      /* somebody wanted to send meanwhile */
  atomic_bool is_told;     /* of what other streams fail with; written under the lock, read without it */
  cl_event noted;          /* of whoever sends: not among the outcomes yet, which have room for it; NULL: none */

  /* guarded by mapper->stream_lock */
  vptr__stream *next;
  cl_command_queue queue;  /* NULL: the device's own (legacy); see vptr__stream_queue() */
  cl_command_queue untimed; /* what queue was before it kept times; NULL: it does not, or is the device's own */
  bool unsent;             /* events were put into it since somebody flushed it */
  bool sending;            /* a thread is between begin and end, or has a gate without a barrier */
  struct vptr__gate *gate; /* that one; NULL: there is none (gate.h) */
  bool destroyed;          /* goes when its work is done */
  uint64_t told_to;        /* id of the stream whose askers are told of its failures, too; 0: there is none */
  uint64_t enqueued;       /* number of what was queued last */
  uint64_t worked;         /* ... and of what was queued last and is more than a barrier */
  _Atomic(uint64_t) completed; /* what has a number up to this is known to be done; written under the lock */
  uint64_t seen_legacy;    /* the legacy stream's number that this queue waits for already */
  uint64_t seen_by_legacy; /* own number that the legacy stream's queue waits for already */
  cl_event tail;           /* complete when all up to tail_at is; NULL: never needed */
  uint64_t tail_at;
  vptr__outcomes outcomes;
};

/* Hangs on the mapper from its first stream to its end. */
typedef struct vptr__stream_set {
  /* with mapper->stream_lock: a thread stopped sending, a host function or a call about words ended */
  pthread_cond_t changed;
  atomic_size_t blocking;    /* streams in the list that are; read without the lock by those who need none */
  vptr__stream legacy;
  vptr__stream *first;       /* all others, those that were destroyed and still have work included */
  vptr__event *events;
  size_t callbacks;          /* of the driver that are to come, and what they started */
  size_t waiting;            /* threads that want another to stop sending */
  size_t words;              /* calls about words (word.h): of its streams, and each word in its memory once more */
  atomic_bool ends_waits;    /* those are to end */
  struct vptr__copy_queue *copy_queue; /* by which words in its memory are read and written; NULL: none was yet */
} vptr__stream_set;

/* stream.c: the mapper's set, made on first use. */
vptr_status vptr__stream_set_of(vptr_mapper *mapper, vptr__stream_set **set_out);

/* The set of a mapper that has a stream. */
static inline vptr__stream_set *vptr__stream_set_get(vptr_mapper *mapper) {
  return vptr__mapper_state(mapper, VPTR__SUBSYSTEM_STREAM);
}

/* The next number. Under the lock, so nobody else counts; an atomic addition would cost as much as taking that. */
static inline uint64_t vptr__stream_count(vptr_mapper *mapper) {
  uint64_t number = atomic_load_explicit(&mapper->work_last, memory_order_relaxed) + 1;
  atomic_store_explicit(&mapper->work_last, number, memory_order_release);
  return number;
}

/* Where the stream's commands go: by the thread that is between begin and end, or holds the lock. */
static inline cl_command_queue vptr__stream_queue(const vptr__stream *stream) {
  return stream->queue != NULL ? stream->queue : stream->mapper->device->cl_queue;
}

/* timing.c: commands that follow have times. */
vptr_status vptr__stream_time(vptr__stream *stream);

static inline bool vptr__stream_is_blocking(const vptr__stream *stream) {
  return !stream->is_legacy && (stream->flags & VPTR__STREAM_NON_BLOCKING) == 0;
}

/* stream.c: a queue for a stream, which frees wait for; and the end of it, which waits for its commands. */
vptr_status vptr__stream_open_queue(const vptr__stream *stream, bool timed, cl_command_queue *queue_out);
void vptr__stream_close_queue(const vptr__stream *stream, cl_command_queue queue);

/* stream.c: creation with the events of a thread's own one; ends it, whoever's it is. */
vptr_status vptr__stream_make(vptr_mapper *mapper, unsigned flags, int priority, bool is_own,
                              vptr__stream **stream_out);
vptr_status vptr__stream_unmake(vptr__stream *stream);

/* outcome.c, under mapper->stream_lock: keeps the failures of what is over; the first that is kept, which is then
 * forgotten. */
void vptr__stream_classify(vptr__stream *stream);
cl_int vptr__stream_take(vptr__stream *stream);

/* outcome.c, under mapper->stream_lock: the same of a stream and of those that tell it. */
cl_int vptr__stream_take_told(vptr__stream_set *set, vptr__stream *stream);

/* outcome.c, under mapper->stream_lock: as vptr__stream_expect() and vptr__stream_note(). */
vptr_status vptr__stream_make_room(vptr__stream *stream);
void vptr__stream_watch(vptr__stream *stream, cl_event event);

/* outcome.c, under mapper->stream_lock, by whoever sends: what was noted is watched from now on. */
void vptr__stream_watch_noted(vptr__stream *stream);

/* outcome.c: the first failure that is kept by a stream, or one that tells it; it stays. */
cl_int vptr__stream_peek(vptr__stream *stream);

/* outcome.c, under mapper->stream_lock: the stream that has, or had, an id; for one that is gone, the legacy one. */
vptr__stream *vptr__stream_by_id(vptr_mapper *mapper, uint64_t id);

/* outcome.c: as vptr__stream_poll_failure(), of the stream that has, or had, an id; one that is gone left it to the
 * legacy one. */
vptr_status vptr__stream_poll_failure_id(vptr_mapper *mapper, uint64_t id);

/* outcome.c: lets go of all, for a stream that ends. */
void vptr__stream_forget_outcomes(vptr__stream *stream);

/* order.c, all under mapper->stream_lock: what vptr__stream_begin() waits for and puts first. */
vptr_status vptr__stream_await_turn(vptr__stream *stream);

/* Whether an event behind all that is queued is there already. */
static inline bool vptr__stream_has_tail(const vptr__stream *stream) {
  return stream->tail != NULL && stream->tail_at == stream->enqueued;
}

/* The event behind all that is queued, which other queues may wait for; borrowed until the lock is given. */
vptr_status vptr__stream_tail(vptr__stream *stream, cl_event *event_out);

/* In its turn: a new tail, whatever is there; a command of its own with a number. Where commands begin unflushed it is
 * not flushed: OpenCL has other queues wait for it only after vptr__stream_send(). */
vptr_status vptr__stream_put_tail(vptr__stream *stream);

/* Flushes the events that were put unflushed. */
vptr_status vptr__stream_send(vptr__stream *stream);

/* Notes that the program may have sent to the mapper's queue unseen. */
void vptr__stream_notice_strangers(vptr__stream *legacy);

/* The next number, for what was just queued. */
void vptr__stream_note_enqueued(vptr__stream *stream);

/* All up to number is known to be done. */
void vptr__stream_note_completed(vptr__stream *stream, uint64_t number);

/* order.c: UNSUPPORTED, said: the stream is captured, and somebody wants to send to it or to wait for it. */
vptr_status vptr__stream_refuse_captured(vptr__stream *stream);

/* order.c: as vptr__stream_end(), where nothing was sent; the same by who has the lock. */
void vptr__stream_end_idle(vptr__stream *stream);
void vptr__stream_stop_sending(vptr__stream *stream);

/* host.c: how many callbacks of the driver a mapper waits for before it ends. */
void vptr__stream_callback_comes(vptr_mapper *mapper);
void vptr__stream_callback_gone(vptr_mapper *mapper);

/* host.c: a place in a stream where the host takes over. When all that was sent before is over notify is called, as
 * event.notify() calls it; what is sent later waits for `after`, an event of event.create_user(), which from then on
 * is for the notified to complete: by vptr__completion_give(), and vptr__stream_callback_gone() follows. The
 * stream is alive until the former. On an error `after` is complete, and nobody is notified. */
typedef struct vptr__stop {
  cl_event after;
  cl_event *before_out; /* behind the earlier work, for the notified to release; on an error too, if it is not NULL */
  vptr__notify *notify;
  void *context;
} vptr__stop;

vptr_status vptr__stream_stop(vptr__stream *stream, const vptr__stop *stop);

/* host.c: completes an event that queues wait for, and releases it. One of event.create_user() is released no other
 * way, though no queue may wait for it: with one that was never completed NVIDIA's driver does not end the release of
 * its context. */
void vptr__stream_drop_barrier(vptr__device *device, cl_event event);

/* event.c: ends the events of a mapper that is going away. */
void vptr__event_close_all(vptr_mapper *mapper, vptr__stream_set *set);

#endif
