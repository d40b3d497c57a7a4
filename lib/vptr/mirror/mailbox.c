/* SPDX-License-Identifier: MIT */
/*
 * mailbox - the places where a signal handler leaves word of a fault, and from which the service takes it (mailbox.h).
 *
 * The static array `mailboxes` has 256 of them; a fault that finds none free sleeps a millisecond and tries again. The
 * static `bell` counts what was posted. All of it is atomics, without a lock: one side is a signal handler. `turn` of a
 * mailbox is odd while it is taken, and its owner sleeps on it by futex until the answer raises it.
 *
 * Called by fault.c: its handler calls vptr__mailbox_ask(), which blocks until the fault is answered, and it gives the
 * service vptr__mailbox_requests (request.h), by which the service's threads take and answer.
 */
#include "mirror/mailbox.h"

#include "mirror/visit.h"

#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAILBOXES = 256 /* faults at a time; more wait for a mailbox */, MAILBOX_PAUSE_MS = 1 };

/* One fault. Its turn is odd while it is somebody's, and moves on when it was answered. */
typedef struct mailbox {
  _Atomic(uint32_t) turn;
  atomic_bool is_posted; /* what follows is there */
  const void *address;
  vptr__touch touch;
  bool is_visit;
} mailbox;

static mailbox mailboxes[MAILBOXES];
static _Atomic(uint32_t) bell; /* moves with each fault that is posted */

/* ---- sleeping ------------------------------------------------------------------------------------------- */

/* While the word is that; also wakes for no reason. */
static void sleep_on(_Atomic(uint32_t) *word, uint32_t while_it_is) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
}

/* One who sleeps there: a fault needs one listener, and a mailbox has one owner. */
static void wake_sleeper(_Atomic(uint32_t) *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ---- the side of the fault ------------------------------------------------------------------------------ */

static bool acquire_mailbox(mailbox *it, uint32_t *turn_out) {
  uint32_t turn = atomic_load_explicit(&it->turn, memory_order_relaxed);
  if (turn % 2 != 0 || !atomic_compare_exchange_strong(&it->turn, &turn, turn + 1))
    return false;
  *turn_out = turn + 1;
  return true;
}

static mailbox *take_mailbox(uint32_t *turn_out) {
  for (;; poll(NULL, 0, MAILBOX_PAUSE_MS))
    for (int i = 0; i < MAILBOXES; i++)
      if (acquire_mailbox(&mailboxes[i], turn_out))
        return &mailboxes[i];
}

/* Signals are let in only when the mailbox is posted, else one that jumps away would leave it taken for ever. */
void vptr__mailbox_ask(const void *address, vptr__touch touch, const sigset_t *mask) {
  uint32_t turn;
  mailbox *mine = take_mailbox(&turn);
  mine->address = address;
  mine->touch = touch;
  mine->is_visit = vptr__visit_is_by((pid_t)syscall(SYS_gettid));
  atomic_store(&mine->is_posted, true);
  atomic_fetch_add(&bell, 1);
  wake_sleeper(&bell);
  pthread_sigmask(SIG_SETMASK, mask, NULL);
  while (atomic_load(&mine->turn) == turn)
    sleep_on(&mine->turn, turn);
}

/* The rest of what asking calls was called by the thread that began the service. */
void vptr__mailbox_prepare(void) {
  wake_sleeper(&bell);
}

/* ---- the side of the service ---------------------------------------------------------------------------- */

static uint32_t read_bell(void) {
  return atomic_load(&bell);
}

static bool pop_request(vptr__request *request) {
  for (int i = 0; i < MAILBOXES; i++)
    if (atomic_load(&mailboxes[i].is_posted) && atomic_exchange(&mailboxes[i].is_posted, false)) {
      *request = (vptr__request){
        .address = mailboxes[i].address,
        .touch = mailboxes[i].touch,
        .is_visit = mailboxes[i].is_visit,
        .mailbox = &mailboxes[i],
      };
      return true;
    }
  return false;
}

static void finish_mailbox(vptr__request *request) {
  mailbox *it = request->mailbox;
  atomic_fetch_add(&it->turn, 1);
  wake_sleeper(&it->turn);
}

static void sleep_until_rung(uint32_t before) {
  sleep_on(&bell, before);
}

const vptr__requests vptr__mailbox_requests = { read_bell, pop_request, finish_mailbox, sleep_until_rung };
