/* SPDX-License-Identifier: MIT */
/*
 * launch - what cudaLaunchKernel() costs beside the OpenCL calls that do the work.
 *
 * An empty kernel with 0, 1, 8 and 32 pointers, other ones with each call: clSetKernelArg() for each and
 * clEnqueueNDRangeKernel(), and cudaLaunchKernel(). Sent one after the other, or each waited for.
 */
#ifndef BENCH_LAUNCH_H
#define BENCH_LAUNCH_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool launch_run(const options *wanted);

#endif
