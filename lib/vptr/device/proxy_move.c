/* SPDX-License-Identifier: MIT */
/*
 * proxy_move - exchanges the device behind a proxy for another (proxy.h).
 *
 *     wait for all work, shut the gate  --->  can everything go?  --->  make it all on the new device, copy the bytes
 *                 |                                 | no                            | something failed
 *                 | work goes on: open, again       v                               v
 *                 '<--------                   open the gate, all is as it was; what was made on the new device goes
 *
 *     ---> every handle means the new object (cannot fail), release the old ones, open the gate, close the old device
 *
 * When the gate is shut is proxy_quiet.c's. Of a device that is lost, bytes are read as far as it gives any, and the
 * rest is zeros.
 *
 * The data are the proxy's: what its handles mean (`inner`, `next`), its `inner` and its faces. They are written here
 * with the gate shut, when nobody else is there; vptr__proxy.lock, of rank LEAF, guards the gate, and is held to change
 * `inner`. Called by mapper/migrate.c, by a thread that has no lock; and by texel_table.c and heap/exchange.c, for
 * where bytes lie afterwards and which are lost. It waits for the device's work, however long that takes, and for the
 * copies.
 */
#include "device/proxy.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/waiting.h"

enum { MOST_RESCUED = 16 << 20 };

/* An exchange on its way. */
typedef struct exchange {
  vptr__proxy *proxy;
  vptr__device *from, *to;
  vptr__proxy_face *face;
  vptr__proxy_inner *inner;
  vptr__proxy_copy *copy;
  bool is_loss;         /* the old device takes no more work */
  uint64_t clock_shift; /* of the new device's clock against the old one's; wraps */
} exchange;

static vptr__proxy_buffer *buffer_at(vptr__proxy_link *link) {
  return (vptr__proxy_buffer *)link;
}

/* ---- whether everything can go -------------------------------------------------------------------------- */

static vptr_status refuse_shown(const vptr__proxy_buffer *buffer) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "a buffer of %zu bytes cannot go to another device: the program %s it; free that allocation first",
      buffer->bytes, buffer->kind == VPTR__PROXY_FOREIGN ? "made" : "was given the cl_mem of");
}

static vptr_status check_buffer(const vptr__proxy_buffer *buffer, const vptr__device *to) {
  if (buffer->kind == VPTR__PROXY_FOREIGN || atomic_load(&buffer->is_shown))
    return refuse_shown(buffer);
  if (atomic_load(&buffer->maps) > 0)
    return vptr__error(VPTR_ERROR_MAPPED, "a buffer of %zu bytes is mapped: vptr_unmap() it before it goes to %s",
                       buffer->bytes, to->name);
  if (buffer->kind == VPTR__PROXY_PART && buffer->origin % to->alignment != 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "a part of a buffer begins at %zu, and %s wants multiples of %zu: make the mapper with a "
                       "vptr_config.alignment of that",
                       buffer->origin, to->name, to->alignment);
  return VPTR_SUCCESS;
}

static vptr_status check_all(const exchange *it) {
  vptr_status status = VPTR_SUCCESS;
  if (it->proxy->has_strangers)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "the program has a queue of %s, or vptr has one of the program's "
                       "(vptr_get_queue(), vptr_use_queue()): the mapper cannot leave that device",
                       it->from->name);
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = check_buffer(buffer_at(link), it->to);
  return status;
}

/* ---- making it all anew --------------------------------------------------------------------------------- */

static vptr__image next_image(const vptr__proxy_buffer *buffer) {
  vptr__image image = buffer->image;
  image.memory = NULL;
  image.buffer = buffer->root != NULL ? buffer->root->next : NULL;
  return image;
}

/* One that is of another form there would read as something else. */
static vptr_status make_image(const exchange *it, vptr__proxy_buffer *buffer) {
  vptr__image image = next_image(buffer);
  vptr_status status = it->to->ops->image.create(it->to, &image);
  if (status != VPTR_SUCCESS)
    return status;
  buffer->next = image.memory;
  if (image.plain == buffer->image.plain && image.offset == buffer->image.offset && image.row == buffer->image.row)
    return status;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s has no images of the form that %s has", it->to->name,
                     it->from->name);
}

static vptr_status make_buffer(const exchange *it, vptr__proxy_buffer *buffer) {
  vptr__device *to = it->to;
  switch (buffer->kind) {
  case VPTR__PROXY_PART:
    return to->ops->memory.create_sub(to, buffer->root->next, buffer->origin, buffer->bytes, &buffer->next);
  case VPTR__PROXY_SHARED:
    return to->ops->memory.share_host(to, buffer->host, buffer->bytes, &buffer->next);
  case VPTR__PROXY_PINNED:
    return to->ops->memory.pin_host(to, buffer->host, buffer->bytes, &buffer->next);
  case VPTR__PROXY_IMAGE:
    return make_image(it, buffer);
  case VPTR__PROXY_PLAIN:
  case VPTR__PROXY_FOREIGN:
    break;
  }
  return to->ops->memory.create(to, buffer->bytes, &buffer->next);
}

/* Where a device's addresses were told, the other one must have some: kernels follow pointers by them. */
static vptr_status ask_address(const exchange *it, vptr__proxy_buffer *buffer) {
  buffer->next_told = 0;
  if (buffer->told == 0)
    return VPTR_SUCCESS;
  return it->to->ops->memory.address(it->to, buffer->next, &buffer->next_told);
}

static vptr_status make_buffers(const exchange *it) {
  vptr_status status = VPTR_SUCCESS;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next) {
    status = make_buffer(it, buffer_at(link));
    if (status == VPTR_SUCCESS)
      status = ask_address(it, buffer_at(link));
  }
  return status;
}

static vptr_status make_queue(const exchange *it, vptr__proxy_queue *queue) {
  vptr__device *to = it->to;
  vptr_status status = to->ops->queue.create(to, queue->priority, queue->is_timed, &queue->next);
  return status == VPTR_SUCCESS && queue->is_adopted ? to->ops->queue.adopt(to, queue->next) : status;
}

static vptr_status make_rest(const exchange *it) {
  vptr__device *to = it->to;
  vptr_status status = it->proxy->own_is_timed ? to->ops->queue.time(to) : VPTR_SUCCESS;
  for (vptr__proxy_link *link = it->proxy->queues.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = make_queue(it, (vptr__proxy_queue *)link);
  for (vptr__proxy_link *link = it->proxy->samplers.first; link != NULL && status == VPTR_SUCCESS;
       link = link->next) {
    vptr__proxy_sampler *sampler = (vptr__proxy_sampler *)link;
    status = to->ops->image.sampler_create(to, &sampler->what, &sampler->next);
  }
  for (vptr__proxy_link *link = it->proxy->events.first; link != NULL && status == VPTR_SUCCESS; link = link->next) {
    vptr__proxy_event *event = (vptr__proxy_event *)link;
    if (event->inner != NULL)
      status =
          it->is_loss ? vptr__proxy_event_lose(it->from, to, event) : vptr__proxy_event_settle(it->from, to, event);
  }
  return status;
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static bool has_bytes(const vptr__proxy_buffer *buffer) {
  return buffer->kind == VPTR__PROXY_PLAIN || (buffer->kind == VPTR__PROXY_IMAGE && buffer->root == NULL);
}

static size_t largest(const exchange *it) {
  size_t most = 0;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next)
    if (has_bytes(buffer_at(link)))
      most = vptr__larger(most, buffer_at(link)->bytes);
  return most;
}

static vptr_status copy_one(const exchange *it, const vptr__proxy_buffer *buffer) {
  if (buffer->kind == VPTR__PROXY_PLAIN)
    return vptr__proxy_copy_bytes(it->copy, buffer->inner, buffer->next, buffer->bytes);
  vptr__image from = buffer->image, to = buffer->image;
  from.memory = buffer->inner;
  to.memory = buffer->next;
  return vptr__proxy_copy_image(it->copy, &from, &to);
}

static vptr_status write_piece(const exchange *it, const vptr__proxy_buffer *buffer, size_t at, const void *room,
                               size_t size) {
  return it->to->ops->transfer.write(it->to, buffer->next, at, room, size);
}

/* What the old device still gives; else zeros, and that is noted. Of images it gives nothing. */
static vptr_status rescue_buffer(const exchange *it, vptr__proxy_buffer *buffer, unsigned char *room, size_t most) {
  vptr_status status = VPTR_SUCCESS;
  buffer->is_lost = buffer->kind != VPTR__PROXY_PLAIN;
  if (buffer->is_lost)
    return status;
  for (size_t at = 0; at < buffer->bytes && status == VPTR_SUCCESS; at += most) {
    const size_t size = vptr__smaller(buffer->bytes - at, most);
    vptr__error_try();
    if (!buffer->is_lost)
      buffer->is_lost = it->from->ops->transfer.read(it->from, buffer->inner, at, room, size) != VPTR_SUCCESS;
    vptr__error_tried(VPTR_SUCCESS);
    if (buffer->is_lost)
      memset(room, 0, size);
    status = write_piece(it, buffer, at, room, size);
  }
  return status;
}

static vptr_status rescue_all(const exchange *it) {
  const size_t most = vptr__smaller(vptr__larger(largest(it), 1), MOST_RESCUED);
  unsigned char *room = vptr__memory_calloc(most, 1);
  if (room == NULL)
    return vptr__error_host_memory(most);
  vptr_status status = VPTR_SUCCESS;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    if (has_bytes(buffer_at(link)))
      status = rescue_buffer(it, buffer_at(link), room, most);
  vptr__memory_free(room);
  return status;
}

bool vptr__proxy_is_lost(cl_mem handle) {
  const vptr__proxy_buffer *buffer = (const vptr__proxy_buffer *)handle;
  return buffer->is_lost || (buffer->root != NULL && buffer->root->is_lost);
}

static vptr_status copy_all(exchange *it) {
  size_t most = largest(it);
  if (most == 0)
    return VPTR_SUCCESS;
  vptr_status status = vptr__proxy_copy_open(it->from, it->to, most, &it->copy);
  if (status != VPTR_SUCCESS)
    return status;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    if (has_bytes(buffer_at(link))) {
      buffer_at(link)->is_lost = false;
      status = copy_one(it, buffer_at(link));
    }
  if (status == VPTR_SUCCESS)
    status = vptr__proxy_copy_finish(it->copy);
  vptr__proxy_copy_close(it->copy);
  return status;
}

/* ---- clocks --------------------------------------------------------------------------------------------- */

static bool read_clock(vptr__device *device, uint64_t *ns_out) {
  cl_command_queue queue;
  cl_event event = NULL;
  uint64_t began;
  if (device->ops->queue.create(device, 0, true, &queue) != VPTR_SUCCESS)
    return false;
  bool is = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &event) == VPTR_SUCCESS;
  is = is && device->ops->event.wait(device, event) == VPTR_SUCCESS &&
       device->ops->event.times(device, event, &began, ns_out) == VPTR_SUCCESS;
  if (event != NULL)
    device->ops->event.release(device, event);
  device->ops->queue.release(device, queue);
  return is;
}

/* So that what an event of before and one of later say can be compared. Where a device keeps no times they are not kept
 * anyway. */
static void compare_clocks(exchange *it) {
  uint64_t old_ns = 0, new_ns = 0, began = 0;
  vptr__error_try();
  if (it->proxy->events.first != NULL && read_clock(it->from, &old_ns)) {
    began = vptr__clock_ns();
    if (read_clock(it->to, &new_ns))
      it->clock_shift = new_ns - old_ns - (vptr__clock_ns() - began);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

/* ---- back ----------------------------------------------------------------------------------------------- */

static void release_buffer(vptr__device *device, const vptr__proxy_buffer *buffer, cl_mem object) {
  if (object == NULL)
    return;
  if (buffer->kind == VPTR__PROXY_PINNED)
    device->ops->memory.unpin_host(device, object, buffer->host);
  else
    device->ops->memory.release(device, object);
}

static void release_queue(vptr__device *device, const vptr__proxy_queue *queue, cl_command_queue object) {
  if (object == NULL)
    return;
  vptr__error_try();
  if (queue->is_adopted)
    device->ops->queue.drop(device, object);
  vptr__error_tried(VPTR_SUCCESS);
  device->ops->queue.release(device, object);
}

/* What a handle does not mean, on the device that goes or does not come: parts before their roots. */
static void release_others(vptr__proxy *proxy, vptr__device *device) {
  for (vptr__proxy_link *link = proxy->buffers.last; link != NULL; link = link->previous) {
    release_buffer(device, buffer_at(link), buffer_at(link)->next);
    buffer_at(link)->next = NULL;
  }
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL; link = link->next) {
    vptr__proxy_queue *queue = (vptr__proxy_queue *)link;
    release_queue(device, queue, queue->next);
    queue->next = NULL;
  }
  for (vptr__proxy_link *link = proxy->samplers.first; link != NULL; link = link->next) {
    vptr__proxy_sampler *sampler = (vptr__proxy_sampler *)link;
    if (sampler->next != NULL)
      device->ops->image.sampler_release(device, sampler->next);
    sampler->next = NULL;
  }
}

static void forget_fresh(const exchange *it) {
  for (vptr__proxy_link *link = it->proxy->events.first; link != NULL; link = link->next) {
    vptr__proxy_event *event = (vptr__proxy_event *)link;
    if (event->fresh != NULL)
      it->to->ops->event.release(it->to, event->fresh);
    event->fresh = NULL;
  }
}

/* ---- over ----------------------------------------------------------------------------------------------- */

static void swap_objects(const exchange *it) {
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next) {
    vptr__proxy_buffer *buffer = buffer_at(link);
    cl_mem old = buffer->inner;
    const uint64_t told = buffer->told;
    buffer->inner = buffer->next;
    buffer->next = old;
    buffer->told = buffer->next_told;
    buffer->next_told = told;
  }
  for (vptr__proxy_link *link = it->proxy->queues.first; link != NULL; link = link->next) {
    vptr__proxy_queue *queue = (vptr__proxy_queue *)link;
    cl_command_queue old = queue->inner;
    queue->inner = queue->next;
    queue->next = old;
  }
  for (vptr__proxy_link *link = it->proxy->samplers.first; link != NULL; link = link->next) {
    vptr__proxy_sampler *sampler = (vptr__proxy_sampler *)link;
    cl_sampler old = sampler->inner;
    sampler->inner = sampler->next;
    sampler->next = old;
  }
}

static void settle_events(const exchange *it) {
  for (vptr__proxy_link *link = it->proxy->events.first; link != NULL; link = link->next) {
    vptr__proxy_event *event = (vptr__proxy_event *)link;
    if (event->inner != NULL)
      it->from->ops->event.release(it->from, event->inner);
    event->inner = event->fresh;
    event->fresh = NULL;
    event->began += it->clock_shift;
    event->ended += it->clock_shift;
  }
}

static void drop_programs(const exchange *it) {
  for (vptr__proxy_link *link = it->proxy->kernels.first; link != NULL; link = link->next) {
    vptr__proxy_kernel *kernel = (vptr__proxy_kernel *)link;
    if (kernel->inner != NULL)
      it->from->ops->kernel.release(it->from, kernel->inner);
    kernel->inner = NULL;
  }
  for (vptr__proxy_link *link = it->proxy->programs.first; link != NULL; link = link->next) {
    vptr__proxy_program *program = (vptr__proxy_program *)link;
    if (program->inner != NULL)
      it->from->ops->kernel.program_release(it->from, program->inner);
    program->inner = NULL;
  }
}

/* Host memory that kernels reach by its own address is registered with one context of NVIDIA's at a time: where the old
 * one had it, pinning for the new one did nothing, without a word. So it is pinned once more; released first, for where
 * nobody had it that pin is the one that counts. */
static void pin_anew(const exchange *it) {
  if (!it->to->reaches_pinned)
    return;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next) {
    vptr__proxy_buffer *buffer = buffer_at(link);
    if (buffer->kind != VPTR__PROXY_PINNED)
      continue;
    release_buffer(it->to, buffer, buffer->inner);
    buffer->inner = NULL;
    vptr__error_try();
    if (it->to->ops->memory.pin_host(it->to, buffer->host, buffer->bytes, &buffer->inner) != VPTR_SUCCESS)
      vptr__log_always("vptr_migrate: the %zu bytes of pinned memory at %p cannot be registered with %s: %s; kernels "
                       "there must not use them",
                       buffer->bytes, buffer->host, it->to->name, vptr_last_error());
    vptr__error_tried(VPTR_SUCCESS);
  }
}

static vptr__proxy_inner *go_over(exchange *it) {
  vptr__proxy_inner *old = it->proxy->inner;
  swap_objects(it);
  settle_events(it);
  drop_programs(it);
  release_others(it->proxy, it->from);
  pin_anew(it);
  vptr__proxy_face_show(it->proxy, it->face, it->inner);
  return old;
}

uint64_t vptr__proxy_translate(const vptr__device *face, uint64_t address) {
  for (vptr__proxy_link *link = face->proxy->buffers.first; link != NULL; link = link->next) {
    const vptr__proxy_buffer *buffer = buffer_at(link);
    if (buffer->next_told != 0 && address - buffer->next_told < buffer->bytes)
      return buffer->told + (address - buffer->next_told);
  }
  return address;
}

/* With the gate shut: whatever may fail. */
static vptr_status prepare(exchange *it) {
  it->inner = vptr__memory_calloc(1, sizeof *it->inner);
  it->face = vptr__proxy_face_make(it->proxy, it->to);
  if (it->inner == NULL || it->face == NULL)
    return vptr__error_host_memory(sizeof *it->face);
  it->inner->device = it->to;
  const uint64_t begin = vptr__clock_ns();
  vptr_status status = check_all(it);
  if (status == VPTR_SUCCESS)
    status = make_buffers(it);
  if (status == VPTR_SUCCESS)
    status = make_rest(it);
  const uint64_t made = vptr__clock_ns();
  if (status == VPTR_SUCCESS)
    status = it->is_loss ? rescue_all(it) : copy_all(it);
  vptr__log(VPTR__LOG_DECISION, "what %s has was made on %s in %.3f s, and its bytes copied in %.3f s",
            it->from->name, it->to->name, (double)(made - begin) / 1e9, (double)(vptr__clock_ns() - made) / 1e9);
  if (status == VPTR_SUCCESS && !it->is_loss)
    compare_clocks(it);
  return status;
}

static void undo(const exchange *it) {
  forget_fresh(it);
  release_others(it->proxy, it->to);
  vptr__memory_free(it->face);
  vptr__memory_free(it->inner);
}

/* A driver that has not told somebody of the end of work may do so later: what that needs stays. */
static void close_old(vptr__proxy *proxy, vptr__proxy_inner *old) {
  vptr__lock_take(&proxy->lock);
  const bool is_used = old->waiting > 0 || old->notices > 0;
  vptr__lock_give(&proxy->lock);
  if (is_used)
    return;
  vptr__error_try();
  vptr__device_close(old->device);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__memory_free(old);
}

static vptr_status exchange_shut(exchange *it, const vptr__mover *mover) {
  vptr_status status = prepare(it);
  if (status != VPTR_SUCCESS) {
    undo(it);
    mover->is_off(mover->context);
    vptr__proxy_open_gate(it->proxy);
    return status;
  }
  vptr__proxy_inner *old = go_over(it);
  mover->moved(&it->face->device, mover->context);
  vptr__proxy_open_gate(it->proxy);
  close_old(it->proxy, old);
  return VPTR_SUCCESS;
}

vptr_status vptr__device_exchange(vptr__device *face, vptr__device *next, const vptr__mover *mover) {
  vptr_status status = vptr__waiting_check();
  if (status == VPTR_SUCCESS)
    status = vptr__proxy_shut_when_quiet(face, mover);
  if (status != VPTR_SUCCESS)
    return status;
  exchange it = { .proxy = face->proxy, .from = face->proxy->inner->device, .to = next };
  return exchange_shut(&it, mover);
}

vptr_status vptr__device_abandon(vptr__device *face, vptr__device *next, const vptr__mover *mover) {
  vptr_status status = vptr__waiting_check();
  if (status == VPTR_SUCCESS)
    status = vptr__proxy_shut_at_once(face->proxy, mover);
  if (status != VPTR_SUCCESS)
    return status;
  exchange it = { .proxy = face->proxy, .from = face->proxy->inner->device, .to = next, .is_loss = true };
  return exchange_shut(&it, mover);
}
