/* SPDX-License-Identifier: MIT */
/*
 * fill - what cudaMemset() and its like cost beside clEnqueueFillBuffer().
 *
 * Each call is followed by waiting for it, but for cudaMemsetAsync(), of which some follow each other first. The bare
 * fill has the same pattern. OpenCL has none of 3 and 12 bytes: beside those are as many bytes with 4; nor has it
 * rows with gaps: beside those is a fill for each row.
 */
#ifndef BENCH_FILL_H
#define BENCH_FILL_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool fill_run(const options *wanted);

#endif
