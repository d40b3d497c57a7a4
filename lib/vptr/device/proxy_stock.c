/* SPDX-License-Identifier: MIT */
/*
 * proxy_stock - objects of a device that no handle means, while the device behind a proxy (proxy.h) is exchanged.
 *
 *     before the gate closes    `coming`    what is made ahead on the device that is to come
 *     with the gate shut                    handles take that, and what they meant before goes to `going`
 *     after it has opened       `going`     what is left behind is released; and of `coming` what nobody took
 *
 * So others wait neither for what can be made before nor for what is released after. But meanwhile both devices have
 * all of it while others work, and where both have their memory from one place (one device in two contexts, a budget)
 * somebody may find it full for no reason but that. So he releases what is in stock himself, and tries again; what is
 * not made ahead then is made with the gate shut, as it would be without.
 *
 * The stocks are members of a vptr__proxy; their arrays are made here, and freed when the exchange is over.
 * vptr__proxy.lock, of rank LEAF, guards them, and `is_moving`, by which one thread exchanges at a time; it is not held
 * while a device makes or releases something, which is noted (`is_making`, `busy`) instead. With the gate shut they are
 * the exchange's alone. Called by proxy_move.c and proxy_ahead.c, and by proxy_buffer.c and proxy_image.c, where a
 * device is full. vptr__proxy_begin_move() waits for another exchange, and draining for who releases.
 */
#include "device/proxy.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- one exchange at a time ----------------------------------------------------------------------------- */

void vptr__proxy_begin_move(vptr__proxy *proxy, vptr__device *next) {
  vptr__lock_take(&proxy->lock);
  while (proxy->is_moving)
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  proxy->is_moving = true;
  proxy->coming = (vptr__proxy_stock){ .device = next };
  proxy->going = (vptr__proxy_stock){ .device = proxy->inner->device };
  vptr__lock_give(&proxy->lock);
}

void vptr__proxy_end_move(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  vptr__proxy_spare *coming = proxy->coming.spares, *going = proxy->going.spares;
  proxy->coming = proxy->going = (vptr__proxy_stock){ .device = NULL };
  proxy->is_moving = false;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
  vptr__memory_free(coming);
  vptr__memory_free(going);
}

/* ---- putting in ----------------------------------------------------------------------------------------- */

vptr_status vptr__proxy_stock_reserve(vptr__proxy *proxy, vptr__proxy_stock *stock, size_t more) {
  vptr__lock_take(&proxy->lock);
  const size_t room = stock->count + more;
  vptr__lock_give(&proxy->lock);
  if (room <= stock->room)
    return VPTR_SUCCESS;
  vptr__proxy_spare *spares = vptr__memory_calloc(room, sizeof *spares);
  if (spares == NULL)
    return vptr__error_host_memory(room * sizeof *spares);
  vptr__lock_take(&proxy->lock);
  vptr__proxy_spare *before = stock->spares;
  if (stock->count > 0)
    memcpy(spares, before, stock->count * sizeof *spares);
  stock->spares = spares;
  stock->room = room;
  vptr__lock_give(&proxy->lock);
  vptr__memory_free(before);
  return VPTR_SUCCESS;
}

void vptr__proxy_stock_put(vptr__proxy_stock *stock, vptr__proxy_spare_kind kind, void *object, void *host) {
  if (object != NULL)
    stock->spares[stock->count++] = (vptr__proxy_spare){ .kind = kind, .object = object, .host = host };
}

bool vptr__proxy_begin_making(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  const bool may = !proxy->coming.is_closed;
  proxy->coming.is_making = may;
  vptr__lock_give(&proxy->lock);
  return may;
}

static void release(vptr__device *device, const vptr__proxy_spare *it) {
  switch (it->kind) {
  case VPTR__PROXY_SPARE_MEMORY:
    device->ops->memory.release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_PIN:
    device->ops->memory.unpin_host(device, it->object, it->host);
    break;
  case VPTR__PROXY_SPARE_ADOPTED:
    vptr__error_try();
    device->ops->queue.drop(device, it->object);
    vptr__error_tried(VPTR_SUCCESS);
    device->ops->queue.release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_QUEUE:
    device->ops->queue.release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_SAMPLER:
    device->ops->image.sampler_release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_EVENT:
    device->ops->event.release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_KERNEL:
    device->ops->kernel.release(device, it->object);
    break;
  case VPTR__PROXY_SPARE_PROGRAM:
    device->ops->kernel.program_release(device, it->object);
    break;
  }
}

/* Who waits for it to be released, waits until it is. */
void vptr__proxy_end_making(vptr__proxy *proxy, const vptr__proxy_spare *made) {
  vptr__proxy_stock *stock = &proxy->coming;
  vptr__lock_take(&proxy->lock);
  const bool is_kept = made != NULL && !stock->is_closed;
  if (is_kept)
    stock->spares[stock->count++] = *made;
  vptr__lock_give(&proxy->lock);
  if (made != NULL && !is_kept)
    release(stock->device, made);
  vptr__lock_take(&proxy->lock);
  stock->is_making = false;
  pthread_cond_broadcast(&proxy->changed);
  vptr__lock_give(&proxy->lock);
}

/* ---- taking out ----------------------------------------------------------------------------------------- */

/* What was made last, for it may be a part of what was made before. */
static bool take_last(vptr__proxy *proxy, vptr__proxy_stock *stock, vptr__proxy_spare *spare_out) {
  vptr__lock_take(&proxy->lock);
  const bool has = stock->count > 0;
  if (has) {
    *spare_out = stock->spares[--stock->count];
    stock->busy++;
  }
  vptr__lock_give(&proxy->lock);
  return has;
}

void vptr__proxy_stock_drain(vptr__proxy *proxy, vptr__proxy_stock *stock) {
  vptr__proxy_spare spare;
  while (take_last(proxy, stock, &spare)) {
    release(stock->device, &spare);
    vptr__lock_take(&proxy->lock);
    stock->busy--;
    pthread_cond_broadcast(&proxy->changed);
    vptr__lock_give(&proxy->lock);
  }
  vptr__lock_take(&proxy->lock);
  while (stock->busy > 0)
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  vptr__lock_give(&proxy->lock);
}

/* ---- a device that is full ------------------------------------------------------------------------------ */

static bool has_some(const vptr__proxy_stock *stock) {
  return stock->count > 0 || stock->busy > 0 || stock->is_making;
}

bool vptr__proxy_made_room(vptr__proxy *proxy, vptr_status status) {
  if (status != VPTR_ERROR_OUT_OF_DEVICE_MEMORY)
    return false;
  vptr__lock_take(&proxy->lock);
  const bool have_some = has_some(&proxy->coming) || has_some(&proxy->going);
  proxy->coming.is_closed = true;
  while (proxy->coming.is_making) /* of what it is made of something may be in stock */
    pthread_cond_wait(&proxy->changed, &proxy->lock.mutex);
  vptr__lock_give(&proxy->lock);
  if (!have_some)
    return false;
  vptr__proxy_stock_drain(proxy, &proxy->coming);
  vptr__proxy_stock_drain(proxy, &proxy->going);
  return true;
}
