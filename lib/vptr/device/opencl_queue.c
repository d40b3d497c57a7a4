/* SPDX-License-Identifier: MIT */
/*
 * opencl_queue - makes queues, keeps the list of those that others named to the device, and waits for them.
 *
 * Queues keep the times of their commands only where somebody wants to measure, and the driver can. A priority is a
 * hint: where the driver does not know of such (cl_khr_priority_hints), or refuses it, the queue is a plain one.
 *
 * A queue that the user names is kept, with a reference, in a list by rising number. Waiting for all of them takes the
 * lock only to find the next one: holding it while a queue drains would stop every other thread, and a copy of the
 * list would need memory that may not be there. From a queue that is still in the list the way goes on behind it, so
 * that hundreds of streams cost hundreds of steps; the place of one that left is told by its number. A queue that
 * leaves the list meanwhile is waited for by whoever drops it; one that joins comes last, and is met.
 *
 * vptr__opencl.lock (opencl.h), of rank DEVICE, guards the list (`queues`, `queues_named`), whose nodes are made and
 * freed here, and the exchange of the device's own queue for one that keeps times (`untimed`, device->cl_queue, which
 * is atomic). Whether the list has any is in the device's atomics `has_queues` and `has_program_queues`. Called
 * through the device's table (opencl.c) by the files of lib/vptr/stream and lib/vptr/transfer, mirror/copy_queue.c,
 * cudart/module/managed.c and address_word.c, and cudart/cuda/lost.c, for single queues; by stream/stream.c,
 * pool/pool_allocator.c, mapper/mapper.c and memory.c, heap/heap.c, compact.c and residence_move.c, and
 * checkpoint/checkpoint.c, which wait for all of them, before frees for instance; by completion.c, proxy_apart.c,
 * proxy_copy.c, proxy_event.c, proxy_move.c, proxy_plan.c, proxy_queue.c, proxy_quiet.c and proxy_stock.c; and by the
 * other opencl_*.c, which wait for single commands by vptr__opencl_await(); and by joint_carry.c and joint_queue.c.
 * What waits does so without the lock.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing before 2.0 */

#include "device/opencl.h"

#include "base/waiting.h"
#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

cl_int vptr__opencl_await(cl_event event) {
  cl_int code = vptr__opencl_event_code(event, clWaitForEvents(1, &event));
  clReleaseEvent(event);
  return code;
}

/* ---- queues of our own ---------------------------------------------------------------------------------- */

static bool has_priorities(const vptr__device *device) {
  unsigned major = 0;
  size_t bytes = 0;
  sscanf(device->version, "OpenCL %u", &major);
  if (major < 2 || clGetDeviceInfo(device->cl_device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS)
    return false;
  char *extensions = vptr__memory_calloc(1, bytes + 1);
  bool has = extensions != NULL &&
             clGetDeviceInfo(device->cl_device, CL_DEVICE_EXTENSIONS, bytes, extensions, NULL) == CL_SUCCESS &&
             strstr(extensions, "cl_khr_priority_hints") != NULL;
  vptr__memory_free(extensions);
  return has;
}

static cl_int make_urgent(const vptr__device *device, cl_command_queue_properties wanted,
                          cl_command_queue *queue_out) {
  const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, wanted, CL_QUEUE_PRIORITY_KHR,
                                             CL_QUEUE_PRIORITY_HIGH_KHR, 0 };
  cl_int code;
  *queue_out = clCreateCommandQueueWithProperties(device->cl_context, device->cl_device, properties, &code);
  return code;
}

static cl_int make_plain(const vptr__device *device, cl_command_queue_properties properties,
                         cl_command_queue *queue_out) {
  cl_int code;
  *queue_out = clCreateCommandQueue(device->cl_context, device->cl_device, properties, &code);
  return code;
}

static bool is_refused(cl_int code) {
  return code == CL_INVALID_QUEUE_PROPERTIES || code == CL_INVALID_VALUE;
}

static cl_int make_queue(const vptr__device *device, int priority, bool timed, cl_command_queue *queue_out) {
  const cl_command_queue_properties wanted = timed ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_command_queue queue;
  cl_int code = CL_INVALID_QUEUE_PROPERTIES;
  if (priority < 0 && has_priorities(device))
    code = make_urgent(device, wanted, &queue);
  if (is_refused(code))
    code = make_plain(device, wanted, &queue);
  if (is_refused(code))
    code = make_plain(device, 0, &queue);
  if (code == CL_SUCCESS)
    *queue_out = queue;
  return code;
}

vptr_status vptr__opencl_queue_create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out) {
  cl_int code = make_queue(device, priority, timed, queue_out);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "making a command queue on %s", device->name);
}

/* ---- the device's own ------------------------------------------------------------------------------------ */

/* One queue waits for all that another has. */
static cl_int put_behind(cl_command_queue later, cl_command_queue earlier) {
  cl_event end;
  cl_int code = clEnqueueMarkerWithWaitList(earlier, 0, NULL, &end);
  if (code != CL_SUCCESS)
    return code;
  code = clFlush(earlier);
  if (code == CL_SUCCESS)
    code = clEnqueueBarrierWithWaitList(later, 1, &end, NULL);
  clReleaseEvent(end);
  return code;
}

/* The old queue stays until the end: another thread may just be about to use it, in a call that blocks. */
static vptr_status replace_own(vptr__opencl *opencl) {
  vptr__device *device = &opencl->device;
  cl_command_queue timed;
  cl_int code = make_queue(device, 0, true, &timed);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making a command queue that keeps times on %s", device->name);
  code = put_behind(timed, device->cl_queue);
  if (code != CL_SUCCESS) {
    clReleaseCommandQueue(timed);
    return vptr__error_cl(code, "putting a command queue behind another");
  }
  opencl->untimed = device->cl_queue;
  device->cl_queue = timed;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_queue_time(vptr__device *device) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&opencl->lock);
  if (opencl->untimed == NULL)
    status = replace_own(opencl);
  vptr__lock_give(&opencl->lock);
  return status;
}

void vptr__opencl_queue_release(vptr__device *device, cl_command_queue queue) {
  (void)device;
  clReleaseCommandQueue(queue);
}

VPTR__HOT vptr_status vptr__opencl_queue_flush(vptr__device *device, cl_command_queue queue) {
  (void)device;
  cl_int code = clFlush(queue);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "sending a queue's commands to the device");
}

VPTR__HOT vptr_status vptr__opencl_queue_finish(vptr__device *device, cl_command_queue queue) {
  (void)device;
  cl_int code = clFinish(queue);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "waiting for the queue %p", (void *)queue);
}

/* ---- the list ------------------------------------------------------------------------------------------- */

/* Where to go on behind a queue that may have left the list meanwhile. Under the lock. */
static vptr__opencl_queue *find_behind(const vptr__opencl *opencl, const vptr__opencl_queue *node) {
  if (node != NULL && node->listed)
    return node->next;
  vptr__opencl_queue *next = opencl->queues;
  while (node != NULL && next != NULL && next->number <= node->number)
    next = next->next;
  return next;
}

/* The first queue behind one that the caller has entered, or of all behind NULL; for the caller to leave_queue(). NULL
 * behind the last. */
static vptr__opencl_queue *enter_behind(vptr__opencl *opencl, const vptr__opencl_queue *node, bool program_only) {
  vptr__lock_take(&opencl->lock);
  vptr__opencl_queue *next = find_behind(opencl, node);
  while (next != NULL && program_only && !next->of_program)
    next = next->next;
  if (next != NULL)
    next->users++;
  vptr__lock_give(&opencl->lock);
  return next;
}

static void leave_queue(vptr__opencl *opencl, vptr__opencl_queue *node) {
  vptr__lock_take(&opencl->lock);
  bool last = --node->users == 0;
  vptr__lock_give(&opencl->lock);
  if (!last)
    return;
  clReleaseCommandQueue(node->queue);
  vptr__memory_free(node);
}

/* Where the node of queue hangs, or the NULL at the end of the list. Under the lock. */
static vptr__opencl_queue **find_link(vptr__opencl *opencl, cl_command_queue queue) {
  vptr__opencl_queue **link = &opencl->queues;
  while (*link != NULL && (*link)->queue != queue)
    link = &(*link)->next;
  return link;
}

/* The node of queue, for the caller to leave_queue(), or NULL. */
static vptr__opencl_queue *enter_queue(vptr__opencl *opencl, cl_command_queue queue) {
  vptr__lock_take(&opencl->lock);
  vptr__opencl_queue *node = *find_link(opencl, queue);
  if (node != NULL)
    node->users++;
  vptr__lock_give(&opencl->lock);
  return node;
}

/* Under the lock, after a change. */
static void report_queues(vptr__opencl *opencl) {
  bool of_program = false;
  for (const vptr__opencl_queue *node = opencl->queues; node != NULL; node = node->next)
    of_program |= node->of_program;
  atomic_store(&opencl->device.has_queues, opencl->queues != NULL);
  atomic_store(&opencl->device.has_program_queues, of_program);
}

/* Adds the node, which the list then owns, unless its queue is there; that one is the program's if either is. */
static bool add_node(vptr__opencl *opencl, vptr__opencl_queue *node) {
  vptr__lock_take(&opencl->lock);
  vptr__opencl_queue **link = find_link(opencl, node->queue);
  bool added = *link == NULL;
  if (added) {
    node->number = ++opencl->queues_named;
    node->listed = true;
    *link = node;
  } else {
    (*link)->of_program |= node->of_program;
  }
  report_queues(opencl);
  vptr__lock_give(&opencl->lock);
  return added;
}

/* Takes the node off the list, whose share in it passes to the caller; false if another thread was faster. */
static bool take_off(vptr__opencl *opencl, vptr__opencl_queue *node) {
  vptr__lock_take(&opencl->lock);
  vptr__opencl_queue **link = find_link(opencl, node->queue);
  bool there = *link == node;
  if (there) {
    *link = node->next;
    node->listed = false;
  }
  report_queues(opencl);
  vptr__lock_give(&opencl->lock);
  return there;
}

/* ---- operations ----------------------------------------------------------------------------------------- */

/* Waits for each queue of the list, or for those of the program's alone. Returns the first failure, which does not
 * end it. */
static cl_int finish_listed(vptr__opencl *opencl, bool program_only) {
  cl_int first = CL_SUCCESS;
  for (vptr__opencl_queue *node = enter_behind(opencl, NULL, program_only); node != NULL;) {
    cl_int code = clFinish(node->queue);
    first = first != CL_SUCCESS ? first : code;
    vptr__opencl_queue *next = enter_behind(opencl, node, program_only);
    leave_queue(opencl, node);
    node = next;
  }
  return first;
}

vptr_status vptr__opencl_finish(vptr__device *device) {
  if (vptr__waiting_is_barred())
    return vptr__waiting_check();
  cl_int first = clFinish(device->cl_queue);
  cl_int listed = finish_listed(vptr__opencl_of(device), false);
  first = first != CL_SUCCESS ? first : listed;
  return first == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(first, "waiting for the work in flight");
}

static vptr_status check_context(const vptr__device *device, cl_command_queue queue) {
  if (queue == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the queue is NULL");
  cl_context context;
  cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (code == CL_INVALID_COMMAND_QUEUE)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is not a command queue", (void *)queue);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking the queue %p for its context", (void *)queue);
  if (context != device->cl_context)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the queue %p is of another OpenCL context than the mapper",
                       (void *)queue);
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_settle(vptr__device *device) {
  cl_int first = finish_listed(vptr__opencl_of(device), true);
  return first == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(first, "waiting for the queues that were named");
}

/* Naming a queue twice is naming it once. */
static vptr_status name_queue(vptr__device *device, cl_command_queue queue, bool of_program) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr_status status = check_context(device, queue);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__opencl_queue *node = vptr__memory_calloc(1, sizeof *node);
  if (node == NULL)
    return vptr__error_host_memory(sizeof *node);
  cl_int code = clRetainCommandQueue(queue);
  if (code != CL_SUCCESS) {
    vptr__memory_free(node);
    return vptr__error_cl(code, "retaining the queue %p", (void *)queue);
  }
  node->queue = queue;
  node->of_program = of_program;
  node->users = 1;
  if (!add_node(opencl, node))
    leave_queue(opencl, node);
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_queue_use(vptr__device *device, cl_command_queue queue) {
  return name_queue(device, queue, true);
}

vptr_status vptr__opencl_queue_adopt(vptr__device *device, cl_command_queue queue) {
  return name_queue(device, queue, false);
}

/* Waits first and forgets after, so that frees go on waiting for the queue until it is empty. */
vptr_status vptr__opencl_queue_drop(vptr__device *device, cl_command_queue queue) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr__opencl_queue *node = enter_queue(opencl, queue);
  if (node == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the queue %p was not named to vptr_use_queue()", (void *)queue);
  cl_int code = clFinish(queue);
  if (code == CL_SUCCESS && take_off(opencl, node))
    leave_queue(opencl, node);
  leave_queue(opencl, node);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "waiting for the queue %p", (void *)queue);
}

void vptr__opencl_queue_forget_all(vptr__opencl *opencl) {
  while (opencl->queues != NULL) {
    vptr__opencl_queue *node = opencl->queues;
    opencl->queues = node->next;
    clReleaseCommandQueue(node->queue);
    vptr__memory_free(node);
  }
}
