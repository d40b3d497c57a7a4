/* SPDX-License-Identifier: MIT */
/*
 * copy - what cudaMemcpy() and cudaMemcpy2D() cost beside the OpenCL call that does the work.
 *
 * Lines by direction and size: the blocking clEnqueueWriteBuffer() or clEnqueueReadBuffer(), from and to pageable
 * memory and memory that each side has pinned in its way, or clEnqueueCopyBuffer() and clFinish(); and cudaMemcpy(),
 * which is followed by cudaStreamSynchronize() between two places of the device, since nobody waits for such a copy.
 * Then rows with gaps in device memory, narrow ones, long ones and such as fill their pitch, beside the calls for
 * rectangles.
 */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool copy_run(const options *wanted);

#endif
