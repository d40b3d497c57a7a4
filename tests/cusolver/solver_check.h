/* SPDX-License-Identifier: MIT */
/*
 * solver_check - for programs that hold cuSOLVER against the matrices it was given, beside what support/library.h has.
 *
 * Plain CUDA and cuSOLVER, so that they run on NVIDIA's libraries as well. Results are multiplied out again on the
 * host, by loops of the program's own. Operands are compared whole: what lies between columns must stay. Of NVIDIA's
 * that is not asked, whose document gives the functions arrays of so many columns of the leading dimension.
 */
#ifndef SOLVER_CHECK_H
#define SOLVER_CHECK_H

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <cusolverDn.h>

#include "support/library.h"

/* WORK_BYTES: of a work area, where the size of what is asked for comes later. */
enum { WORK_BYTES = 4 << 20 };

static char sizes_now[120];
static double last_distance; /* between what was and what should be */

/* Sizes of what is checked from here on: a failure tells them. */
__attribute__((format(printf, 1, 2))) static inline void sizes(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sizes_now, sizeof sizes_now, format, arguments);
  va_end(arguments);
}

static inline void expect_of(bool is_right, const char *what, const char *condition, int line) {
  checks++;
  if (!is_right && count_failure_at(sizes_now, line))
    printf("%s: %s: line %d: %s; the last distance was %g\n", sizes_now, what, line, condition, last_distance);
}

#define EXPECT(what, condition) expect_of(condition, what, #condition, __LINE__)
#define GIVES(call, status)                                                                                          \
  do {                                                                                                               \
    CRASH_NOTE(__FILE__, __LINE__);                                                                                  \
    cusolverStatus_t status_given = (call);                                                                          \
    checks++;                                                                                                        \
    if (status_given != (status) && count_failure_at(sizes_now, __LINE__))                                           \
      printf("%s: line %d: %s gives %d\n", sizes_now, __LINE__, #call, (int)status_given);                           \
  } while (0)
#define FINE(call) GIVES(call, CUSOLVER_STATUS_SUCCESS)
#define WRONG(call)                                                                                                  \
  do {                                                                                                               \
    CRASH_RETURNS(1);                                                                                                \
    if (CRASHED)                                                                                                     \
      EXPECT(#call, !"crashes");                                                                                     \
    else                                                                                                             \
      GIVES(call, CUSOLVER_STATUS_INVALID_VALUE);                                                                    \
    CRASH_RETURNS(0);                                                                                                \
  } while (0)

/* REFUSED_BY_OURS: what the document does not say is looked at before a call begins. NVIDIA's gives success there, or
 * the number of another error, and is not asked. */
#ifdef ON_NVIDIA
#define REFUSED_BY_OURS(call) (void)0
#else
#define REFUSED_BY_OURS(call) WRONG(call)
#endif

/* LEAST: of sizes. NVIDIA's takes no batch of none, and a call over no elements makes the next one fail there. */
#ifdef ON_NVIDIA
enum { LEAST = 1 };
#else
enum { LEAST = 0 };
#endif

/* A leading dimension of so many rows. */
static inline int random_leading(int rows) {
  return (rows > 1 ? rows : 1) + random_int(0, 3);
}

/* Elements that a matrix reaches over; at least 1. NVIDIA's document gives its functions all rows of the last column,
 * and some of them write there. */
static inline size_t extent_of(int rows, int columns, int ld) {
#ifdef ON_NVIDIA
  int last = ld;
#else
  int last = rows;
#endif
  return rows <= 0 || columns <= 0 ? 1 : (size_t)(columns - 1) * (size_t)ld + (size_t)last;
}

/* An int that was -77: infos begin so. */
static inline int *new_info(void) {
  int value = -77;
  return on_device(&value, sizeof value);
}

static inline int value_of(const int *device) {
  int value = 0;
  from_device(&value, device, sizeof value);
  return value;
}

#endif
