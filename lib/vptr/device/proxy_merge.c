/* SPDX-License-Identifier: MIT */
/*
 * proxy_merge - launches that use host memory which the device keeps apart (proxy_apart.h).
 *
 *     queue       write host   read before   kernel   read after     barrier behind kernel and `merged`
 *     thread                                                    compare, write what differs, complete `merged`
 *
 * `before` is read back from the device, for it is exactly what the kernel found, whatever the host writes meanwhile.
 * What differs from it afterwards the kernel has written, and the host gets that alone.
 *
 * The static `merges` has the launches whose bytes are to come, in the order of their turns, and whether the thread
 * runs, which is started with the first; its lock, of rank LEAF, guards them, and is not held while the thread waits
 * for the device. vptr__proxy.lock, of rank LEAF, guards the lists of handles, and how many merges of a proxy are to
 * come. A merge counts as a notice of the driver's, so no device is exchanged and none is closed before it is over.
 * Called by proxy_kernel.c, by proxy.c, which waits for the last before it frees a proxy, and in a thread of its own.
 */
#include "device/proxy_apart.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/thread.h"
#include "device/completion.h"

/* One allocation, and what ends its commands: a write, and a read before and after the kernel. */
typedef struct piece {
  cl_mem buffer; /* the device's */
  unsigned char *host;
  unsigned char *before, *after; /* what was sent, and what came back: of one allocation, at `before` */
  size_t bytes;
  cl_event written, read_before, read_after; /* NULL: not sent */
} piece;

struct vptr__proxy_merge {
  vptr__proxy_merge *next;
  vptr__proxy *proxy;
  vptr__proxy_inner *here; /* the device behind the proxy */
  cl_command_queue queue;
  cl_event merged; /* what the host completes */
  cl_event off;    /* nothing is to be merged, and this is behind all that was sent; NULL: it is merged */
  size_t count;
  piece pieces[];
};

static struct {
  vptr__lock lock;
  pthread_cond_t changed;
  vptr__proxy_merge *first, *last;
  bool has_thread;
} merges = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .changed = PTHREAD_COND_INITIALIZER };

/* ---- the thread ----------------------------------------------------------------------------------------- */

/* Most bytes are what they were. */
static void merge_piece(const piece *it) {
  enum { STEP = 4096 };
  for (size_t at = 0; at < it->bytes; at += STEP) {
    const size_t end = vptr__smaller(it->bytes, at + STEP);
    if (memcmp(it->before + at, it->after + at, end - at) == 0)
      continue;
    for (size_t i = at; i < end; i++)
      if (it->before[i] != it->after[i])
        it->host[i] = it->after[i];
  }
}

static void free_merge(vptr__proxy_merge *merge) {
  for (size_t i = 0; i < merge->count; i++)
    vptr__memory_free(merge->pieces[i].before);
  vptr__memory_free(merge);
}

/* Waits for its end, and releases it. One that cannot be waited for may go on, and use the merge's memory. */
static vptr_status await_command(vptr__device *inner, cl_event command, bool *is_used) {
  vptr_status status = VPTR_SUCCESS;
  if (command == NULL)
    return status;
  *is_used |= !vptr__completion_reach(inner, command, &status);
  inner->ops->event.release(inner, command);
  return status;
}

static vptr_status await_all(const vptr__proxy_merge *merge, bool *is_used) {
  vptr__device *inner = merge->here->device;
  vptr_status status = await_command(inner, merge->off, is_used);
  for (size_t i = 0; i < merge->count; i++) {
    const piece *it = &merge->pieces[i];
    const cl_event commands[] = { it->written, it->read_before, it->read_after };
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
      vptr_status its = await_command(inner, commands[k], is_used);
      status = status == VPTR_SUCCESS ? its : status;
    }
  }
  return status;
}

/* The queue goes on when it is complete; with an error, if bytes are lost. */
static void complete(vptr__device *inner, cl_event merged, vptr_status status) {
  const cl_int code = vptr_last_cl_error();
  const cl_int error = code < 0 ? code : CL_OUT_OF_RESOURCES;
  vptr__completion_give(inner, merged, status == VPTR_SUCCESS ? CL_COMPLETE : error);
  inner->ops->event.release(inner, merged);
}

static void end_merge(vptr__proxy_merge *merge, bool is_used) {
  vptr__proxy *proxy = merge->proxy;
  vptr__proxy_inner *here = merge->here;
  if (!is_used) /* else a command has it for good, whose end nobody can tell */
    free_merge(merge);
  vptr__lock_take(&proxy->lock);
  proxy->turn.merges--;
  vptr__lock_give(&proxy->lock);
  vptr__proxy_end_notice(proxy, here);
}

/* `merged` is completed whatever became of the kernel: the barrier has the kernel's event, too. */
static void finish_merge(vptr__proxy_merge *merge) {
  vptr__device *inner = merge->here->device;
  bool is_used = false;
  vptr__error_try();
  vptr_status status = await_all(merge, &is_used);
  if (status == VPTR_SUCCESS && merge->off == NULL)
    for (size_t i = 0; i < merge->count; i++)
      merge_piece(&merge->pieces[i]);
  vptr__lock_begin_duty();
  if (merge->merged != NULL)
    complete(inner, merge->merged, status);
  vptr__lock_end_duty();
  vptr__error_tried(VPTR_SUCCESS);
  end_merge(merge, is_used);
}

static vptr__proxy_merge *await_merge(void) {
  vptr__lock_take(&merges.lock);
  while (merges.first == NULL)
    pthread_cond_wait(&merges.changed, &merges.lock.mutex);
  vptr__proxy_merge *merge = merges.first;
  merges.first = merge->next;
  vptr__lock_give(&merges.lock);
  return merge;
}

static void *run_merges(void *unused) {
  (void)unused;
  for (;;)
    finish_merge(await_merge());
  return NULL;
}

static int start_thread(void) {
  return vptr__thread_start(run_merges);
}

/* With the turn: merges are in the order of turns, for the one waits for the other. It is the thread's from then on. */
static void put_merge(vptr__proxy_merge *merge) {
  vptr__proxy_begin_notice(merge->proxy, merge->here);
  vptr__lock_take(&merge->proxy->lock);
  merge->proxy->turn.merges++;
  vptr__lock_give(&merge->proxy->lock);
  merge->next = NULL;
  vptr__lock_take(&merges.lock);
  *(merges.first != NULL ? &merges.last->next : &merges.first) = merge;
  merges.last = merge;
  pthread_cond_signal(&merges.changed);
  vptr__lock_give(&merges.lock);
}

void vptr__proxy_merge_await(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  while (proxy->turn.merges > 0)
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  vptr__lock_give(&proxy->lock);
}

/* ---- what a launch uses --------------------------------------------------------------------------------- */

static bool is_argument(const vptr__proxy_kernel *kernel, const vptr__proxy_buffer *buffer) {
  for (size_t i = 0; i < kernel->room; i++)
    if (kernel->shared[i] == (cl_mem)buffer)
      return true;
  return false;
}

static bool is_used(const vptr__device *inner, const vptr__proxy_kernel *kernel, const vptr__proxy_buffer *buffer) {
  return buffer->is_apart &&
         (is_argument(kernel, buffer) || (atomic_load(&buffer->told) != 0 && !inner->reaches_pinned));
}

/* Under the proxy's lock. At most `room`; how many there are. The kernel's arguments are the caller's meanwhile, and
 * what comes to have an address later than the first count is none of this launch's. */
static size_t list_used(vptr__proxy *proxy, const vptr__device *inner, const vptr__proxy_kernel *kernel,
                        piece *pieces, size_t room) {
  size_t count = 0;
  vptr__lock_take(&proxy->lock);
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL; link = link->next) {
    const vptr__proxy_buffer *buffer = (const vptr__proxy_buffer *)link;
    if (!is_used(inner, kernel, buffer))
      continue;
    if (count < room) {
      pieces[count] = (piece){ .buffer = buffer->inner, .host = buffer->host, .bytes = buffer->bytes };
      inner->ops->memory.retain((vptr__device *)(uintptr_t)inner, buffer->inner);
    }
    count++;
  }
  vptr__lock_give(&proxy->lock);
  return count;
}

static void let_go(vptr__device *inner, const vptr__proxy_merge *merge) {
  for (size_t i = 0; i < merge->count; i++)
    inner->ops->memory.release(inner, merge->pieces[i].buffer);
}

static vptr_status make_room(vptr__proxy_merge *merge) {
  for (size_t i = 0; i < merge->count; i++) {
    piece *it = &merge->pieces[i];
    it->before = vptr__memory_calloc(it->bytes, 2);
    if (it->before == NULL)
      return vptr__error_host_memory(2 * it->bytes);
    it->after = it->before + it->bytes;
  }
  return VPTR_SUCCESS;
}

/* NULL and SUCCESS: the launch uses none. */
static vptr_status make_merge(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                              const vptr__proxy_kernel *kernel, vptr__proxy_merge **merge_out) {
  const size_t room = list_used(proxy, inner, kernel, NULL, 0);
  *merge_out = NULL;
  if (room == 0)
    return VPTR_SUCCESS;
  vptr__proxy_merge *merge = vptr__memory_calloc(1, sizeof *merge + room * sizeof *merge->pieces);
  if (merge == NULL)
    return vptr__error_host_memory(sizeof *merge + room * sizeof *merge->pieces);
  merge->proxy = proxy;
  merge->here = proxy->inner;
  merge->queue = queue;
  merge->count = vptr__smaller(list_used(proxy, inner, kernel, merge->pieces, room), room);
  vptr_status status = make_room(merge);
  if (status == VPTR_SUCCESS)
    status = vptr__thread_start_once(&merges.lock, &merges.has_thread, start_thread,
                                     "that brings what kernels wrote to pinned memory");
  if (status == VPTR_SUCCESS)
    status = inner->ops->event.create_user(inner, &merge->merged);
  if (status == VPTR_SUCCESS) {
    *merge_out = merge;
    return status;
  }
  let_go(inner, merge);
  free_merge(merge);
  return status;
}

/* ---- around the kernel ---------------------------------------------------------------------------------- */

static vptr_status send_all(vptr__proxy_merge *merge) {
  vptr__device *inner = merge->here->device;
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < merge->count && status == VPTR_SUCCESS; i++) {
    piece *it = &merge->pieces[i];
    status =
        inner->ops->transfer.enqueue_write(inner, merge->queue, it->buffer, 0, it->host, it->bytes, &it->written);
    if (status == VPTR_SUCCESS)
      status = inner->ops->transfer.enqueue_read(inner, merge->queue, it->buffer, 0, it->before, it->bytes,
                                                 &it->read_before);
  }
  return status;
}

static vptr_status fetch_all(vptr__proxy_merge *merge) {
  vptr__device *inner = merge->here->device;
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < merge->count && status == VPTR_SUCCESS; i++) {
    piece *it = &merge->pieces[i];
    status =
        inner->ops->transfer.enqueue_read(inner, merge->queue, it->buffer, 0, it->after, it->bytes, &it->read_after);
  }
  return status;
}

/* Commands that are queued use its memory: the thread has it until they are over; or, where no command can tell that,
 * they are waited for here. */
static void call_off(vptr__proxy_merge *merge) {
  vptr__proxy *proxy = merge->proxy;
  vptr__device *inner = merge->here->device;
  const cl_command_queue queue = merge->queue;
  vptr__error_try();
  if (inner->ops->queue.enqueue_barrier(inner, queue, 0, NULL, &merge->off) != VPTR_SUCCESS)
    vptr__completion_drain(inner, queue);
  vptr__error_tried(VPTR_SUCCESS);
  let_go(inner, merge);
  cl_event last = merge->off;
  if (last != NULL) {
    inner->ops->event.retain(inner, last);
    put_merge(merge);
  } else {
    bool is_used = false;
    vptr__error_try();
    await_all(merge, &is_used);
    vptr__error_tried(VPTR_SUCCESS);
    complete(inner, merge->merged, VPTR_SUCCESS);
    if (!is_used)
      free_merge(merge);
  }
  vptr__proxy_turn_give(proxy, inner, queue, last);
  if (last != NULL)
    inner->ops->event.release(inner, last);
}

vptr_status vptr__proxy_merge_begin(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                                    const vptr__proxy_kernel *kernel, vptr__proxy_merge **merge_out) {
  *merge_out = NULL;
  if (proxy->turn.apart == 0)
    return VPTR_SUCCESS;
  vptr__proxy_merge *merge;
  vptr_status status = make_merge(proxy, inner, queue, kernel, &merge);
  if (status != VPTR_SUCCESS || merge == NULL)
    return status;
  status = vptr__proxy_turn_take(proxy, inner, queue);
  if (status != VPTR_SUCCESS) {
    let_go(inner, merge);
    complete(inner, merge->merged, VPTR_SUCCESS);
    free_merge(merge);
    return status;
  }
  status = send_all(merge);
  if (status != VPTR_SUCCESS)
    call_off(merge);
  else
    *merge_out = merge;
  return status;
}

/* Behind the kernel, whose failure it tells, and behind the host's part. */
static vptr_status put_end(const vptr__proxy_merge *merge, cl_event kernel, cl_event *end_out) {
  vptr__device *inner = merge->here->device;
  const cl_event both[2] = { kernel, merge->merged };
  return inner->ops->queue.enqueue_barrier(inner, merge->queue, 2, both, end_out);
}

vptr_status vptr__proxy_merge_end(vptr__proxy_merge *merge, vptr_status status, cl_event kernel, cl_event *room) {
  vptr__proxy *proxy = merge->proxy;
  vptr__device *inner = merge->here->device;
  const cl_command_queue queue = merge->queue;
  cl_event end = NULL;
  if (status == VPTR_SUCCESS)
    status = fetch_all(merge);
  if (status == VPTR_SUCCESS)
    status = put_end(merge, kernel, &end);
  if (kernel != NULL)
    inner->ops->event.release(inner, kernel);
  if (status != VPTR_SUCCESS) {
    call_off(merge);
    return status;
  }
  let_go(inner, merge);
  put_merge(merge);
  vptr__proxy_turn_give(proxy, inner, queue, end);
  if (room != NULL)
    *room = end;
  else
    inner->ops->event.release(inner, end);
  return status;
}
