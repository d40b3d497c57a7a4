/* SPDX-License-Identifier: MIT */
/* service - see service.h. */
#include "managed/service.h"

#include "base/error.h"
#include "base/log.h"
#include "managed/atlas.h"

#include <linux/futex.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BOXES = 256 /* faults at a time; more wait for a box */, BOX_PAUSE_MS = 1 };

/* One fault. Its turn is odd while it is somebody's, and moves on when it was answered. */
typedef struct box {
  _Atomic(uint32_t) turn;
  atomic_bool is_posted; /* what follows is there */
  const void *address;
  vptr__touch touch;
} box;

static box boxes[BOXES];
static _Atomic(uint32_t) bell; /* moves with each fault that is posted */
static _Atomic(int) listeners; /* threads that are not busy with a fault */
static _Atomic(pid_t) home;    /* the process that has the threads; 0: none yet */

/* ---- sleeping ------------------------------------------------------------------------------------------- */

/* While the word is that; also wakes for no reason. */
static void sleep_on(_Atomic(uint32_t) *word, uint32_t while_it_is) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
}

/* One who sleeps there: a fault needs one listener, and a box has one owner. */
static void wake(_Atomic(uint32_t) *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ---- the side of the fault ------------------------------------------------------------------------------ */

static bool claim(box *it, uint32_t *turn_out) {
  uint32_t turn = atomic_load_explicit(&it->turn, memory_order_relaxed);
  if (turn % 2 != 0 || !atomic_compare_exchange_strong(&it->turn, &turn, turn + 1))
    return false;
  *turn_out = turn + 1;
  return true;
}

static box *take_box(uint32_t *turn_out) {
  for (;; poll(NULL, 0, BOX_PAUSE_MS))
    for (int i = 0; i < BOXES; i++)
      if (claim(&boxes[i], turn_out))
        return &boxes[i];
}

/* Signals are let in only when the box is posted, else one that jumps away would leave it taken for ever. */
void vptr__service_ask(const void *address, vptr__touch touch, const sigset_t *mask) {
  uint32_t turn;
  box *mine = take_box(&turn);
  mine->address = address;
  mine->touch = touch;
  atomic_store(&mine->is_posted, true);
  atomic_fetch_add(&bell, 1);
  wake(&bell);
  pthread_sigmask(SIG_SETMASK, mask, NULL);
  while (atomic_load(&mine->turn) == turn)
    sleep_on(&mine->turn, turn);
}

bool vptr__service_is_here(void) {
  return atomic_load_explicit(&home, memory_order_acquire) == getpid();
}

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *serve(void *unused);

static int begin_thread(void) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_fetch_add(&listeners, 1);
  int code = pthread_create(&thread, NULL, serve, NULL);
  if (code == 0)
    pthread_detach(thread);
  else
    atomic_fetch_sub(&listeners, 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

/* A listener becomes busy. Without a thread to take its place, faults wait for this one: nearly always that is
 * soon. */
static void leave_post(void) {
  if (atomic_fetch_sub(&listeners, 1) == 1)
    begin_thread();
}

static void take_post(void) {
  atomic_fetch_add(&listeners, 1);
}

/* ---- the side of the service ---------------------------------------------------------------------------- */

_Noreturn static void give_up(const void *address) {
  vptr__log_always("managed memory: the bytes at %p are on the device and cannot be brought to the host: %s; the "
                   "process cannot go on",
                   address, vptr_last_error());
  abort();
}

static void answer(const box *taken) {
  size_t offset;
  vptr__mirror *mirror = vptr__atlas_enter(taken->address, &offset);
  if (mirror == NULL)
    return;
  if (vptr__mirror_fault(mirror, offset, taken->touch) != VPTR_SUCCESS)
    give_up(taken->address);
  vptr__atlas_leave(mirror);
}

static box *find_posted(void) {
  for (int i = 0; i < BOXES; i++)
    if (atomic_load(&boxes[i].is_posted) && atomic_exchange(&boxes[i].is_posted, false))
      return &boxes[i];
  return NULL;
}

/* Tells the address that was answered; NULL if nothing was posted. */
static const void *answer_one(void) {
  box *taken = find_posted();
  if (taken == NULL)
    return NULL;
  const void *address = taken->address;
  leave_post();
  answer(taken);
  atomic_fetch_add(&taken->turn, 1);
  wake(&taken->turn);
  take_post();
  return address;
}

/* One piece, then faults come first again. */
static bool read_ahead_at(const void *address) {
  size_t offset;
  vptr__mirror *mirror = address != NULL ? vptr__atlas_enter(address, &offset) : NULL;
  if (mirror == NULL)
    return false;
  bool did = vptr__mirror_read_ahead(mirror);
  vptr__atlas_leave(mirror);
  return did;
}

static void *serve(void *unused) {
  const void *walked = NULL;
  (void)unused;
  for (;;) {
    uint32_t heard = atomic_load(&bell);
    const void *answered = answer_one();
    if (answered != NULL)
      walked = answered;
    else if (!read_ahead_at(walked))
      sleep_on(&bell, heard);
  }
  return NULL;
}

/* ---- its beginning -------------------------------------------------------------------------------------- */

static vptr_status start(void) {
  int code = begin_thread();
  if (code == 0) {
    atomic_store_explicit(&home, getpid(), memory_order_release);
    return VPTR_SUCCESS;
  }
  return vptr__error(
      VPTR_ERROR_OUT_OF_HOST_MEMORY,
      "managed memory needs a thread for page faults, and the system gives none (%s); raise the limit (ulimit -u)",
      strerror(code));
}

vptr_status vptr__service_start(void) {
  static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  if (atomic_load(&home) == 0)
    status = start();
  vptr__lock_give(&lock);
  return status;
}
