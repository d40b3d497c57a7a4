/* SPDX-License-Identifier: MIT */
/*
 * fault - how managed memory is notified of page faults: by userfaultfd, or by a handler of SIGSEGV.
 *
 * The process has one way, chosen with its first mirror: userfaultfd (userfault.h) if the system gives it and a trial
 * of it passes (trial.h), else mprotect() and the handler; VPTR_FAULTS wishes for one. By userfaultfd there is no
 * signal, nothing of a program's handlers is touched, system calls fault as programs do, and threads may block what
 * they like. The rest of this head is about the handler.
 *
 * A fault at an address of a mirror (address_index.h) that was only closed (SEGV_ACCERR) is handed to the service's
 * threads (mailbox.h), and the instruction is tried again when that has answered. Any other is passed on to the
 * handler that was there before, as if ours were not (chain.h). The handler touches atomics and makes system calls,
 * nothing else: it may interrupt anything.
 *
 * A handler that the program installs later comes first. It must pass on what is not its own, as every handler must
 * that is not alone in its process: call the one that sigaction() gave it. One that does not makes an end of managed
 * memory: its faults are its own then. Ours is installed once, so it is never its own successor; and it stays, since it
 * could be somebody's.
 *
 * Signals. While a fault waits, the signals that the interrupted code let in are let in: Ctrl-C works, handlers run,
 * may touch managed memory themselves, and may leave by longjmp(). (So it is by userfaultfd: the kernel ends the
 * waiting, and the instruction faults anew.)
 *
 * On x86-64 the processor says whether it was a read, a write or a jump. Elsewhere a first fault counts as a read, and
 * a second one at the same page as a write: one fault more for pages that are only written.
 *
 * The lock of vptr__fault_watch(), of rank HEAP, is held while the way is chosen and begun.
 */
#ifndef VPTR_MIRROR_FAULT_H
#define VPTR_MIRROR_FAULT_H

#include <vptr/vptr.h>

/* Chooses the way and starts the service, once a process; before the first view is opened (view.h). Errors:
 * OUT_OF_HOST_MEMORY; UNSUPPORTED if the system does not give what VPTR_FAULTS wishes, or takes no handler. */
vptr_status vptr__fault_watch(void);

#endif
