/* SPDX-License-Identifier: MIT */
/*
 * log - the lines of a library's logger, cublasLtLogger*() and cusolverDnLogger*(), where a program wants them.
 *
 * A library has one log, a variable of its own: of cublas/lt_logger.c, and of cusolver/logger.c. A line has a level
 * from 1, errors, to 5, calls; it goes to a file and to a function of the program's.
 *
 * A forked child tells nothing, and its settings are refused: the thread that holds the lock may not be there.
 *
 * Lock: `lock` of the log, of rank LEAF, guards the rest of it, and is not held while the program's function is called.
 * `levels` is atomic, and read without it. Called by the loggers of lib/cublas and lib/cusolver, and by their calls.
 */
#ifndef VPTR_LIBRARY_LOG_H
#define VPTR_LIBRARY_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include <vptr/vptr.h>

#include "base/lock.h"

enum { VPTR__LIBRARY_LOG_ERRORS = 1, VPTR__LIBRARY_LOG_CALLS = 5 };

typedef void vptr__library_log_callback(int level, const char *call, const char *message);

typedef struct vptr__library_log {
  vptr__lock lock;
  const char *noun;  /* "cuSOLVER", at the beginning of each line */
  atomic_int levels; /* a bit for each that is told, from bit 0 for level 1 on */
  bool is_disabled, owns_file;
  FILE *file;
  vptr__library_log_callback *callback;
} vptr__library_log;

#define VPTR__LIBRARY_LOG(what) { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .noun = (what) }

/* A line of a level that is told. */
VPTR_API void vptr__library_log_line(vptr__library_log *log, int level, const char *call, const char *message);

static inline void vptr__library_log_tell(vptr__library_log *log, int level, const char *call, const char *message) {
  if (atomic_load_explicit(&log->levels, memory_order_relaxed) & 1 << (level - 1))
    vptr__library_log_line(log, level, call, message);
}

/* Settings fail in a forked child alone, with FORKED. */

/* NULL: none. Lines that other threads tell meanwhile may still call the function before. */
VPTR_API vptr_status vptr__library_log_set_callback(vptr__library_log *log, vptr__library_log_callback *callback);

/* NULL: none. A file that the log owns is closed when another one takes its place, or when it is refused; the program's
 * is the program's. */
VPTR_API vptr_status vptr__library_log_set_file(vptr__library_log *log, FILE *file, bool owns_file);

/* Which levels are told, by bits. After a call with is_disabled nothing is, for good. */
VPTR_API vptr_status vptr__library_log_set_levels(vptr__library_log *log, int levels, bool is_disabled);

#endif
