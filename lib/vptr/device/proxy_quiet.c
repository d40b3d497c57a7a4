/* SPDX-License-Identifier: MIT */
/*
 * proxy_quiet - shutting a proxy's gate (proxy.h) at a moment when its device has nothing to do.
 *
 * Nobody is inside then, no notice of the driver is under way, and no thread waits for the device's work. Whoever is in
 * the way may himself need somebody whom the gate keeps out: so it is shut for a short time only, then all go on, and
 * it is tried again, for longer each time.
 *
 * vptr__proxy.lock, of rank LEAF, guards the gate and the counts; lists are read with the gate shut. Called by
 * proxy_move.c. It waits for the device's work, however long that takes, unless the device is lost.
 */
#include "device/proxy.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"

enum { NAP_NS = 50000 };
static const uint64_t FIRST_WAIT_NS = UINT64_C(20000000), MOST_WAIT_NS = UINT64_C(4000000000);
static const uint64_t ALL_NS = UINT64_C(60000000000); /* after which it is given up */

static void nap(void) {
  nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

/* A command behind all that a queue has: whether it is over in time. A failure to ask is told. */
static vptr_status see_end(vptr__device *device, cl_command_queue queue, uint64_t until, bool *is_over_out) {
  cl_event end = NULL;
  cl_int state = CL_QUEUED;
  vptr_status status = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &end);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->queue.flush(device, queue);
  while (status == VPTR_SUCCESS) {
    status = device->ops->event.state(device, end, &state);
    if (state <= CL_COMPLETE || vptr__clock_ns() >= until)
      break;
    nap();
  }
  device->ops->event.release(device, end);
  *is_over_out = state <= CL_COMPLETE;
  return status;
}

static bool has_others(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  const bool has = proxy->inner->waiting > 0 || proxy->inner->notices > 0;
  vptr__lock_give(&proxy->lock);
  return has;
}

/* With the gate shut. */
static vptr_status is_idle(vptr__proxy *proxy, uint64_t until, bool *is_out) {
  vptr__device *device = proxy->inner->device;
  bool is = true;
  vptr_status status = see_end(device, device->cl_queue, until, &is);
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL && is && status == VPTR_SUCCESS; link = link->next)
    status = see_end(device, ((vptr__proxy_queue *)link)->inner, until, &is);
  while (is && status == VPTR_SUCCESS && has_others(proxy)) {
    is = vptr__clock_ns() < until;
    nap();
  }
  *is_out = is;
  return status;
}

/* With the gate shut: what the mover needs is somebody's who gives it soon, unless he is kept out. */
static bool await_mover(const vptr__mover *mover, uint64_t until) {
  while (!mover->is_ready(mover->context)) {
    if (vptr__clock_ns() >= until)
      return false;
    nap();
  }
  return true;
}

static uint64_t longer(uint64_t wait_ns) {
  wait_ns += wait_ns / 4;
  return wait_ns < MOST_WAIT_NS ? wait_ns : MOST_WAIT_NS;
}

/* One attempt. *is_shut_out: the gate is shut, and all is quiet. */
static vptr_status try_to_shut(vptr__proxy *proxy, const vptr__mover *mover, uint64_t wait_ns, bool *is_shut_out) {
  bool is = false;
  *is_shut_out = false;
  if (!vptr__proxy_shut(proxy, wait_ns))
    return VPTR_SUCCESS;
  const uint64_t until = vptr__clock_ns() + wait_ns;
  vptr_status status = is_idle(proxy, until, &is);
  if (status == VPTR_SUCCESS && is && await_mover(mover, until))
    *is_shut_out = true;
  else
    vptr__proxy_open_gate(proxy);
  return status;
}

/* Who waits for a device that is lost is told so by its driver; or is not, and nobody waits for him, nor for notices.
 * */
vptr_status vptr__proxy_shut_at_once(vptr__proxy *proxy, const vptr__mover *mover) {
  const uint64_t end = vptr__clock_ns() + ALL_NS;
  for (uint64_t wait = FIRST_WAIT_NS; vptr__clock_ns() < end; wait = longer(wait)) {
    if (vptr__proxy_shut(proxy, wait)) {
      for (uint64_t until = vptr__clock_ns() + FIRST_WAIT_NS; has_others(proxy) && vptr__clock_ns() < until;)
        nap();
      if (await_mover(mover, vptr__clock_ns() + wait))
        return VPTR_SUCCESS;
      vptr__proxy_open_gate(proxy);
    }
    nap();
  }
  return vptr__error(VPTR_ERROR_NOT_READY, "other threads are inside of calls of the device that is lost, and do not "
                                           "return; try again");
}

/* What others wait for is let go on in between. */
vptr_status vptr__proxy_shut_when_quiet(vptr__device *face, const vptr__mover *mover) {
  vptr__proxy *proxy = face->proxy;
  const uint64_t end = vptr__clock_ns() + ALL_NS;
  bool is_shut = false;
  for (uint64_t wait = FIRST_WAIT_NS; vptr__clock_ns() < end; wait = longer(wait)) {
    vptr_status status = face->ops->queue.finish_all(face);
    if (status == VPTR_SUCCESS)
      status = try_to_shut(proxy, mover, wait, &is_shut);
    if (status != VPTR_SUCCESS || is_shut)
      return status;
    nap();
  }
  return vptr__error(VPTR_ERROR_NOT_READY,
                     "%s does not come to rest: other threads keep sending work, or wait for something that does not "
                     "happen; try again when they have ended",
                     face->name);
}
