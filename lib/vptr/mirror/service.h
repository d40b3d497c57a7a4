/* SPDX-License-Identifier: MIT */
/*
 * service - the threads that answer page faults.
 *
 * A thread that faults can do nothing itself: it may be anywhere, in malloc() or in a driver. So it sleeps, and a
 * thread of the service takes its request (request.h), brings the bytes and wakes it. When no fault is waiting, it
 * reads ahead for those who walk.
 *
 * An answer may have to wait for a kernel, and that kernel for a function on the host whose own fault waits for an
 * answer. So there is one thread that only listens, as long as the system gives threads: whoever takes the last
 * listener's place with a fault begins another thread first. There are as many as faults that ever waited at once, and
 * one; mostly two.
 *
 * Bytes that cannot be brought are nothing that an access could return, and to go on with other bytes is worse than to
 * stop: the service says what happened, and aborts the process. (SIGBUS, as for a file that cannot be read, would let
 * a handler go on at an address that can never be made valid.)
 *
 * The threads begin with the first mirror (fault.c) and end with the process, so the library must stay loaded
 * (base/resident.h); they block all signals, and touch no view. The lock of vptr__service_start(), of rank LEAF, is
 * held while the first thread begins. In a child after fork() there are no such threads, and no view.
 */
#ifndef VPTR_MIRROR_SERVICE_H
#define VPTR_MIRROR_SERVICE_H

#include "mirror/request.h"

/* Begins the first thread, once: all of them take requests from there. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__service_start(const vptr__requests *from);

/* Whether it runs in this process. Async-signal-safe. */
bool vptr__service_is_here(void);

#endif
