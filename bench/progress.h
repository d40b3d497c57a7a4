/* SPDX-License-Identifier: MIT */
/*
 * progress - one line on stderr that says how far a run has come; nothing if stderr is no terminal.
 *
 * It is wiped before anything else is printed, since stdout is often the same terminal.
 */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
  bool shown;
  size_t done, total;
} progress;

void progress_begin(progress *progress, size_t total);

/* One step is done, and the next is about `what`. */
void progress_step(progress *progress, const char *what);

void progress_wipe(const progress *progress);

#endif
