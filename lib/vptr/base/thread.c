/* SPDX-License-Identifier: MIT */
/*
 * thread - starts the library's own threads (thread.h).
 *
 * No data: whether a thread runs is the caller's variable, and the caller's lock guards it. That lock, of rank LEAF
 * with all of them, is held while the thread is started: vptr__thread_start_once() takes it; who calls
 * vptr__thread_start() by itself holds it. One that is joined needs none. Called by stream/host.c, for two threads, by
 * stream/word.c, module/print.c, cudart/cuda/shared_event.c, checkpoint/ahead.c, scribe.c and device/proxy_merge.c, for
 * one each, and by transfer/worker_pool.c, for several; by device/joint_queue.c and joint_event.c, for those of a joint
 * device.
 */
#include "base/thread.h"

#include "base/error.h"

#include <signal.h>
#include <stddef.h>

static void block_signals(sigset_t *before) {
  static const int raised_by_itself[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof raised_by_itself / sizeof raised_by_itself[0]; i++)
    sigdelset(&blocked, raised_by_itself[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

int vptr__thread_start_joinable(pthread_t *thread_out, void *(*body)(void *context), void *context) {
  sigset_t before;
  block_signals(&before);
  int error = pthread_create(thread_out, NULL, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

int vptr__thread_start(void *(*body)(void *unused)) {
  pthread_t thread;
  int error = vptr__thread_start_joinable(&thread, body, NULL);
  if (error == 0)
    pthread_detach(thread);
  return error;
}

vptr_status vptr__thread_start_once(vptr__lock *lock, bool *running, int (*start)(void), const char *purpose) {
  int error = 0;
  vptr__lock_take(lock);
  if (!*running) {
    error = start();
    *running = error == 0;
  }
  vptr__lock_give(lock);
  return error == 0 ? VPTR_SUCCESS
                    : vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                                  "the thread %s cannot be started (error %d); the limits on threads and memory of "
                                  "the process may be too low",
                                  purpose, error);
}
