/* SPDX-License-Identifier: MIT */
/* progress - see progress.h. */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 40 };

static const double SECONDS_BETWEEN = 0.1;

void progress_begin(cg_progress *progress, bool quiet) {
  const char *kind = getenv("TERM");
  progress->quiet = quiet;
  progress->terminal = isatty(STDERR_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
  progress->goal = 0.1;
  progress->told = 10;
  progress->told_at = 0;
}

void progress_set_goal(cg_progress *progress, double goal) {
  progress->goal = goal;
}

/* The part of the way from 1 to the goal, in 0 to BAR. */
static int bar_length(const cg_progress *progress, double residual) {
  double part = log(residual) / log(progress->goal);
  return !(part > 0) ? 0 : part >= 1 ? BAR : (int)(part * BAR);
}

static void rewrite_line(cg_progress *progress, int iteration, double residual) {
  static const char full[] = "########################################";
  int length = bar_length(progress, residual);
  fprintf(stderr, "\r  iteration %6d  residual %8.2e  [%.*s%*s]", iteration, residual, length, full, BAR - length,
          "");
  fflush(stderr);
}

void progress_show(cg_progress *progress, int iteration, double residual, double now) {
  if (progress->quiet)
    return;
  if (progress->terminal && now - progress->told_at >= SECONDS_BETWEEN) {
    rewrite_line(progress, iteration, residual);
    progress->told_at = now;
  } else if (!progress->terminal && residual <= progress->told / 10) {
    fprintf(stderr, "  iteration %6d  residual %8.2e\n", iteration, residual);
    progress->told = residual;
  }
}

/* Clears the line: what was reached is in the report. */
void progress_end(cg_progress *progress) {
  if (!progress->quiet && progress->terminal)
    fprintf(stderr, "\r%*s\r", BAR + 44, "");
}
