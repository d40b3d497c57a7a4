/* SPDX-License-Identifier: MIT */
/*
 * copy - what cudaMemcpy() costs beside the OpenCL call that does the work.
 *
 * By direction and size: the blocking clEnqueueWriteBuffer() or clEnqueueReadBuffer(), or clEnqueueCopyBuffer() and
 * clFinish(), and cudaMemcpy(), which is followed by cudaStreamSynchronize() between two places of the device, since
 * nobody waits for such a copy. The bare calls have a queue of the same kind, with nothing else in its context.
 */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool copy_run(const options *wanted);

#endif
