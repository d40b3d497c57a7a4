/* SPDX-License-Identifier: MIT */
/*
 * barrier - calls membarrier(2), and waits for the owners of gates (barrier.h). The commands' numbers are the kernel's,
 * linux/membarrier.h, which older systems lack.
 *
 * The data are vptr__barrier_is_uneven, which is set once, under pthread_once() (`settle_once`), and constant from then
 * on. There is no lock; gates (vptr__pass) are their owners', and atomic. vptr__pass_wait() waits until an owner has
 * left his gate. Called by heap/magazine.c, which stops the owners of magazines, one stopper at a time by
 * vptr__heap.lock of rank HEAP; and by the loader, when the library is loaded.
 */
#include "base/barrier.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PRIVATE_EXPEDITED = 1 << 3, REGISTER_PRIVATE_EXPEDITED = 1 << 4 };

bool vptr__barrier_is_uneven;
static pthread_once_t settle_once = PTHREAD_ONCE_INIT;

static long call_membarrier(int command) {
#ifdef SYS_membarrier
  return syscall(SYS_membarrier, command, 0, 0);
#else
  (void)command;
  return -1;
#endif
}

/* Once registered, the command fails no more. It is tried, for what a filter of system calls lets through is not
   told. */
static void register_membarrier(void) {
  vptr__barrier_is_uneven =
      call_membarrier(REGISTER_PRIVATE_EXPEDITED) == 0 && call_membarrier(PRIVATE_EXPEDITED) == 0;
}

void vptr__barrier_settle(void) {
  pthread_once(&settle_once, register_membarrier);
}

/* When the library is loaded, since a process of one thread is registered at once, and one of several waits until each
 * processor has switched tasks: 15 ms, once drivers have started theirs. */
static __attribute__((constructor)) void settle_early(void) {
  vptr__barrier_settle();
}

void vptr__barrier_pass(void) {
  if (vptr__barrier_is_uneven)
    call_membarrier(PRIVATE_EXPEDITED);
}

void vptr__pass_wait(vptr__pass *pass) {
  while (atomic_load(&pass->inside) != 0)
    sched_yield();
}
