/* SPDX-License-Identifier: MIT */
/*
 * alloc - see alloc.h.
 *
 * How a number comes about. Of pairs, the sides take turns in chunks of some 100 us; a sample is the median of its
 * chunks, for at least SAMPLE_NS. An OpenCL driver may put off the work until a buffer is first used, and vptr keeps
 * buffers that nothing lives in, so a pair is measured in three ways: alone; with a first use, which writes
 * USED_BYTES and waits for them; and the same "cold", where vptr gives everything back to OpenCL each time. The first
 * says what vptr takes, and the last how it compares with OpenCL when keeping does not help.
 */
#include "alloc.h"

#include <vptr/vptr.h>

#include "churn.h"
#include "clock.h"
#include "device.h"
#include "plot.h"
#include "progress.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_NS = 2000000, CHUNK_NS = 100000, MOST_CHUNKS = 64, MOST_CALLS = 1000, WARM_CALLS = 2 };
enum { USED_BYTES = 64, USUAL_LIVE = 1000000, LEAST_CHURN = 100, CHURN_STEP = 100 };

static const size_t sizes[] = {
  256, 4096, (size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20, (size_t)256 << 20, (size_t)1 << 30,
};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef enum alloc_side { VPTR, MALLOC, TREE, OPENCL, ALLOC_SIDES } alloc_side;
static const char *const side_names[ALLOC_SIDES] = { "vptr", "malloc", "tree", "OpenCL" };

typedef enum work { PAIR, USED, COLD, WORKS } work;
static const char *const work_names[WORKS] = { "pair", "used pair", "cold pair" };

static const report_column columns[] = {
  { "work", "work", 10, REPORT_TEXT, REPORT_IN_ALL },
  { "live", "live", 7, 0, REPORT_IN_ALL },
  { "bytes", "bytes", 10, 0, REPORT_IN_ALL },
  { "vptr ns", "vptr_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "vptr_high_ns", 0, 1, REPORT_IN_DATA },
  { "malloc ns", "malloc_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "malloc_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "malloc_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "malloc_high_ns", 0, 1, REPORT_IN_DATA },
  { "tree ns", "tree_ns", 7, 1, REPORT_IN_ALL },
  { "+-%", "tree_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "tree_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "tree_high_ns", 0, 1, REPORT_IN_DATA },
  { "OpenCL ns", "opencl_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "opencl_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "opencl_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "opencl_high_ns", 0, 1, REPORT_IN_DATA },
  { "/malloc", "vptr_per_malloc", 7, 2, REPORT_IN_ALL },
  { "/tree", "vptr_per_tree", 6, 2, REPORT_IN_ALL },
  { "/OpenCL", "vptr_per_opencl", 7, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct alloc_bench {
  const options *options;
  report report;
  plot plot;
  progress progress;
  bool fake;
  cl_context context;
  cl_command_queue queue;
  double *memory;
  double *samples[CHURN_HALVES][ALLOC_SIDES];
} alloc_bench;

/* ---- the measured pairs ---------------------------------------------------------------------------------- */

typedef bool (*pair_function)(const alloc_bench *bench, work of, size_t size);

static bool pair_vptr(const alloc_bench *bench, work of, size_t size) {
  void *ptr;
  (void)bench;
  if (vptr_malloc(NULL, size, &ptr) != VPTR_SUCCESS)
    return false;
  bool good =
      of == PAIR || (vptr_memset(NULL, ptr, 1, USED_BYTES) == VPTR_SUCCESS && vptr_finish(NULL) == VPTR_SUCCESS);
  good &= vptr_free(NULL, ptr) == VPTR_SUCCESS;
  return good && (of != COLD || vptr_trim(NULL, 0) == VPTR_SUCCESS);
}

/* Its address goes through a volatile, or the compiler would leave the pair out. */
static bool pair_malloc(const alloc_bench *bench, work of, size_t size) {
  void *volatile ptr = malloc(size);
  (void)bench;
  bool good = ptr != NULL;
  if (good && of != PAIR)
    memset(ptr, 1, USED_BYTES);
  free(ptr);
  return good;
}

static bool pair_opencl(const alloc_bench *bench, work of, size_t size) {
  static const cl_uchar one = 1;
  cl_mem buffer = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, size, NULL, NULL);
  if (buffer == NULL)
    return false;
  bool good = of == PAIR || (clEnqueueFillBuffer(bench->queue, buffer, &one, sizeof one, 0, USED_BYTES, 0, NULL,
                                                 NULL) == CL_SUCCESS &&
                             clFinish(bench->queue) == CL_SUCCESS);
  return clReleaseMemObject(buffer) == CL_SUCCESS && good;
}

/* The tree has no sizes, and so no pairs by size. */
static const pair_function pairs[ALLOC_SIDES] = {
  [VPTR] = pair_vptr, [MALLOC] = pair_malloc, [OPENCL] = pair_opencl
};

/* ---- samples of pairs ------------------------------------------------------------------------------------ */

/* ns of one pair; NAN if one failed. */
static double time_pairs(const alloc_bench *bench, alloc_side side, work of, size_t size, size_t calls) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < calls && good; i++)
    good = pairs[side](bench, of, size);
  return good ? (double)clock_since(begin) / (double)calls : NAN;
}

static bool is_measured(const alloc_bench *bench, alloc_side side) {
  return pairs[side] != NULL && (side != OPENCL || !bench->fake);
}

/* For each side as many as take CHUNK_NS. */
static bool count_calls(alloc_bench *bench, work of, size_t size, size_t *calls_out) {
  for (alloc_side side = 0; side < ALLOC_SIDES; side++) {
    if (!is_measured(bench, side))
      continue;
    time_pairs(bench, side, of, size, WARM_CALLS);
    double once = time_pairs(bench, side, of, size, WARM_CALLS);
    if (isnan(once)) {
      report_left_out(&bench->report, "%s of %zu bytes and more: %s has no memory for it", work_names[of], size,
                      side_names[side]);
      return false;
    }
    double calls = CHUNK_NS / fmax(once, 1);
    calls_out[side] = calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : (size_t)calls;
  }
  return true;
}

static bool sample(alloc_bench *bench, work of, size_t size, const size_t *calls, size_t repetition) {
  double chunks[ALLOC_SIDES][MOST_CHUNKS];
  size_t count = 0;
  uint64_t begin = clock_ns();
  do {
    for (alloc_side side = 0; side < ALLOC_SIDES; side++) {
      if (!is_measured(bench, side))
        continue;
      chunks[side][count] = time_pairs(bench, side, of, size, calls[side]);
      if (isnan(chunks[side][count])) {
        fprintf(stderr, "vptr-bench: a %s of %zu bytes failed on the side of %s: %s\n", work_names[of], size,
                side_names[side], side == VPTR ? vptr_last_error() : "no memory");
        return false;
      }
    }
    count++;
  } while (count < MOST_CHUNKS && clock_since(begin) < SAMPLE_NS);
  for (alloc_side side = 0; side < ALLOC_SIDES; side++)
    if (is_measured(bench, side))
      bench->samples[0][side][repetition] = summary_of(chunks[side], count).median;
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Of a half of a churn, or of pairs, which are the first half's. */
static summary summary_at(alloc_bench *bench, churn_half half, alloc_side side, bool is_there) {
  static const summary none = { NAN, NAN, NAN };
  return is_there ? summary_of(bench->samples[half][side], bench->options->repetitions) : none;
}

static void print_row(alloc_bench *bench, const char *name, double live, double bytes, const summary *found) {
  report_cell cells[COLUMNS] = { { .text = name }, report_number(live), report_number(bytes) };
  size_t at = 3;
  for (alloc_side side = 0; side < ALLOC_SIDES; side++) {
    cells[at++] = report_number(found[side].median);
    cells[at++] = report_number(isnan(found[side].median) ? NAN : summary_spread_percent(&found[side]));
    cells[at++] = report_number(found[side].low);
    cells[at++] = report_number(found[side].high);
  }
  for (alloc_side side = MALLOC; side < ALLOC_SIDES; side++)
    cells[at++] = report_number(found[VPTR].median / found[side].median);
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static void print_pairs(alloc_bench *bench, work of, size_t size) {
  summary found[ALLOC_SIDES];
  char line[64];
  for (alloc_side side = 0; side < ALLOC_SIDES; side++) {
    found[side] = summary_at(bench, 0, side, is_measured(bench, side));
    snprintf(line, sizeof line, "%s, %s", side_names[side], work_names[of]);
    plot_add(&bench->plot, line, (double)size, found[side].median);
  }
  print_row(bench, work_names[of], NAN, (double)size, found);
}

static bool measure_pairs(alloc_bench *bench, work of) {
  if (of > 0)
    report_gap(&bench->report);
  for (size_t i = 0; i < SIZES; i++) {
    size_t calls[ALLOC_SIDES];
    if (!count_calls(bench, of, sizes[i], calls))
      return true;
    for (size_t repetition = 0; repetition < bench->options->repetitions; repetition++) {
      progress_step(&bench->progress, work_names[of]);
      if (!sample(bench, of, sizes[i], calls, repetition))
        return false;
    }
    print_pairs(bench, of, sizes[i]);
  }
  return true;
}

static bool measure_churn(alloc_bench *bench, size_t live) {
  static const char *const half_names[CHURN_HALVES] = { [CHURN_ALLOCATE] = "malloc", [CHURN_FREE] = "free" };
  static const churn_side churn_sides[ALLOC_SIDES] = { CHURN_VPTR, CHURN_MALLOC, CHURN_TREE, CHURN_SIDES };
  churn_samples samples;
  summary found[ALLOC_SIDES];
  for (churn_half half = 0; half < CHURN_HALVES; half++)
    for (alloc_side side = VPTR; side < OPENCL; side++)
      samples.of[half][churn_sides[side]] = bench->samples[half][side];
  if (!churn_measure(live, bench->options->repetitions, &bench->progress, &samples))
    return false;
  for (churn_half half = 0; half < CHURN_HALVES; half++) {
    for (alloc_side side = 0; side < ALLOC_SIDES; side++)
      found[side] = summary_at(bench, half, side, churn_sides[side] != CHURN_SIDES);
    print_row(bench, half_names[half], (double)live, NAN, found);
  }
  return true;
}

static bool measure_churns(alloc_bench *bench) {
  report_gap(&bench->report);
  for (size_t live = LEAST_CHURN; live <= bench->options->live; live *= CHURN_STEP)
    if (!measure_churn(bench, live))
      return false;
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool print_notes(alloc_bench *bench) {
  char text[256];
  if (!device_describe(text, sizeof text))
    return false;
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "pairs",
              "of malloc and free, for OpenCL clCreateBuffer and clReleaseMemObject; once warm");
  snprintf(text, sizeof text, "and %d bytes written and waited for; cold: vptr keeps no buffer from one to the next",
           USED_BYTES);
  report_note(&bench->report, "used", text);
  report_note(&bench->report, "live", "a churn of 1 to 4096 bytes and random lifetimes; malloc and free apart");
  report_note(&bench->report, "tree", "red-black tree and mutex: book-keeping only, it makes no buffers");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half; '/' is vptr's over that",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  return true;
}

static bool run_all(alloc_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  if (!print_notes(bench))
    return false;
  bench->fake = device_is_fake();
  bench->context = vptr_get_context(NULL);
  bench->queue = vptr_get_queue(NULL);
  for (work of = 0; of < WORKS; of++)
    if (!measure_pairs(bench, of))
      return false;
  if (!measure_churns(bench))
    return false;
  progress_wipe(&bench->progress);
  if (bench->fake)
    report_left_out(&bench->report, "OpenCL buffers: the fake device has none; --real takes the device there is");
  else
    report_left_out(&bench->report,
                    "churn of OpenCL buffers: nobody makes one for each 4 KiB and less; the pairs show the price");
  report_end(&bench->report);
  return true;
}

static bool allocate_samples(alloc_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  bench->memory = calloc(repetitions * CHURN_HALVES * ALLOC_SIDES, sizeof *bench->memory);
  for (size_t half = 0; bench->memory != NULL && half < CHURN_HALVES; half++)
    for (size_t side = 0; side < ALLOC_SIDES; side++)
      bench->samples[half][side] = bench->memory + (half * ALLOC_SIDES + side) * repetitions;
  if (bench->memory == NULL)
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
  return bench->memory != NULL;
}

static size_t count_steps(size_t live) {
  size_t churns = 0;
  for (size_t at = LEAST_CHURN; at <= live; at *= CHURN_STEP)
    churns++;
  return WORKS * SIZES + churns;
}

bool alloc_run(const options *wanted) {
  options settled = *wanted;
  alloc_bench bench = { .options = &settled };
  if (settled.live == 0)
    settled.live = USUAL_LIVE;
  if (!plot_begin(&bench.plot, wanted->plot, "an allocation and its free", "bytes", "ns"))
    return false;
  progress_begin(&bench.progress, count_steps(settled.live) * settled.repetitions);
  bool good = allocate_samples(&bench) && run_all(&bench);
  progress_wipe(&bench.progress);
  free(bench.memory);
  if (good)
    return plot_end(&bench.plot);
  plot_abandon(&bench.plot);
  return false;
}
