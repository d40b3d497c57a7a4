/* SPDX-License-Identifier: MIT */
/*
 * yardstick - what this machine's memory takes, to hold the other numbers against.
 *
 * Loads of which each needs the one before it: from the first-level cache, and from memory (a random walk over more
 * than any cache holds). No look-up can be faster than the first; one that misses every cache costs the second for
 * each line it touches.
 */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct yardstick {
  size_t *next; /* a single cycle through all slots, one a cache line */
  size_t slots;
} yardstick;

enum { YARDSTICK_L1_BYTES = 16 << 10, YARDSTICK_MEMORY_BYTES = 256 << 20 };

/* False if the host has no memory for it. */
bool yardstick_init(yardstick *stick, size_t bytes);
void yardstick_fini(yardstick *stick);

/* Nanoseconds of one load. */
double yardstick_measure(const yardstick *stick);

#endif
