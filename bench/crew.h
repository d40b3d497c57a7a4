/* SPDX-License-Identifier: MIT */
/*
 * crew - threads that look up and update one population at the same time, and what that took.
 *
 * An operation is a get_offset of a member that stays, in random order, or an update: the oldest of CREW_OWN
 * allocations of the thread's own is freed and another made. All threads begin together and stop when the first was
 * told to.
 *
 * Two prices come out. CPU time is what an operation costs the program, and says the same however many other programs
 * there are; but waiting for a mutex takes none. Operations a second, of all threads together, have the waiting in
 * them, and the other programs, too.
 */
#ifndef BENCH_CREW_H
#define BENCH_CREW_H

#include "population.h"

enum { CREW_OWN = 64, CREW_ROUND = 100 /* operations, of which a percentage is updates */ };

typedef struct crew_result {
  double cpu_ns;      /* of one operation, of its thread's CPU time */
  double mega_per_s;  /* operations of all threads, in millions a second */
} crew_result;

/* side: vptr's or the tree's. False if a thread could not be made or an update failed, which has been said on
 * stderr. */
bool crew_work(population *population, population_side side, size_t threads, size_t update_percent,
               crew_result *result_out);

#endif
