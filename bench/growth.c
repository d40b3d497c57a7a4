/* SPDX-License-Identifier: MIT */
/*
 * growth - see growth.h.
 *
 * A sample is one whole round, from none to all and back, divided by their number. The first round pays for what the
 * process has never touched; with more rounds than two its figures lie outside the middle half. The array of the
 * things is written before memory is counted, and so are the samples.
 */
#include "growth.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "random.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_USES = 1000000, MOST_SAMPLES = 1001, SYNCHRONIZATIONS = 64, USED_BYTES = 64 };

static const uint64_t LONG_ENOUGH_NS = UINT64_C(4000000000);

typedef enum growth_part { MAKE, USE, END, PARTS } growth_part;

typedef struct growth_run {
  growth_kind kind;
  size_t count;
  void **things;
  uint64_t random;
  void *target; /* what streams write to */
  growth *found;
  double samples[PARTS][MOST_SAMPLES];
} growth_run;

static volatile size_t sink;

/* ---- one of them ----------------------------------------------------------------------------------------- */

static size_t size_of_next(growth_run *it) {
  if (it->kind == GROWTH_ALLOCATIONS)
    return 1 + random_below(&it->random, GROWTH_MOST_BYTES);
  return ((size_t)1 << 20) + random_below(&it->random, ((size_t)GROWTH_MOST_MIB - 1) << 20);
}

static bool make(growth_run *it, void **thing_out) {
  if (it->kind == GROWTH_STREAMS)
    return cudaStreamCreate((cudaStream_t *)thing_out) == cudaSuccess;
  return vptr_malloc(NULL, size_of_next(it), thing_out) == VPTR_SUCCESS;
}

static bool end(const growth_run *it, void *thing) {
  if (it->kind == GROWTH_STREAMS)
    return cudaStreamDestroy(thing) == cudaSuccess;
  return vptr_free(NULL, thing) == VPTR_SUCCESS;
}

static bool use(const growth_run *it, void *thing) {
  if (it->kind == GROWTH_STREAMS)
    return cudaMemsetAsync(it->target, 0, USED_BYTES, thing) == cudaSuccess;
  ptrdiff_t offset = vptr_get_offset(NULL, thing);
  sink += (size_t)offset;
  return offset == 0;
}

/* ---- a round --------------------------------------------------------------------------------------------- */

static void shuffle(growth_run *it) {
  for (size_t left = it->count; left > 1; left--) {
    size_t other = random_below(&it->random, left);
    void *kept = it->things[left - 1];
    it->things[left - 1] = it->things[other];
    it->things[other] = kept;
  }
}

static bool make_all(growth_run *it) {
  for (size_t i = 0; i < it->count; i++)
    if (!make(it, &it->things[i]))
      return false;
  return true;
}

static bool use_all(const growth_run *it, size_t uses) {
  for (size_t i = 0; i < uses; i++)
    if (!use(it, it->things[i]))
      return false;
  return it->kind != GROWTH_STREAMS || cudaDeviceSynchronize() == cudaSuccess;
}

/* Of streams only the sending counts. */
static bool time_uses(growth_run *it, double *ns_out) {
  size_t uses = it->count < MOST_USES ? it->count : MOST_USES;
  bool good = use_all(it, uses); /* brings the caches to where they are in a program that does this all the time */
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < uses && good; i++)
    good = use(it, it->things[i]);
  *ns_out = (double)clock_since(begin) / (double)uses;
  return good && (it->kind != GROWTH_STREAMS || cudaDeviceSynchronize() == cudaSuccess);
}

static bool end_all(const growth_run *it) {
  for (size_t i = 0; i < it->count; i++)
    if (!end(it, it->things[i]))
      return false;
  return true;
}

/* KiB that the process has, from the one file that counts them exactly: statm is behind by up to 64 pages a
 * thread. */
static double resident_bytes(void) {
  char line[256];
  size_t kib = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "Rss: %zu", &kib) != 1)
    continue;
  if (file != NULL)
    fclose(file);
  return kib > 0 ? (double)kib * 1024 : NAN;
}

static bool look_at_memory(growth_run *it, double resident_before) {
  vptr_stats stats = { .struct_size = sizeof stats };
  if (vptr_get_stats(NULL, &stats) != VPTR_SUCCESS)
    return false;
  it->found->host_bytes = (resident_bytes() - resident_before) / (double)it->count;
  it->found->device_ratio = it->kind == GROWTH_STREAMS ? NAN : (double)stats.buffer_bytes / (double)stats.live_bytes;
  return true;
}

static bool time_idle(growth_run *it) {
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < SYNCHRONIZATIONS; i++)
    if (cudaDeviceSynchronize() != cudaSuccess)
      return false;
  it->found->idle_ns = (double)clock_since(begin) / SYNCHRONIZATIONS;
  return true;
}

static bool run_round(growth_run *it, size_t turn, double resident_before) {
  uint64_t begin = clock_ns();
  if (!make_all(it))
    return false;
  it->samples[MAKE][turn] = (double)clock_since(begin) / (double)it->count;
  if (turn == 0 && !look_at_memory(it, resident_before))
    return false;
  shuffle(it);
  if (!time_uses(it, &it->samples[USE][turn]) || (it->kind == GROWTH_STREAMS && !time_idle(it)))
    return false;
  begin = clock_ns();
  if (!end_all(it))
    return false;
  it->samples[END][turn] = (double)clock_since(begin) / (double)it->count;
  return true;
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

/* What every process pays once is paid here. */
static bool warm_up(growth_run *it) {
  if (cudaMalloc(&it->target, USED_BYTES) != cudaSuccess)
    return false;
  if (it->kind != GROWTH_STREAMS)
    return true;
  return cudaMemset(it->target, 0, USED_BYTES) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

static bool run_rounds(growth_run *it, size_t repetitions) {
  size_t rounds = 0;
  if (!warm_up(it))
    return false;
  uint64_t begin = clock_ns();
  double before = resident_bytes();
  while (rounds < repetitions && rounds < MOST_SAMPLES && (rounds == 0 || clock_since(begin) < LONG_ENOUGH_NS))
    if (!run_round(it, rounds++, before))
      return false;
  it->found->make = summary_of(it->samples[MAKE], rounds);
  it->found->use = summary_of(it->samples[USE], rounds);
  it->found->end = summary_of(it->samples[END], rounds);
  return true;
}

void growth_measure(growth_kind kind, size_t count, size_t repetitions, growth *found_out, char *words,
                    size_t words_size) {
  growth found = { .idle_ns = NAN };
  growth_run *it = malloc(sizeof *it);
  void **things = malloc(count * sizeof *things);
  words[0] = '\0';
  if (it == NULL || things == NULL) {
    snprintf(words, words_size, "the host has no memory for %zu addresses", count);
  } else {
    *it = (growth_run){ .kind = kind, .count = count, .things = things, .random = 42, .found = &found };
    memset(things, 1, count * sizeof *things);
    if (!run_rounds(it, repetitions))
      snprintf(words, words_size, "%s", vptr_last_error());
  }
  free(things);
  free(it);
  *found_out = found;
}
