/* SPDX-License-Identifier: MIT */
/*
 * run - the boundary tags of a space: who holds which windows.
 *
 *     runs[]   | first |  ...  | last | first = last | first | ...
 *              '------ taken --------''--- free -----''-- waiting
 *
 * The entries of a run's first and last window both hold its length and state, so that a run finds its neighbours in
 * one step either way; entries between hold what they held before. The links of a free run's first window chain it into
 * the circular list of its length, those of a waiting one into the queue. Guarded by vptr__heap.lock (heap/state.h), of
 * rank HEAP. Used by run.c, space.c and check.c alone.
 */
#ifndef VPTR_SPACE_RUN_H
#define VPTR_SPACE_RUN_H

#include "space/space.h"

typedef enum vptr__run_state {
  VPTR__RUN_FREE = 1,
  VPTR__RUN_TAKEN,
  VPTR__RUN_WAITING
} vptr__run_state;

typedef struct vptr__space_run {
  uint32_t length;         /* windows */
  uint32_t state;          /* vptr__run_state */
  uint32_t next, previous; /* windows: first ones of runs */
} vptr__space_run;

/* Makes the whole of a new space one free run. */
void vptr__run_init_all(vptr__space *space);

#endif
