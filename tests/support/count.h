/* SPDX-License-Identifier: MIT */
/*
 * count - for programs that check without a framework: how many checks there were, and how many failed.
 *
 * Plain C, so that such programs run against NVIDIA's libraries as well. A program prints what is wrong, the first 20
 * times, and how many checks there were, and exits with 1 if any failed. How it says EXPECT is its own.
 */
#ifndef VPTR_TESTS_COUNT_H
#define VPTR_TESTS_COUNT_H

#include <stdbool.h>
#include <stdio.h>

#include "support/crash.h"

static int checks, failures;

/* Whether the caller, who saw something wrong, may print it. */
static inline bool count_failure(void) { return ++failures <= 20; }

/* `what` was checked, as far as there is a word for it; else "". */
static inline void check_that(bool is_right, const char *what, const char *condition, int line) {
  CRASH_NOTE(what, line);
  checks++;
  if (!is_right && count_failure())
    printf("%s%sline %d: %s\n", what, *what != '\0' ? ": " : "", line, condition);
}

static inline int verdict(const char *program) {
  printf("%s: %d checks, %d failed\n", program, checks, failures);
  return failures != 0;
}

#endif
