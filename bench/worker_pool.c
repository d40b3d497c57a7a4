/* SPDX-License-Identifier: MIT */
/*
 * worker_pool - see worker_pool.h.
 *
 * A thread goes over the picks from a place of its own, in rounds of WORKER_POOL_ROUND operations, of which the
 * updates are spread evenly, and asks after each whether to stop. Its own allocations are made beforehand and freed
 * afterwards, which counts for nothing. The clocks run from the first round on: a thread that still sleeps has used
 * no CPU time.
 *
 * Locks: none. `go` and `stop` are atomic; a worker's figures are read after it was joined.
 */
#include "worker_pool.h"

#include "clock.h"
#include "random.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORK_NS = 10000000, OWN_SIZE = 256 };

typedef struct worker_pool {
  population *population;
  population_side side;
  bool is_update[WORKER_POOL_ROUND];
  atomic_size_t ready;
  atomic_bool go, stop;
} worker_pool;

typedef struct worker {
  pthread_t thread;
  worker_pool *worker_pool;
  void *own[WORKER_POOL_OWN];
  size_t oldest;
  size_t place; /* of the next pick */
  size_t operations;
  uint64_t cpu_ns;
  size_t sum; /* where results go, lest the compiler leave the work out */
  bool good;
} worker;

/* ---- operations ------------------------------------------------------------------------------------------ */

static void *allocate(const worker_pool *of) {
  void *ptr = NULL;
  if (of->side == SIDE_TREE)
    return rbtree_allocate(&of->population->tree, OWN_SIZE);
  return vptr_malloc(NULL, OWN_SIZE, &ptr) == VPTR_SUCCESS ? ptr : NULL;
}

static bool release(const worker_pool *of, void *ptr) {
  return of->side == SIDE_TREE ? rbtree_free(&of->population->tree, ptr) : vptr_free(NULL, ptr) == VPTR_SUCCESS;
}

static void update(worker *self) {
  void **oldest = &self->own[self->oldest];
  self->oldest = (self->oldest + 1) % WORKER_POOL_OWN;
  self->good &= release(self->worker_pool, *oldest);
  *oldest = allocate(self->worker_pool);
  self->good &= *oldest != NULL;
}

/* The side is asked for outside the loop, which would else measure the question as well. */
static void round_of_vptr(worker *self) {
  const worker_pool *of = self->worker_pool;
  const void *const *picks = of->population->picks[SIDE_VPTR] + self->place;
  for (size_t i = 0; i < WORKER_POOL_ROUND; i++)
    if (of->is_update[i])
      update(self);
    else
      self->sum += (size_t)vptr_get_offset(NULL, picks[i]);
}

static void round_of_tree(worker *self) {
  const worker_pool *of = self->worker_pool;
  const void *const *picks = of->population->picks[SIDE_TREE] + self->place;
  for (size_t i = 0; i < WORKER_POOL_ROUND; i++)
    if (of->is_update[i])
      update(self);
    else
      self->sum += (size_t)rbtree_get_offset(&of->population->tree, picks[i]);
}

/* ---- a thread -------------------------------------------------------------------------------------------- */

static void make_own(worker *self) {
  for (size_t i = 0; i < WORKER_POOL_OWN; i++)
    self->good &= (self->own[i] = allocate(self->worker_pool)) != NULL;
}

static void release_own(worker *self) {
  for (size_t i = 0; i < WORKER_POOL_OWN; i++)
    if (self->own[i] != NULL)
      self->good &= release(self->worker_pool, self->own[i]);
}

/* One round at least: a thread that the system let wait for all of the time has measured something all the same. */
static void work(worker *self) {
  worker_pool *of = self->worker_pool;
  uint64_t begin = clock_cpu_ns();
  do {
    if (of->side == SIDE_TREE)
      round_of_tree(self);
    else
      round_of_vptr(self);
    self->operations += WORKER_POOL_ROUND;
    self->place += WORKER_POOL_ROUND;
    if (self->place + WORKER_POOL_ROUND > of->population->pick_count)
      self->place = 0;
  } while (self->good && !atomic_load_explicit(&of->stop, memory_order_relaxed));
  self->cpu_ns = clock_cpu_ns() - begin;
}

static void *run(void *argument) {
  worker *self = argument;
  const struct timespec moment = { .tv_nsec = 20000 };
  make_own(self);
  atomic_fetch_add(&self->worker_pool->ready, 1);
  while (!atomic_load(&self->worker_pool->go))
    nanosleep(&moment, NULL);
  work(self);
  release_own(self);
  return NULL;
}

/* ---- all ------------------------------------------------------------------------------------------------- */

static void sleep_for(uint64_t ns) {
  struct timespec left = { .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };
  while (nanosleep(&left, &left) != 0)
    continue;
}

static size_t start(worker_pool *of, worker *workers, size_t threads) {
  size_t started = 0;
  for (; started < threads; started++) {
    worker *self = &workers[started];
    *self = (worker){ .worker_pool = of, .good = true };
    self->place = started * WORKER_POOL_ROUND * 7 % (of->population->pick_count - WORKER_POOL_ROUND);
    if (pthread_create(&self->thread, NULL, run, self) != 0)
      break;
  }
  return started;
}

/* ns from the first round until all were told to stop; the rounds that end behind that are too short to count. */
static uint64_t let_work(worker_pool *of, worker *workers, size_t started, bool for_some_time) {
  while (atomic_load(&of->ready) < started)
    sleep_for(20000);
  uint64_t begin = clock_ns();
  atomic_store(&of->go, true);
  if (for_some_time)
    sleep_for(WORK_NS);
  atomic_store(&of->stop, true);
  uint64_t passed = clock_since(begin);
  for (size_t i = 0; i < started; i++)
    pthread_join(workers[i].thread, NULL);
  return passed;
}

static bool sum_up(const worker *workers, size_t threads, uint64_t passed, worker_pool_result *result_out) {
  size_t operations = 0;
  uint64_t cpu_ns = 0;
  bool good = true;
  for (size_t i = 0; i < threads; i++) {
    operations += workers[i].operations;
    cpu_ns += workers[i].cpu_ns;
    good &= workers[i].good;
  }
  if (!good)
    return false;
  *result_out =
      (worker_pool_result){ (double)cpu_ns / (double)operations, (double)operations * 1e3 / (double)passed };
  return true;
}

bool worker_pool_work(population *all, population_side side, size_t threads, size_t update_percent,
                      worker_pool_result *result_out) {
  worker_pool of = { .population = all, .side = side };
  for (size_t i = 0; i < WORKER_POOL_ROUND; i++)
    of.is_update[i] = (i + 1) * update_percent / WORKER_POOL_ROUND != i * update_percent / WORKER_POOL_ROUND;
  worker *workers = calloc(threads, sizeof *workers);
  size_t started = workers != NULL ? start(&of, workers, threads) : 0;
  uint64_t passed = started > 0 ? let_work(&of, workers, started, started == threads) : 0;
  bool good = started == threads && sum_up(workers, threads, passed, result_out);
  if (started < threads)
    fprintf(stderr, "vptr-bench: the system gives %zu threads, not %zu; try a smaller --threads\n", started, threads);
  else if (!good)
    fprintf(stderr, "vptr-bench: an allocation or a free of one of %zu threads failed\n", threads);
  free(workers);
  return good;
}
