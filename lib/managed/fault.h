/* SPDX-License-Identifier: MIT */
/*
 * fault - the handler of SIGSEGV that managed memory lives by.
 *
 * A fault at an address of a mirror (atlas.h) that was only closed (SEGV_ACCERR) is handed to the service's threads, and the
 * instruction is tried again when that has answered. Any other is passed on to the handler that was there before, as if
 * ours were not (chain.h). The handler touches atomics and makes system calls, nothing else: it may interrupt anything.
 *
 * A handler that the program installs later comes first. It must pass on what is not its own, as every handler must that
 * is not alone in its process: call the one that sigaction() gave it. One that does not makes an end of managed memory:
 * its faults are its own then. Ours is installed once, so it is never its own successor; and it stays, since it could be
 * somebody's.
 *
 * Signals. While a fault waits, the signals that the interrupted code let in are let in: Ctrl-C works, handlers run, may
 * touch managed memory themselves, and may leave by longjmp().
 *
 * On x86-64 the processor says whether it was a read, a write or a jump. Elsewhere a first fault counts as a read, and a
 * second one at the same page as a write: one fault more for pages that are only written.
 *
 * One lock, rank HEAP, is held while the handler is installed.
 */
#ifndef VPTR_MANAGED_FAULT_H
#define VPTR_MANAGED_FAULT_H

#include <vptr/vptr.h>

/* Begins to, once: the handler and the service. Errors: OUT_OF_HOST_MEMORY; UNSUPPORTED if the system takes no handler. */
vptr_status vptr__fault_watch(void);

#endif
