/* SPDX-License-Identifier: MIT */
/*
 * waiting - threads that may not wait for a device's work.
 *
 * A function that a stream calls on the host is itself part of that work: a wait for the queue inside of it would never
 * end. Whoever is about to wait for all of a device's work asks here. No locks: a flag of each thread. Set by
 * stream/host.c; asked by lib/vptr/device, heap, mapper, mirror, transfer and checkpoint.
 */
#ifndef VPTR_BASE_WAITING_H
#define VPTR_BASE_WAITING_H

#include <stdbool.h>

#include <vptr/vptr.h>

/* The calling thread may not wait from now on; or may again. */
void vptr__waiting_bar(bool is_barred);

bool vptr__waiting_is_barred(void);

/* SUCCESS where it may; else NOT_READY, said in words. */
vptr_status vptr__waiting_check(void);

#endif
