/* SPDX-License-Identifier: MIT */
/*
 * service - starting the threads that answer page faults, and what they do (service.h).
 *
 * `requests` says where faults come from, mailboxes or userfaultfd; it is set before the first thread begins. `owner`
 * is the process that has the threads, and `listeners` counts those that wait for a fault; both are atomic. The static
 * `lock` in vptr__service_start(), of rank LEAF, is held while the first thread begins. Threads answer without a lock
 * of this file's: bring.c takes vptr__mirror.lock, of rank MIRROR.
 *
 * Called by fault.c alone, which starts the service with the first mirror, and asks in its signal handler whether it is
 * in this process; from then on the work is done in threads of its own, which wait for work in flight and for the
 * driver. A fault whose bytes cannot be brought in some attempts ends the process with a message.
 */
#include "mirror/service.h"

#include "base/error.h"
#include "base/log.h"
#include "mirror/address_index.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 4, PAUSE_NS = 1000000 /* the first is four of it, each next four times as long */ };

static const vptr__requests *requests; /* set once, before the first thread */
static _Atomic(int) listeners;         /* threads that are not busy with a fault */
static _Atomic(pid_t) owner;           /* the process that has the threads; 0: none yet */

bool vptr__service_is_here(void) {
  return atomic_load_explicit(&owner, memory_order_acquire) == getpid();
}

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *serve_requests(void *unused);

static int begin_thread(void) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_fetch_add(&listeners, 1);
  int code = pthread_create(&thread, NULL, serve_requests, NULL);
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

/* A driver may be short of something for a moment, and there is no status that a fault could return: so the answer is
 * tried anew before the process is ended for it. What the device has lost for good is refused each time, and costs
 * that. */
static vptr_status answer_if_possible(vptr__mirror *mirror, size_t offset, const vptr__request *request) {
  vptr_status status = vptr__mirror_fault(mirror, offset, request->touch, request->is_visit);
  for (int attempt = 1; status != VPTR_SUCCESS && attempt < ATTEMPTS; attempt++) {
    const struct timespec pause = { .tv_nsec = PAUSE_NS << 2 * attempt };
    vptr__log_always("managed memory: %s; it is tried again", vptr_last_error());
    nanosleep(&pause, NULL);
    status = vptr__mirror_fault(mirror, offset, request->touch, request->is_visit);
  }
  return status;
}

/* An address that is no mirror's any more is left to the system, when the access is tried again. */
static void answer_request(const vptr__request *request) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_enter(request->address, &offset);
  if (mirror == NULL)
    return;
  if (answer_if_possible(mirror, offset, request) != VPTR_SUCCESS)
    give_up(request->address);
  vptr__address_index_leave(mirror);
}

/* Tells the address that was answered; NULL if nobody waits. At the post before who waits goes on, for his next fault
 * may come at once, and would begin another thread. */
static const void *answer_one(void) {
  vptr__request request;
  if (!requests->take(&request))
    return NULL;
  leave_post();
  answer_request(&request);
  take_post();
  requests->answered(&request);
  return request.address;
}

/* One piece, then faults come first again. Not at the post: the mirror's lock may be held by an answer that waits for a
 * kernel. */
static bool read_ahead_at(const void *address) {
  size_t offset;
  vptr__mirror *mirror = address != NULL ? vptr__address_index_enter(address, &offset) : NULL;
  if (mirror == NULL)
    return false;
  leave_post();
  bool did = vptr__mirror_read_ahead(mirror);
  take_post();
  vptr__address_index_leave(mirror);
  return did;
}

static void *serve_requests(void *unused) {
  const void *walked = NULL;
  (void)unused;
  for (;;) {
    uint32_t arrived = requests->arrived();
    const void *answered = answer_one();
    if (answered != NULL)
      walked = answered;
    else if (!read_ahead_at(walked))
      requests->sleep(arrived);
  }
  return NULL;
}

/* ---- its beginning -------------------------------------------------------------------------------------- */

static vptr_status start_service(const vptr__requests *from) {
  requests = from;
  int code = begin_thread();
  if (code == 0) {
    atomic_store_explicit(&owner, getpid(), memory_order_release);
    return VPTR_SUCCESS;
  }
  return vptr__error(
      VPTR_ERROR_OUT_OF_HOST_MEMORY,
      "managed memory needs a thread for page faults, and the system gives none (%s); raise the limit (ulimit -u)",
      strerror(code));
}

vptr_status vptr__service_start(const vptr__requests *from) {
  static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  if (atomic_load(&owner) == 0)
    status = start_service(from);
  vptr__lock_give(&lock);
  return status;
}
