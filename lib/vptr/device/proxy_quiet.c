/* SPDX-License-Identifier: MIT */
/*
 * proxy_quiet - shuts a proxy's gate (proxy.h) at a moment when its device has nothing to do.
 *
 *     open --> closing: others stay out, those inside come out --> shut: a barrier behind the work of each queue
 *                  ^                                                 |
 *                  '--------- somebody came in since the last <------+------> nobody did, the barriers are reached,
 *                             barriers, or is in the way                      no notice is under way: it stays shut
 *
 * While the gate is closing, whoever has a lock or a duty (base/lock.h) is let in, so that those inside, drivers'
 * notices and host functions come to their ends; each of these ends, and nothing new begins. What the mover needs, it
 * gets with the gate shut: whoever has it then waits at the gate, and is let in next.
 *
 * The program may still have somebody inside wait for another of its threads, which is kept out: so an attempt is
 * short, and then the gate is open, for all who wait there in any case; work that was sent by then is waited for, and
 * the next attempt is longer.
 *
 * No data but what is on the stack. vptr__proxy.lock, of rank LEAF, guards the gate and the counts (`inside`,
 * `waiting`, `notices` ...); lists are read with the gate shut. Called by proxy_move.c, by a thread that has no lock.
 * It waits for the device's work, however long that takes, unless the device is lost.
 */
#include "device/proxy.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"

enum { NAP_NS = 50000 };
static const uint64_t FIRST_WAIT_NS = UINT64_C(20000000), MOST_WAIT_NS = UINT64_C(4000000000);
static const uint64_t ALL_NS = UINT64_C(60000000000); /* of attempts; after which it is given up */

static void nap(void) {
  nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

static uint64_t longer(uint64_t wait_ns) {
  wait_ns += wait_ns / 4;
  return wait_ns < MOST_WAIT_NS ? wait_ns : MOST_WAIT_NS;
}

static bool has_others(vptr__proxy *proxy) {
  vptr__lock_take(&proxy->lock);
  const bool has = proxy->inner->waiting > 0 || proxy->inner->notices > 0;
  vptr__lock_give(&proxy->lock);
  return has;
}

/* ---- barriers behind all work --------------------------------------------------------------------------- */

/* What the queues had to do at a moment. While there are events, the device is kept from another exchange. */
typedef struct rest {
  vptr__proxy *proxy;
  vptr__proxy_inner *inner;
  cl_event *events;
  size_t count;
  uint64_t entries; /* into the gate, until then; 0: it was never seen */
} rest;

static vptr_status put_barrier(rest *it, cl_command_queue queue) {
  vptr__device *device = it->inner->device;
  vptr_status status = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &it->events[it->count]);
  if (status != VPTR_SUCCESS)
    return status;
  it->count++;
  return device->ops->queue.flush(device, queue);
}

static void drop_barriers(rest *it) {
  for (size_t i = 0; i < it->count; i++)
    it->inner->device->ops->event.release(it->inner->device, it->events[i]);
  vptr__memory_free(it->events);
  it->events = NULL;
  it->count = 0;
}

/* With the gate shut. */
static vptr_status put_barriers(rest *it) {
  vptr__proxy *proxy = it->proxy;
  size_t queues = 1;
  drop_barriers(it);
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL; link = link->next)
    queues++;
  it->inner = proxy->inner;
  it->entries = vptr__proxy_entries(proxy);
  it->events = vptr__memory_calloc(queues, sizeof *it->events);
  if (it->events == NULL)
    return vptr__error_host_memory(queues * sizeof *it->events);
  vptr_status status = put_barrier(it, it->inner->device->cl_queue);
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    status = put_barrier(it, ((vptr__proxy_queue *)link)->inner);
  return status;
}

/* Until that moment. That a barrier failed with the work before it is its end, too. */
static vptr_status await_barriers(const rest *it, uint64_t until, bool *are_over_out) {
  vptr__device *device = it->count > 0 ? it->inner->device : NULL;
  vptr_status status = VPTR_SUCCESS;
  size_t over = 0;
  while (over < it->count && status == VPTR_SUCCESS) {
    cl_int state = CL_QUEUED;
    status = device->ops->event.state(device, it->events[over], &state);
    if (state <= CL_COMPLETE)
      over++;
    else if (vptr__clock_ns() >= until)
      break;
    else
      nap();
  }
  *are_over_out = over == it->count;
  return status;
}

/* ---- one attempt ---------------------------------------------------------------------------------------- */

/* With the gate shut: whether it may stay so. */
static bool is_quiet(const rest *it, const vptr__mover *mover) {
  return it->entries == vptr__proxy_entries(it->proxy) && !has_others(it->proxy) && mover->is_ready(mover->context);
}

/* With the gate closing. *is_shut_out: it is shut, and all is quiet. */
static vptr_status come_to_rest(rest *it, const vptr__mover *mover, uint64_t until, bool *is_shut_out) {
  vptr_status status = VPTR_SUCCESS;
  bool are_over = false;
  while (status == VPTR_SUCCESS && vptr__proxy_shut(it->proxy, until)) {
    if (are_over && is_quiet(it, mover)) {
      *is_shut_out = true;
      return status;
    }
    if (it->entries != vptr__proxy_entries(it->proxy) || !are_over)
      status = put_barriers(it);
    vptr__proxy_ease(it->proxy);
    if (status == VPTR_SUCCESS)
      status = await_barriers(it, until, &are_over);
    if (vptr__clock_ns() >= until)
      break;
    nap();
  }
  return status;
}

/* Why an attempt ended, for who looks into what a program does. */
static void log_attempt(vptr__proxy *proxy, uint64_t wait_ns) {
  vptr__lock_take(&proxy->lock);
  const size_t inside = proxy->inside, outside = proxy->outside, waiting = proxy->inner->waiting,
               notices = proxy->inner->notices;
  vptr__lock_give(&proxy->lock);
  vptr__log(VPTR__LOG_DECISION,
            "the device did not come to rest in %.3f s: %zu threads inside, %zu kept out, %zu wait for work, "
            "%zu notices to come",
            (double)wait_ns / 1e9, inside, outside, waiting, notices);
}

static vptr_status try_to_shut(rest *it, const vptr__mover *mover, uint64_t wait_ns, bool *is_shut_out) {
  const uint64_t until = vptr__clock_ns() + wait_ns;
  *is_shut_out = false;
  if (!vptr__proxy_close_gate(it->proxy, until))
    return VPTR_SUCCESS;
  vptr_status status = come_to_rest(it, mover, until, is_shut_out);
  if (*is_shut_out)
    return status;
  log_attempt(it->proxy, wait_ns);
  if (it->count > 0) {
    vptr__lock_take(&it->proxy->lock);
    it->inner->waiting++;
    vptr__lock_give(&it->proxy->lock);
  }
  vptr__proxy_open_gate(it->proxy);
  return status;
}

/* Without an end, with the gate open; try_to_shut() counted us among those who wait. Where that failed nobody knows
 * what will be reached. */
static vptr_status await_work(rest *it, vptr_status status) {
  const bool are_some = it->count > 0;
  bool are_over;
  if (are_some && status == VPTR_SUCCESS)
    status = await_barriers(it, UINT64_MAX, &are_over);
  drop_barriers(it);
  if (are_some)
    vptr__proxy_awaited(it->proxy, it->inner);
  return status;
}

/* ---- both ways ------------------------------------------------------------------------------------------ */

/* With the gate closing. Who waits for a device that is lost is told so by its driver; or is not, and nobody waits for
 * him, nor for notices. */
static bool shut_lost(vptr__proxy *proxy, const vptr__mover *mover, uint64_t wait_ns) {
  const uint64_t began = vptr__clock_ns(), until = began + wait_ns;
  while (vptr__clock_ns() < until && vptr__proxy_shut(proxy, until)) {
    const bool is_patient = vptr__clock_ns() - began < FIRST_WAIT_NS / 2;
    if (!(is_patient && has_others(proxy)) && mover->is_ready(mover->context))
      return true;
    vptr__proxy_ease(proxy);
    nap();
  }
  return false;
}

vptr_status vptr__proxy_shut_at_once(vptr__proxy *proxy, const vptr__mover *mover) {
  const uint64_t end = vptr__clock_ns() + ALL_NS;
  for (uint64_t wait = FIRST_WAIT_NS; vptr__clock_ns() < end; wait = longer(wait)) {
    if (vptr__proxy_close_gate(proxy, vptr__clock_ns() + wait)) {
      if (shut_lost(proxy, mover, wait))
        return VPTR_SUCCESS;
      vptr__proxy_open_gate(proxy);
    }
    nap();
  }
  return vptr__error(VPTR_ERROR_NOT_READY, "other threads are inside of calls of the device that is lost, and do not "
                                           "return; try again");
}

vptr_status vptr__proxy_shut_when_quiet(vptr__device *face, const vptr__mover *mover) {
  rest it = { .proxy = face->proxy };
  bool is_shut = false;
  uint64_t spent = 0;
  for (uint64_t wait = FIRST_WAIT_NS; spent < ALL_NS; wait = longer(wait)) {
    const uint64_t began = vptr__clock_ns();
    vptr_status status = try_to_shut(&it, mover, wait, &is_shut);
    spent += vptr__clock_ns() - began;
    if (is_shut) {
      drop_barriers(&it);
      return status;
    }
    status = await_work(&it, status);
    if (status != VPTR_SUCCESS)
      return status;
    nap();
  }
  return vptr__error(VPTR_ERROR_NOT_READY,
                     "%s does not come to rest: other threads wait for something that does not happen while they "
                     "are kept from sending work; try again when they have ended",
                     face->name);
}
