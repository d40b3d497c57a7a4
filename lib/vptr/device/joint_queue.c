/* SPDX-License-Identifier: MIT */
/*
 * joint_queue - queues of a joint device (joint.h), each of which has a thread that does its commands one by one.
 *
 * The thread has a queue on each member, to which it alone sends. A command is over when all that it sent is; so the
 * next one of the queue needs no events of any driver's to stand behind it. What that costs is a wake of a thread for
 * each command, and that members idle between two.
 *
 * A queue that is released ends when its commands are over; its thread is then joined when the next one is made, or
 * when the device is closed. vptr__joint.lock, of rank LEAF, guards the list of queues and their members, but for what
 * is the thread's (`inner`, `ring`). Queues are made and freed here. Called by joint.c, which has its table filled and
 * closes the queues; by joint_transfer.c and joint_launch.c, which send commands; in a thread of its own, each queue's;
 * and through the device's table. Who calls through the table are lib/vptr/stream, transfer, mapper, heap, mirror, pool
 * and checkpoint, and folders of lib/cudart. What finishes waits for the queue; making one waits for a thread that is
 * about to end, and closing for all.
 */
#include "device/joint.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"

/* ---- threads ---------------------------------------------------------------------------------------------- */

static cl_int code_of(vptr_status status) {
  const cl_int said = vptr_last_cl_error();
  if (status == VPTR_SUCCESS)
    return CL_COMPLETE;
  if (status == VPTR_ERROR_OUT_OF_HOST_MEMORY)
    return CL_OUT_OF_HOST_MEMORY;
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return status == VPTR_ERROR_OPENCL && said < 0 ? said : CL_OUT_OF_RESOURCES;
}

static void drop_command(vptr__joint *joint, vptr__joint_command *command) {
  if (command->event != NULL)
    vptr__joint_event_drop(command->event);
  command->drop(joint, command);
}

/* Without the lock. */
static void do_command(vptr__joint_queue *queue, vptr__joint_command *command) {
  vptr__joint *joint = queue->joint;
  vptr__joint_event *event = command->event;
  const uint64_t began = vptr__clock_ns();
  const cl_int code = code_of(command->run(joint, queue, command));
  command->drop(joint, command);
  vptr__lock_take(&joint->lock);
  queue->running = 0;
  if (event != NULL) {
    event->began = began;
    event->ended = vptr__clock_ns();
    vptr__joint_event_end(joint, event, code);
  }
  pthread_cond_broadcast(&joint->changed);
  vptr__lock_give(&joint->lock);
  if (event != NULL)
    vptr__joint_event_drop(event);
}

static void release_inner(vptr__joint_queue *queue) {
  for (unsigned i = 0; i < queue->joint->count; i++) {
    vptr__device *device = queue->joint->members[i];
    if (queue->inner[i] != NULL)
      device->ops->queue.release(device, queue->inner[i]);
  }
  vptr__memory_free(queue->ring);
}

/* Under the lock: the next command, taken off; NULL: there will be none. */
static vptr__joint_command *await_command(vptr__joint_queue *queue) {
  while (queue->first == NULL && !queue->is_released)
    pthread_cond_wait(&queue->sent, &queue->joint->lock.mutex);
  vptr__joint_command *command = queue->first;
  if (command == NULL)
    return NULL;
  queue->first = command->next;
  if (queue->first == NULL)
    queue->last = &queue->first;
  queue->running = command->ticket;
  if (command->event != NULL)
    command->event->state = CL_RUNNING;
  return command;
}

static void *do_commands(void *context) {
  vptr__joint_queue *queue = context;
  vptr__joint *joint = queue->joint;
  vptr__joint_command *command;
  vptr__lock_take(&joint->lock);
  while ((command = await_command(queue)) != NULL) {
    vptr__lock_give(&joint->lock);
    do_command(queue, command);
    vptr__lock_take(&joint->lock);
  }
  vptr__lock_give(&joint->lock);
  release_inner(queue);
  vptr__lock_take(&joint->lock);
  queue->has_ended = true;
  pthread_cond_broadcast(&joint->changed);
  vptr__lock_give(&joint->lock);
  return NULL;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

/* Under the lock: a queue whose thread has done its last, taken off the list; NULL: there is none. */
static vptr__joint_queue *take_ended(vptr__joint *joint) {
  for (vptr__joint_queue **at = &joint->queues; *at != NULL; at = &(*at)->next)
    if ((*at)->has_ended) {
      vptr__joint_queue *queue = *at;
      *at = queue->next;
      return queue;
    }
  return NULL;
}

static void free_queue(vptr__joint_queue *queue) {
  pthread_cond_destroy(&queue->sent);
  vptr__memory_free(queue);
}

static void join_ended(vptr__joint *joint) {
  vptr__joint_queue *queue;
  vptr__lock_take(&joint->lock);
  while ((queue = take_ended(joint)) != NULL) {
    vptr__lock_give(&joint->lock);
    pthread_join(queue->thread, NULL);
    free_queue(queue);
    vptr__lock_take(&joint->lock);
  }
  vptr__lock_give(&joint->lock);
}

static vptr_status open_inner(vptr__joint_queue *queue, int priority) {
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < queue->joint->count && status == VPTR_SUCCESS; i++) {
    vptr__device *device = queue->joint->members[i];
    status = device->ops->queue.create(device, priority, false, &queue->inner[i]);
  }
  return status;
}

vptr_status vptr__joint_queue_open(vptr__joint *joint, int priority, vptr__joint_queue **queue_out) {
  join_ended(joint);
  vptr__joint_queue *queue = vptr__memory_calloc(1, sizeof *queue);
  if (queue == NULL)
    return vptr__error_host_memory(sizeof *queue);
  queue->joint = joint;
  queue->last = &queue->first;
  pthread_cond_init(&queue->sent, NULL);
  vptr_status status = open_inner(queue, priority);
  if (status == VPTR_SUCCESS && vptr__thread_start_joinable(&queue->thread, do_commands, queue) != 0)
    status =
        vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "the system gives no thread for a queue of %s", joint->face.name);
  if (status != VPTR_SUCCESS) {
    release_inner(queue);
    free_queue(queue);
    return status;
  }
  vptr__lock_take(&joint->lock);
  queue->next = joint->queues;
  joint->queues = queue;
  vptr__lock_give(&joint->lock);
  *queue_out = queue;
  return VPTR_SUCCESS;
}

static vptr_status create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out) {
  (void)timed; /* all are */
  return vptr__joint_queue_open(device->joint, priority, (vptr__joint_queue **)queue_out);
}

/* Under the lock. */
static void let_end(vptr__joint_queue *queue) {
  queue->is_released = true;
  pthread_cond_signal(&queue->sent);
}

static void release(vptr__device *device, cl_command_queue queue) {
  vptr__lock_take(&device->joint->lock);
  let_end(vptr__joint_queue_of(queue));
  vptr__lock_give(&device->joint->lock);
}

void vptr__joint_queues_close(vptr__joint *joint) {
  vptr__lock_take(&joint->lock);
  for (vptr__joint_queue *queue = joint->queues; queue != NULL; queue = queue->next)
    let_end(queue);
  while (joint->queues != NULL) {
    vptr__joint_queue *queue = take_ended(joint);
    if (queue == NULL) {
      pthread_cond_wait(&joint->changed, &joint->lock.mutex);
      continue;
    }
    vptr__lock_give(&joint->lock);
    pthread_join(queue->thread, NULL);
    free_queue(queue);
    vptr__lock_take(&joint->lock);
  }
  vptr__lock_give(&joint->lock);
}

static vptr_status time_own(vptr__device *device) {
  (void)device;
  return VPTR_SUCCESS;
}

/* ---- sending ---------------------------------------------------------------------------------------------- */

vptr_status vptr__joint_send(vptr__joint_queue *queue, vptr__joint_command *command, cl_event *event_out) {
  vptr__joint *joint = queue->joint;
  if (event_out != NULL && (command->event = vptr__joint_event_make(CL_QUEUED)) == NULL) {
    drop_command(joint, command);
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (event_out != NULL) {
    vptr__joint_event_keep(command->event);
    *event_out = (cl_event)command->event;
  }
  vptr__lock_take(&joint->lock);
  command->next = NULL;
  *queue->last = command;
  queue->last = &command->next;
  command->ticket = ++joint->tickets;
  pthread_cond_signal(&queue->sent);
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

vptr_status vptr__joint_do(vptr__joint *joint, vptr__joint_command *command) {
  cl_event event;
  vptr_status status = vptr__joint_send(joint->own, command, &event);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__joint_event_await(joint, (vptr__joint_event *)event);
  vptr__joint_event_drop((vptr__joint_event *)event);
  return status;
}

/* ---- barriers --------------------------------------------------------------------------------------------- */

typedef struct barrier {
  vptr__joint_command command;
  cl_uint count;
  vptr__joint_event *events[]; /* held */
} barrier;

static vptr_status pass_barrier(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_command *command) {
  const barrier *it = (barrier *)command;
  bool has_failed = false;
  (void)queue;
  vptr__lock_take(&joint->lock);
  for (cl_uint i = 0; i < it->count; i++) {
    while (it->events[i]->state > CL_COMPLETE)
      pthread_cond_wait(&joint->changed, &joint->lock.mutex);
    has_failed |= it->events[i]->state < 0;
  }
  vptr__lock_give(&joint->lock);
  return has_failed ? vptr__error_cl(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                     "what a queue of %s waited for failed", joint->face.name)
                    : VPTR_SUCCESS;
}

static void drop_barrier(vptr__joint *joint, vptr__joint_command *command) {
  barrier *it = (barrier *)command;
  (void)joint;
  for (cl_uint i = 0; i < it->count; i++)
    vptr__joint_event_drop(it->events[i]);
  vptr__memory_free(it);
}

static vptr_status enqueue_barrier(vptr__device *device, cl_command_queue queue, cl_uint count,
                                   const cl_event *events, cl_event *event_out) {
  (void)device;
  const size_t bytes = sizeof(barrier) + count * sizeof(vptr__joint_event *);
  barrier *it = vptr__memory_calloc(1, bytes);
  if (it == NULL)
    return vptr__error_host_memory(bytes);
  it->command = (vptr__joint_command){ .run = pass_barrier, .drop = drop_barrier };
  it->count = count;
  for (cl_uint i = 0; i < count; i++) {
    it->events[i] = (vptr__joint_event *)events[i];
    vptr__joint_event_keep(it->events[i]);
  }
  return vptr__joint_send(vptr__joint_queue_of(queue), &it->command, event_out);
}

/* ---- which ones the device knows, and waiting ------------------------------------------------------------- */

static vptr_status use(vptr__device *device, cl_command_queue queue) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%p is a queue of one device, and memory of %s lies on several: unset VPTR_STRIPE, or send by "
                     "streams of the library's",
                     (void *)queue, device->name);
}

static vptr_status note_adopted(vptr__device *device, cl_command_queue queue, bool is_adopted) {
  vptr__lock_take(&device->joint->lock);
  vptr__joint_queue_of(queue)->is_adopted = is_adopted;
  vptr__lock_give(&device->joint->lock);
  return VPTR_SUCCESS;
}

static vptr_status adopt(vptr__device *device, cl_command_queue queue) {
  device->has_queues = true;
  return note_adopted(device, queue, true);
}

/* The program may name any queue; only ours are looked at. */
static vptr_status drop(vptr__device *device, cl_command_queue queue) {
  bool is_ours = false;
  vptr__lock_take(&device->joint->lock);
  for (const vptr__joint_queue *at = device->joint->queues; at != NULL; at = at->next)
    is_ours |= at == vptr__joint_queue_of(queue) && at->is_adopted;
  vptr__lock_give(&device->joint->lock);
  if (is_ours)
    return note_adopted(device, queue, false);
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no queue that %s was told of", (void *)queue, device->name);
}

/* Under the lock: whether a queue has work that was sent before a moment. */
static bool is_behind(const vptr__joint_queue *queue, uint64_t moment) {
  const uint64_t oldest = queue->running != 0 ? queue->running : queue->first != NULL ? queue->first->ticket : 0;
  return oldest != 0 && oldest <= moment;
}

static vptr_status finish(vptr__device *device, cl_command_queue queue) {
  vptr__joint *joint = device->joint;
  vptr__lock_take(&joint->lock);
  const uint64_t now = joint->tickets;
  while (is_behind(vptr__joint_queue_of(queue), now))
    pthread_cond_wait(&joint->changed, &joint->lock.mutex);
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

/* The list may change while one is waited for, so it is gone through anew. */
static bool is_any_behind(const vptr__joint *joint, uint64_t moment) {
  for (const vptr__joint_queue *queue = joint->queues; queue != NULL; queue = queue->next)
    if ((queue == joint->own || queue->is_adopted) && is_behind(queue, moment))
      return true;
  return false;
}

static vptr_status finish_all(vptr__device *device) {
  vptr__joint *joint = device->joint;
  vptr__lock_take(&joint->lock);
  const uint64_t now = joint->tickets;
  while (is_any_behind(joint, now))
    pthread_cond_wait(&joint->changed, &joint->lock.mutex);
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

static vptr_status settle(vptr__device *device) {
  (void)device;
  return VPTR_SUCCESS;
}

static vptr_status flush(vptr__device *device, cl_command_queue queue) {
  (void)device, (void)queue;
  return VPTR_SUCCESS;
}

void vptr__joint_queue_ops(vptr__device_ops *ops) {
  ops->queue.finish_all = finish_all;
  ops->queue.use = use;
  ops->queue.adopt = adopt;
  ops->queue.settle = settle;
  ops->queue.drop = drop;
  ops->queue.create = create;
  ops->queue.time = time_own;
  ops->queue.release = release;
  ops->queue.flush = flush;
  ops->queue.finish = finish;
  ops->queue.enqueue_barrier = enqueue_barrier;
}
