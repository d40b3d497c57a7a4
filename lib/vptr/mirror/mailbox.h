/* SPDX-License-Identifier: MIT */
/*
 * mailbox - where a signal handler leaves word of a fault, and sleeps.
 *
 * A fault interrupts code anywhere: in malloc(), in a driver. Its handler may therefore call next to nothing, and a
 * driver least of all. So it leaves word in a mailbox, rings, and sleeps; a thread of the service answers and wakes it.
 *
 * A mailbox belongs to the fault until it is answered, not to the stack of the one who waits: a signal handler that
 * interrupts the waiting and leaves it by longjmp() does no harm.
 *
 * No locks: mailboxes and bell are atomics.
 */
#ifndef VPTR_MIRROR_MAILBOX_H
#define VPTR_MIRROR_MAILBOX_H

#include <signal.h>

#include "mirror/request.h"

/* Blocks until the access at an address was answered. To be called by a signal handler with all signals blocked; the
 * mask is in force while it waits. Async-signal-safe. */
void vptr__mailbox_ask(const void *address, vptr__touch touch, const sigset_t *mask);

/* Calls once, before the first vptr__mailbox_ask(), what that calls: the dynamic linker looks a name up at its first
 * call, and needs more stack for it than a handler may have. */
void vptr__mailbox_prepare(void);

/* The other side, for the service. */
extern const vptr__requests vptr__mailbox_requests;

#endif
