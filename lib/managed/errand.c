/* SPDX-License-Identifier: MIT */
/* errand - see errand.h. */
#include "managed/errand.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "managed/atlas.h"
#include "managed/state.h"

enum { PAUSE_US = 100 };

typedef struct errand {
  struct errand *next;
  vptr__mirror *mirror; /* entered */
  size_t offset, size;
} errand;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER; /* with the lock: there is one more */
static errand *first, **end = &first;
static pid_t home; /* the process that has the thread; 0: none yet */

/* ---- running -------------------------------------------------------------------------------------------- */

static bool is_wanted(vptr__mirror *mirror) {
  return !vptr__atlas_is_claimed(mirror);
}

static bool is_settled(vptr__mirror *mirror) {
  vptr__lock_take(&mirror->lock);
  bool settled = mirror->loans == 0 && vptr__uses_are_over(&mirror->uses);
  vptr__lock_give(&mirror->lock);
  return settled;
}

static bool await_work(vptr__mirror *mirror) {
  const struct timespec pause = { .tv_nsec = PAUSE_US * 1000L };
  uint64_t until = vptr__clock_ns() + VPTR__ERRAND_PATIENCE_MS * UINT64_C(1000000);
  bool settled;
  while (!(settled = is_settled(mirror)) && is_wanted(mirror) && vptr__clock_ns() < until)
    nanosleep(&pause, NULL);
  return settled;
}

static void run(errand *it) {
  vptr__error_try();
  if (await_work(it->mirror) && is_wanted(it->mirror))
    vptr__mirror_fetch(it->mirror, it->offset, it->size, VPTR_ACCESS_READ);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__atlas_leave(it->mirror);
  vptr__memory_free(it);
}

static errand *take(void) {
  vptr__lock_take(&lock);
  while (first == NULL)
    pthread_cond_wait(&rung, &lock.mutex);
  errand *it = first;
  first = it->next;
  if (first == NULL)
    end = &first;
  vptr__lock_give(&lock);
  return it;
}

static void *serve(void *unused) {
  (void)unused;
  for (;;)
    run(take());
  return NULL;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

/* Under the lock. */
static bool have_thread(void) {
  pthread_t thread;
  sigset_t all, before;
  if (home != 0)
    return home == getpid();
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, serve, NULL) == 0) {
    pthread_detach(thread);
    home = getpid();
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return home != 0;
}

static bool hand_over(errand *it) {
  vptr__lock_take(&lock);
  bool is_taken = have_thread();
  if (is_taken) {
    *end = it;
    end = &it->next;
    pthread_cond_signal(&rung);
  }
  vptr__lock_give(&lock);
  return is_taken;
}

void vptr__errand_run(vptr__mirror *mirror, size_t offset, size_t size) {
  errand *it = vptr__memory_calloc(1, sizeof *it);
  if (it != NULL) {
    *it = (errand){ .mirror = mirror, .offset = offset, .size = size };
    if (hand_over(it))
      return;
    vptr__memory_free(it);
  }
  vptr__atlas_leave(mirror);
}
