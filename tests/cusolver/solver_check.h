/* SPDX-License-Identifier: MIT */
/*
 * solver_check - for programs that hold cuSOLVER against the matrices it was given, beside what support/library.h has.
 *
 * Plain CUDA and cuSOLVER, so that they run on NVIDIA's libraries as well. Results are multiplied out again on the
 * host, by loops of the program's own. Operands are compared whole: what lies between columns must stay.
 */
#ifndef SOLVER_CHECK_H
#define SOLVER_CHECK_H

#include <complex.h>
#include <math.h>
#include <string.h>

#include <cusolverDn.h>

#include "support/library.h"

/* WORK_BYTES: of a work area, where the size of what is asked for comes later. */
enum { WORK_BYTES = 4 << 20 };

#define EXPECT(what, condition) check_that(condition, what, #condition, __LINE__)
#define FINE(call) EXPECT(#call, (call) == CUSOLVER_STATUS_SUCCESS)
#define WRONG(call) EXPECT(#call, (call) == CUSOLVER_STATUS_INVALID_VALUE)

/* A leading dimension of so many rows. */
static inline int random_leading(int rows) {
  return (rows > 1 ? rows : 1) + random_int(0, 3);
}

/* Elements that a matrix reaches over; at least 1. */
static inline size_t extent_of(int rows, int columns, int ld) {
  return rows <= 0 || columns <= 0 ? 1 : (size_t)(columns - 1) * (size_t)ld + (size_t)rows;
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
