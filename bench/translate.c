/* SPDX-License-Identifier: MIT */
/*
 * translate - see translate.h. What the built-in headers cost is in it each time, so a row of 0 lines shows that.
 */
#include "translate.h"

#include <nvrtc.h>

#include "clock.h"
#include "cuda_text.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t line_counts[] = { 0, 100, 1000, 10000 };
enum { COUNTS = sizeof line_counts / sizeof *line_counts };

static const report_column columns[] = {
  { "lines", "lines", 8, 0, REPORT_IN_ALL },
  { "ms", "ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "spread_percent", 5, 0, REPORT_IN_TABLE },
  { "", "ms_low", 0, 3, REPORT_IN_DATA },
  { "", "ms_high", 0, 3, REPORT_IN_DATA },
  { "us a line", "us_per_line", 10, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool translate_once(const char *text) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, text, "bench.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
    return false;
  nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
  size_t length;
  if (result != NVRTC_SUCCESS && nvrtcGetProgramLogSize(program, &length) == NVRTC_SUCCESS) {
    char *log = calloc(1, length + 1);
    if (log != NULL && nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
      fprintf(stderr, "vptr-bench: translating failed: %s\n", log);
    free(log);
  }
  nvrtcDestroyProgram(&program);
  return result == NVRTC_SUCCESS;
}

static bool measure(const options *wanted, report *report, size_t wanted_lines) {
  size_t lines;
  char *text = cuda_text_make(wanted_lines, &lines);
  double *samples = malloc(wanted->repetitions * sizeof *samples);
  bool good = text != NULL && samples != NULL && translate_once(text);
  for (size_t i = 0; good && i < wanted->repetitions; i++) {
    uint64_t begin = clock_ns();
    good = translate_once(text);
    samples[i] = (double)clock_since(begin) / 1e6;
  }
  if (good) {
    summary of = summary_of(samples, wanted->repetitions);
    report_cell cells[COLUMNS] = { report_number((double)lines),
                                   report_number(of.median),
                                   report_number(summary_spread_percent(&of)),
                                   report_number(of.low),
                                   report_number(of.high),
                                   report_number(lines > 0 ? of.median * 1e3 / (double)lines : (double)NAN) };
    report_row(report, cells);
  }
  free(samples);
  free(text);
  return good;
}

bool translate_run(const options *wanted) {
  report report;
  bool good = true;
  report_begin(&report, wanted->format, columns, COLUMNS);
  report_note(&report, "text", "structs, device functions, kernels with shared memory and atomics");
  for (size_t i = 0; good && i < COUNTS; i++)
    good = measure(wanted, &report, line_counts[i]);
  report_end(&report);
  return good;
}
