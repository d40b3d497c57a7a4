/* SPDX-License-Identifier: MIT */
/*
 * compact - see compact.h.
 *
 * Each repetition fragments the heap anew; bytes are those of the last one, which differ little, and times medians.
 */
#include "compact.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "options.h"
#include "progress.h"
#include "random.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILLED = 64 << 20, ONE_IN = 10, MOST = 1 << 20 };

static const report_column columns[] = {
  { "sizes up to", "largest_bytes", 12, 0, REPORT_IN_ALL },
  { "live bytes", "live_bytes", 12, 0, REPORT_IN_ALL },
  { "before", "buffer_bytes_before", 12, 0, REPORT_IN_ALL },
  { "after", "buffer_bytes_after", 12, 0, REPORT_IN_ALL },
  { "live of it %", "live_percent_after", 13, 1, REPORT_IN_ALL },
  { "ms", "milliseconds", 9, 2, REPORT_IN_ALL },
  { "+-%", "spread_percent", 4, 0, REPORT_IN_TABLE },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct compact_bench {
  unsigned char **pieces;
  size_t count;
  uint64_t random;
  vptr_stats before, after;
} compact_bench;

static unsigned char byte_of(size_t i) {
  return (unsigned char)(i * 7 + 1);
}

static bool fill_heap(compact_bench *bench, size_t largest) {
  size_t bytes = 0;
  for (bench->count = 0; bytes < FILLED && bench->count < MOST; bench->count++) {
    size_t size = 1 + random_below(&bench->random, largest);
    void *ptr;
    if (vptr_malloc(NULL, size, &ptr) != VPTR_SUCCESS)
      return false;
    bench->pieces[bench->count] = ptr;
    bytes += size;
  }
  return true;
}

/* Nine in ten go; the others have a byte that tells who they are. */
static bool thin_out(const compact_bench *bench, uint64_t *random) {
  bool good = true;
  for (size_t i = 0; i < bench->count && good; i++)
    if (random_below(random, ONE_IN) != 0) {
      good = vptr_free(NULL, bench->pieces[i]) == VPTR_SUCCESS;
      bench->pieces[i] = NULL;
    } else {
      good = vptr_memset(NULL, bench->pieces[i], byte_of(i), 1) == VPTR_SUCCESS;
    }
  return good && vptr_trim(NULL, 0) == VPTR_SUCCESS;
}

static bool is_right(const compact_bench *bench) {
  bool good = true;
  for (size_t i = 0; i < bench->count && good; i++) {
    unsigned char seen = 0;
    good = bench->pieces[i] == NULL ||
           (vptr_memcpy(NULL, &seen, bench->pieces[i], 1) == VPTR_SUCCESS && seen == byte_of(i));
  }
  return good;
}

static bool take_turn(compact_bench *bench, size_t largest, double *ns_out) {
  bench->before = bench->after = (vptr_stats){ .struct_size = sizeof bench->before };
  bool good = fill_heap(bench, largest) && thin_out(bench, &bench->random) &&
              vptr_get_stats(NULL, &bench->before) == VPTR_SUCCESS;
  uint64_t begin = clock_ns();
  good = good && vptr_compact(NULL, NULL) == VPTR_SUCCESS;
  *ns_out = (double)clock_since(begin);
  good = good && vptr_get_stats(NULL, &bench->after) == VPTR_SUCCESS && is_right(bench);
  if (!good)
    fprintf(stderr, "vptr-bench: compact: %s\n", vptr_last_error());
  return vptr_clear(NULL) == VPTR_SUCCESS && vptr_trim(NULL, 0) == VPTR_SUCCESS && good;
}

static bool measure(compact_bench *bench, const options *wanted, progress *progress, report *report, size_t largest) {
  double *samples = calloc(wanted->repetitions, sizeof *samples);
  bool good = samples != NULL;
  for (size_t i = 0; i < wanted->repetitions && good; i++) {
    progress_step(progress, "compact");
    good = take_turn(bench, largest, &samples[i]);
  }
  if (good) {
    const summary time = summary_of(samples, wanted->repetitions);
    const report_cell cells[COLUMNS] = {
      report_number((double)largest),
      report_number((double)bench->after.live_bytes),
      report_number((double)bench->before.buffer_bytes),
      report_number((double)bench->after.buffer_bytes),
      report_number(100.0 * (double)bench->after.live_bytes / (double)bench->after.buffer_bytes),
      report_number(time.median / 1e6),
      report_number(summary_spread_percent(&time)),
    };
    progress_wipe(progress);
    report_row(report, cells);
  }
  free(samples);
  return good;
}

bool compact_run(const options *wanted) {
  static const size_t largest[] = { 1 << 10, 4 << 10, 32 << 10, 200 << 10 };
  enum { ROWS = sizeof largest / sizeof *largest };
  compact_bench bench = { .pieces = calloc(MOST, sizeof *bench.pieces), .random = 1 };
  progress progress;
  report report;
  bool good = bench.pieces != NULL;
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  progress_begin(&progress, ROWS * wanted->repetitions);
  report_begin(&report, wanted->format, columns, COLUMNS);
  report_note(&report, "heap", "64 MiB of allocations from 1 byte on, of which one in ten lives");
  for (size_t i = 0; i < ROWS && good; i++)
    good = measure(&bench, wanted, &progress, &report, largest[i]);
  if (good)
    report_end(&report);
  free(bench.pieces);
  return good;
}
