/* SPDX-License-Identifier: MIT */
/*
 * progress - how far a solver is, on stderr.
 *
 * On a terminal: one line that is rewritten at most ten times a second, with a bar whose length is the logarithm
 * of the residual, since that falls about evenly. Elsewhere (a log file): a plain line whenever the residual has
 * fallen by another factor of ten. Quiet: nothing.
 */
#ifndef CG_PROGRESS_H
#define CG_PROGRESS_H

#include <stdbool.h>

typedef struct cg_progress {
  bool quiet, terminal;
  double goal;       /* residual to reach, below 1 */
  double told;       /* residual of the latest line */
  double told_at;    /* seconds */
} cg_progress;

void progress_begin(cg_progress *progress, bool quiet);
void progress_set_goal(cg_progress *progress, double goal);
void progress_show(cg_progress *progress, int iteration, double residual, double now);
void progress_end(cg_progress *progress);

#endif
