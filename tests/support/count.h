/* SPDX-License-Identifier: MIT */
/*
 * count - for programs that check without a framework: how many checks there were, and how many failed.
 *
 * Plain C, so that such programs run against NVIDIA's libraries as well. A program prints what is wrong, the first 20
 * times, and how many checks there were, and exits with 1 if any failed. How it says EXPECT is its own. Failures may be
 * counted by kinds, in words of the program's, which are told at its end: one cause has thousands of them at times.
 */
#ifndef VPTR_TESTS_COUNT_H
#define VPTR_TESTS_COUNT_H

#include <stdarg.h>
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

/* ---- kinds --------------------------------------------------------------------------------------------------- */

enum { MOST_KINDS = 64 /* of failures; what comes later is of the last */ };

typedef struct failed_kind {
  char words[120];
  int failures;
} failed_kind;

static failed_kind failed_kinds[MOST_KINDS];

/* A failure that was counted is of this kind. */
__attribute__((format(printf, 1, 2))) static inline void count_kind(const char *format, ...) {
  char words[sizeof failed_kinds[0].words];
  int i = 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  while (i < MOST_KINDS - 1 && failed_kinds[i].failures > 0 && strcmp(failed_kinds[i].words, words) != 0)
    i++;
  if (failed_kinds[i].failures++ == 0)
    memcpy(failed_kinds[i].words, words, sizeof words);
}

static inline int verdict(const char *program) {
  for (int i = 0; i < MOST_KINDS && failed_kinds[i].failures > 0; i++)
    printf("%d failed: %s\n", failed_kinds[i].failures, failed_kinds[i].words);
  printf("%s: %d checks, %d failed\n", program, checks, failures);
  return failures != 0;
}

#endif
