/* SPDX-License-Identifier: MIT */
/*
 * log - lines on stderr, when VPTR_VERBOSE asks for them.
 *
 * Level 1 is errors, level 2 also decisions (which device, how large a reservation) and what host accessors move, level
 * 3 what a program says by NVTX (nvtx/line.h). A line is one write, so that threads do not mix. The library is silent
 * by default. No data, no locks. Used by folders of lib/vptr, lib/cudart, lib/nvtx and lib/cublas.
 */
#ifndef VPTR_BASE_LOG_H
#define VPTR_BASE_LOG_H

#include <stdbool.h>

#include <vptr/vptr.h>

enum { VPTR__LOG_ERROR = 1, VPTR__LOG_DECISION = 2 };

bool vptr__log_wanted(int level);
VPTR_API void vptr__log(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whatever VPTR_VERBOSE says: for what must be said once, such as a malformed variable or a report that the user
 * asked for. */
VPTR_API void vptr__log_always(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
