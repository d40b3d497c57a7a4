/* SPDX-License-Identifier: MIT */
/*
 * child - a piece of a test that ends its process: by exiting, or by a signal.
 *
 * The body runs in a forked child whose stderr is caught. Nothing of vptr may have been used before in the parent but
 * the options: what a process does once, at its first mapper, would be done already. Check's own assertions do not work
 * in the child; child_require() does.
 */
#ifndef VPTR_TESTS_CHILD_H
#define VPTR_TESTS_CHILD_H

#include <stdbool.h>

enum { CHILD_TEXT_SIZE = 65536, CHILD_BROKEN = 99 };

typedef struct child {
  bool exited;   /* else it died by a signal */
  int exit_code;
  int signal;
  char text[CHILD_TEXT_SIZE]; /* its stderr */
} child;

/* Runs body and then exit(0) in a child, and waits for it. */
void child_run(void (*body)(void), child *child_out);

/* In the child: sets a VPTR_ variable, NULL unsets it, and has the library read it. */
void child_set(const char *name, const char *value);

/* In the child: says what is broken and ends it with CHILD_BROKEN. */
void child_require(bool holds, const char *what);

/* Whether addr2line can name lines here: it is installed. */
bool child_has_addr2line(void);

#endif
