/* SPDX-License-Identifier: MIT */
/*
 * userfault - page faults that the kernel hands to threads, and pages that open and close without mprotect().
 *
 * userfaultfd(2): who touches a closed page sleeps in the kernel, in a system call as well as in a program's own code,
 * and word of it is read from a file. Pages are closed by taking the page-table entries away (the file behind the
 * mapping keeps its pages), opened by CONTINUE, which maps what the file has, and closed to writes alone by
 * WRITEPROTECT. So no signal is needed, nor a mapping for each piece that is protected in its own way. What was open to
 * be read is opened to writes by closing it first: WRITEPROTECT can undo itself, but leaves each page of a shared
 * mapping to a fault of the kernel's own, which takes ten times as long as mapping it anew (Linux 6.18).
 *
 * A page's three kinds of fault: MISSING, the file has no such page yet; MINOR, it has one that is not mapped; WP, it
 * is mapped to be read. All that a request needs to say of them is whether it was a write.
 *
 * What it takes: a kernel of 6.4 or later (CONTINUE for reading alone), and leave to hear of the faults of system
 * calls: CAP_SYS_PTRACE, vm.unprivileged_userfaultfd = 1, or /dev/userfaultfd that may be opened. The kernel gives
 * everybody a file that is notified of a program's own faults alone, and that is not good enough: the system may take
 * a page out of the page table at any time (swapping), and a system call on memory that was fetched for it would fail
 * with EFAULT then.
 *
 * Not under valgrind, which runs one thread at a time: one that sleeps in the kernel for its fault keeps the others
 * from answering it.
 *
 * One page is answered once at a time. The kernel tells of the same access anew whenever a signal interrupts the
 * waiting, and of each thread that touches a page: such a request is dropped while the page's first is being answered,
 * and whoever waits at that page is woken with it, to try again.
 *
 * The file is opened once and stays. Thread-safe; the static `lock` of userfault.c, of rank LEAF, guards the requests
 * that are being answered.
 */
#ifndef VPTR_MIRROR_USERFAULT_H
#define VPTR_MIRROR_USERFAULT_H

#include <stddef.h>

#include "mirror/request.h"

/* Opens the file; false if it is not to be had (errno). And closes it: whoever waits goes on, and finds all pages
 * open. */
bool vptr__userfault_begin(void);
void vptr__userfault_end(void);

/* Whether it is open, so that views are guarded by it. */
bool vptr__userfault_is_on(void);

/* Of a shared mapping of whole pages of a file in memory; false, with errno, if the system refuses. guard: it is closed
 * from now on. Unmapping ends that. */
bool vptr__userfault_guard(void *at, size_t size);

/* Opens closed pages, to be written to or read, from the first on: how many bytes were. Fewer than size is an error,
 * and errno says so: EEXIST, a page that is open already, and stays as it is; EFAULT, one that the file does not
 * have. */
size_t vptr__userfault_map(void *at, size_t size, bool writes);

/* keep_writes_out: pages that are open may only be read from now on. unmap: closes pages. No thread is left that can do
 * more when this returns. */
bool vptr__userfault_keep_writes_out(void *at, size_t size);
bool vptr__userfault_unmap(void *at, size_t size);

/* Waits until there is a request; false if there is none in that time. -1: for ever. */
bool vptr__userfault_wait(int milliseconds);

extern const vptr__requests vptr__userfault_requests;

#endif
