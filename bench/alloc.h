/* SPDX-License-Identifier: MIT */
/*
 * alloc - what vptr_malloc() and vptr_free() cost: in pairs by size, and in a churn of random sizes and lifetimes
 * (churn.h) by number of live allocations; beside malloc(), and beside OpenCL buffers made and released.
 */
#ifndef BENCH_ALLOC_H
#define BENCH_ALLOC_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool alloc_run(const options *wanted);

#endif
