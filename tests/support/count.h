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
#include <string.h>

#include "support/crash.h"

static int checks, failures;

/* Whether the caller, who saw something wrong, may print it. */
static inline bool count_failure(void) { return ++failures <= 20; }

/* The same of a check at a line of the program: four times a line, and once while `what` is checked, so that one wrong
 * thing does not hide the others. */
static inline bool count_failure_at(const char *what, int line) {
  static char last[160];
  static int last_line, printed, printed_at[1024];
  int *here = &printed_at[line & 1023];
  bool is_same = line == last_line && strncmp(last, what, sizeof last - 1) == 0;
  failures++;
  last_line = line;
  snprintf(last, sizeof last, "%s", what);
  if (is_same || *here >= 4 || printed >= 20)
    return false;
  ++*here;
  printed++;
  return true;
}

/* `what` was checked, as far as there is a word for it; else "". */
static inline void check_that(bool is_right, const char *what, const char *condition, int line) {
  CRASH_NOTE(what, line);
  checks++;
  if (!is_right && count_failure_at(what, line))
    printf("%s%sline %d: %s\n", what, *what != '\0' ? ": " : "", line, condition);
}

static inline int verdict(const char *program) {
  printf("%s: %d checks, %d failed\n", program, checks, failures);
  return failures != 0;
}

#endif
