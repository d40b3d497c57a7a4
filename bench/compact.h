/* SPDX-License-Identifier: MIT */
/*
 * compact - what a fragmented heap gives back: vptr_compact() of slabs of which one allocation in ten lives.
 *
 * Allocations of sizes from one to a limit fill 64 MiB, nine in ten are freed in random order, and what is idle is
 * released. Then the heap is compacted, timed; and all that lives is read, to see that it is what it was.
 */
#ifndef BENCH_COMPACT_H
#define BENCH_COMPACT_H

#include <stdbool.h>

struct options;

/* False if something failed or a byte was wrong, which has been said on stderr. */
bool compact_run(const struct options *wanted);

#endif
