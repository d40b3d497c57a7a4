/* SPDX-License-Identifier: MIT */
/*
 * proxy - see proxy.h: opening and closing, the gate, and faces.
 *
 * vptr__proxy.lock, of rank LEAF, guards the gate (`is_shut`, `inside`), the lists of handles, and how many wait on a
 * device; the file's own are `held` and `depth`, which proxy the thread has a hold of and how often. Called by
 * mapper/mapper.c, which opens a proxy for who asks for one; by proxy_buffer.c, proxy_event.c,
 * proxy_image.c, proxy_kernel.c, proxy_move.c, proxy_queue.c, proxy_quiet.c and proxy_transfer.c, for gate and lists;
 * and by heap/lease.c, query.c and survey.c, cudart/module/launch.c, cudart/cuda/surface.c and texture.c, which hold
 * a device for as long as they need an address of it. Entering waits while a device is exchanged, as long as its
 * bytes take.
 */
#include "device/proxy.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

static _Thread_local vptr__proxy *held;
static _Thread_local unsigned depth;

/* ---- the gate ------------------------------------------------------------------------------------------- */

static void go_inside(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  while (proxy->is_shut)
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  proxy->inside++;
  vptr__lock_give(&proxy->lock);
}

static void go_outside(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  proxy->inside--;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

vptr__device *vptr__proxy_enter(vptr__device *face) {
  vptr__proxy *proxy = face->proxy;
  if (held != proxy)
    go_inside(proxy);
  return proxy->inner->device;
}

void vptr__proxy_leave(vptr__device *face) {
  if (held != face->proxy)
    go_outside(face->proxy);
}

/* A thread that holds another one's device already holds this one for its operations only. */
void vptr__proxy_hold(vptr__proxy *proxy) {
  if (held != NULL && held != proxy)
    return;
  if (depth++ > 0)
    return;
  go_inside(proxy);
  held = proxy;
}

void vptr__proxy_let_go(vptr__proxy *proxy) {
  if (held != proxy || --depth > 0)
    return;
  held = NULL;
  go_outside(proxy);
}

vptr__proxy_inner *vptr__proxy_await(vptr__device *face) {
  vptr__proxy *proxy = face->proxy;
  vptr__lock_take(&proxy->lock);
  vptr__proxy_inner *inner = proxy->inner;
  inner->waiting++;
  vptr__lock_give(&proxy->lock);
  vptr__proxy_leave(face);
  return inner;
}

void vptr__proxy_awaited(vptr__proxy *proxy, vptr__proxy_inner *inner) {
  vptr__lock_take(&proxy->lock);
  inner->waiting--;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

static struct timespec moment_after(uint64_t ns) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  uint64_t sum = (uint64_t)at.tv_nsec + ns;
  return (struct timespec){ .tv_sec = at.tv_sec + (time_t)(sum / 1000000000), .tv_nsec = (long)(sum % 1000000000) };
}

/* Nobody waits at the gate for somebody inside for longer than that time: he may be waited for himself. */
bool vptr__proxy_shut(vptr__proxy *proxy, uint64_t most_ns) {
  const struct timespec until = moment_after(most_ns);
  int code = 0;
  vptr__lock_take(&proxy->lock);
  while (proxy->is_shut && code != ETIMEDOUT)
    code = pthread_cond_timedwait(&proxy->changed, &proxy->lock.mutex, &until);
  if (proxy->is_shut) {
    vptr__lock_give(&proxy->lock);
    return false;
  }
  proxy->is_shut = true;
  while (proxy->inside > 0 && code != ETIMEDOUT)
    code = pthread_cond_timedwait(&proxy->changed, &proxy->lock.mutex, &until);
  const bool is_mine = proxy->inside == 0;
  if (!is_mine)
    proxy->is_shut = false;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
  if (is_mine) {
    held = proxy;
    depth = 1;
  }
  return is_mine;
}

void vptr__proxy_open_gate(vptr__proxy *proxy) {
  held = NULL;
  depth = 0;
  vptr__lock_take(&proxy->lock);
  proxy->is_shut = false;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

void vptr__proxy_enter_list(vptr__proxy *proxy, vptr__proxy_list *list, vptr__proxy_link *link) {
  vptr__lock_take(&proxy->lock);
  *link = (vptr__proxy_link){ .previous = list->last };
  *(list->last != NULL ? &list->last->next : &list->first) = link;
  list->last = link;
  vptr__lock_give(&proxy->lock);
}

void vptr__proxy_leave_list(vptr__proxy *proxy, vptr__proxy_list *list, vptr__proxy_link *link) {
  vptr__lock_take(&proxy->lock);
  *(link->previous != NULL ? &link->previous->next : &list->first) = link->next;
  *(link->next != NULL ? &link->next->previous : &list->last) = link->previous;
  vptr__lock_give(&proxy->lock);
}

/* ---- faces ---------------------------------------------------------------------------------------------- */

static void close_proxy(vptr__device *face);
static vptr__device_ops proxy_ops;
static pthread_once_t ops_once = PTHREAD_ONCE_INIT;

static void fill_ops(void) {
  vptr__proxy_buffer_ops(&proxy_ops);
  vptr__proxy_transfer_ops(&proxy_ops);
  vptr__proxy_queue_ops(&proxy_ops);
  vptr__proxy_event_ops(&proxy_ops);
  vptr__proxy_image_ops(&proxy_ops);
  vptr__proxy_kernel_ops(&proxy_ops);
  proxy_ops.close = close_proxy;
}

/* What was noted of the device that is left holds for the next one, too: queues are known to it, and what was printed
 * is not yet read. A note that comes late, on an old face, is therefore made already. */
vptr__proxy_face *vptr__proxy_face_make(vptr__proxy *proxy, const vptr__device *device) {
  vptr__proxy_face *face = vptr__memory_calloc(1, sizeof *face);
  if (face == NULL)
    return NULL;
  face->device = *device;
  face->device.ops = &proxy_ops;
  face->device.proxy = proxy;
  face->device.cl_queue = (cl_command_queue)proxy->own;
  if (proxy->faces != NULL) {
    const vptr__device *before = &proxy->faces->device;
    face->device.ordinal = before->ordinal;
    face->device.generation = before->generation + 1;
    face->device.has_queues = true;
    face->device.has_printed = true;
    face->device.gave_address = true;
    face->device.acquires_system = before->acquires_system;
  }
  return face;
}

void vptr__proxy_face_show(vptr__proxy *proxy, vptr__proxy_face *face, vptr__proxy_inner *inner) {
  vptr__lock_take(&proxy->lock);
  face->older = proxy->faces;
  proxy->faces = face;
  proxy->inner = inner;
  vptr__lock_give(&proxy->lock);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static void free_proxy(vptr__proxy *proxy) {
  while (proxy->faces != NULL) {
    vptr__proxy_face *face = proxy->faces;
    proxy->faces = face->older;
    vptr__memory_free(face);
  }
  pthread_cond_destroy(&proxy->changed);
  vptr__lock_fini(&proxy->lock);
  vptr__memory_free(proxy->own);
  vptr__memory_free(proxy->inner);
  vptr__memory_free(proxy);
}

static void close_proxy(vptr__device *face) {
  vptr__proxy *proxy = face->proxy;
  vptr__device_close(proxy->inner->device);
  free_proxy(proxy);
}

vptr_status vptr__device_open_proxy(vptr__device *inner, bool has_strangers, vptr__device **device_out) {
  pthread_once(&ops_once, fill_ops);
  vptr__proxy *proxy = vptr__memory_calloc(1, sizeof *proxy);
  if (proxy == NULL)
    return vptr__error_host_memory(sizeof *proxy);
  vptr__lock_init(&proxy->lock, VPTR__RANK_LEAF);
  pthread_cond_init(&proxy->changed, NULL);
  proxy->has_strangers = has_strangers;
  proxy->inner = vptr__memory_calloc(1, sizeof *proxy->inner);
  proxy->own = vptr__memory_calloc(1, sizeof *proxy->own);
  vptr__proxy_face *face = NULL;
  if (proxy->inner != NULL && proxy->own != NULL) {
    proxy->own->is_own = true;
    face = vptr__proxy_face_make(proxy, inner);
  }
  if (face == NULL) {
    free_proxy(proxy);
    return vptr__error_host_memory(sizeof *face);
  }
  proxy->inner->device = inner;
  vptr__proxy_face_show(proxy, face, proxy->inner);
  *device_out = &face->device;
  return VPTR_SUCCESS;
}
