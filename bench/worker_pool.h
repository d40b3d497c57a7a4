/* SPDX-License-Identifier: MIT */
/*
 * worker_pool - threads that look up and update one population at the same time, and what that took.
 *
 * An operation is a get_offset of a member that stays, in random order, or an update: the oldest of WORKER_POOL_OWN
 * allocations of the thread's own is freed and another made. All threads begin together and stop when the first was
 * told to.
 *
 * Two prices come out. CPU time is what an operation costs the program, and says the same however many other programs
 * there are; but waiting for a mutex takes none. Operations a second, of all threads together, have the waiting in
 * them, and the other programs, too.
 */
#ifndef BENCH_WORKER_POOL_H
#define BENCH_WORKER_POOL_H

#include "population.h"

enum { WORKER_POOL_OWN = 64, WORKER_POOL_ROUND = 100 /* operations, of which a percentage is updates */ };

typedef struct worker_pool_result {
  double cpu_ns;      /* of one operation, of its thread's CPU time */
  double mega_per_s;  /* operations of all threads, in millions a second */
} worker_pool_result;

/* side: vptr's or the tree's. False if a thread could not be made or an update failed, which has been said on
 * stderr. */
bool worker_pool_work(population *population, population_side side, size_t threads, size_t update_percent,
               worker_pool_result *result_out);

#endif
