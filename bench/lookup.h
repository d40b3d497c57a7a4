/* SPDX-License-Identifier: MIT */
/*
 * lookup - what a look-up costs as the number of live allocations grows, by form (forms.h) and by order
 * (population.h), beside a red-black tree with a mutex (rbtree.h), beside jemalloc's own where there is one
 * (sallocx.h), and beside single accesses of the cache and of memory (yardstick.h), all in the same run.
 */
#ifndef BENCH_LOOKUP_H
#define BENCH_LOOKUP_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool lookup_run(const options *wanted);

#endif
