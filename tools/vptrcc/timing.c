/* SPDX-License-Identifier: MIT */
/* timing - see timing.h. */
#include "timing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double cc_timing_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double cc_timing_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void cc_timing_begin(cc_timing *timing, vptr__arena *arena) {
  *timing = (cc_timing){ .arena = arena, .source = "", .begin = cc_timing_now() };
}

void cc_timing_add(cc_timing *timing, const char *phase, const char *tool, const char *output, double seconds,
                   double cpu) {
  if (timing->count == timing->capacity) {
    timing->capacity = timing->capacity * 2 + 16;
    cc_timing_step *more = vptr__arena_allocate(timing->arena, timing->capacity * sizeof *more);
    if (timing->count > 0)
      memcpy(more, timing->steps, timing->count * sizeof *more);
    timing->steps = more;
  }
  timing->steps[timing->count++] = (cc_timing_step){ timing->source, phase, tool, output, seconds, cpu };
}

static void print_table(const cc_timing *timing) {
  double all = cc_timing_now() - timing->begin, cpu = cc_timing_cpu();
  fputs("    wall       cpu\n", stderr);
  for (size_t i = 0; i < timing->count; i++) {
    const cc_timing_step *step = &timing->steps[i];
    fprintf(stderr, "%8.3f s %7.3f s  %-12s  %s%s%s\n", step->seconds, step->cpu, step->phase, step->tool,
            *step->source != 0 ? "  " : "", step->source);
    cpu += strcmp(step->tool, CC_TIMING_SELF) != 0 ? step->cpu : 0;
  }
  fprintf(stderr, "%8.3f s %7.3f s  all\n", all, cpu);
}

/* The columns are nvcc's; there is one architecture, which is nobody's. */
static void print_rows(const cc_timing *timing, FILE *file, bool has_head) {
  if (has_head)
    fputs("source file name,phase name,phase input files,phase output file,arch,tool,metric,unit\n", file);
  for (size_t i = 0; i < timing->count; i++) {
    const cc_timing_step *step = &timing->steps[i];
    fprintf(file, "%s,%s,%s,%s,,%s,%.4f,ms\n", step->source, step->phase, step->source, step->output, step->tool,
            step->seconds * 1e3);
  }
}

static bool append_rows(const cc_timing *timing, const char *path) {
  FILE *file = fopen(path, "ae");
  /* cppcheck-suppress seekOnAppendedFile ; it tells whether the file is empty */
  bool is_written = file != NULL && fseek(file, 0, SEEK_END) == 0;
  if (is_written)
    print_rows(timing, file, ftell(file) == 0);
  if (file != NULL)
    is_written = fclose(file) == 0 && is_written;
  if (!is_written)
    fprintf(stderr, "vptrcc: error: %s: %s; name a file that can be written with --time=FILE\n", path,
            strerror(errno));
  return is_written;
}

bool cc_timing_tell(const cc_timing *timing, const cc_options *options) {
  if (options->is_timed)
    print_table(timing);
  if (options->time_file == NULL)
    return true;
  if (strcmp(options->time_file, "-") != 0)
    return append_rows(timing, options->time_file);
  print_rows(timing, stdout, true);
  return true;
}
