/* SPDX-License-Identifier: MIT */
/* progress - see progress.h. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

void progress_begin(progress *state, size_t total) {
  *state = (progress){ .shown = isatty(STDERR_FILENO) != 0, .total = total };
}

void progress_step(progress *state, const char *what) {
  char bar[BAR_WIDTH + 1];
  if (state->done < state->total)
    state->done++;
  if (!state->shown)
    return;
  size_t filled = state->done * BAR_WIDTH / state->total;
  for (size_t i = 0; i < BAR_WIDTH; i++)
    bar[i] = i < filled ? '#' : '.';
  bar[BAR_WIDTH] = '\0';
  fprintf(stderr, "\r\033[K[%s] %3zu %%  %s", bar, state->done * 100 / state->total, what);
}

void progress_wipe(const progress *state) {
  if (state->shown)
    fputs("\r\033[K", stderr);
}
