/* SPDX-License-Identifier: MIT */
/*
 * proxy_move - exchanges the device behind a proxy for another (proxy.h).
 *
 *     gate open    can everything go? --> make it on the new device, as far as that can be now (proxy_ahead.c)
 *     closing      wait for all work (proxy_quiet.c); when it goes on: open again, wait, and once more
 *     shut         can everything go still? make what is missing --> copy the bytes
 *                  --> every handle means the new object, which cannot fail; what it meant before is put in stock
 *     open         release what is in stock (proxy_stock.c), give the old device back
 *
 * Whatever fails leaves all as it was: handles mean what they did, and what was made on the new device is put in stock,
 * and released with the gate open.
 *
 * The data are the proxy's: what its handles mean (`inner`, `next`), its `inner` and its faces. They are written here
 * with the gate shut, when nobody else is there; vptr__proxy.lock, of rank LEAF, guards the gate, and is held to change
 * `inner`. Called by mapper/migrate.c, by a thread that has no lock; and by texel_table.c, for where bytes lie
 * afterwards. It waits for another exchange, for the device's work, however long that takes, and for the copies.
 */
#include "device/proxy_apart.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/waiting.h"

/* An exchange on its way. */
typedef struct exchange {
  vptr__proxy *proxy;
  const vptr__mover *mover;
  vptr__device *from, *to;
  vptr__proxy_face *face;
  vptr__proxy_inner *inner;
  vptr__proxy_copy *copy;
  bool is_loss;           /* the old device takes no more work */
  uint64_t clock_shift;   /* of the new device's clock against the old one's; wraps */
  vptr__proxy_inner *old; /* once it is over */
  uint64_t lap_began;
  struct {
    double ahead, ring, waiting, making, copying, going_over, shut, releasing, closing; /* s */
  } took;
  vptr__proxy_copied copied;
} exchange;

static vptr__proxy_buffer *buffer_at(vptr__proxy_link *link) {
  return (vptr__proxy_buffer *)link;
}

/* ---- whether everything can go, and making it all anew ------------------------------------------------------ */

static vptr_status check_all(const exchange *it) {
  vptr__proxy_plan plan;
  vptr_status status = vptr__proxy_check_strangers(it->proxy);
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next) {
    vptr__proxy_plan_buffer(buffer_at(link), &plan);
    status = vptr__proxy_plan_check(&plan, it->to);
  }
  return status;
}

/* What was made ahead and has no handle any more may be what fills the device. */
static vptr_status make_object(const exchange *it, vptr__proxy_plan *plan, cl_mem root, void **object_out) {
  vptr_status status;
  vptr__error_try();
  do
    status = vptr__proxy_plan_make(plan, it->to, root, object_out);
  while (vptr__proxy_made_room(it->proxy, status));
  return vptr__error_tried(status);
}

static vptr_status make_buffer(const exchange *it, vptr__proxy_buffer *buffer) {
  vptr__proxy_plan plan;
  void *object = NULL;
  if (buffer->root != NULL && buffer->root->next_is_apart)
    return vptr__proxy_refuse_part_apart(it->to, buffer->bytes);
  vptr__proxy_plan_buffer(buffer, &plan);
  vptr_status status = make_object(it, &plan, buffer->root != NULL ? buffer->root->next : NULL, &object);
  buffer->next = object;
  buffer->next_is_apart = plan.is_apart;
  return status;
}

/* Where a device's addresses were told, the other one must have some: kernels follow pointers by them. */
static vptr_status ask_address(const exchange *it, vptr__proxy_buffer *buffer) {
  if (buffer->told == 0 || buffer->next_told != 0)
    return VPTR_SUCCESS;
  if (buffer->next_is_apart && it->to->reaches_pinned) {
    buffer->next_told = (uintptr_t)buffer->host;
    return VPTR_SUCCESS;
  }
  return it->to->ops->memory.address(it->to, buffer->next, &buffer->next_told);
}

static vptr_status make_buffers(const exchange *it) {
  vptr_status status = VPTR_SUCCESS;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next) {
    if (buffer_at(link)->next == NULL)
      status = make_buffer(it, buffer_at(link));
    if (status == VPTR_SUCCESS)
      status = ask_address(it, buffer_at(link));
  }
  return status;
}

static vptr_status make_queue(const exchange *it, vptr__proxy_queue *queue) {
  vptr_status status = VPTR_SUCCESS;
  if (queue->next == NULL) {
    vptr__proxy_plan plan;
    void *object = NULL;
    vptr__proxy_plan_queue(queue, &plan);
    status = make_object(it, &plan, NULL, &object);
    queue->next = object;
  }
  return status == VPTR_SUCCESS && queue->is_adopted ? it->to->ops->queue.adopt(it->to, queue->next) : status;
}

static vptr_status make_sampler(const exchange *it, vptr__proxy_sampler *sampler) {
  if (sampler->next != NULL)
    return VPTR_SUCCESS;
  return it->to->ops->image.sampler_create(it->to, &sampler->what, &sampler->next);
}

static vptr_status settle_event(const exchange *it, vptr__proxy_event *event) {
  if (event->inner == NULL)
    return VPTR_SUCCESS;
  return it->is_loss ? vptr__proxy_event_lose(it->from, it->to, event)
                     : vptr__proxy_event_settle(it->from, it->to, event);
}

static vptr_status make_rest(const exchange *it) {
  vptr_status status = it->proxy->own_is_timed ? it->to->ops->queue.time(it->to) : VPTR_SUCCESS;
  for (vptr__proxy_link *link = it->proxy->queues.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = make_queue(it, (vptr__proxy_queue *)link);
  for (vptr__proxy_link *link = it->proxy->samplers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = make_sampler(it, (vptr__proxy_sampler *)link);
  for (vptr__proxy_link *link = it->proxy->events.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = settle_event(it, (vptr__proxy_event *)link);
  return status;
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static size_t largest(const exchange *it) {
  size_t most = 0;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next)
    if (vptr__proxy_has_bytes(buffer_at(link)))
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

/* The ring was made ahead, or has served before between the two, unless there was nothing yet. */
static vptr_status open_copy(exchange *it, size_t most) {
  if (it->copy != NULL || most == 0 || it->is_loss)
    return VPTR_SUCCESS;
  it->copy = vptr__proxy_ring_take(it->mover->ring, it->from, it->to, most);
  return it->copy != NULL ? VPTR_SUCCESS : vptr__proxy_copy_open(it->from, it->to, most, &it->copy);
}

static vptr_status copy_all(exchange *it) {
  vptr_status status = open_copy(it, largest(it));
  if (status != VPTR_SUCCESS || it->copy == NULL)
    return status;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    if (vptr__proxy_has_bytes(buffer_at(link))) {
      buffer_at(link)->is_lost = false;
      status = copy_one(it, buffer_at(link));
    }
  return status == VPTR_SUCCESS ? vptr__proxy_copy_finish(it->copy) : status;
}

/* ---- what no handle means ------------------------------------------------------------------------------- */

static vptr__proxy_spare_kind kind_of(const vptr__proxy_buffer *buffer) {
  return buffer->kind == VPTR__PROXY_PINNED ? VPTR__PROXY_SPARE_PIN : VPTR__PROXY_SPARE_MEMORY;
}

/* What handles would have meant, or meant before: into the stock of its device, parts behind their roots. */
static void put_others(vptr__proxy *proxy, vptr__proxy_stock *stock) {
  for (vptr__proxy_link *link = proxy->samplers.first; link != NULL; link = link->next) {
    vptr__proxy_sampler *sampler = (vptr__proxy_sampler *)link;
    vptr__proxy_stock_put(stock, VPTR__PROXY_SPARE_SAMPLER, sampler->next, NULL);
    sampler->next = NULL;
  }
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL; link = link->next) {
    vptr__proxy_queue *queue = (vptr__proxy_queue *)link;
    vptr__proxy_stock_put(stock, queue->is_adopted ? VPTR__PROXY_SPARE_ADOPTED : VPTR__PROXY_SPARE_QUEUE, queue->next,
                          NULL);
    queue->next = NULL;
  }
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL; link = link->next) {
    vptr__proxy_stock_put(stock, kind_of(buffer_at(link)), buffer_at(link)->next, buffer_at(link)->host);
    buffer_at(link)->next = NULL;
  }
}

static void put_fresh(vptr__proxy *proxy, vptr__proxy_stock *stock) {
  for (vptr__proxy_link *link = proxy->events.first; link != NULL; link = link->next) {
    vptr__proxy_event *event = (vptr__proxy_event *)link;
    vptr__proxy_stock_put(stock, VPTR__PROXY_SPARE_EVENT, event->fresh, NULL);
    event->fresh = NULL;
  }
}

static size_t length_of(const vptr__proxy_list *list) {
  size_t length = 0;
  for (const vptr__proxy_link *link = list->first; link != NULL; link = link->next)
    length++;
  return length;
}

/* Of all that may be left over, on either device. */
static vptr_status reserve_stocks(vptr__proxy *proxy) {
  const size_t most = length_of(&proxy->buffers) + length_of(&proxy->queues) + length_of(&proxy->samplers) +
                      length_of(&proxy->events) + length_of(&proxy->kernels) + length_of(&proxy->programs);
  vptr_status status = vptr__proxy_stock_reserve(proxy, &proxy->coming, most);
  return status == VPTR_SUCCESS ? vptr__proxy_stock_reserve(proxy, &proxy->going, most) : status;
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
    const bool was_apart = buffer->is_apart;
    buffer->is_apart = buffer->next_is_apart;
    buffer->next_is_apart = was_apart;
    atomic_fetch_add(&it->proxy->turn.apart, (size_t)buffer->is_apart - (size_t)was_apart);
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
    vptr__proxy_stock_put(&it->proxy->going, VPTR__PROXY_SPARE_EVENT, event->inner, NULL);
    event->inner = event->fresh;
    event->fresh = NULL;
    event->began += it->clock_shift;
    event->ended += it->clock_shift;
  }
}

static void drop_programs(vptr__proxy *proxy) {
  for (vptr__proxy_link *link = proxy->programs.first; link != NULL; link = link->next) {
    vptr__proxy_program *program = (vptr__proxy_program *)link;
    vptr__proxy_stock_put(&proxy->going, VPTR__PROXY_SPARE_PROGRAM, program->inner, NULL);
    program->inner = NULL;
  }
  for (vptr__proxy_link *link = proxy->kernels.first; link != NULL; link = link->next) {
    vptr__proxy_kernel *kernel = (vptr__proxy_kernel *)link;
    vptr__proxy_stock_put(&proxy->going, VPTR__PROXY_SPARE_KERNEL, kernel->inner, NULL);
    kernel->inner = NULL;
  }
}

static void unpin(vptr__device *device, const vptr__proxy_buffer *buffer, cl_mem *pin) {
  if (*pin != NULL)
    device->ops->memory.unpin_host(device, *pin, buffer->host);
  *pin = NULL;
}

static void pin_one_anew(vptr__device *to, vptr__proxy_buffer *buffer) {
  unpin(to, buffer, &buffer->inner);
  vptr__error_try();
  if (to->ops->memory.pin_host(to, buffer->host, buffer->bytes, &buffer->inner) != VPTR_SUCCESS)
    vptr__log_always("vptr_migrate: the %zu bytes of pinned memory at %p cannot be registered with %s: %s; kernels "
                     "there must not use them",
                     buffer->bytes, buffer->host, to->name, vptr_last_error());
  vptr__error_tried(VPTR_SUCCESS);
}

/* Host memory that kernels reach by its own address is registered with one context of NVIDIA's at a time: where the old
 * one had it, pinning for the new one did nothing, without a word. So it is pinned once more; released first, for where
 * nobody had it that pin is the one that counts. */
static void pin_anew(const exchange *it) {
  if (!it->to->reaches_pinned)
    return;
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next)
    if (buffer_at(link)->kind == VPTR__PROXY_PINNED)
      unpin(it->from, buffer_at(link), &buffer_at(link)->next);
  for (vptr__proxy_link *link = it->proxy->buffers.first; link != NULL; link = link->next)
    if (buffer_at(link)->kind == VPTR__PROXY_PINNED)
      pin_one_anew(it->to, buffer_at(link));
}

/* The old one. */
static vptr__proxy_inner *go_over(exchange *it) {
  vptr__proxy_inner *old = it->proxy->inner;
  swap_objects(it);
  pin_anew(it);
  put_others(it->proxy, &it->proxy->going);
  drop_programs(it->proxy);
  settle_events(it);
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

/* ---- the steps ------------------------------------------------------------------------------------------ */

/* How long a step took that has begun when the one before had ended. */
static double lap(exchange *it) {
  const uint64_t now = vptr__clock_ns(), took = now - it->lap_began;
  it->lap_began = now;
  return (double)took / 1e9;
}

/* With the gate open: whatever can be made before. */
static vptr_status prepare_ahead(exchange *it) {
  size_t most = 0;
  vptr_status status = vptr__proxy_make_ahead(it->proxy, &most);
  const uint64_t began = vptr__clock_ns();
  if (status == VPTR_SUCCESS)
    status = open_copy(it, most);
  it->took.ring = (double)(vptr__clock_ns() - began) / 1e9;
  if (status == VPTR_SUCCESS && !it->is_loss)
    it->clock_shift = vptr__proxy_compare_clocks(it->from, it->to);
  return status;
}

/* With the gate shut: whatever else may fail. */
static vptr_status prepare(exchange *it) {
  vptr__proxy_take_ahead(it->proxy);
  vptr__proxy_turn_forget(it->proxy);
  it->inner = vptr__memory_calloc(1, sizeof *it->inner);
  it->face = vptr__proxy_face_make(it->proxy, it->to);
  if (it->inner == NULL || it->face == NULL)
    return vptr__error_host_memory(sizeof *it->face);
  it->inner->device = it->to;
  vptr_status status = reserve_stocks(it->proxy);
  if (status == VPTR_SUCCESS)
    status = check_all(it);
  if (status == VPTR_SUCCESS)
    status = make_buffers(it);
  if (status == VPTR_SUCCESS)
    status = make_rest(it);
  it->took.making = lap(it);
  if (status == VPTR_SUCCESS)
    status = it->is_loss ? vptr__proxy_rescue(it->proxy, it->from, it->to) : copy_all(it);
  it->took.copying = lap(it);
  return status;
}

static void undo(const exchange *it) {
  put_others(it->proxy, &it->proxy->coming);
  put_fresh(it->proxy, &it->proxy->coming);
  vptr__memory_free(it->face);
  vptr__memory_free(it->inner);
}

/* From a shut gate to an open one. */
static vptr_status exchange_shut(exchange *it) {
  vptr_status status = prepare(it);
  if (status == VPTR_SUCCESS) {
    it->old = go_over(it);
    it->mover->moved(&it->face->device, it->mover->context);
  } else {
    undo(it);
    it->mover->is_off(it->mover->context);
  }
  it->took.going_over = lap(it);
  it->took.shut = (double)vptr__proxy_closed_ns(it->proxy) / 1e9;
  vptr__proxy_open_gate(it->proxy);
  return status;
}

/* Of a device that is lost somebody may still wait for work, or be about to be told of it: it stays until the next
 * exchange behind that, or until the proxy is closed. */
static void leave_old(const exchange *it) {
  vptr__device *old = it->old->device, *unused;
  bool is_used = true;
  vptr__proxy_leave_inner(it->proxy, it->old);
  while ((unused = vptr__proxy_take_left(it->proxy)) != NULL)
    if (unused == old)
      is_used = false;
    else
      vptr__device_close(unused);
  if (is_used)
    vptr__log(VPTR__LOG_DECISION, "%s is still waited for: it stays open", old->name);
  it->mover->left(old, is_used, it->mover->context);
}

/* With the gate open: what neither device is needed for any more. */
static void clear_up(exchange *it) {
  if (it->copy != NULL)
    vptr__proxy_ring_give(it->mover->ring, it->copy);
  vptr__proxy_stock_drain(it->proxy, &it->proxy->coming);
  vptr__proxy_stock_drain(it->proxy, &it->proxy->going);
  it->took.releasing = lap(it);
}

/* Where the time went. What the copy says is told before it is closed. */
static void log_times(const exchange *it) {
  const double copied = (double)it->copied.bytes;
  vptr__log(
      VPTR__LOG_DECISION,
      "ready ahead in %.4f s, %.4f s of which the ring took, with the gate open; then %.4f s until it was shut and "
      "work over, %.4f s making "
      "what was missing, %.4f s copying, %.4f s going over: others were kept out for %.4f s; then, with the gate "
      "open, %.4f s releasing and %.4f s leaving the device",
      it->took.ahead, it->took.ring, it->took.waiting, it->took.making, it->took.copying, it->took.going_over,
      it->took.shut, it->took.releasing, it->took.closing);
  if (it->took.copying > 0)
    vptr__log(VPTR__LOG_DECISION,
              "copied %.0f bytes at %.2f GB/s; of that time %.4f s waited for reads, and %.4f s for writes", copied,
              copied / it->took.copying / 1e9, (double)it->copied.read_ns / 1e9, (double)it->copied.write_ns / 1e9);
}

/* By the one thread that exchanges. */
static vptr_status run_exchange(exchange *it, vptr__device *face) {
  it->lap_began = vptr__clock_ns();
  vptr_status status = prepare_ahead(it);
  it->took.ahead = lap(it);
  if (status == VPTR_SUCCESS)
    status =
        it->is_loss ? vptr__proxy_shut_at_once(it->proxy, it->mover) : vptr__proxy_shut_when_quiet(face, it->mover);
  it->took.waiting = lap(it);
  if (status == VPTR_SUCCESS)
    status = exchange_shut(it);
  if (it->copy != NULL)
    it->copied = vptr__proxy_copy_told(it->copy);
  vptr__error_try();
  clear_up(it);
  vptr__error_tried(VPTR_SUCCESS);
  if (status == VPTR_SUCCESS)
    leave_old(it);
  it->took.closing = lap(it);
  if (status == VPTR_SUCCESS)
    log_times(it);
  return status;
}

static vptr_status exchange_device(vptr__device *face, vptr__device *next, const vptr__mover *mover, bool is_loss) {
  vptr__proxy *proxy = face->proxy;
  vptr_status status = vptr__waiting_check();
  if (status != VPTR_SUCCESS)
    return status;
  vptr__proxy_begin_move(proxy, next);
  exchange it = { .proxy = proxy, .mover = mover, .from = proxy->going.device, .to = next, .is_loss = is_loss };
  status = run_exchange(&it, face);
  vptr__proxy_end_move(proxy);
  return status;
}

vptr_status vptr__device_exchange(vptr__device *face, vptr__device *next, const vptr__mover *mover) {
  return exchange_device(face, next, mover, false);
}

vptr_status vptr__device_abandon(vptr__device *face, vptr__device *next, const vptr__mover *mover) {
  return exchange_device(face, next, mover, true);
}
