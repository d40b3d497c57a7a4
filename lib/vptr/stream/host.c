/* SPDX-License-Identifier: MIT */
/*
 * host - functions that run on the host, in a stream's order.
 *
 *     stream   --work--[ before ]====================[ barrier ]--later work--
 *                          |                             ^
 *     driver               notify                        |
 *     runner                  -> list -> function -> [ after ]
 *
 * `before` is an event behind the stream's earlier work; `after` is one that the host completes, and that the queue
 * waits for. So a function needs no thread of its own while it waits, and finishing the queue includes it. The
 * driver's notice only hands the call to the runner, for OpenCL lets nobody block in it.
 *
 * One thread runs them all, begun with the first: CUDA does not promise that functions of different streams run at
 * once, and programs were written for a runtime where they do not. What the library does aside of a stream
 * (vptr__stream_aside()) has another thread, for a program's function may wait for it. Neither is ever ended: they
 * sleep, so the library must stay loaded (base/resident.h). Signals go to the program's own threads.
 *
 * After earlier work failed the function is run all the same, with the status, and the stream goes on.
 *
 * The static `runners` are two, one for programs' functions and one for the library's own. The `lock` of each, of rank
 * LEAF, guards the list of its calls that are ready (`first`, `last`), and whether its thread runs; it is not held
 * while a function runs. vptr__stream_host() and vptr__stream_aside() allocate a call (host_call), and the runner frees
 * it behind its function. mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards how many callbacks a mapper is
 * still to get (vptr__stream_set.callbacks): the mapper's end waits until there are none (stream.c). A stream may go
 * before that, once `after` is complete.
 *
 * Neither of them waits for the stream's work, but until another thread has sent what it is sending (order.c). Called
 * by cudart/cuda/stream.c, cudart/replay/send.c and cudart/managed/prefetch_task.c, which send functions; by
 * cudart/module/child.c, which does so aside; by event.c, gate.c and word.c, for barriers and callbacks; by
 * cudart/cuda/stream.c, cudart/library/call.c, cudart/record/recorder.c and transfer/line.c, which ask whether a host
 * function runs, and refuse the CUDA call or leave their short way then, and by cudart/module/spill.c, which frees
 * nothing then; by the driver, when a stream has come to a function; and in threads of its own, which run them.
 * Declared in stream.h (vptr__stream_host(), vptr__stream_aside(), vptr__stream_in_host_function()) and state.h (the
 * rest).
 */
#include "stream/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/waiting.h"
#include "device/completion.h"
#include "mirror/visit.h"
#include "stream/event.h"

typedef struct runner runner;

typedef struct host_call {
  struct host_call *next;
  runner *runner;
  vptr_mapper *mapper;
  vptr__stream *stream; /* alive while the call is pending, since its queue waits for it */
  cl_event before, after;
  cl_int state; /* that before ended with */
  void (*function)(vptr_status status, void *context);
  void *context;
} host_call;

struct runner {
  vptr__lock lock;
  pthread_cond_t changed;
  host_call *first, **last; /* ready to run */
  bool running;
  int (*start)(void);
  const char *purpose;
};

static int start_for_programs(void);
static int start_aside(void);

enum { FOR_PROGRAMS, ASIDE, RUNNERS };
static runner runners[RUNNERS] = { { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF),
                                     .changed = PTHREAD_COND_INITIALIZER,
                                     .last = &runners[FOR_PROGRAMS].first,
                                     .start = start_for_programs,
                                     .purpose = "for host functions" },
                                   { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF),
                                     .changed = PTHREAD_COND_INITIALIZER,
                                     .last = &runners[ASIDE].first,
                                     .start = start_aside,
                                     .purpose = "for launches by kernels" } };

VPTR__HOT bool vptr__stream_in_host_function(void) {
  return vptr__waiting_is_barred();
}

/* ---- how many are to come ------------------------------------------------------------------------------- */

void vptr__stream_callback_comes(vptr_mapper *mapper) {
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream_set_get(mapper)->callbacks++;
  vptr__lock_give(&mapper->stream_lock);
}

void vptr__stream_callback_gone(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr__lock_take(&mapper->stream_lock);
  set->callbacks--;
  pthread_cond_broadcast(&set->changed);
  vptr__lock_give(&mapper->stream_lock);
}

void vptr__stream_drop_barrier(vptr__device *device, cl_event event) {
  vptr__completion_give(device, event, CL_COMPLETE);
  device->ops->event.release(device, event);
}

/* ---- the runner ----------------------------------------------------------------------------------------- */

static host_call *next_call(runner *of) {
  vptr__lock_take(&of->lock);
  while (of->first == NULL)
    pthread_cond_wait(&of->changed, &of->lock.mutex);
  host_call *call = of->first;
  of->first = call->next;
  if (of->first == NULL)
    of->last = &of->first;
  vptr__lock_give(&of->lock);
  return call;
}

static void free_call(host_call *call) {
  vptr__device *device = call->mapper->device;
  if (call->before != NULL)
    device->ops->event.release(device, call->before);
  if (call->after != NULL)
    device->ops->event.release(device, call->after);
  vptr__memory_free(call);
}

/* What a program's function touches of managed memory is its stream's business; the library's own touches none. */
static bool is_visit(const host_call *call) {
  return call->runner == &runners[FOR_PROGRAMS];
}

static void run_call(const host_call *call) {
  if (call->state < 0)
    vptr__stream_fail(call->stream, call->state);
  cl_int code = vptr__stream_peek(call->stream);
  vptr_status status =
      code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "the work before a host function failed");
  vptr__waiting_bar(true);
  if (is_visit(call))
    vptr__visit_begin(vptr__stream_id(call->stream));
  call->function(status, call->context);
  if (is_visit(call) && vptr__visit_end() != VPTR_SUCCESS)
    vptr__stream_fail(call->stream, CL_OUT_OF_RESOURCES);
  vptr__waiting_bar(false);
}

/* Once `after` is complete, the stream may be gone at any time; the mapper waits for the callback to be gone. */
static void run_all(runner *of) {
  for (;;) {
    host_call *call = next_call(of);
    vptr_mapper *mapper = call->mapper;
    bool visits = is_visit(call);
    vptr__lock_begin_duty(); /* the stream waits for it */
    run_call(call);
    vptr__completion_give(mapper->device, call->after, CL_COMPLETE);
    free_call(call);
    vptr__lock_end_duty();
    if (visits)
      vptr__visit_expect(-1);
    vptr__stream_callback_gone(mapper);
  }
}

static void *run_for_programs(void *unused) {
  run_all(&runners[FOR_PROGRAMS]);
  return unused;
}

static void *run_aside(void *unused) {
  run_all(&runners[ASIDE]);
  return unused;
}

static int start_for_programs(void) {
  return vptr__thread_start(run_for_programs);
}

static int start_aside(void) {
  return vptr__thread_start(run_aside);
}

static void CL_CALLBACK hand_over(cl_event event, cl_int state, void *context) {
  host_call *call = context;
  (void)event;
  runner *to = call->runner;
  call->state = state;
  vptr__lock_take(&to->lock);
  *to->last = call;
  to->last = &call->next;
  pthread_cond_signal(&to->changed);
  vptr__lock_give(&to->lock);
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static vptr_status enqueue_stop(vptr__stream *stream, cl_command_queue queue, const vptr__stop *stop) {
  vptr__device *device = stream->mapper->device;
  vptr_status status = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, stop->before_out);
  if (status != VPTR_SUCCESS)
    return status;
  cl_event event = NULL;
  status = device->ops->queue.enqueue_barrier(device, queue, 1, &stop->after, &event);
  vptr__stream_note(stream, event);
  return status;
}

/* The notice is asked for last: from then on what follows is the notified's. Where it cannot be had, the queue must not
 * wait for what will never come. */
vptr_status vptr__stream_stop(vptr__stream *stream, const vptr__stop *stop) {
  vptr_mapper *mapper = stream->mapper;
  vptr__device *device = mapper->device;
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS) {
    vptr__completion_give(device, stop->after, CL_COMPLETE);
    return status;
  }
  status = enqueue_stop(stream, queue, stop);
  vptr__stream_callback_comes(mapper);
  if (status == VPTR_SUCCESS)
    status = device->ops->event.notify(device, *stop->before_out, stop->notify, stop->context);
  if (status != VPTR_SUCCESS) {
    vptr__completion_give(device, stop->after, CL_COMPLETE);
    vptr__stream_callback_gone(mapper);
  }
  vptr__stream_end(stream);
  return status;
}

static vptr_status send_call(host_call *call) {
  vptr__stop stop = { call->after, &call->before, hand_over, call };
  int visits = is_visit(call) ? 1 : 0;
  vptr__visit_expect(visits);
  vptr_status status = vptr__stream_stop(call->stream, &stop);
  if (status != VPTR_SUCCESS)
    vptr__visit_expect(-visits);
  return status;
}

static vptr_status send_to(runner *to, vptr__stream *stream, void (*function)(vptr_status status, void *context),
                           void *context) {
  vptr__device *device = stream->mapper->device;
  vptr_status status = vptr__thread_start_once(&to->lock, &to->running, to->start, to->purpose);
  if (status != VPTR_SUCCESS)
    return status;
  host_call *call = vptr__memory_calloc(1, sizeof *call);
  if (call == NULL)
    return vptr__error_host_memory(sizeof *call);
  *call = (host_call){
    .runner = to, .mapper = stream->mapper, .stream = stream, .function = function, .context = context
  };
  status = device->ops->event.create_user(device, &call->after);
  if (status == VPTR_SUCCESS)
    status = send_call(call);
  if (status != VPTR_SUCCESS)
    free_call(call);
  return status;
}

vptr_status vptr__stream_host(vptr__stream *stream, void (*function)(vptr_status status, void *context),
                              void *context) {
  return send_to(&runners[FOR_PROGRAMS], stream, function, context);
}

vptr_status vptr__stream_aside(vptr__stream *stream, void (*function)(vptr_status status, void *context),
                               void *context) {
  return send_to(&runners[ASIDE], stream, function, context);
}
