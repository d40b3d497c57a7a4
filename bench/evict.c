/* SPDX-License-Identifier: MIT */
/*
 * evict - see evict.h.
 *
 * A sample is a turn over all arrays. The sides take turns, and who goes first alternates. Behind a turn by hand its
 * buffers are freed, so that each side has the whole device. Memory of the host was touched before.
 */
#include "evict.h"

#include <cuda_runtime_api.h>

#include "clock.h"
#include "managed.h"
#include "options.h"
#include "progress.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 32, DEVICE = 0 };
static const char default_budget[] = "256M";

typedef enum side { LEFT, BY_HAND, SIDES } side;

static const report_column columns[] = {
  { "work", "work", 26, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 12, 0, REPORT_IN_ALL },
  { "vptr ms", "oversubscribed_ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "oversubscribed_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "by hand ms", "by_hand_ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "by_hand_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "ratio", "oversubscribed_per_by_hand", 8, 3, REPORT_IN_ALL },
  { "least", "least_per_least", 8, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct evict_bench {
  const options *options;
  const managed_kernels *kernels;
  report report;
  progress progress;
  size_t size, words; /* of one array */
  unsigned *arrays[ARRAYS], *host[ARRAYS];
  unsigned *total; /* on the device */
  unsigned value;
  double *samples[SIDES]; /* ns */
} evict_bench;

/* ---- turns ---------------------------------------------------------------------------------------------- */

static bool work_on(evict_bench *bench, unsigned *x, bool writes) {
  if (writes && !bench->kernels->fill(x, bench->words, bench->value))
    return false;
  return bench->kernels->add_up(x, bench->words, bench->total);
}

static bool go_through(evict_bench *bench, bool writes) {
  bool good = true;
  for (int i = 0; i < ARRAYS && good; i++)
    good = work_on(bench, bench->arrays[i], writes);
  return good && cudaDeviceSynchronize() == cudaSuccess;
}

static bool copy_through(evict_bench *bench, unsigned *x, bool writes) {
  bool good = true;
  for (int i = 0; i < ARRAYS && good; i++) {
    good = cudaMemcpy(x, bench->host[i], bench->size, cudaMemcpyHostToDevice) == cudaSuccess &&
           work_on(bench, x, writes);
    if (good && writes)
      good = cudaMemcpy(bench->host[i], x, bench->size, cudaMemcpyDeviceToHost) == cudaSuccess;
  }
  return good && cudaDeviceSynchronize() == cudaSuccess;
}

/* Each word of each array was what was last written. */
static bool is_right(const evict_bench *bench) {
  unsigned seen = 0;
  return cudaMemcpy(&seen, bench->total, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess &&
         seen == (unsigned)(ARRAYS * bench->words) * bench->value;
}

static bool take_turn(evict_bench *bench, side of, bool writes, double *ns_out) {
  unsigned *x = NULL;
  bool good = of == LEFT || cudaMalloc((void **)&x, bench->size) == cudaSuccess;
  good = good && cudaMemset(bench->total, 0, sizeof *bench->total) == cudaSuccess &&
         cudaDeviceSynchronize() == cudaSuccess;
  uint64_t begin = clock_ns();
  good = good && (of == LEFT ? go_through(bench, writes) : copy_through(bench, x, writes));
  *ns_out = (double)clock_since(begin);
  good = good && is_right(bench);
  if (x != NULL)
    cudaFree(x);
  if (!good) {
    cudaError_t error = cudaGetLastError();
    fprintf(stderr, "vptr-bench: %s: %s\n", of == LEFT ? "arrays that leave the device" : "copies by hand",
            error != cudaSuccess ? cudaGetErrorString(error) : "the sum is not that of what was written");
  }
  return good;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static double least_of(const double *samples, size_t count) {
  double least = samples[0];
  for (size_t i = 1; i < count; i++)
    least = samples[i] < least ? samples[i] : least;
  return least;
}

static void print_row(evict_bench *bench, const char *work) {
  const size_t count = bench->options->repetitions;
  const double least = least_of(bench->samples[LEFT], count) / least_of(bench->samples[BY_HAND], count);
  summary ours = summary_of(bench->samples[LEFT], count), theirs = summary_of(bench->samples[BY_HAND], count);
  const report_cell cells[COLUMNS] = {
    { .text = work },
    report_number((double)bench->size * ARRAYS),
    report_number(ours.median / 1e6),
    report_number(summary_spread_percent(&ours)),
    report_number(theirs.median / 1e6),
    report_number(summary_spread_percent(&theirs)),
    report_number(ours.median / theirs.median),
    report_number(least),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static bool measure(evict_bench *bench, const char *work, bool writes) {
  double warm;
  bool good = take_turn(bench, LEFT, writes, &warm) && take_turn(bench, BY_HAND, writes, &warm);
  for (size_t i = 0; i < bench->options->repetitions && good; i++) {
    side first = i % 2 == 0 ? LEFT : BY_HAND, second = i % 2 == 0 ? BY_HAND : LEFT;
    progress_step(&bench->progress, work);
    good = take_turn(bench, first, writes, &bench->samples[first][i]) &&
           take_turn(bench, second, writes, &bench->samples[second][i]);
  }
  if (good)
    print_row(bench, work);
  return good;
}

/* ---- the run -------------------------------------------------------------------------------------------- */

static bool make_array(evict_bench *bench, int i) {
  bench->host[i] = malloc(bench->size);
  if (bench->host[i] == NULL || cudaMalloc((void **)&bench->arrays[i], bench->size) != cudaSuccess ||
      !bench->kernels->fill(bench->arrays[i], bench->words, bench->value))
    return false;
  for (size_t k = 0; k < bench->words; k++)
    bench->host[i][k] = bench->value;
  return true;
}

static bool make_memory(evict_bench *bench) {
  size_t free_bytes, device;
  if (cudaMemGetInfo(&free_bytes, &device) != cudaSuccess)
    return false;
  bench->size = 2 * device / ARRAYS / 4096 * 4096;
  bench->words = bench->size / sizeof(unsigned);
  bench->value = 3;
  bool good = cudaMalloc((void **)&bench->total, sizeof *bench->total) == cudaSuccess;
  for (int i = 0; i < ARRAYS && good; i++)
    good = make_array(bench, i);
  for (int i = 0; i < SIDES; i++)
    bench->samples[i] = calloc(bench->options->repetitions, sizeof *bench->samples[i]);
  if (!good)
    fprintf(stderr, "vptr-bench: memory: %s\n", cudaGetErrorString(cudaGetLastError()));
  return good && bench->samples[LEFT] != NULL && bench->samples[BY_HAND] != NULL;
}

static void free_memory(evict_bench *bench) {
  for (int i = 0; i < ARRAYS; i++) {
    cudaFree(bench->arrays[i]);
    free(bench->host[i]);
  }
  cudaFree(bench->total);
  for (int i = 0; i < SIDES; i++)
    free(bench->samples[i]);
}

static void print_notes(evict_bench *bench) {
  struct cudaDeviceProp properties;
  char text[256];
  if (cudaGetDeviceProperties(&properties, DEVICE) == cudaSuccess)
    report_note(&bench->report, "device", properties.name);
  report_note(&bench->report, "by hand", "cudaMemcpy() from and to plain memory that was touched, one buffer");
  snprintf(text, sizeof text, "%s of device memory, %d arrays of %zu bytes", getenv("VPTR_DEVICE_BYTES"), ARRAYS,
           bench->size);
  report_note(&bench->report, "budget", text);
  snprintf(text, sizeof text, "medians of %zu turns over all arrays; least: the quickest turn of each",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
}

static bool evict_measure(const options *wanted, const managed_kernels *kernels) {
  evict_bench bench = { .options = wanted, .kernels = kernels };
  bool good = make_memory(&bench);
  if (good) {
    progress_begin(&bench.progress, 2 * wanted->repetitions);
    report_begin(&bench.report, wanted->format, columns, COLUMNS);
    print_notes(&bench);
    good = measure(&bench, "kernels read", false) && measure(&bench, "kernels write and read", true);
  }
  if (good)
    report_end(&bench.report);
  free_memory(&bench);
  return good;
}

bool evict_run(const options *wanted) {
  setenv("VPTR_DEVICE_BYTES", default_budget, 0);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  return managed_with_kernels(wanted, evict_measure);
}
