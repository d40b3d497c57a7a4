/* SPDX-License-Identifier: MIT */
/*
 * scale - what allocations, whole buffers and streams cost in time and in the host's memory as they become many
 * (growth.h); and how much device memory stands behind each byte that was asked for.
 */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool scale_run(const options *wanted);

#endif
