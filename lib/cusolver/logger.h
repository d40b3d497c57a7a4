/* SPDX-License-Identifier: MIT */
/*
 * logger - cuSOLVER's lines, where a program wants them: one for each call, and one for each that fails.
 *
 * Lock: `lock` of logger.c, of rank LEAF, which is not held while the program's function is called.
 */
#ifndef VPTR_CUSOLVER_LOGGER_H
#define VPTR_CUSOLVER_LOGGER_H

#include <stdatomic.h>

/* cuSOLVER's levels, of those that there is something to tell at. */
enum { VPTR__SOLVER_LOG_ERRORS = 1, VPTR__SOLVER_LOG_CALLS = 5 };

extern atomic_int vptr__solver_log_levels; /* a bit for each that is told, from bit 0 for level 1 on */

void vptr__solver_log_line(int level, const char *call, const char *message);

static inline void vptr__solver_log(int level, const char *call, const char *message) {
  if (atomic_load_explicit(&vptr__solver_log_levels, memory_order_relaxed) & 1 << (level - 1))
    vptr__solver_log_line(level, call, message);
}

#endif
