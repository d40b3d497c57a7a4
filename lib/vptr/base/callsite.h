/* SPDX-License-Identifier: MIT */
/*
 * callsite - a place in the program's code, in words.
 *
 *     solve (cg) cg.c:42        with debug information, where addr2line(1) is installed
 *     solve+0x1f (cg)           with a symbol only
 *     0x11f0 (cg)               with neither: the address in the file, as objdump(1) prints it
 *     0x7f0012345678            in no module
 *
 * Slow the first time for a place (milliseconds; addr2line gets two seconds and is then killed), some microseconds for
 * the last few dozen places. A program with more rights than its caller gets symbols only. It allocates nothing, uses
 * no stdio and leaves errno as it was, so a signal handler may use it. Needs about 16 KiB of stack. No locks of its
 * own, and no waiting for another thread that describes; the loader's lock is taken. The last answers are kept in a
 * static table. Used by lib/vptr/mapper (explain.c, leaks.c, trap.c) and cudart/record/recorder.c.
 */
#ifndef VPTR_BASE_CALLSITE_H
#define VPTR_BASE_CALLSITE_H

#include <stddef.h>

#include <vptr/vptr.h>

/* Writes a description of the code at address into text, always terminated (size must be at least 1) and cut at
 * size bytes. For a return address pass one less, since it may already belong to the next line. */
VPTR_API void vptr__callsite_describe(const void *address, char *text, size_t size);

/* For tests: what addr2line said is asked for anew. Nobody else may be describing. */
void vptr__callsite_forget(void);

#endif
