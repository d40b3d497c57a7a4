/* SPDX-License-Identifier: MIT */
/*
 * threads - what look-ups cost when several threads make them at once, and some of them allocate and free; beside the
 * red-black tree with its mutex.
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool threads_run(const options *wanted);

#endif
