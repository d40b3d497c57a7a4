/* SPDX-License-Identifier: MIT */
/*
 * model - see model.h.
 *
 * A look-up (vptr_fast_resolve, which is inline) is some instructions and two loads of which the second needs the
 * first: the entry of the window, 64 bytes, and the state of the slot, 2 bytes (lib/vptr/heap/directory.h). With few
 * allocations both come from the first cache, and its time then is T. With more allocations the instructions stay the
 * same and the loads take longer:
 *
 *     T + [load over the entries] - [first cache] + [load over entries and states] - [first cache] + [the state's page]
 *
 * What a load over that many bytes takes is measured here, as is what the processor adds to find the page of one: the
 * entries lie close together, in small pages. The states lie in a stretch for each window, and stretches far apart: so
 * where windows are many and the allocations in each are few, each state's page has an entry in a page table of its
 * own, and that has to be fetched, too. The larger of the two prices counts: that of as many pages close together,
 * and that of as many pages far apart as there are windows.
 *
 * So much for chained look-ups. Of look-ups that do not wait for each other the processor has several on their way;
 * how many, is taken from what was measured with a tenth of the allocations.
 *
 * It is a model. It knows nothing of what else a program has in the caches, of other processors, or of other memory.
 */
#include "model.h"

#include <vptr/vptr_fast.h>

#include "clock.h"
#include "device.h"
#include "latency.h"
#include "plot.h"
#include "progress.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL_LIVE = 10000000, LEAST_LIVE = 100, STEP = 10, PICKS = 1 << 22 };
enum { LOOKS = 1 << 14, WARM_LOOKS = 1 << 19, SAMPLES_EACH = 4, MOST_SAMPLES = 128 };
enum { HIGHEST_BIT = sizeof(size_t) * 8 - 1 };
enum { ENTRY_BYTES = 64, STATE_BYTES = 2, MOST_BYTES = 4096 };
enum { LEAST_LOADED = 16 << 10, LEAST_SPREAD = 4 << 10, GROWS_BY = 2 };

/* Spread lines have a page each, and a table: 2 GiB. Few allocations are not worth that. */
enum { MANY_LIVE = 1000000 };
static const size_t MOST_LOADED = (size_t)512 << 20, MOST_SPREAD = (size_t)16 << 20;
static const size_t FEW_LOADED = (size_t)8 << 20, FEW_SPREAD = (size_t)512 << 10;

static const report_column columns[] = {
  { "what", "what", 30, REPORT_TEXT, REPORT_IN_ALL },
  { "live", "live", 10, 0, REPORT_IN_ALL },
  { "windows", "windows", 8, 0, REPORT_IN_ALL },
  { "KiB", "kib", 9, 0, REPORT_IN_ALL },
  { "chained ns", "chained_ns", 10, 2, REPORT_IN_ALL },
  { "model", "chained_model_ns", 7, 2, REPORT_IN_ALL },
  { "ratio", "chained_model_per_measured", 6, 2, REPORT_IN_ALL },
  { "apart ns", "apart_ns", 8, 2, REPORT_IN_ALL },
  { "model", "apart_model_ns", 7, 2, REPORT_IN_ALL },
  { "ratio", "apart_model_per_measured", 6, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Allocations, and where they lie. */
typedef struct model_case {
  double live, windows;
} model_case;

typedef struct model_bench {
  const options *options;
  report report;
  plot plot;
  progress progress;
  latency_curve curves[LATENCY_LAYOUTS];
  double base;    /* T */
  double overlap; /* look-ups on their way at once, in the row before */
  vptr_fast fast;
  void **members;
  size_t member_count;
  const void **picks;
  size_t next;
  uint64_t random;
} model_bench;

static volatile size_t sink;

/* ---- the model ------------------------------------------------------------------------------------------- */

/* What a load over that many bytes takes beyond one from the first cache. */
static double beyond_first(const model_bench *bench, latency_layout layout, double bytes) {
  const latency_curve *curve = &bench->curves[layout];
  return fmax(latency_at(curve, bytes) - curve->points[0].ns[LATENCY_CHAINED], 0);
}

/* What finding the page takes, where pages of that layout have so many bytes: what large pages would have spared. */
static double page_walk(const model_bench *bench, latency_layout layout, double bytes) {
  double spared = latency_at(&bench->curves[layout], bytes) - latency_at(&bench->curves[LATENCY_LARGE_PAGES], bytes);
  return fmax(spared, 0);
}

static double entry_bytes(const model_case *of) {
  return of->windows * ENTRY_BYTES;
}

static double state_bytes(const model_case *of) {
  return of->live * STATE_BYTES;
}

/* Beyond the windows that spread lines were measured for, fetching the entries of their pages costs what loads
 * over as many lines cost more. */
static double spread_walk(const model_bench *bench, double windows) {
  const latency_curve *curve = &bench->curves[LATENCY_SPREAD];
  double bytes = windows * ENTRY_BYTES, most = curve->points[curve->count - 1].bytes;
  double walk = page_walk(bench, LATENCY_SPREAD, fmin(bytes, most));
  if (bytes > most)
    walk += beyond_first(bench, LATENCY_LARGE_PAGES, bytes) - beyond_first(bench, LATENCY_LARGE_PAGES, most);
  return walk;
}

static double model_of(const model_bench *bench, const model_case *of) {
  double entries = entry_bytes(of), states = state_bytes(of);
  return bench->base + beyond_first(bench, LATENCY_SMALL_PAGES, entries) +
         beyond_first(bench, LATENCY_LARGE_PAGES, entries + states) +
         fmax(page_walk(bench, LATENCY_SMALL_PAGES, states), spread_walk(bench, of->windows));
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* NAN for what was not measured or is no model's. */
static void print_row(model_bench *bench, const char *what, const model_case *of, double bytes,
                      const double *measured, const double *model) {
  report_cell cells[COLUMNS] = {
    { .text = what }, report_number(of->live), report_number(of->windows), report_number(bytes / 1024)
  };
  size_t at = 4;
  for (latency_order order = 0; order < LATENCY_ORDERS; order++) {
    cells[at++] = report_number(measured[order]);
    cells[at++] = report_number(model[order]);
    cells[at++] = report_number(model[order] / measured[order]);
  }
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static const double nothing[LATENCY_ORDERS] = { NAN, NAN };

/* ---- loads ----------------------------------------------------------------------------------------------- */

static bool is_whole(const model_bench *bench) {
  return bench->options->live >= MANY_LIVE;
}

static size_t least_bytes(latency_layout layout) {
  return layout == LATENCY_SPREAD ? LEAST_SPREAD : LEAST_LOADED;
}

static size_t most_bytes(const model_bench *bench, latency_layout layout) {
  if (layout == LATENCY_SPREAD)
    return is_whole(bench) ? MOST_SPREAD : FEW_SPREAD;
  return is_whole(bench) ? MOST_LOADED : FEW_LOADED;
}

static bool measure_loads(model_bench *bench, latency_layout layout, const char *what) {
  latency_curve *curve = &bench->curves[layout];
  const model_case none = { NAN, NAN };
  for (size_t bytes = least_bytes(layout); bytes <= most_bytes(bench, layout); bytes *= GROWS_BY) {
    progress_step(&bench->progress, what);
    if (!latency_add(curve, layout, bytes, bench->options->repetitions)) {
      fprintf(stderr, "vptr-bench: the host has no memory for loads over %zu bytes\n", bytes);
      return false;
    }
    print_row(bench, what, &none, (double)bytes, curve->points[curve->count - 1].ns, nothing);
  }
  return true;
}

static bool measure_all_loads(model_bench *bench) {
  return measure_loads(bench, LATENCY_SMALL_PAGES, "load, pages of 4 KiB") &&
         measure_loads(bench, LATENCY_LARGE_PAGES, "load, pages of 2 MiB") &&
         measure_loads(bench, LATENCY_SPREAD, "load, pages far apart");
}

/* ---- look-ups -------------------------------------------------------------------------------------------- */

static bool grow(model_bench *bench, size_t live) {
  for (; bench->member_count < live; bench->member_count++)
    if (vptr_malloc(NULL, 1 + random_below(&bench->random, MOST_BYTES), &bench->members[bench->member_count]) !=
        VPTR_SUCCESS) {
      fprintf(stderr, "vptr-bench: allocation %zu failed: %s\n", bench->member_count + 1, vptr_last_error());
      return false;
    }
  for (size_t i = 0; i < PICKS; i++)
    bench->picks[i] = bench->members[random_below(&bench->random, live)];
  return true;
}

/* No size has its highest bit, so that adds nothing; but the processor must have the answer to know the next pick. */
static double time_chained(const model_bench *bench, const void *const *picks) {
  vptr_fast fast = bench->fast;
  vptr_fast_extent extent = { .size = 0 };
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < LOOKS; i++)
    if (vptr_fast_resolve(&fast, picks[i + (extent.size >> HIGHEST_BIT)], 1, &extent) != VPTR_SUCCESS)
      break;
  double passed = (double)clock_since(begin);
  sink = extent.size;
  return passed / LOOKS;
}

static double time_apart(const model_bench *bench, const void *const *picks) {
  vptr_fast fast = bench->fast;
  vptr_fast_extent extent;
  size_t sum = 0;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < LOOKS; i++)
    if (vptr_fast_resolve(&fast, picks[i], 1, &extent) == VPTR_SUCCESS)
      sum += extent.size;
  double passed = (double)clock_since(begin);
  sink = sum;
  return passed / LOOKS;
}

static double time_looks(model_bench *bench, latency_order order) {
  const void *const *picks = bench->picks + bench->next;
  bench->next = (bench->next + LOOKS) % PICKS;
  return order == LATENCY_CHAINED ? time_chained(bench, picks) : time_apart(bench, picks);
}

static void time_samples(model_bench *bench, double *ns_out) {
  double samples[LATENCY_ORDERS][MOST_SAMPLES];
  size_t wanted = bench->options->repetitions * SAMPLES_EACH, count = wanted < MOST_SAMPLES ? wanted : MOST_SAMPLES;
  for (size_t warm = 0; warm < WARM_LOOKS; warm += LOOKS)
    time_looks(bench, LATENCY_APART);
  for (size_t i = 0; i < count; i++)
    for (latency_order order = 0; order < LATENCY_ORDERS; order++)
      samples[order][i] = time_looks(bench, order);
  for (latency_order order = 0; order < LATENCY_ORDERS; order++)
    ns_out[order] = summary_of(samples[order], count).median;
}

static void print_look_ups(model_bench *bench, const char *what, const model_case *of, const double *measured) {
  static const char *const names[LATENCY_ORDERS] = { "chained", "apart" };
  double chained = model_of(bench, of);
  const double model[LATENCY_ORDERS] = { [LATENCY_CHAINED] = chained, [LATENCY_APART] = chained / bench->overlap };
  char line[64];
  for (latency_order order = 0; order < LATENCY_ORDERS; order++) {
    snprintf(line, sizeof line, "%s, measured", names[order]);
    plot_add(&bench->plot, line, of->live, measured[order]);
    snprintf(line, sizeof line, "%s, model", names[order]);
    plot_add(&bench->plot, line, of->live, model[order]);
  }
  print_row(bench, what, of, entry_bytes(of) + state_bytes(of), measured, model);
}

static bool measure_look_ups(model_bench *bench, size_t live, double *windows_out) {
  vptr_stats stats = { .struct_size = sizeof stats };
  double measured[LATENCY_ORDERS];
  progress_step(&bench->progress, "look-ups");
  if (!grow(bench, live) || vptr_get_stats(NULL, &stats) != VPTR_SUCCESS)
    return false;
  time_samples(bench, measured);
  const model_case of = { (double)live, (double)stats.buffer_count };
  if (live == LEAST_LIVE) {
    bench->base = measured[LATENCY_CHAINED];
    bench->overlap = NAN;
  }
  print_look_ups(bench, "look-up", &of, measured);
  bench->overlap = measured[LATENCY_CHAINED] / measured[LATENCY_APART];
  *windows_out = of.windows;
  return true;
}

/* As many windows for each allocation as were measured; and the addresses of a whole machine room. */
static void print_beyond(model_bench *bench, double live, double windows) {
  const model_case tenfold = { live * STEP, windows * STEP },
                   hundredfold = { tenfold.live * STEP, tenfold.windows * STEP };
  const model_case wide = { 1e9, (double)((size_t)64 << 40) / (double)((size_t)64 << 20) };
  print_look_ups(bench, "look-up, model only", &tenfold, nothing);
  print_look_ups(bench, "look-up, model only", &hundredfold, nothing);
  print_look_ups(bench, "look-up, model only, 64 TiB", &wide, nothing);
}

static bool measure_all_look_ups(model_bench *bench) {
  size_t most = bench->options->live, live = LEAST_LIVE;
  double windows = 0;
  for (; live <= most; live *= STEP)
    if (!measure_look_ups(bench, live, &windows))
      return false;
  if (is_whole(bench))
    print_beyond(bench, (double)live / STEP, windows);
  else
    report_left_out(&bench->report, "look-ups by the model alone: it needs loads over more, which --live %d brings",
                    MANY_LIVE);
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool run_all(model_bench *bench) {
  char text[256];
  if (!device_describe(text, sizeof text) || vptr_fast_open(NULL, &bench->fast) != VPTR_SUCCESS)
    return false;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "look-up", "vptr_fast_resolve(), inline, of any byte of any allocation");
  report_note(&bench->report, "model", "told from the loads, and from the first look-ups; bench/model.c says how");
  report_note(&bench->report, "chained", "each needs the answer of the one before it; apart: none does");
  report_note(&bench->report, "KiB", "that the loads go over; of look-ups: entries and states");
  report_note(&bench->report, "far apart", "one line in each page, and 64 bytes count for each");
  if (!measure_all_loads(bench))
    return false;
  report_gap(&bench->report);
  if (!measure_all_look_ups(bench))
    return false;
  report_end(&bench->report);
  return true;
}

static size_t count_steps(const model_bench *bench) {
  size_t steps = 0;
  for (latency_layout layout = 0; layout < LATENCY_LAYOUTS; layout++)
    for (size_t bytes = least_bytes(layout); bytes <= most_bytes(bench, layout); bytes *= GROWS_BY)
      steps++;
  for (size_t at = LEAST_LIVE; at <= bench->options->live; at *= STEP)
    steps++;
  return steps;
}

static bool run_with_members(model_bench *bench) {
  bench->members = calloc(bench->options->live, sizeof *bench->members);
  bench->picks = calloc(PICKS, sizeof *bench->picks);
  bool good = bench->members != NULL && bench->picks != NULL;
  if (!good)
    fputs("vptr-bench: the host has no memory for that many addresses; try a smaller --live\n", stderr);
  good = good && run_all(bench);
  progress_wipe(&bench->progress);
  for (size_t i = 0; i < bench->member_count; i++)
    vptr_free(NULL, bench->members[i]);
  free(bench->members);
  free(bench->picks);
  return good;
}

bool model_run(const options *wanted) {
  options settled = *wanted;
  model_bench bench = { .options = &settled, .fast = VPTR_FAST_INIT, .random = 42 };
  if (settled.live == 0)
    settled.live = USUAL_LIVE;
  if (settled.live < LEAST_LIVE)
    settled.live = LEAST_LIVE;
  if (!plot_begin(&bench.plot, wanted->plot, "one look-up (resolve inline), measured and by the model",
                  "live allocations", "ns"))
    return false;
  progress_begin(&bench.progress, count_steps(&bench));
  if (run_with_members(&bench))
    return plot_end(&bench.plot);
  plot_abandon(&bench.plot);
  return false;
}
