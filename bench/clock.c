/* SPDX-License-Identifier: MIT */
/* clock - see clock.h. */
#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { OVERHEAD_TRIES = 1000 };

static uint64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t clock_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_cpu_ns(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

uint64_t clock_overhead_ns(void) {
  static uint64_t overhead;
  double tries[OVERHEAD_TRIES];
  if (overhead != 0)
    return overhead;
  for (size_t i = 0; i < OVERHEAD_TRIES; i++) {
    uint64_t begin = clock_ns();
    tries[i] = (double)(clock_ns() - begin);
  }
  overhead = (uint64_t)summary_of(tries, OVERHEAD_TRIES).median;
  return overhead;
}

uint64_t clock_since(uint64_t begin) {
  uint64_t passed = clock_ns() - begin;
  uint64_t overhead = clock_overhead_ns();
  return passed > overhead ? passed - overhead : 0;
}

/* Between two samples where the share falls between them. */
static double quantile(const double *sorted, size_t count, double share) {
  double place = share * (double)(count - 1);
  size_t below = (size_t)place;
  if (below + 1 >= count)
    return sorted[count - 1];
  return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

summary summary_of(double *samples, size_t count) {
  qsort(samples, count, sizeof *samples, compare);
  return (summary){
    .median = quantile(samples, count, 0.5),
    .low = quantile(samples, count, 0.25),
    .high = quantile(samples, count, 0.75),
  };
}

double summary_spread_percent(const summary *of) {
  return of->median > 0 ? (of->high - of->low) / 2 / of->median * 100 : NAN;
}
