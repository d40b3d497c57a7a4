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
 * once, and programs were written for a runtime where they do not. It is never ended: it sleeps, so the library must
 * stay loaded (base/resident.h). Signals go to the program's own threads.
 *
 * After earlier work failed the function is run all the same, with the status, and the stream goes on.
 *
 * The calls that wait to be run are in the static `runner`, which its own lock guards, of rank LEAF; it is not held
 * while a function runs. mapper->stream_lock (mapper/mapper.h), of rank STREAM, guards how many callbacks a mapper is
 * still to get (vptr__stream_set.callbacks): the mapper's end waits until there are none (stream.c). A stream may go
 * before that, once `after` is complete. vptr__stream_host() allocates a call, and the runner frees it behind its
 * function.
 *
 * vptr__stream_host() does not wait for the stream's work, but until another thread has sent what it is sending
 * (order.c). Called by cudart/cuda/stream.c and
 * cudart/managed/prefetch_task.c, which send functions; by event.c, gate.c and word.c, for barriers and callbacks; by
 * cudart/cuda/stream.c, cublas/call.c and transfer/line.c, which ask whether a host function runs, and refuse the CUDA
 * call or leave their short way then; by the driver, when a stream has come to a function; and in a thread of its own,
 * which runs them. Declared in stream.h (vptr__stream_host(), vptr__stream_in_host_function()) and state.h (the rest).
 */
#include "stream/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/waiting.h"
#include "mirror/visit.h"
#include "stream/event.h"

typedef struct host_call {
  struct host_call *next;
  vptr_mapper *mapper;
  vptr__stream *stream; /* alive while the call is pending, since its queue waits for it */
  cl_event before, after;
  cl_int state; /* that before ended with */
  void (*function)(vptr_status status, void *context);
  void *context;
} host_call;

static struct {
  vptr__lock lock;
  pthread_cond_t changed;
  host_call *first, **last; /* ready to run */
  bool running;
} runner = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .changed = PTHREAD_COND_INITIALIZER, .last = &runner.first };

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

/* A queue whose barrier stays shut hangs for ever, so one refusal is not taken for an answer. */
void vptr__stream_open_barrier(vptr__device *device, cl_event event) {
  vptr__error_try();
  for (int attempt = 0; attempt < 3; attempt++)
    if (device->ops->event.set_user(device, event, CL_COMPLETE) == VPTR_SUCCESS)
      break;
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__stream_drop_barrier(vptr__device *device, cl_event event) {
  vptr__stream_open_barrier(device, event);
  device->ops->event.release(device, event);
}

/* ---- the runner ----------------------------------------------------------------------------------------- */

static host_call *next_call(void) {
  vptr__lock_take(&runner.lock);
  while (runner.first == NULL)
    pthread_cond_wait(&runner.changed, &runner.lock.mutex);
  host_call *call = runner.first;
  runner.first = call->next;
  if (runner.first == NULL)
    runner.last = &runner.first;
  vptr__lock_give(&runner.lock);
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

static void run_call(const host_call *call) {
  if (call->state < 0)
    vptr__stream_fail(call->stream, call->state);
  cl_int code = vptr__stream_peek(call->stream);
  vptr_status status =
      code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "the work before a host function failed");
  vptr__waiting_bar(true);
  vptr__visit_begin(vptr__stream_id(call->stream));
  call->function(status, call->context);
  if (vptr__visit_end() != VPTR_SUCCESS)
    vptr__stream_fail(call->stream, CL_OUT_OF_RESOURCES);
  vptr__waiting_bar(false);
}

/* Once `after` is complete, the stream may be gone at any time; the mapper waits for the callback to be gone. */
static void *run_all(void *unused) {
  for (;;) {
    host_call *call = next_call();
    vptr_mapper *mapper = call->mapper;
    run_call(call);
    vptr__stream_open_barrier(mapper->device, call->after);
    free_call(call);
    vptr__visit_expect(-1);
    vptr__stream_callback_gone(mapper);
  }
  return unused;
}

static int begin_to_run(void) {
  return vptr__thread_start(run_all);
}

static vptr_status start_runner(void) {
  return vptr__thread_start_once(&runner.lock, &runner.running, begin_to_run, "for host functions");
}

static void CL_CALLBACK hand_over(cl_event event, cl_int state, void *context) {
  host_call *call = context;
  (void)event;
  call->state = state;
  vptr__lock_take(&runner.lock);
  *runner.last = call;
  runner.last = &call->next;
  pthread_cond_signal(&runner.changed);
  vptr__lock_give(&runner.lock);
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
    vptr__stream_open_barrier(device, stop->after);
    return status;
  }
  status = enqueue_stop(stream, queue, stop);
  vptr__stream_callback_comes(mapper);
  if (status == VPTR_SUCCESS)
    status = device->ops->event.notify(device, *stop->before_out, stop->notify, stop->context);
  if (status != VPTR_SUCCESS) {
    vptr__stream_open_barrier(device, stop->after);
    vptr__stream_callback_gone(mapper);
  }
  vptr__stream_end(stream);
  return status;
}

static vptr_status send_call(host_call *call) {
  vptr__stop stop = { call->after, &call->before, hand_over, call };
  vptr__visit_expect(1);
  vptr_status status = vptr__stream_stop(call->stream, &stop);
  if (status != VPTR_SUCCESS)
    vptr__visit_expect(-1);
  return status;
}

vptr_status vptr__stream_host(vptr__stream *stream, void (*function)(vptr_status status, void *context),
                              void *context) {
  vptr__device *device = stream->mapper->device;
  vptr_status status = start_runner();
  if (status != VPTR_SUCCESS)
    return status;
  host_call *call = vptr__memory_calloc(1, sizeof *call);
  if (call == NULL)
    return vptr__error_host_memory(sizeof *call);
  *call = (host_call){ .mapper = stream->mapper, .stream = stream, .function = function, .context = context };
  status = device->ops->event.create_user(device, &call->after);
  if (status == VPTR_SUCCESS)
    status = send_call(call);
  if (status != VPTR_SUCCESS)
    free_call(call);
  return status;
}
