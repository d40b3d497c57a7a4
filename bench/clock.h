/* SPDX-License-Identifier: MIT */
/*
 * clock - how long something took, and what to make of several answers.
 *
 * A machine that does other things too disturbs a measurement in one direction only, and rarely; so a figure is the
 * median of some repetitions, shown with the range that the middle half of them covers. A mean would follow the
 * disturbances, and a minimum hides that there were any.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Monotonic nanoseconds. */
uint64_t clock_ns(void);

/* Nanoseconds that the calling thread has computed for. Reading it calls the system: not for single calls. */
uint64_t clock_cpu_ns(void);

/* What an empty measurement shows: to be taken off short ones. Measured once, when first asked. */
uint64_t clock_overhead_ns(void);

/* Nanoseconds from `begin` to now without the clock's own share, at least 0. */
uint64_t clock_since(uint64_t begin);

typedef struct summary {
  double median, low, high; /* low and high: the quartiles */
} summary;

/* Sorts samples. count is at least 1. */
summary summary_of(double *samples, size_t count);

/* Half the middle half's width, in percent of the median; NAN for a median that is not above 0. */
double summary_spread_percent(const summary *of);

#endif
