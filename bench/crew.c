/* SPDX-License-Identifier: MIT */
/*
 * crew - see crew.h.
 *
 * A thread goes over the picks from a place of its own, in rounds of CREW_ROUND operations, of which the updates are
 * spread evenly, and asks after each whether to stop. Its own allocations are made beforehand and freed afterwards,
 * which counts for nothing. The clocks run from the first round on: a thread that still sleeps has used no CPU time.
 *
 * Locks: none. `go` and `stop` are atomic; a worker's figures are read after it was joined.
 */
#include "crew.h"

#include "clock.h"
#include "random.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORK_NS = 10000000, OWN_SIZE = 256 };

typedef struct crew {
  population *population;
  population_side side;
  bool is_update[CREW_ROUND];
  atomic_size_t ready;
  atomic_bool go, stop;
} crew;

typedef struct worker {
  pthread_t thread;
  crew *crew;
  void *own[CREW_OWN];
  size_t oldest;
  size_t place; /* of the next pick */
  size_t operations;
  uint64_t cpu_ns;
  size_t sum; /* where results go, lest the compiler leave the work out */
  bool good;
} worker;

/* ---- operations ------------------------------------------------------------------------------------------ */

static void *allocate(const crew *of) {
  void *ptr = NULL;
  if (of->side == SIDE_TREE)
    return rbtree_allocate(&of->population->tree, OWN_SIZE);
  return vptr_malloc(NULL, OWN_SIZE, &ptr) == VPTR_SUCCESS ? ptr : NULL;
}

static bool release(const crew *of, void *ptr) {
  return of->side == SIDE_TREE ? rbtree_free(&of->population->tree, ptr) : vptr_free(NULL, ptr) == VPTR_SUCCESS;
}

static void update(worker *self) {
  void **oldest = &self->own[self->oldest];
  self->oldest = (self->oldest + 1) % CREW_OWN;
  self->good &= release(self->crew, *oldest);
  *oldest = allocate(self->crew);
  self->good &= *oldest != NULL;
}

/* The side is asked for outside the loop, which would else measure the question as well. */
static void round_of_vptr(worker *self) {
  const crew *of = self->crew;
  const void *const *picks = of->population->picks[SIDE_VPTR] + self->place;
  for (size_t i = 0; i < CREW_ROUND; i++)
    if (of->is_update[i])
      update(self);
    else
      self->sum += (size_t)vptr_get_offset(NULL, picks[i]);
}

static void round_of_tree(worker *self) {
  const crew *of = self->crew;
  const void *const *picks = of->population->picks[SIDE_TREE] + self->place;
  for (size_t i = 0; i < CREW_ROUND; i++)
    if (of->is_update[i])
      update(self);
    else
      self->sum += (size_t)rbtree_get_offset(&of->population->tree, picks[i]);
}

/* ---- a thread -------------------------------------------------------------------------------------------- */

static void make_own(worker *self) {
  for (size_t i = 0; i < CREW_OWN; i++)
    self->good &= (self->own[i] = allocate(self->crew)) != NULL;
}

static void release_own(worker *self) {
  for (size_t i = 0; i < CREW_OWN; i++)
    if (self->own[i] != NULL)
      self->good &= release(self->crew, self->own[i]);
}

/* One round at least: a thread that the system let wait for all of the time has measured something all the same. */
static void work(worker *self) {
  crew *of = self->crew;
  uint64_t begin = clock_cpu_ns();
  do {
    if (of->side == SIDE_TREE)
      round_of_tree(self);
    else
      round_of_vptr(self);
    self->operations += CREW_ROUND;
    self->place += CREW_ROUND;
    if (self->place + CREW_ROUND > of->population->pick_count)
      self->place = 0;
  } while (self->good && !atomic_load_explicit(&of->stop, memory_order_relaxed));
  self->cpu_ns = clock_cpu_ns() - begin;
}

static void *run(void *argument) {
  worker *self = argument;
  const struct timespec moment = { .tv_nsec = 20000 };
  make_own(self);
  atomic_fetch_add(&self->crew->ready, 1);
  while (!atomic_load(&self->crew->go))
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

static size_t start(crew *of, worker *workers, size_t threads) {
  size_t started = 0;
  for (; started < threads; started++) {
    worker *self = &workers[started];
    *self = (worker){ .crew = of, .good = true };
    self->place = started * CREW_ROUND * 7 % (of->population->pick_count - CREW_ROUND);
    if (pthread_create(&self->thread, NULL, run, self) != 0)
      break;
  }
  return started;
}

/* ns from the first round until all were told to stop; the rounds that end behind that are too short to count. */
static uint64_t let_work(crew *of, worker *workers, size_t started, bool for_some_time) {
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

static bool sum_up(const worker *workers, size_t threads, uint64_t passed, crew_result *result_out) {
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
  *result_out = (crew_result){ (double)cpu_ns / (double)operations, (double)operations * 1e3 / (double)passed };
  return true;
}

bool crew_work(population *all, population_side side, size_t threads, size_t update_percent,
               crew_result *result_out) {
  crew of = { .population = all, .side = side };
  for (size_t i = 0; i < CREW_ROUND; i++)
    of.is_update[i] = (i + 1) * update_percent / CREW_ROUND != i * update_percent / CREW_ROUND;
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
