/* SPDX-License-Identifier: MIT */
/*
 * mirror_child - for tests of managed memory whose body is a process of its own (support/child.h): what the bodies
 * share. The mapper, the mirror and its page are those of mirrors.h.
 */
#ifndef VPTR_TESTS_MIRROR_CHILD_H
#define VPTR_TESTS_MIRROR_CHILD_H

#include "mirrors.h"
#include "support/child.h"

extern child mirror_child; /* how the last one ended */

/* Runs a body; the test fails unless it ends with that exit code, or by that signal. */
void mirror_child_exits(void (*body)(void), int code);
void mirror_child_dies(void (*body)(void), int number);

/* Whether a process like this one hears of faults by userfaultfd: asks a child. */
bool mirror_child_has_userfault(void);

/* In the child: makes the mapper, and takes away what sanitizers handle and what dying would leave behind. */
void mirror_child_begin(void);
void mirror_child_succeed(vptr_status status);

/* A mirror of PAGES; a kernel that sets all of it; the shared one, set to 5. */
vptr__mirror *mirror_child_make(void);
void mirror_child_fill(vptr__mirror *what, unsigned char byte);
void mirror_child_mirror(void);

/* The shared mirror is read, and the second page written to. */
void mirror_child_check(void);

#endif
