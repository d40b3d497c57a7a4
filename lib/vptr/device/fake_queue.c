/* SPDX-License-Identifier: MIT */
/*
 * fake_queue - queues of the fake device: which command is next, and waiting for them.
 *
 * Each queue runs its commands in order, one at a time; the queues run beside each other, as many as there are
 * threads. The first command of a queue may begin when the events that it waits for have ended. Normally the oldest of
 * those of the highest priority begins at once. In disorder (vptr__fake_disorder()) one is picked by chance, a random
 * while passes before it runs, and a command that was not flushed does not begin at all, all of which OpenCL allows.
 *
 * A command that waits for an event that failed fails too, without having run; later ones in its queue run all the
 * same, since the order of a queue is no dependence. Waiting for a queue succeeds whatever its commands came to: their
 * events tell that. PoCL does both so, other drivers may give up the whole queue.
 *
 * What blocks on the device's own queue runs on the thread that asks, in its turn: a program that never does anything
 * else has no threads.
 *
 * The fake device's mutex (fake_driver.h) guards it all. The queues are in the static list `queues`, with their handles
 * in `handles`; `last_ticket` numbers commands. Whether a device has queues that were named is in its atomics
 * `has_queues` and `has_program_queues`. Called through the device's table (fake.c) by the files of lib/vptr and
 * lib/cudart; by fake.c, for what blocks, and when a device is opened and closed; by fake_command.c, which adds
 * commands; by fake_event.c, which flushes the queue of an event that is waited for; and by the workers of fake_pool.c,
 * which run commands. Finishing, settling and dropping a queue block, and give the mutex back meanwhile.
 */
#include "device/fake_driver.h"

#include "base/waiting.h"
#include "base/clock.h"
#include "base/error.h"

#include <stdlib.h>

static vptr__fake_table handles = { .kind = 3 };
static vptr__fake_queue *queues;
static uint64_t last_ticket;

/* ---- life ----------------------------------------------------------------------------------------------- */

/* A new queue with one reference, or NULL if there is no memory. */
static vptr__fake_queue *new_queue(const vptr__device *device, int priority, bool timed) {
  vptr__fake_queue *queue = calloc(1, sizeof *queue);
  if (queue == NULL)
    return NULL;
  queue->handle = vptr__fake_table_add(&handles, queue);
  if (queue->handle == NULL) {
    free(queue);
    return NULL;
  }
  queue->device = device;
  queue->priority = priority;
  queue->timed = timed;
  queue->references = 1;
  queue->next = queues;
  queues = queue;
  vptr__fake_counted.queues++;
  return queue;
}

/* Frees a queue that nobody can reach and that has nothing left to do. */
static void free_if_done(vptr__fake_queue *queue) {
  if (queue->references > 0 || queue->head != NULL)
    return;
  vptr__fake_queue **link = &queues;
  while (*link != queue)
    link = &(*link)->next;
  *link = queue->next;
  free(queue);
  vptr__fake_counted.queues--;
}

static void drop_queue(vptr__fake_queue *queue) {
  if (--queue->references > 0)
    return;
  vptr__fake_queue_send(queue);
  vptr__fake_table_remove(&handles, queue->handle);
  free_if_done(queue);
}

vptr__fake_queue *vptr__fake_queue_find(cl_command_queue handle, const char *operation) {
  vptr__fake_queue *queue = vptr__fake_table_find(&handles, handle);
  if (queue == NULL)
    vptr__fake_misused("%s on %p, which is no live queue", operation, (void *)handle);
  return queue;
}

/* ---- running -------------------------------------------------------------------------------------------- */

void vptr__fake_queue_add(vptr__fake_queue *queue, vptr__fake_command *command) {
  command->next = NULL;
  command->ticket = ++last_ticket;
  if (queue->head == NULL)
    queue->head = command;
  else
    queue->tail->next = command;
  queue->tail = command;
  vptr__fake_counted.commands++;
  vptr__fake_pool_wake();
}

void vptr__fake_queue_send(vptr__fake_queue *queue) {
  queue->sent = last_ticket;
  for (vptr__fake_command *command = queue->head; command != NULL; command = command->next)
    if (command->event != NULL && command->event->state == CL_QUEUED)
      command->event->state = CL_SUBMITTED;
  vptr__fake_pool_wake();
}

static bool may_begin(const vptr__fake_queue *queue) {
  const vptr__fake_command *first = queue->head;
  if (first == NULL || queue->running || first->here)
    return false;
  if (vptr__fake_pool_disorder() && first->ticket > queue->sent)
    return false;
  for (cl_uint i = 0; i < first->wait_count; i++)
    if (first->waits[i]->state > CL_COMPLETE)
      return false;
  return true;
}

static bool comes_before(const vptr__fake_queue *one, const vptr__fake_queue *other) {
  return one->priority != other->priority ? one->priority < other->priority : one->head->ticket < other->head->ticket;
}

/* The queue whose first command is next, or NULL if none may begin. */
static vptr__fake_queue *pick_queue(void) {
  vptr__fake_queue *picked = NULL;
  uint64_t met = 0;
  for (vptr__fake_queue *queue = queues; queue != NULL; queue = queue->next) {
    if (!may_begin(queue))
      continue;
    bool better = vptr__fake_pool_disorder() ? vptr__fake_pool_random(++met) == 0
                                             : picked == NULL || comes_before(queue, picked);
    if (better)
      picked = queue;
  }
  return picked;
}

/* The code that a command fails with before it has begun, or CL_SUCCESS. */
static cl_int wait_list_error(const vptr__fake_command *command) {
  for (cl_uint i = 0; i < command->wait_count; i++)
    if (command->waits[i]->state < CL_COMPLETE)
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return CL_SUCCESS;
}

/* Takes the first command off its queue, and lets the world know. */
static void end_first(vptr__fake_queue *queue, cl_int code) {
  vptr__fake_command *command = queue->head;
  const size_t *region = command->move.region;
  queue->head = command->next;
  queue->running = false;
  vptr__fake_counted.commands--;
  if (code == CL_SUCCESS && command->move.counter != NULL)
    *command->move.counter += region[0] * region[1] * region[2];
  if (command->event != NULL) {
    command->event->end = queue->timed ? vptr__clock_ns() : 0;
    vptr__fake_event_end(command->event, code);
  }
  vptr__fake_command_let_go(command);
  vptr__fake_pool_wake();
}

bool vptr__fake_queue_work(void) {
  vptr__fake_queue *queue = pick_queue();
  if (queue == NULL)
    return false;
  vptr__fake_command *command = queue->head;
  queue->running = true;
  cl_int code = wait_list_error(command);
  if (code == CL_SUCCESS)
    code = vptr__fake_command_fault();
  vptr__fake_pool_delay();
  if (command->event != NULL) {
    command->event->state = CL_RUNNING;
    command->event->begin = vptr__clock_ns();
  }
  vptr__fake_unlock();
  if (code == CL_SUCCESS)
    vptr__fake_command_do(command);
  vptr__fake_lock();
  end_first(queue, code);
  vptr__fake_command_free(command);
  free_if_done(queue);
  return true;
}

void vptr__fake_queue_run_here(vptr__fake_queue *queue, vptr__fake_command *command) {
  command->here = true;
  vptr__fake_command_keep(command);
  queue->references++;
  vptr__fake_queue_add(queue, command);
  vptr__fake_queue_send(queue);
  while (queue->head != command)
    vptr__fake_pool_wait();
  queue->running = true;
  vptr__fake_unlock();
  vptr__fake_move_do(&command->move);
  vptr__fake_lock();
  end_first(queue, CL_SUCCESS);
  drop_queue(queue);
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

static bool is_waited_for(const vptr__fake_queue *queue, const vptr__device *device) {
  return queue->device == device && (queue->named || queue->own);
}

static bool has_before(const vptr__fake_queue *queue, uint64_t ticket) {
  return queue->head != NULL && queue->head->ticket <= ticket;
}

static bool is_programs(const vptr__fake_queue *queue, const vptr__device *device) {
  return queue->device == device && queue->named && queue->of_program;
}

typedef bool is_meant(const vptr__fake_queue *queue, const vptr__device *device);

/* Whether one of the queues that are meant has a command with a ticket up to this. */
static bool is_busy(const vptr__device *device, is_meant *meant, uint64_t ticket) {
  for (const vptr__fake_queue *queue = queues; queue != NULL; queue = queue->next)
    if (meant(queue, device) && has_before(queue, ticket))
      return true;
  return false;
}

static void wait_for_queues(const vptr__device *device, is_meant *meant) {
  const uint64_t ticket = last_ticket;
  for (vptr__fake_queue *queue = queues; queue != NULL; queue = queue->next)
    if (meant(queue, device))
      vptr__fake_queue_send(queue);
  while (is_busy(device, meant, ticket))
    vptr__fake_pool_wait();
}

/* All that finish() waits for. */
static void wait_for_device(const vptr__device *device) {
  wait_for_queues(device, is_waited_for);
}

static void wait_for_queue(vptr__fake_queue *queue) {
  const uint64_t ticket = last_ticket;
  queue->references++;
  vptr__fake_queue_send(queue);
  while (has_before(queue, ticket))
    vptr__fake_pool_wait();
  drop_queue(queue);
}

vptr_status vptr__fake_finish(vptr__device *device) {
  if (vptr__waiting_is_barred())
    return vptr__waiting_check();
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS)
    wait_for_device(device);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "waiting for the work in flight");
}

vptr_status vptr__fake_settle(vptr__device *device) {
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS)
    wait_for_queues(device, is_programs);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "waiting for the queues that were named");
}

/* ---- queues that finish() waits for --------------------------------------------------------------------- */

static void report_queues(vptr__device *device) {
  bool named = false, of_program = false;
  for (const vptr__fake_queue *queue = queues; queue != NULL; queue = queue->next) {
    named |= queue->device == device && queue->named;
    of_program |= is_programs(queue, device);
  }
  atomic_store(&device->has_queues, named);
  atomic_store(&device->has_program_queues, of_program);
}

/* Naming a queue twice is naming it once, and it is the program's if either was. */
static vptr_status name_queue(vptr__device *device, cl_command_queue handle, bool of_program) {
  cl_int code = vptr__fake_begin();
  vptr__fake_queue *queue = vptr__fake_table_find(&handles, handle);
  bool known = queue != NULL && queue->device == device;
  if (code == CL_SUCCESS && known) {
    queue->references += !queue->named;
    queue->of_program = of_program || (queue->named && queue->of_program);
    queue->named = true;
    report_queues(device);
  }
  vptr__fake_unlock();
  if (code == CL_SUCCESS && !known)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no queue of this fake device", (void *)handle);
  return vptr__fake_answer(code, "naming a queue");
}

vptr_status vptr__fake_queue_use(vptr__device *device, cl_command_queue handle) {
  return name_queue(device, handle, true);
}

vptr_status vptr__fake_queue_adopt(vptr__device *device, cl_command_queue handle) {
  return name_queue(device, handle, false);
}

/* Waits first and forgets after, so that frees go on waiting for the queue until it is empty. */
vptr_status vptr__fake_queue_drop(vptr__device *device, cl_command_queue handle) {
  cl_int code = vptr__fake_begin();
  vptr__fake_queue *queue = vptr__fake_table_find(&handles, handle);
  bool known = queue != NULL && queue->device == device && queue->named;
  if (code == CL_SUCCESS && known) {
    queue->references++;
    wait_for_queue(queue);
    if (queue->named) {
      queue->named = false;
      drop_queue(queue);
    }
    report_queues(device);
    drop_queue(queue);
  }
  vptr__fake_unlock();
  if (code == CL_SUCCESS && !known)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p was not named to the fake device", (void *)handle);
  return vptr__fake_answer(code, "dropping a queue");
}

/* ---- queues of the callers ------------------------------------------------------------------------------ */

vptr_status vptr__fake_queue_create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out) {
  cl_int code = vptr__fake_begin();
  const vptr__fake_queue *queue = code == CL_SUCCESS ? new_queue(device, priority, timed) : NULL;
  if (code == CL_SUCCESS && queue == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  if (code == CL_SUCCESS)
    *queue_out = queue->handle;
  vptr__fake_unlock();
  return vptr__fake_answer(code, "making a queue");
}

void vptr__fake_queue_release(vptr__device *device, cl_command_queue handle) {
  (void)device;
  vptr__fake_lock();
  drop_queue(vptr__fake_queue_find(handle, "release"));
  vptr__fake_unlock();
}

vptr_status vptr__fake_queue_flush(vptr__device *device, cl_command_queue handle) {
  (void)device;
  cl_int code = vptr__fake_begin();
  vptr__fake_queue *queue = vptr__fake_queue_find(handle, "flush");
  if (code == CL_SUCCESS)
    vptr__fake_queue_send(queue);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "sending a queue's commands to the device");
}

vptr_status vptr__fake_queue_finish(vptr__device *device, cl_command_queue handle) {
  (void)device;
  cl_int code = vptr__fake_begin();
  vptr__fake_queue *queue = vptr__fake_queue_find(handle, "waiting");
  if (code == CL_SUCCESS)
    wait_for_queue(queue);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "waiting for a queue");
}

/* ---- the device's own queue ----------------------------------------------------------------------------- */

cl_int vptr__fake_queue_open_own(vptr__device *device) {
  vptr__fake_lock();
  vptr__fake_queue *queue = new_queue(device, 0, false);
  if (queue != NULL) {
    queue->own = true;
    device->cl_queue = queue->handle;
  }
  vptr__fake_unlock();
  return queue != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int make_timed(vptr__device *device, cl_command_queue *queue_out) {
  cl_int code = vptr__fake_begin();
  vptr__fake_queue *queue = NULL;
  *queue_out = NULL;
  if (code == CL_SUCCESS && !vptr__fake_queue_find(device->cl_queue, "timing")->timed) {
    queue = new_queue(device, 0, true);
    code = queue != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  }
  if (queue != NULL)
    *queue_out = queue->handle;
  vptr__fake_unlock();
  return code;
}

static vptr_status put_behind(vptr__device *device, cl_command_queue later, cl_command_queue earlier) {
  cl_event end;
  vptr_status status = vptr__fake_enqueue_barrier(device, earlier, 0, NULL, &end);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__fake_queue_flush(device, earlier);
  if (status == VPTR_SUCCESS)
    status = vptr__fake_enqueue_barrier(device, later, 1, &end, NULL);
  vptr__fake_event_release(device, end);
  return status;
}

/* The old one stays until the end: another thread may just be about to use it, in a call that blocks. */
vptr_status vptr__fake_queue_time(vptr__device *device) {
  cl_command_queue timed;
  cl_int code = make_timed(device, &timed);
  if (code != CL_SUCCESS || timed == NULL)
    return vptr__fake_answer(code, "making a queue that keeps times");
  vptr_status status = put_behind(device, timed, device->cl_queue);
  if (status != VPTR_SUCCESS) {
    vptr__fake_queue_release(device, timed);
    return status;
  }
  vptr__fake_lock();
  vptr__fake_queue_find(timed, "timing")->own = true;
  device->cl_queue = timed;
  vptr__fake_unlock();
  return VPTR_SUCCESS;
}

/* Queues that callers still hold are theirs, and can only be released. */
void vptr__fake_queue_close_all(vptr__device *device) {
  vptr__fake_lock();
  wait_for_device(device);
  vptr__fake_queue *next;
  for (vptr__fake_queue *queue = queues; queue != NULL; queue = next) {
    next = queue->next;
    if (queue->device != device)
      continue;
    queue->device = NULL;
    if (queue->references == 0) /* it was released, and goes with its last command */
      continue;
    queue->references++; /* so that it is there for all of this */
    if (queue->own)
      drop_queue(queue);
    if (queue->named) {
      queue->named = false;
      drop_queue(queue);
    }
    drop_queue(queue);
  }
  vptr__fake_unlock();
}
