/* SPDX-License-Identifier: MIT */
/*
 * service - the threads that answer page faults.
 *
 * A fault interrupts code anywhere: in malloc(), in a driver. Its handler may therefore call next to nothing, and a driver
 * least of all. So it leaves word in a box, rings, and sleeps; a thread of the service brings the bytes and wakes it. When
 * no fault is waiting, it reads ahead for those who walk.
 *
 * An answer may have to wait for a kernel, and that kernel for a function on the host whose own fault waits for an answer.
 * So there is always one thread that only listens: whoever takes the last listener's place with a fault begins another
 * thread first. There are as many as faults that ever waited at once, and one; mostly two.
 *
 * A box belongs to the fault until it is answered, not to the stack of the one who waits: a signal handler that interrupts
 * the waiting and leaves it by longjmp() does no harm.
 *
 * Bytes that cannot be brought are nothing that an access could return, and to go on with other bytes is worse than to
 * stop: the service says what happened, and aborts the process. (SIGBUS, as for a file that cannot be read, would let a
 * handler go on at an address that can never be made valid.)
 *
 * The threads begin with the first mirror and end with the process, so the library must not be unloaded; they block all
 * signals. Boxes and bell are atomics; one lock, rank LEAF, is held while the first thread begins. In a child after fork()
 * there are no such threads, and no view.
 */
#ifndef VPTR_MANAGED_SERVICE_H
#define VPTR_MANAGED_SERVICE_H

#include <signal.h>

#include "managed/mirror.h"

/* Begins the first thread, once. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__service_start(void);

/* Whether it runs in this process. Async-signal-safe. */
bool vptr__service_is_here(void);

/* Blocks until the access at an address, which vptr__atlas_has(), was made possible, or the mirror is gone. To be called
 * by a signal handler with all signals blocked; the mask is in force while it waits. Async-signal-safe. */
void vptr__service_ask(const void *address, vptr__touch touch, const sigset_t *mask);

#endif
