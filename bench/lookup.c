/* SPDX-License-Identifier: MIT */
/*
 * lookup - see lookup.h.
 *
 * How a number comes about. A sample goes over the picks in chunks, from where the sample before it stopped, for at
 * least SAMPLE_NS, and is the median of its chunks: they are shorter than the time slices of other programs, so that
 * most of them were not interrupted. One chunk beforehand, unmeasured, brings the caches to where they are in a
 * program that does this all the time.
 *
 * The sides take turns, sample by sample: what disturbs the machine then disturbs all. And the process has had a
 * second thread, as every process with an OpenCL driver has: the C library leaves out the atomic operations of a
 * mutex while there is only one, which would flatter the tree.
 *
 * How far the numbers of live allocations go is decided on the way: what the last step took in time and memory says
 * what the next will, tenfold. A step that is too dear is left out, and so are those behind it.
 */
#include "lookup.h"

#include "clock.h"
#include "device.h"
#include "forms.h"
#include "plot.h"
#include "population.h"
#include "progress.h"
#include "yardstick.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLE_NS = 2000000, MAX_CHUNKS = 512, USUAL_LIVE = 10000000, USUAL_LEAST = 256, STEP = 10 };

static const uint64_t MOST_STEP_NS = UINT64_C(120000000000);

static const char *const order_names[ORDERS] = {
  [ORDER_RANDOM] = "random",
  [ORDER_HOT] = "hot",
  [ORDER_ZIPF] = "zipf",
};

static const char *const side_names[SIDES] = {
  [SIDE_VPTR] = "vptr",
  [SIDE_TREE] = "tree",
  [SIDE_JEMALLOC] = "sallocx",
};

static const report_column columns[] = {
  { "live", "live", 8, 0, REPORT_IN_ALL },
  { "order", "order", 6, REPORT_TEXT, REPORT_IN_ALL },
  { "operation", "operation", 23, REPORT_TEXT, REPORT_IN_ALL },
  { "vptr ns", "vptr_ns", 8, 2, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "vptr_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree ns", "tree_ns", 8, 2, REPORT_IN_ALL },
  { "+-%", "tree_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "tree_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "tree_high_ns", 0, 2, REPORT_IN_DATA },
  { "sallocx", "sallocx_ns", 7, 2, REPORT_IN_ALL },
  { "+-%", "sallocx_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "sallocx_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "sallocx_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree/vptr", "tree_per_vptr", 9, 2, REPORT_IN_ALL },
  { "", "vptr_per_sallocx", 0, 2, REPORT_IN_DATA },
  { "vptr/L1", "vptr_per_l1", 7, 2, REPORT_IN_ALL },
  { "vptr/mem", "vptr_per_memory", 8, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct lookup_bench {
  const options *options;
  report report;
  plot plot;
  progress progress;
  population population;
  double *samples[SIDES]; /* ns of one operation, one each repetition */
  double l1_ns, memory_ns;
  size_t first_resident; /* bytes before any allocation */
} lookup_bench;

/* Where results go, lest the compiler leave the work out. */
static volatile size_t sink;

/* ---- samples --------------------------------------------------------------------------------------------- */

static size_t chunk_behind(const population *all, size_t first) {
  size_t next = first + POPULATION_CHUNK;
  return next < all->pick_count ? next : 0;
}

/* ns of one look-up; *place is where the chunk before began. */
static double sample(population *all, form_chunk chunk, size_t *place) {
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

static bool has(const lookup_bench *bench, const form *of, size_t side) {
  return side < bench->population.sides && of->chunk[side] != NULL;
}

static void measure_form(lookup_bench *bench, const form *of, const char *what) {
  size_t places[SIDES] = { 0 };
  for (size_t i = 0; i < bench->options->repetitions; i++) {
    progress_step(&bench->progress, what);
    for (size_t side = 0; side < SIDES; side++)
      if (has(bench, of, side))
        bench->samples[side][i] = sample(&bench->population, of->chunk[side], &places[side]);
  }
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static const summary none = { NAN, NAN, NAN };

static size_t fill_side(report_cell *cells, const summary *of) {
  cells[0] = report_number(of->median);
  cells[1] = report_number(isnan(of->median) ? NAN : summary_spread_percent(of));
  cells[2] = report_number(of->low);
  cells[3] = report_number(of->high);
  return 4;
}

static void print_row(lookup_bench *bench, double live, const char *order, const char *name, const summary *found) {
  double vptr = found[SIDE_VPTR].median;
  report_cell cells[COLUMNS] = { report_number(live), { .text = order }, { .text = name } };
  size_t at = 3;
  for (size_t side = 0; side < SIDES; side++)
    at += fill_side(&cells[at], &found[side]);
  cells[at++] = report_number(found[SIDE_TREE].median / vptr);
  cells[at++] = report_number(vptr / found[SIDE_JEMALLOC].median);
  cells[at++] = report_number(bench->l1_ns > 0 ? vptr / bench->l1_ns : NAN);
  cells[at++] = report_number(bench->memory_ns > 0 ? vptr / bench->memory_ns : NAN);
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

/* Of the forms only the latency of get_offset is drawn: lines for all would cover each other. */
static void draw(lookup_bench *bench, size_t live, population_order order, const summary *found) {
  char line[64];
  for (size_t side = 0; side < SIDES; side++) {
    snprintf(line, sizeof line, "%s, %s", side_names[side], order_names[order]);
    plot_add(&bench->plot, line, (double)live, found[side].median);
  }
}

static void measure_and_print(lookup_bench *bench, size_t live, population_order order, size_t which) {
  char what[64];
  summary found[SIDES];
  snprintf(what, sizeof what, "%zu live allocations, %s", live, order_names[order]);
  measure_form(bench, &forms[which], what);
  for (size_t side = 0; side < SIDES; side++)
    found[side] =
        has(bench, &forms[which], side) ? summary_of(bench->samples[side], bench->options->repetitions) : none;
  print_row(bench, (double)live, order_names[order], forms[which].name, found);
  if (which == FORM_DRAWN)
    draw(bench, live, order, found);
}

static bool measure_at(lookup_bench *bench, size_t live) {
  if (!population_grow(&bench->population, live))
    return false;
  for (population_order order = 0; order < ORDERS; order++) {
    if (!population_pick(&bench->population, order))
      return false;
    report_gap(&bench->report);
    for (size_t i = 0; i < FORMS; i++)
      measure_and_print(bench, live, order, i);
  }
  return true;
}

/* ---- how far --------------------------------------------------------------------------------------------- */

/* 0 where there is no such file. */
static size_t read_number(const char *path, const char *format) {
  char line[256];
  size_t number = 0;
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, format, &number) != 1)
    continue;
  if (file != NULL)
    fclose(file);
  return number;
}

static size_t resident_bytes(void) {
  return read_number("/proc/self/statm", "%*zu %zu") * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t available_bytes(void) {
  return read_number("/proc/meminfo", "MemAvailable: %zu kB") * 1024;
}

/* Whether the step behind `live`, which took `ns`, is affordable; if not, the report says so. */
static bool can_go_on(lookup_bench *bench, size_t live, uint64_t ns) {
  size_t resident = resident_bytes(), available = available_bytes();
  size_t needed = (resident > bench->first_resident ? resident - bench->first_resident : 0) * (STEP - 1);
  if (available > 0 && needed > available / 4 * 3) {
    report_left_out(&bench->report, "%zu live allocations and more: about %zu MiB more memory, of %zu MiB there are",
                    live * STEP, needed >> 20, available >> 20);
    return false;
  }
  if (ns > MOST_STEP_NS / STEP) {
    report_left_out(&bench->report, "%zu live allocations and more: about %.0f s, and more than %.0f are not spent",
                    live * STEP, (double)ns * STEP / 1e9, (double)MOST_STEP_NS / 1e9);
    return false;
  }
  return true;
}

static bool measure_all(lookup_bench *bench) {
  size_t most = bench->options->live;
  bench->first_resident = resident_bytes();
  for (size_t live = STEP; live <= most; live *= STEP) {
    uint64_t begin = clock_ns();
    if (!measure_at(bench, live))
      return false;
    if (live * STEP <= most && !can_go_on(bench, live, clock_since(begin)))
      break;
  }
  return true;
}

/* ---- yardsticks ------------------------------------------------------------------------------------------ */

/* One load, in the column of vptr's numbers, and no number of live allocations. */
static bool measure_yardstick(lookup_bench *bench, const char *name, size_t bytes, double *median_out) {
  yardstick stick;
  summary found[SIDES] = { none, none, none };
  if (!yardstick_init(&stick, bytes)) {
    fprintf(stderr, "vptr-bench: the host has no %zu bytes for '%s'\n", bytes, name);
    return false;
  }
  for (size_t i = 0; i < bench->options->repetitions; i++)
    bench->samples[SIDE_VPTR][i] = yardstick_measure(&stick);
  yardstick_fini(&stick);
  found[SIDE_VPTR] = summary_of(bench->samples[SIDE_VPTR], bench->options->repetitions);
  *median_out = found[SIDE_VPTR].median;
  print_row(bench, NAN, "", name, found);
  return true;
}

static bool measure_yardsticks(lookup_bench *bench) {
  return measure_yardstick(bench, "one L1 hit", YARDSTICK_L1_BYTES, &bench->l1_ns) &&
         measure_yardstick(bench, "one memory access", YARDSTICK_MEMORY_BYTES, &bench->memory_ns);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool print_notes(lookup_bench *bench) {
  char text[256];
  if (!device_describe(text, sizeof text))
    return false;
  report_note(&bench->report, "device", text);
  snprintf(text, sizeof text, "%zu to %d bytes", bench->options->least, POPULATION_MAX_SIZE);
  report_note(&bench->report, "sizes", text);
  snprintf(text, sizeof text, "random: any; hot: %d neighbours in turns; zipf: the k-th in favour like 1/k",
           POPULATION_HOT);
  report_note(&bench->report, "orders", text);
  report_note(&bench->report, "tree", "red-black tree and mutex: book-keeping only, it makes no buffers");
  report_note(&bench->report, "sallocx", "jemalloc's: the size behind an allocation's first address, unchecked");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half", bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  return true;
}

static bool run_all(lookup_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  if (!print_notes(bench) || !measure_yardsticks(bench) || !measure_all(bench))
    return false;
  if (bench->population.sides <= SIDE_JEMALLOC)
    report_left_out(&bench->report, "sallocx: this build has no jemalloc");
  progress_wipe(&bench->progress);
  report_end(&bench->report);
  return true;
}

static size_t count_steps(size_t live) {
  size_t levels = 0;
  for (size_t at = STEP; at <= live; at *= STEP)
    levels++;
  return levels * ORDERS * FORMS;
}

static bool allocate_samples(lookup_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  double *memory = calloc(repetitions * SIDES, sizeof *memory);
  for (size_t i = 0; memory != NULL && i < SIDES; i++)
    bench->samples[i] = memory + i * repetitions;
  return memory != NULL;
}

static void *do_nothing(void *argument) {
  return argument;
}

static bool become_multithreaded(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, do_nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static bool run_with_population(lookup_bench *bench) {
  if (!population_init(&bench->population, bench->options->live))
    return false;
  bench->population.least = bench->options->least;
  progress_begin(&bench->progress, count_steps(bench->options->live) * bench->options->repetitions);
  bool good = run_all(bench);
  progress_wipe(&bench->progress);
  population_fini(&bench->population);
  return good;
}

bool lookup_run(const options *wanted) {
  options settled = *wanted;
  lookup_bench bench = { .options = &settled };
  if (settled.live == 0)
    settled.live = USUAL_LIVE;
  if (settled.least == 0)
    settled.least = USUAL_LEAST;
  if (!plot_begin(&bench.plot, wanted->plot, "one look-up, each waiting for the last (get_offset)",
                  "live allocations", "ns"))
    return false;
  bool good = become_multithreaded() && allocate_samples(&bench);
  if (!good)
    fputs("vptr-bench: the host has no memory for a thread and the samples\n", stderr);
  good = good && run_with_population(&bench);
  free(bench.samples[0]);
  if (good)
    return plot_end(&bench.plot);
  plot_abandon(&bench.plot);
  return false;
}
