/* SPDX-License-Identifier: MIT */
/*
 * threads - see threads.h; worker_pool.h has how a sample comes about.
 *
 * The numbers of threads are the powers of two up to the CPUs there are, and that number: more threads than that
 * measure the system's scheduler, and who wants to know says so with --threads.
 */
#include "threads.h"

#include "clock.h"
#include "worker_pool.h"
#include "device.h"
#include "plot.h"
#include "progress.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { USUAL_LIVE = 10000, THREAD_SIDES = 2 };

static const size_t update_percents[] = { 0, 1, 50 };
enum { PERCENTS = sizeof update_percents / sizeof *update_percents };

static const char *const side_names[THREAD_SIDES] = { [SIDE_VPTR] = "vptr", [SIDE_TREE] = "tree" };

static const report_column columns[] = {
  { "threads", "threads", 7, 0, REPORT_IN_ALL },
  { "updates %", "update_percent", 9, 0, REPORT_IN_ALL },
  { "vptr CPU ns", "vptr_cpu_ns", 11, 2, REPORT_IN_ALL },
  { "+-%", "vptr_cpu_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_cpu_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "vptr_cpu_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree CPU ns", "tree_cpu_ns", 11, 2, REPORT_IN_ALL },
  { "+-%", "tree_cpu_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "tree_cpu_low_ns", 0, 2, REPORT_IN_DATA },
  { "", "tree_cpu_high_ns", 0, 2, REPORT_IN_DATA },
  { "tree/vptr", "tree_cpu_per_vptr", 9, 2, REPORT_IN_ALL },
  { "vptr M/s", "vptr_mega_per_second", 8, 2, REPORT_IN_ALL },
  { "+-%", "vptr_rate_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_mega_per_second", 0, 2, REPORT_IN_DATA },
  { "", "vptr_high_mega_per_second", 0, 2, REPORT_IN_DATA },
  { "tree M/s", "tree_mega_per_second", 8, 2, REPORT_IN_ALL },
  { "+-%", "tree_rate_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "tree_low_mega_per_second", 0, 2, REPORT_IN_DATA },
  { "", "tree_high_mega_per_second", 0, 2, REPORT_IN_DATA },
  { "vptr/tree", "vptr_rate_per_tree", 9, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct threads_bench {
  const options *options;
  report report;
  plot plot;
  progress progress;
  population population;
  size_t live, most_threads, cpus;
  double *cpu_ns[THREAD_SIDES], *rate[THREAD_SIDES]; /* one each repetition */
} threads_bench;

/* ---- rows ------------------------------------------------------------------------------------------------ */

static size_t fill(report_cell *cells, const summary *of) {
  cells[0] = report_number(of->median);
  cells[1] = report_number(summary_spread_percent(of));
  cells[2] = report_number(of->low);
  cells[3] = report_number(of->high);
  return 4;
}

static void print_row(threads_bench *bench, size_t threads, size_t percent) {
  size_t repetitions = bench->options->repetitions, at = 2;
  report_cell cells[COLUMNS] = { report_number((double)threads), report_number((double)percent) };
  summary cpu[THREAD_SIDES], rate[THREAD_SIDES];
  char line[64];
  for (size_t side = 0; side < THREAD_SIDES; side++) {
    cpu[side] = summary_of(bench->cpu_ns[side], repetitions);
    rate[side] = summary_of(bench->rate[side], repetitions);
    snprintf(line, sizeof line, "%s, %zu %% updates", side_names[side], percent);
    plot_add(&bench->plot, line, (double)threads, rate[side].median);
    at += fill(&cells[at], &cpu[side]);
  }
  cells[at++] = report_number(cpu[SIDE_TREE].median / cpu[SIDE_VPTR].median);
  for (size_t side = 0; side < THREAD_SIDES; side++)
    at += fill(&cells[at], &rate[side]);
  cells[at++] = report_number(rate[SIDE_VPTR].median / rate[SIDE_TREE].median);
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static bool measure(threads_bench *bench, size_t threads, size_t percent) {
  char what[64];
  snprintf(what, sizeof what, "%zu threads, %zu %% updates", threads, percent);
  for (size_t i = 0; i < bench->options->repetitions; i++) {
    progress_step(&bench->progress, what);
    for (size_t side = 0; side < THREAD_SIDES; side++) {
      worker_pool_result result;
      if (!worker_pool_work(&bench->population, (population_side)side, threads, percent, &result))
        return false;
      bench->cpu_ns[side][i] = result.cpu_ns;
      bench->rate[side][i] = result.mega_per_s;
    }
  }
  print_row(bench, threads, percent);
  return true;
}

/* The one behind `threads`; beyond the most when that was it. */
static size_t next_number(const threads_bench *bench, size_t threads) {
  size_t most = bench->most_threads;
  return threads < most && threads * 2 > most ? most : threads * 2;
}

static bool measure_all(threads_bench *bench) {
  for (size_t i = 0; i < PERCENTS; i++) {
    if (i > 0)
      report_gap(&bench->report);
    for (size_t threads = 1; threads <= bench->most_threads; threads = next_number(bench, threads))
      if (!measure(bench, threads, update_percents[i]))
        return false;
  }
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool print_notes(threads_bench *bench) {
  char text[256];
  if (!device_describe(text, sizeof text))
    return false;
  report_note(&bench->report, "device", text);
  snprintf(text, sizeof text,
           "get_offset of %zu live allocations in random order; an update frees one and makes another", bench->live);
  report_note(&bench->report, "operations", text);
  report_note(&bench->report, "CPU ns", "of an operation's own thread; waiting for a mutex takes none");
  snprintf(text, sizeof text, "millions of operations a second, of all threads together, on %zu CPUs", bench->cpus);
  report_note(&bench->report, "M/s", text);
  report_note(&bench->report, "tree", "red-black tree and mutex: book-keeping only, it makes no buffers");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half", bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  return true;
}

static bool run_all(threads_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  if (!population_grow(&bench->population, bench->live) || !population_pick(&bench->population, ORDER_RANDOM) ||
      !print_notes(bench) || !measure_all(bench))
    return false;
  progress_wipe(&bench->progress);
  if (bench->options->threads == 0)
    report_left_out(&bench->report, "more than %zu threads: as many CPUs are there; --threads takes more",
                    bench->most_threads);
  else if (bench->most_threads > bench->cpus)
    report_left_out(&bench->report, "how more than %zu threads scale: no more CPUs are there, so they took turns",
                    bench->cpus);
  report_end(&bench->report);
  return true;
}

static size_t count_steps(const threads_bench *bench) {
  size_t numbers = 0;
  for (size_t threads = 1; threads <= bench->most_threads; threads = next_number(bench, threads))
    numbers++;
  return numbers * PERCENTS * bench->options->repetitions;
}

static bool allocate_samples(threads_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  double *memory = calloc(repetitions * THREAD_SIDES * 2, sizeof *memory);
  for (size_t side = 0; memory != NULL && side < THREAD_SIDES; side++) {
    bench->cpu_ns[side] = memory + 2 * side * repetitions;
    bench->rate[side] = memory + (2 * side + 1) * repetitions;
  }
  if (memory == NULL)
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
  return memory != NULL;
}

static bool run_with_population(threads_bench *bench) {
  if (!population_init(&bench->population, bench->live))
    return false;
  progress_begin(&bench->progress, count_steps(bench));
  bool good = run_all(bench);
  progress_wipe(&bench->progress);
  population_fini(&bench->population);
  return good;
}

bool threads_run(const options *wanted) {
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  threads_bench bench = { .options = wanted, .live = wanted->live > 0 ? wanted->live : USUAL_LIVE };
  bench.cpus = cpus > 0 ? (size_t)cpus : 1;
  bench.most_threads = wanted->threads > 0 ? wanted->threads : bench.cpus;
  if (!plot_begin(&bench.plot, wanted->plot, "get_offset by several threads at once", "threads",
                  "millions of operations a second"))
    return false;
  bool good = allocate_samples(&bench) && run_with_population(&bench);
  free(bench.cpu_ns[0]);
  if (good)
    return plot_end(&bench.plot);
  plot_abandon(&bench.plot);
  return false;
}
