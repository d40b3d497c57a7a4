/* SPDX-License-Identifier: MIT */
/*
 * proxy - opens and closes proxies (proxy.h), and has their gate and their faces.
 *
 * A vptr__proxy is made here, and freed with its faces when its device is closed and the last notice of a driver over,
 * which may be later: a driver that is done with its work tells of it when it likes. vptr__proxy.lock, of rank LEAF,
 * guards its gate (`gate` to `closed_at`), its lists of handles, `inner` to `faces`, and how many wait on a device or
 * are told of it (inside of the gate `inner` is read without it). The file's own data are the thread-local `held` and
 * `depth`, which proxy the thread has a hold of and how often; and the table `proxy_ops`, which is filled once, under
 * pthread_once() (`ops_once`). Called by mapper/mapper.c, which opens a proxy for who asks for one; by proxy_buffer.c,
 * proxy_event.c, proxy_image.c, proxy_kernel.c, proxy_merge.c, proxy_move.c, proxy_queue.c, proxy_quiet.c and
 * proxy_transfer.c, for gate, lists and notices; and by heap/lease.c, query.c and survey.c, cudart/module/chain.c and
 * launch.c, cudart/cuda/surface.c and texture.c, and cufft/run.c, which hold a device for as long as they need what is
 * of it. Entering waits while a device is exchanged, as long as its bytes take.
 */
#include "device/proxy_apart.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/waiting.h"

static _Thread_local vptr__proxy *held;
static _Thread_local unsigned depth;

/* ---- the gate ------------------------------------------------------------------------------------------- */

/* Whether those who are inside may need this thread before they come out. The work of streams needs their functions. */
static bool is_needed(void) {
  return vptr__lock_is_awaited() || held != NULL || vptr__waiting_is_barred();
}

static bool keeps_out(const vptr__proxy *proxy, bool needed) {
  return proxy->gate == VPTR__PROXY_SHUT || (proxy->gate == VPTR__PROXY_CLOSING && !needed);
}

/* Under the lock. Who opens the gate counts all who wait as inside: a gate that is closed again before they woke does
 * not keep them out. */
static void wait_outside(vptr__proxy *proxy, bool needed) {
  const uint64_t openings = proxy->openings;
  proxy->outside++;
  while (proxy->openings == openings && keeps_out(proxy, needed))
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  if (proxy->openings != openings)
    return;
  proxy->outside--;
  proxy->inside++;
  proxy->entries++;
}

static void go_inside(vptr__proxy *proxy) {
  const bool needed = is_needed();
  vptr__lock_take(&proxy->lock);
  if (keeps_out(proxy, needed)) {
    wait_outside(proxy, needed);
  } else {
    proxy->inside++;
    proxy->entries++;
  }
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

/* ---- devices that were left, and notices ------------------------------------------------------------------ */

void vptr__proxy_leave_inner(vptr__proxy *proxy, vptr__proxy_inner *inner) {
  vptr__lock_take(&proxy->lock);
  inner->next = proxy->left;
  proxy->left = inner;
  vptr__lock_give(&proxy->lock);
}

/* Under the lock. */
static vptr__proxy_inner *unlink_unused(vptr__proxy *proxy) {
  vptr__proxy_inner **link = &proxy->left;
  while (*link != NULL && ((*link)->waiting > 0 || (*link)->notices > 0))
    link = &(*link)->next;
  vptr__proxy_inner *inner = *link;
  if (inner != NULL)
    *link = inner->next;
  return inner;
}

vptr__device *vptr__proxy_take_left(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  vptr__proxy_inner *inner = unlink_unused(proxy);
  vptr__lock_give(&proxy->lock);
  vptr__device *device = inner != NULL ? inner->device : NULL;
  vptr__memory_free(inner);
  return device;
}

static void free_proxy(vptr__proxy *proxy);

void vptr__proxy_begin_notice(vptr__proxy *proxy, vptr__proxy_inner *inner) {
  vptr__lock_take(&proxy->lock);
  inner->notices++;
  proxy->notices++;
  vptr__lock_give(&proxy->lock);
}

void vptr__proxy_end_notice(vptr__proxy *proxy, vptr__proxy_inner *inner) {
  vptr__lock_take(&proxy->lock);
  inner->notices--;
  proxy->notices--;
  pthread_cond_broadcast(&proxy->changed);
  const bool is_last = proxy->is_closed && proxy->notices == 0;
  vptr__lock_give(&proxy->lock);
  if (is_last)
    free_proxy(proxy);
}

/* ---- keeping others out --------------------------------------------------------------------------------- */

static struct timespec moment_at(uint64_t until) {
  const uint64_t now = vptr__clock_ns(), ns = until > now ? until - now : 0;
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  uint64_t sum = (uint64_t)at.tv_nsec + ns;
  return (struct timespec){ .tv_sec = at.tv_sec + (time_t)(sum / 1000000000), .tv_nsec = (long)(sum % 1000000000) };
}

bool vptr__proxy_close_gate(vptr__proxy *proxy, uint64_t until) {
  const struct timespec end = moment_at(until);
  int code = 0;
  vptr__lock_take(&proxy->lock);
  while (proxy->gate != VPTR__PROXY_OPEN && code != ETIMEDOUT)
    code = pthread_cond_timedwait(&proxy->changed, &proxy->lock.mutex, &end);
  const bool is_mine = proxy->gate == VPTR__PROXY_OPEN;
  if (is_mine) {
    proxy->gate = VPTR__PROXY_CLOSING;
    proxy->closed_at = vptr__clock_ns();
  }
  vptr__lock_give(&proxy->lock);
  return is_mine;
}

bool vptr__proxy_shut(vptr__proxy *proxy, uint64_t until) {
  const struct timespec end = moment_at(until);
  int code = 0;
  vptr__lock_take(&proxy->lock);
  while (proxy->inside > 0 && code != ETIMEDOUT)
    code = pthread_cond_timedwait(&proxy->changed, &proxy->lock.mutex, &end);
  const bool is_empty = proxy->inside == 0;
  if (is_empty)
    proxy->gate = VPTR__PROXY_SHUT;
  vptr__lock_give(&proxy->lock);
  if (is_empty) {
    held = proxy;
    depth = 1;
  }
  return is_empty;
}

void vptr__proxy_ease(vptr__proxy *proxy) {
  held = NULL;
  depth = 0;
  vptr__lock_take(&proxy->lock);
  proxy->gate = VPTR__PROXY_CLOSING;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

void vptr__proxy_open_gate(vptr__proxy *proxy) {
  held = NULL;
  depth = 0;
  vptr__lock_take(&proxy->lock);
  proxy->gate = VPTR__PROXY_OPEN;
  proxy->openings++;
  proxy->inside += proxy->outside;
  proxy->entries += proxy->outside;
  proxy->outside = 0;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

uint64_t vptr__proxy_closed_ns(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  const uint64_t closed_at = proxy->closed_at;
  vptr__lock_give(&proxy->lock);
  return vptr__clock_ns() - closed_at;
}

uint64_t vptr__proxy_entries(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  const uint64_t entries = proxy->entries;
  vptr__lock_give(&proxy->lock);
  return entries;
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

void vptr__proxy_list_append(vptr__proxy_list *list, vptr__proxy_link *link) {
  *link = (vptr__proxy_link){ .previous = list->last, .serial = ++list->made };
  *(list->last != NULL ? &list->last->next : &list->first) = link;
  list->last = link;
}

void vptr__proxy_enter_list(vptr__proxy *proxy, vptr__proxy_list *list, vptr__proxy_link *link) {
  vptr__lock_take(&proxy->lock);
  vptr__proxy_list_append(list, link);
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

/* Devices that are left here stay open for good: no device may be closed by its driver's thread. */
static void free_proxy(vptr__proxy *proxy) {
  while (proxy->left != NULL) {
    vptr__proxy_inner *inner = proxy->left;
    proxy->left = inner->next;
    vptr__memory_free(inner);
  }
  while (proxy->faces != NULL) {
    vptr__proxy_face *face = proxy->faces;
    proxy->faces = face->older;
    vptr__memory_free(face);
  }
  pthread_cond_destroy(&proxy->changed);
  vptr__lock_fini(&proxy->turn.lock);
  vptr__lock_fini(&proxy->lock);
  vptr__memory_free(proxy->own);
  vptr__memory_free(proxy->inner);
  vptr__memory_free(proxy);
}

static void close_proxy(vptr__device *face) {
  vptr__proxy *proxy = face->proxy;
  vptr__proxy_merge_await(proxy);
  vptr__proxy_turn_forget(proxy);
  vptr__device_close(proxy->inner->device);
  for (vptr__device *left; (left = vptr__proxy_take_left(proxy)) != NULL;)
    vptr__device_close(left);
  vptr__lock_take(&proxy->lock);
  proxy->is_closed = true;
  const bool is_last = proxy->notices == 0;
  vptr__lock_give(&proxy->lock);
  if (is_last)
    free_proxy(proxy);
}

vptr_status vptr__device_open_proxy(vptr__device *inner, bool has_strangers, vptr__device **device_out) {
  pthread_once(&ops_once, fill_ops);
  vptr__lock_count_all();
  vptr__proxy *proxy = vptr__memory_calloc(1, sizeof *proxy);
  if (proxy == NULL)
    return vptr__error_host_memory(sizeof *proxy);
  vptr__lock_init(&proxy->lock, VPTR__RANK_LEAF);
  vptr__lock_init(&proxy->turn.lock, VPTR__RANK_TURN);
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
