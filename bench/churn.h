/* SPDX-License-Identifier: MIT */
/*
 * churn - allocations and frees of random sizes and lifetimes, with a steady number of live ones, on vptr, the tree
 * and malloc() in turns.
 */
#ifndef BENCH_CHURN_H
#define BENCH_CHURN_H

#include <stdbool.h>
#include <stddef.h>

#include "progress.h"

typedef enum churn_side { CHURN_VPTR, CHURN_TREE, CHURN_MALLOC, CHURN_SIDES } churn_side;
typedef enum churn_half { CHURN_ALLOCATE, CHURN_FREE, CHURN_HALVES } churn_half;

/* ns of one operation, one of each repetition; the caller's room for them. */
typedef struct churn_samples {
  double *of[CHURN_HALVES][CHURN_SIDES];
} churn_samples;

/* False if something failed, which has been said on stderr. live is at least 2. */
bool churn_measure(size_t live, size_t repetitions, progress *progress, churn_samples *samples_out);

#endif
