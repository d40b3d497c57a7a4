/* SPDX-License-Identifier: MIT */
/*
 * lookup - see lookup.h.
 *
 * How a number comes about. A look-up sample goes over the picks in chunks, from where the sample before it stopped,
 * for at least SAMPLE_NS, and is the median of its chunks: they are shorter than the time slices of other programs, so
 * that most of them were not interrupted. One chunk beforehand, unmeasured, brings the caches to where they are in a
 * program that does this all the time. "Independent" look-ups may overlap in the processor, as they do in a loop over
 * an array of pointers; "dependent" ones may not, as when a pointer is found behind a pointer.
 *
 * An allocation sample frees a batch of random members and allocates as many of the same sizes anew, again and again,
 * with the two halves timed apart, so that the number of live allocations stays within a batch of what the row says. It
 * is the mean of its batches: now and then one makes or releases a buffer, and that belongs to the price.
 *
 * vptr and the tree take turns, sample by sample: what disturbs the machine then disturbs both. And the process has had
 * a second thread, as every process with an OpenCL driver has: the C library leaves out the atomic operations of a
 * mutex while there is only one, which would flatter the tree.
 */
#include "lookup.h"

#include "clock.h"
#include "population.h"
#include "progress.h"
#include "yardstick.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_NS = 2000000, MAX_CHUNKS = 512, MAX_BATCH = 2048, CHURN = 4096 /* frees of a sample */ };

typedef enum operation { OFFSET, OFFSET_DEPENDENT, RESOLVE, ALLOCATE, FREE, OPERATIONS } operation;

static const char *const operation_names[OPERATIONS] = {
  [OFFSET] = "get_offset, independent",
  [OFFSET_DEPENDENT] = "get_offset, dependent",
  [RESOLVE] = "resolve, independent",
  [ALLOCATE] = "malloc",
  [FREE] = "free",
};

static const report_column columns[] = {
  { "live", "live", 8, 0, REPORT_IN_ALL },
  { "operation", "operation", 23, REPORT_TEXT, REPORT_IN_ALL },
  { "vptr ns", "vptr_ns", 8, 2, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "vptr_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree ns", "tree_ns", 8, 2, REPORT_IN_ALL },
  { "+-%", "tree_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "tree_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "tree_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree/vptr", "tree_per_vptr", 9, 2, REPORT_IN_ALL },
  { "vptr/L1", "vptr_per_l1", 7, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ns of one operation, a sample each repetition. */
typedef struct samples {
  double *vptr, *tree;
} samples;

typedef struct lookup_bench {
  const options *options;
  report report;
  progress progress;
  population population;
  samples samples[OPERATIONS];
  double l1_ns;
} lookup_bench;

/* Where results go, lest the compiler leave the work out. */
static volatile size_t sink;

/* ---- the measured loops ---------------------------------------------------------------------------------- */

static size_t vptr_offsets(population *all, size_t first) {
  const void *const *picks = all->vptr_picks + first;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    sum += (size_t)vptr_get_offset(NULL, picks[i]);
  return sum;
}

static size_t tree_offsets(population *all, size_t first) {
  const void *const *picks = all->tree_picks + first;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    sum += (size_t)rbtree_get_offset(&all->tree, picks[i]);
  return sum;
}

/* No offset is negative, so the sign bit adds nothing; but the processor must have it to know the next pick. */
static size_t vptr_offsets_dependent(population *all, size_t first) {
  const void *const *picks = all->vptr_picks + first;
  size_t offset = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    offset = (size_t)vptr_get_offset(NULL, picks[i + (offset >> 63)]);
  return offset;
}

static size_t tree_offsets_dependent(population *all, size_t first) {
  const void *const *picks = all->tree_picks + first;
  size_t offset = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    offset = (size_t)rbtree_get_offset(&all->tree, picks[i + (offset >> 63)]);
  return offset;
}

static size_t vptr_resolves(population *all, size_t first) {
  const void *const *picks = all->vptr_picks + first;
  vptr_location location;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (vptr_resolve(NULL, picks[i], 1, &location) == VPTR_SUCCESS)
      sum += location.size;
  return sum;
}

static size_t tree_resolves(population *all, size_t first) {
  const void *const *picks = all->tree_picks + first;
  vptr_location location;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (rbtree_resolve(&all->tree, picks[i], &location))
      sum += location.size;
  return sum;
}

/* ---- look-up samples ------------------------------------------------------------------------------------- */

static size_t chunk_behind(const population *all, size_t first) {
  size_t next = first + POPULATION_CHUNK;
  return next < all->picks ? next : 0;
}

/* ns of one look-up; *place is where the chunk before began. */
static double sample_lookups(population *all, size_t (*chunk)(population *all, size_t first), size_t *place) {
  double chunks[MAX_CHUNKS];
  size_t count = 0;
  size_t sum = chunk(all, *place);
  for (uint64_t first = clock_ns(); count < MAX_CHUNKS && (count == 0 || clock_since(first) < SAMPLE_NS);) {
    *place = chunk_behind(all, *place);
    uint64_t begin = clock_ns();
    sum += chunk(all, *place);
    chunks[count++] = (double)clock_since(begin) / POPULATION_CHUNK;
  }
  sink = sum;
  return summary_of(chunks, count).median;
}

static void measure_lookups(lookup_bench *bench, operation of, const char *what,
                            size_t (*vptr_chunk)(population *all, size_t first),
                            size_t (*tree_chunk)(population *all, size_t first)) {
  size_t vptr_place = 0, tree_place = 0;
  for (size_t i = 0; i < bench->options->repetitions; i++) {
    progress_step(&bench->progress, what);
    bench->samples[of].vptr[i] = sample_lookups(&bench->population, vptr_chunk, &vptr_place);
    bench->samples[of].tree[i] = sample_lookups(&bench->population, tree_chunk, &tree_place);
  }
}

/* ---- allocation samples ---------------------------------------------------------------------------------- */

/* ns in all, of a number of batches. */
typedef struct churn {
  uint64_t vptr_free, vptr_allocate, tree_free, tree_allocate;
  bool failed;
} churn;

static void churn_vptr(population *all, size_t first, churn *times) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = first; i < all->count; i++)
    good &= vptr_free(NULL, all->in_vptr[i]) == VPTR_SUCCESS;
  times->vptr_free += clock_since(begin);
  begin = clock_ns();
  for (size_t i = first; i < all->count; i++)
    good &= vptr_malloc(NULL, all->sizes[i], &all->in_vptr[i]) == VPTR_SUCCESS;
  times->vptr_allocate += clock_since(begin);
  times->failed |= !good;
}

static void churn_tree(population *all, size_t first, churn *times) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = first; i < all->count; i++)
    good &= rbtree_free(&all->tree, all->in_tree[i]);
  times->tree_free += clock_since(begin);
  begin = clock_ns();
  for (size_t i = first; i < all->count; i++)
    good &= (all->in_tree[i] = rbtree_allocate(&all->tree, all->sizes[i])) != NULL;
  times->tree_allocate += clock_since(begin);
  times->failed |= !good;
}

static bool sample_churn(lookup_bench *bench, size_t repetition) {
  population *all = &bench->population;
  size_t batch = all->count / 2 < MAX_BATCH ? all->count / 2 : MAX_BATCH;
  size_t batches = CHURN / batch;
  churn times = { 0 };
  for (size_t i = 0; i < batches && !times.failed; i++) {
    population_choose_last(all, batch);
    churn_vptr(all, all->count - batch, &times);
    churn_tree(all, all->count - batch, &times);
  }
  double operations = (double)(batch * batches);
  bench->samples[FREE].vptr[repetition] = (double)times.vptr_free / operations;
  bench->samples[FREE].tree[repetition] = (double)times.tree_free / operations;
  bench->samples[ALLOCATE].vptr[repetition] = (double)times.vptr_allocate / operations;
  bench->samples[ALLOCATE].tree[repetition] = (double)times.tree_allocate / operations;
  if (times.failed)
    fprintf(stderr, "vptr-bench: an allocation or a free failed: %s\n", vptr_last_error());
  return !times.failed;
}

static bool measure_churn(lookup_bench *bench, const char *what) {
  for (size_t i = 0; i < bench->options->repetitions; i++) {
    progress_step(&bench->progress, what);
    if (!sample_churn(bench, i))
      return false;
  }
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void print_row(lookup_bench *bench, double live, const char *name, const summary *vptr, const summary *tree) {
  static const summary none = { NAN, NAN, NAN };
  const summary *other = tree != NULL ? tree : &none;
  const report_cell cells[COLUMNS] = {
    report_number(live),
    { .text = name },
    report_number(vptr->median),
    report_number(summary_spread_percent(vptr)),
    report_number(vptr->low),
    report_number(vptr->high),
    report_number(other->median),
    report_number(tree != NULL ? summary_spread_percent(tree) : NAN),
    report_number(other->low),
    report_number(other->high),
    report_number(other->median / vptr->median),
    report_number(vptr->median / bench->l1_ns),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static void print_results(lookup_bench *bench, size_t live) {
  report_gap(&bench->report);
  for (operation i = 0; i < OPERATIONS; i++) {
    summary vptr = summary_of(bench->samples[i].vptr, bench->options->repetitions);
    summary tree = summary_of(bench->samples[i].tree, bench->options->repetitions);
    print_row(bench, (double)live, operation_names[i], &vptr, &tree);
  }
}

static bool measure_at(lookup_bench *bench, size_t live) {
  char what[64];
  snprintf(what, sizeof what, "%zu live allocations", live);
  if (!population_grow(&bench->population, live) || !population_pick(&bench->population))
    return false;
  measure_lookups(bench, OFFSET, what, vptr_offsets, tree_offsets);
  measure_lookups(bench, OFFSET_DEPENDENT, what, vptr_offsets_dependent, tree_offsets_dependent);
  measure_lookups(bench, RESOLVE, what, vptr_resolves, tree_resolves);
  if (!measure_churn(bench, what))
    return false;
  print_results(bench, live);
  return true;
}

/* ---- yardsticks ------------------------------------------------------------------------------------------ */

/* One load, in the column of vptr's numbers, and no number of live allocations. */
static bool measure_yardstick(lookup_bench *bench, const char *name, size_t bytes, double *median_out) {
  yardstick stick;
  if (!yardstick_init(&stick, bytes)) {
    fprintf(stderr, "vptr-bench: the host has no %zu bytes for '%s'\n", bytes, name);
    return false;
  }
  double *results = bench->samples[0].vptr;
  for (size_t i = 0; i < bench->options->repetitions; i++)
    results[i] = yardstick_measure(&stick);
  yardstick_fini(&stick);
  summary of = summary_of(results, bench->options->repetitions);
  if (bench->l1_ns == 0)
    bench->l1_ns = of.median;
  *median_out = of.median;
  print_row(bench, NAN, name, &of, NULL);
  return true;
}

static bool measure_yardsticks(lookup_bench *bench) {
  double median;
  return measure_yardstick(bench, "one L1 hit", YARDSTICK_L1_BYTES, &median) &&
         measure_yardstick(bench, "one memory access", YARDSTICK_MEMORY_BYTES, &median);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

/* context: room for the name. */
static void keep_device_name(const char *section, const char *name, const char *value, const char *why,
                             void *context) {
  (void)why;
  if (strcmp(section, "device") == 0 && strcmp(name, "name") == 0)
    snprintf(context, 128, "%s", value);
}

static bool print_notes(lookup_bench *bench) {
  char device[128] = "", text[256];
  if (vptr_report(NULL, keep_device_name, device) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  bool fake = vptr_get_device(NULL) == NULL;
  snprintf(text, sizeof text, "%s%s", device,
           fake ? ", so allocations only, with no OpenCL behind them; --real takes the device there is" : "");
  report_note(&bench->report, "device", text);
  snprintf(text, sizeof text, "1 to %d bytes", POPULATION_MAX_SIZE);
  report_note(&bench->report, "sizes", text);
  report_note(&bench->report, "tree", "red-black tree and mutex: book-keeping only, it makes no buffers");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half", bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  return true;
}

static size_t count_levels(size_t live) {
  size_t levels = 0;
  for (size_t at = 10; at <= live; at *= 10)
    levels++;
  return levels;
}

static bool run_all(lookup_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  if (!print_notes(bench) || !measure_yardsticks(bench))
    return false;
  for (size_t live = 10; live <= bench->options->live; live *= 10)
    if (!measure_at(bench, live))
      return false;
  report_end(&bench->report);
  return true;
}

static bool allocate_samples(lookup_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  double *memory = calloc(repetitions * OPERATIONS * 2, sizeof *memory);
  for (size_t i = 0; memory != NULL && i < OPERATIONS; i++)
    bench->samples[i] = (samples){ memory + 2 * i * repetitions, memory + (2 * i + 1) * repetitions };
  return memory != NULL;
}

static void *do_nothing(void *argument) {
  return argument;
}

static bool become_multithreaded(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, do_nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

bool lookup_run(const options *wanted) {
  lookup_bench bench = { .options = wanted };
  if (!become_multithreaded() || !allocate_samples(&bench)) {
    fputs("vptr-bench: the host has no memory for a thread and the samples\n", stderr);
    return false;
  }
  bool good = population_init(&bench.population, wanted->live);
  if (good) {
    progress_begin(&bench.progress, count_levels(wanted->live) * 4 * wanted->repetitions);
    good = run_all(&bench);
    progress_wipe(&bench.progress);
    population_fini(&bench.population);
  }
  free(bench.samples[0].vptr);
  return good;
}
