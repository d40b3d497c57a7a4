/* SPDX-License-Identifier: MIT */
/*
 * evict - a program whose arrays take twice what the device has, beside one that copies them by hand.
 *
 * Both go through all arrays in order, write each by a kernel and add it up by another. The one allocates all of them
 * and leaves it to VPTR_OVERSUBSCRIBE which are on the device; the other has them in plain memory of the host, copies
 * each to a buffer on the device and back. Without a budget in the environment (VPTR_DEVICE_BYTES) the device is one of
 * 256 MiB.
 */
#ifndef BENCH_EVICT_H
#define BENCH_EVICT_H

#include <stdbool.h>

struct options;

/* False if something failed or a sum was wrong, which has been said on stderr. */
bool evict_run(const struct options *wanted);

#endif
