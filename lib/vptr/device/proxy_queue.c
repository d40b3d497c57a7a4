/* SPDX-License-Identifier: MIT */
/*
 * proxy_queue - queues of a proxy (proxy.h).
 *
 * The device's own queue has one handle for good, which means whatever queue the device has now. A queue that the
 * program names is its own object, and no handle: with one the device cannot be exchanged.
 *
 * vptr__proxy.lock, of rank LEAF, guards the list of queues and `own_is_timed`; `has_strangers` is atomic. Handles are
 * made here, and freed when they are released. Called by proxy.c, which has its table filled; through the device's
 * table; and by stream/timing.c, which shows the program a queue. Who calls through the table are lib/vptr/stream,
 * transfer, mapper, heap, mirror, pool and checkpoint, and folders of lib/cudart. Waiting for queues happens outside of
 * the gate.
 */
#include "device/proxy.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__proxy_queue *queue_of(cl_command_queue handle) {
  return (vptr__proxy_queue *)handle;
}

static bool is_handle(vptr__proxy *proxy, cl_command_queue queue) {
  bool found = queue == (cl_command_queue)proxy->own;
  vptr__lock_take(&proxy->lock);
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL && !found; link = link->next)
    found = (cl_command_queue)link == queue;
  vptr__lock_give(&proxy->lock);
  return found;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static vptr_status create(vptr__device *face, int priority, bool timed, cl_command_queue *queue_out) {
  vptr__proxy_queue *queue = vptr__memory_calloc(1, sizeof *queue);
  if (queue == NULL)
    return vptr__error_host_memory(sizeof *queue);
  queue->priority = priority;
  queue->is_timed = timed;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->queue.create(inner, priority, timed, &queue->inner);
  if (status == VPTR_SUCCESS) {
    vptr__proxy_enter_list(face->proxy, &face->proxy->queues, &queue->link);
    *queue_out = (cl_command_queue)queue;
  }
  vptr__proxy_leave(face);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(queue);
  return status;
}

static void release(vptr__device *face, cl_command_queue handle) {
  vptr__proxy_queue *queue = queue_of(handle);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->queues, &queue->link);
  inner->ops->queue.release(inner, queue->inner);
  vptr__proxy_leave(face);
  vptr__memory_free(queue);
}

static vptr_status time_own(vptr__device *face) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->queue.time(inner);
  if (status == VPTR_SUCCESS) {
    vptr__lock_take(&face->proxy->lock);
    face->proxy->own_is_timed = true;
    vptr__lock_give(&face->proxy->lock);
  }
  vptr__proxy_leave(face);
  return status;
}

/* ---- which ones the device knows ------------------------------------------------------------------------ */

/* What the inner device notes of itself is told of the face, too. */
static void copy_notes(vptr__device *face, const vptr__device *inner) {
  if (inner->has_queues)
    face->has_queues = true;
  face->has_program_queues = (bool)inner->has_program_queues;
}

static vptr_status use(vptr__device *face, cl_command_queue queue) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->queue.use(inner, queue);
  if (status == VPTR_SUCCESS)
    face->proxy->has_strangers = true;
  copy_notes(face, inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status adopt(vptr__device *face, cl_command_queue queue) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->queue.adopt(inner, vptr__proxy_queue_of(inner, queue));
  if (status == VPTR_SUCCESS)
    queue_of(queue)->is_adopted = true;
  copy_notes(face, inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status drop(vptr__device *face, cl_command_queue queue) {
  vptr__device *inner = vptr__proxy_enter(face);
  const bool is_ours = is_handle(face->proxy, queue);
  vptr_status status = inner->ops->queue.drop(inner, is_ours ? vptr__proxy_queue_of(inner, queue) : queue);
  if (status == VPTR_SUCCESS && is_ours)
    queue_of(queue)->is_adopted = false;
  copy_notes(face, inner);
  vptr__proxy_leave(face);
  return status;
}

cl_command_queue vptr__proxy_show_queue(vptr__device *face) {
  vptr__device *inner = vptr__proxy_enter(face);
  face->proxy->has_strangers = true;
  cl_command_queue queue = inner->cl_queue;
  vptr__proxy_leave(face);
  return queue;
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

static vptr_status finish_all(vptr__device *face) {
  vptr__proxy_enter(face);
  vptr__proxy_inner *inner = vptr__proxy_await(face);
  vptr_status status = inner->device->ops->queue.finish_all(inner->device);
  vptr__proxy_awaited(face->proxy, inner);
  return status;
}

static vptr_status settle(vptr__device *face) {
  vptr__proxy_enter(face);
  vptr__proxy_inner *inner = vptr__proxy_await(face);
  vptr_status status = inner->device->ops->queue.settle(inner->device);
  vptr__proxy_awaited(face->proxy, inner);
  return status;
}

static vptr_status finish(vptr__device *face, cl_command_queue queue) {
  vptr__device *device = vptr__proxy_enter(face);
  cl_command_queue object = vptr__proxy_queue_of(device, queue);
  vptr__proxy_inner *inner = vptr__proxy_await(face);
  vptr_status status = device->ops->queue.finish(device, object);
  vptr__proxy_awaited(face->proxy, inner);
  return status;
}

static vptr_status flush(vptr__device *face, cl_command_queue queue) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->queue.flush(inner, vptr__proxy_queue_of(inner, queue));
  vptr__proxy_leave(face);
  return status;
}

/* ---- barriers ------------------------------------------------------------------------------------------- */

/* What is settled needs no waiting for. Inside. */
static vptr_status put_barrier(vptr__device *inner, cl_command_queue queue, cl_uint count, const cl_event *events,
                               cl_event *event_out) {
  enum { SOME = 16 };
  cl_event some[SOME], *objects = some;
  cl_uint left = 0;
  if (count > SOME && (objects = vptr__memory_calloc(count, sizeof *objects)) == NULL)
    return vptr__error_host_memory(count * sizeof *objects);
  for (cl_uint i = 0; i < count; i++) {
    const vptr__proxy_event *event = (const vptr__proxy_event *)events[i];
    if (event->inner != NULL)
      objects[left++] = event->inner;
  }
  vptr_status status = inner->ops->queue.enqueue_barrier(inner, queue, left, left > 0 ? objects : NULL, event_out);
  if (objects != some)
    vptr__memory_free(objects);
  return status;
}

static vptr_status enqueue_barrier(vptr__device *face, cl_command_queue queue, cl_uint count, const cl_event *events,
                                   cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      put_barrier(inner, vptr__proxy_queue_of(inner, queue), count, events, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

void vptr__proxy_queue_ops(vptr__device_ops *ops) {
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
