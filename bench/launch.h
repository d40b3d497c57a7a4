/* SPDX-License-Identifier: MIT */
/*
 * launch - what cudaLaunchKernel() and vptr_set_kernel_arg() cost beside the OpenCL calls that do the work.
 *
 * An empty kernel with 0, 1, 8 and 32 pointers: clSetKernelArg() for each and clEnqueueNDRangeKernel(), and
 * cudaLaunchKernel(). Sent one after the other, with the same pointers or with other ones each time, or each waited
 * for. And the pointers alone: clSetKernelArg(), and vptr_set_kernel_arg() or vptr_set_kernel_args(), of memory that
 * lies among other in a buffer and of such that has one for itself.
 */
#ifndef BENCH_LAUNCH_H
#define BENCH_LAUNCH_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool launch_run(const options *wanted);

#endif
