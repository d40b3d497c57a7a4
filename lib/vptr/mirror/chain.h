/* SPDX-License-Identifier: MIT */
/*
 * chain - a signal handler in front of the one that was there before.
 *
 * Code that shares a signal with the rest of the process installs its handler by this file, and passes on what is not
 * its own; the one before is then called as the kernel would have called it: with the mask that it asked for, once if
 * it wanted to be called once, and then the default action is behind us. Where that is so, an instruction that faulted
 * runs again without us, so that the process dies of its own fault, with its own core dump.
 *
 * The handler begins with all signals blocked, and runs on the alternate stack if the thread has one. Passing on is
 * async-signal-safe. A vptr__chain is its user's; no locks.
 */
#ifndef VPTR_MIRROR_CHAIN_H
#define VPTR_MIRROR_CHAIN_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct vptr__chain {
  int number;              /* of the signal */
  struct sigaction before; /* set once, before the handler is installed */
  atomic_bool was_called;  /* the one before, if it wanted to be called once */
} vptr__chain;

/* False if the system refuses (errno). */
bool vptr__chain_install(vptr__chain *chain, void (*handler)(int, siginfo_t *, void *));

/* From the handler, with what it was given, as its last step. */
void vptr__chain_pass_on(vptr__chain *chain, int number, siginfo_t *info, void *context);

#endif
