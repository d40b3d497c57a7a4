/* SPDX-License-Identifier: MIT */
/*
 * span - kernels over an allocation that consists of three buffers, beside the same kernels over one buffer as large.
 *
 * Buffers may have 64 MiB each (VPTR_BUFFER_BYTES), and the allocation has 192. The one buffer is the program's own,
 * attached. It needs a device whose memory is the host's.
 */
#ifndef BENCH_SPAN_H
#define BENCH_SPAN_H

#include <stdbool.h>

struct options;

/* False if something failed or a sum was wrong, which has been said on stderr. */
bool span_run(const struct options *wanted);

#endif
