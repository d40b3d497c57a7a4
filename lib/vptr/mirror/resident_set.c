/* SPDX-License-Identifier: MIT */
/*
 * resident_set - which backing buffers are on which device, and the choice of the one to evict (resident_set.h).
 *
 * The static list `residents` has the vptr__residency of each backing buffer, which is a part of that. The static
 * `lock`, of rank LEAF, guards the list, its members, and `claims`, which counts hidden buffers and attempts to make
 * one. Atomic are `clock_now`, `changes` and `waiters`, and `used` and `acquired` of a residency, which are written
 * under its mirror's lock; `own`, how many buffers a thread has acquired, is thread-local. Waiting threads sleep on
 * `changed`, which gives the lock back; it is not held while a mirror is evicted, which takes vptr__mirror.lock, of
 * rank MIRROR, and waits for the mirror's work.
 *
 * Called by backing.c, which enters and removes each buffer; through base/subsystem.h by mapper/reclaim.c, which asks
 * for room, and waits while others use what could be given up: for managed memory as long as it takes, for all else no
 * longer than a tenth of a second; by acquire.c, which counts who has a buffer acquired; by mirror.c and move.c, which
 * hide a mirror from eviction and show it; and by cudart/cuda/memory.c, which asks for the bytes, for cudaMemGetInfo().
 */
#include "mirror/resident_set.h"

#include <time.h>

#include "base/clock.h"
#include "mirror/address_index.h"
#include "mirror/state.h"

/* Ends of a reclaim request that cannot be granted while others use memory as fast as it is given up: bytes given, in
 * device's memories; and changes waited for. */
enum { MOST_GIVEN = 4, MOST_AGAIN = 1000 };
enum { SHARE_THAT_STAYS = 4 /* one of so many parts */ };
enum { NS_PER_S = 1000000000, MOMENT_NS = 100000000 /* most launches are sent in a thousandth of it */ };

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static vptr__residency *residents;
static size_t claims; /* the hidden, and attempts */
static _Atomic(size_t) waiters;
static _Atomic(uint64_t) clock_now;
static _Atomic(uint64_t) changes = 1; /* times that memory was shown, left, or was released */
static _Thread_local size_t own;      /* acquisitions of this thread's */

static uint64_t next_tick(void) {
  return atomic_fetch_add_explicit(&clock_now, 1, memory_order_relaxed) + 1;
}

/* Those who open a device twice have its memory once. (Fake devices have one memory, too.) */
static bool shares_memory(const vptr__residency *residency, const vptr__device *device) {
  return residency->device->cl_device == device->cl_device;
}

/* ---- changes -------------------------------------------------------------------------------------------- */

/* Without the lock. Either who is about to wait sees the change, or its waiting is seen here. */
static void wake_waiters(void) {
  if (atomic_load(&waiters) == 0)
    return;
  vptr__lock_take(&lock);
  pthread_cond_broadcast(&changed);
  vptr__lock_give(&lock);
}

static void record_change(void) {
  atomic_fetch_add(&changes, 1);
  wake_waiters();
}

void vptr__resident_set_begin_change(void) {
  vptr__lock_take(&lock);
  claims++;
  vptr__lock_give(&lock);
}

/* No change: nobody has more or less than before. But who waits for the attempt alone need not any more. */
void vptr__resident_set_end_change(void) {
  vptr__lock_take(&lock);
  claims--;
  vptr__lock_give(&lock);
  wake_waiters();
}

/* ---- the list ------------------------------------------------------------------------------------------- */

static uint64_t bytes_that_stay(const vptr__device *device) {
  uint64_t bytes = 0;
  for (const vptr__residency *it = residents; it != NULL; it = it->next)
    if (it->stays && shares_memory(it, device))
      bytes += it->bytes;
  return bytes;
}

void vptr__resident_set_enter(vptr__residency *residency, const vptr__device *device, size_t bytes, uint64_t taken) {
  uint64_t left = taken < device->memory_bytes ? device->memory_bytes - taken : 0;
  vptr__lock_take(&lock);
  bool stays = bytes_that_stay(device) + bytes <= left / SHARE_THAT_STAYS;
  *residency =
      (vptr__residency){ .next = residents, .device = device, .bytes = bytes, .stays = stays, .used = next_tick() };
  if (residents != NULL)
    residents->before = residency;
  residents = residency;
  vptr__lock_give(&lock);
}

void vptr__resident_set_show(vptr__residency *residency, const void *host, bool stays) {
  vptr__lock_take(&lock);
  residency->host = host;
  residency->stays = stays;
  claims--;
  vptr__lock_give(&lock);
  record_change();
}

void vptr__resident_set_hide(vptr__residency *residency) {
  vptr__lock_take(&lock);
  if (residency->host != NULL)
    claims++;
  residency->host = NULL;
  vptr__lock_give(&lock);
}

void vptr__resident_set_leave(vptr__residency *residency) {
  vptr__lock_take(&lock);
  if (residency->next != NULL)
    residency->next->before = residency->before;
  if (residency->before != NULL)
    residency->before->next = residency->next;
  else
    residents = residency->next;
  claims--;
  vptr__lock_give(&lock);
  record_change();
}

void vptr__resident_set_acquire(vptr__residency *residency) {
  own++;
  atomic_store_explicit(&residency->used, next_tick(), memory_order_relaxed);
  atomic_fetch_add(&residency->acquired, 1);
}

void vptr__resident_set_release(vptr__residency *residency) {
  own--;
  if (atomic_fetch_sub(&residency->acquired, 1) == 1)
    record_change();
}

/* Under the lock. */
static vptr__residents_held sum_holds(const vptr__device *device) {
  vptr__residents_held holds = { 0 };
  size_t acquired = 0;
  for (const vptr__residency *it = residents; it != NULL; it = it->next) {
    size_t of_it = shares_memory(it, device) ? atomic_load(&it->acquired) : 0;
    acquired += of_it;
    holds.acquired += of_it > 0 ? it->bytes : 0;
  }
  holds.staying = bytes_that_stay(device);
  holds.others = acquired > own;
  return holds;
}

bool vptr__resident_set_thread_holds(void) {
  return own > 0;
}

vptr__residents_held vptr__resident_set_held(const vptr__device *device) {
  vptr__lock_take(&lock);
  vptr__residents_held holds = sum_holds(device);
  vptr__lock_give(&lock);
  return holds;
}

uint64_t vptr__resident_set_bytes(const vptr__device *device) {
  uint64_t bytes = 0;
  vptr__lock_take(&lock);
  for (const vptr__residency *it = residents; it != NULL; it = it->next)
    bytes += shares_memory(it, device) ? it->bytes : 0;
  vptr__lock_give(&lock);
  return bytes;
}

/* ---- giving up ------------------------------------------------------------------------------------------ */

/* A residency as it was when it was looked at. */
typedef struct eviction {
  const void *host;
  size_t bytes;
  uint64_t used;
} eviction;

static bool can_go(const vptr__residency *residency, const vptr__device *device) {
  return residency->host != NULL && !residency->stays && atomic_load(&residency->acquired) == 0 &&
         shares_memory(residency, device);
}

/* The one that was acquired longest ago, but after the last one and not after a moment. */
static bool find_next(const vptr__device *device, uint64_t until, eviction *it) {
  eviction found = { .used = until + 1 };
  vptr__lock_take(&lock);
  for (const vptr__residency *residency = residents; residency != NULL; residency = residency->next) {
    uint64_t used = atomic_load_explicit(&residency->used, memory_order_relaxed);
    if (used > it->used && used < found.used && can_go(residency, device))
      found = (eviction){ residency->host, residency->bytes, used };
  }
  vptr__lock_give(&lock);
  *it = found;
  return found.host != NULL;
}

static bool evict_resident(const eviction *it) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_enter(it->host, &offset);
  if (mirror == NULL)
    return false;
  bool is_gone = vptr__mirror_evict(mirror, it->used);
  vptr__address_index_leave(mirror);
  return is_gone;
}

/* What is acquired meanwhile is not looked at again: so this ends. */
static bool evict_one(vptr__reclaim *reclaim) {
  uint64_t until = atomic_load(&clock_now);
  eviction it = { 0 };
  while (find_next(reclaim->device, until, &it))
    if (evict_resident(&it)) {
      reclaim->given += it.bytes;
      return true;
    }
  return false;
}

/* Under the lock. */
static bool is_about_to_change(const vptr__device *device) {
  return claims > 0 || sum_holds(device).others;
}

/* Under the lock. False when the time is over. */
static bool sleep_until(uint64_t until) {
  struct timespec time;
  uint64_t now = vptr__clock_ns();
  if (now >= until)
    return false;
  clock_gettime(CLOCK_REALTIME, &time); /* the condition's clock */
  uint64_t ns = (uint64_t)time.tv_nsec + (until - now);
  time.tv_sec += (time_t)(ns / NS_PER_S);
  time.tv_nsec = (long)(ns % NS_PER_S);
  pthread_cond_timedwait(&changed, &lock.mutex, &time);
  return true;
}

static bool sleep_for(const vptr__reclaim *reclaim) {
  if (!reclaim->may_wait)
    return sleep_until(reclaim->until);
  pthread_cond_wait(&changed, &lock.mutex);
  return true;
}

/* Under the lock. Until something has changed since the reclaim request was told last, or there is nothing that
 * could. */
static void await_change(vptr__reclaim *reclaim) {
  if (own > 0)
    return;
  if (reclaim->until == 0)
    reclaim->until = vptr__clock_ns() + MOMENT_NS;
  atomic_fetch_add(&waiters, 1);
  while (atomic_load(&changes) == reclaim->seen && is_about_to_change(reclaim->device) && sleep_for(reclaim))
    continue;
  atomic_fetch_sub(&waiters, 1);
}

static bool see_change(vptr__reclaim *reclaim) {
  vptr__lock_take(&lock);
  await_change(reclaim);
  reclaim->is_early = is_about_to_change(reclaim->device);
  uint64_t now = atomic_load(&changes);
  vptr__lock_give(&lock);
  bool is_new = now != reclaim->seen;
  reclaim->seen = now;
  reclaim->again++;
  return is_new;
}

bool vptr__resident_set_reclaim(vptr__reclaim *reclaim) {
  if (reclaim->given / MOST_GIVEN > reclaim->device->memory_bytes || reclaim->again > MOST_AGAIN)
    return false;
  return evict_one(reclaim) || see_change(reclaim);
}
