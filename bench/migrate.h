/* SPDX-License-Identifier: MIT */
/*
 * migrate - vptr_migrate() of a mapper's memory between two devices, there and back, beside the two links alone: the
 * same bytes read from the one into pinned memory, and written from there to the other, by bare OpenCL.
 *
 * The devices are the one that vptr chooses and the next of its platform, or else the first of another platform; where
 * there is no other at all, it goes to the same one in another context. It takes an eighth of the device's memory, and
 * 8 GiB at most.
 */
#ifndef BENCH_MIGRATE_H
#define BENCH_MIGRATE_H

#include <stdbool.h>

struct options;

/* False if something failed or a byte was wrong, which has been said on stderr. */
bool migrate_run(const struct options *wanted);

#endif
