/* SPDX-License-Identifier: MIT */
/*
 * lock - mutexes with ranks (lock.h), and in debug builds the check of their order.
 *
 * Debug builds keep, for each thread, the locks that it holds. Since ranks must rise, the last of them has the
 * highest rank, so one comparison sees every wrong order, and a lock taken twice is just one of these. The check
 * comes before the mutex is taken: a report, not a deadlock.
 *
 * A lock is its caller's variable. The file's own data need no lock: debug builds' list of a thread's locks (`held`,
 * `held_count`) is thread-local, and so are the numbers of locks and duties that a thread has (`taken`, `duties`),
 * which are counted for a device's gate (device/proxy.c) once the first proxy has set the atomic `is_counted`. To take
 * a lock blocks while another thread holds it. Called by the files of lib/vptr, lib/cudart and lib/driver, and by
 * cublas/logger.c and tensor.c, cufft/plan.c and run.c, curand/direction.c and table.c, nvtx/domain.c, line.c and
 * range.c.
 */
#include "base/lock.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/hot.h"

enum { YIELDS = 200 }; /* of 0.25 us and more */

/* How many locks the thread has or is about to have, and its duties. */
static atomic_bool is_counted;
static _Thread_local unsigned taken, duties;

#ifdef VPTR_DEBUG

#include "base/log.h"

#include <stdlib.h>

enum { MOST_HELD = VPTR__RANK_LEAF + 1 }; /* strictly rising, so at most one of each rank */

static _Thread_local const vptr__lock *held[MOST_HELD];
static _Thread_local int held_count;

/* No default: a compiler tells which rank lacks its name (-Wswitch). */
static const char *name_of(vptr__rank rank) {
  switch (rank) {
  case VPTR__RANK_CHECKPOINT:
    return "checkpoint";
  case VPTR__RANK_EXEC:
    return "exec";
  case VPTR__RANK_GRAPH:
    return "graph";
  case VPTR__RANK_UNIT:
    return "unit";
  case VPTR__RANK_REFERENCE:
    return "reference";
  case VPTR__RANK_LEASE:
    return "lease";
  case VPTR__RANK_BIRTH:
    return "birth";
  case VPTR__RANK_REGISTRY:
    return "registry";
  case VPTR__RANK_ARRAY:
    return "array";
  case VPTR__RANK_WORKING_SET:
    return "acquisitions";
  case VPTR__RANK_MIRROR:
    return "mirror";
  case VPTR__RANK_POOL:
    return "pool";
  case VPTR__RANK_STREAM:
    return "stream";
  case VPTR__RANK_MAPPING:
    return "mapping";
  case VPTR__RANK_MAGAZINE:
    return "magazine";
  case VPTR__RANK_HEAP:
    return "heap";
  case VPTR__RANK_TURN:
    return "turn";
  case VPTR__RANK_DEVICE:
    return "device";
  case VPTR__RANK_LEAF:
    return "leaf";
  }
  return "unknown";
}

static void check_taking(const vptr__lock *lock) {
  const vptr__lock *top = held_count > 0 ? held[held_count - 1] : NULL;
  if (top != NULL && lock->rank <= top->rank) {
    vptr__log_always("lock order broken: a thread that holds a lock of rank %d (%s) takes one of rank %d (%s)%s",
                     (int)top->rank, name_of(top->rank), (int)lock->rank, name_of(lock->rank),
                     lock == top ? ", the same lock again" : "");
    abort();
  }
  held[held_count++] = lock;
}

/* Locks may be given in any order, so the lock is looked for and what is above it moves down. */
static void check_giving(const vptr__lock *lock) {
  int i = held_count - 1;
  while (i >= 0 && held[i] != lock)
    i--;
  if (i < 0) {
    vptr__log_always("lock order broken: a thread gives a lock of rank %d (%s) that it does not hold",
                     (int)lock->rank, name_of(lock->rank));
    abort();
  }
  held_count--;
  for (; i < held_count; i++)
    held[i] = held[i + 1];
}

/* Of a thread that has so many duties. */
static void check_ending(unsigned count) {
  if (count > 0)
    return;
  vptr__log_always("a thread ends a duty that it has not begun");
  abort();
}

#else

static void check_ending(unsigned count) {
  (void)count;
}

static void check_taking(const vptr__lock *lock) {
  (void)lock;
}

static void check_giving(const vptr__lock *lock) {
  (void)lock;
}

#endif

static inline bool counts(void) {
  return __builtin_expect(atomic_load_explicit(&is_counted, memory_order_relaxed), false);
}

static inline void note_taking(const vptr__lock *lock) {
  check_taking(lock);
  if (counts())
    taken++;
}

/* One that was taken before all were counted is none of those. */
static inline void note_giving(const vptr__lock *lock) {
  check_giving(lock);
  if (counts() && taken > 0)
    taken--;
}

void vptr__lock_count_all(void) {
  atomic_store(&is_counted, true);
}

bool vptr__lock_is_awaited(void) {
  return taken > 0 || duties > 0;
}

void vptr__lock_begin_duty(void) {
  duties++;
}

void vptr__lock_end_duty(void) {
  check_ending(duties);
  duties--;
}

void vptr__lock_init(vptr__lock *lock, vptr__rank rank) {
  pthread_mutex_init(&lock->mutex, NULL);
  lock->rank = rank;
}

void vptr__lock_fini(vptr__lock *lock) {
  pthread_mutex_destroy(&lock->mutex);
}

VPTR__HOT void vptr__lock_take(vptr__lock *lock) {
  note_taking(lock);
  pthread_mutex_lock(&lock->mutex);
}

void vptr__lock_take_yielding(vptr__lock *lock) {
  note_taking(lock);
  for (int i = 0; i < YIELDS; i++) {
    if (pthread_mutex_trylock(&lock->mutex) == 0)
      return;
    sched_yield();
  }
  pthread_mutex_lock(&lock->mutex);
}

bool vptr__lock_try(vptr__lock *lock) {
  if (pthread_mutex_trylock(&lock->mutex) != 0)
    return false;
  note_taking(lock);
  return true;
}

VPTR__HOT void vptr__lock_give(vptr__lock *lock) {
  note_giving(lock);
  pthread_mutex_unlock(&lock->mutex);
}
