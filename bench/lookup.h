/* SPDX-License-Identifier: MIT */
/*
 * lookup - what a look-up, an allocation and a free cost as the number of live allocations grows, beside a red-black
 * tree with a mutex (rbtree.h) in the same run.
 */
#ifndef BENCH_LOOKUP_H
#define BENCH_LOOKUP_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool lookup_run(const options *wanted);

#endif
