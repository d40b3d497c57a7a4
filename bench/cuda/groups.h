/* SPDX-License-Identifier: MIT */
/*
 * groups - the operations of the runner, by what they are about. Each group makes what it needs and gives it back, and
 * prints its lines; what cannot be had is said there too.
 */
#ifndef BENCH_CUDA_GROUPS_H
#define BENCH_CUDA_GROUPS_H

#include "sample.h"

/* Pairs of an allocation and its free, of each kind of memory; and questions about pointers. */
void allocations_measure(runner *runner);

/* Copies and fills, of lines and of rows in a wider picture, which are waited for; and small copies that are sent. */
void transfers_measure(runner *runner);

/* Kernels that do nothing, sent and waited for; idle streams and events. */
void launches_measure(runner *runner);

#endif
