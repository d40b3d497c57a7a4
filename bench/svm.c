/* SPDX-License-Identifier: MIT */
/*
 * svm - see svm.h.
 *
 * A round goes through all that a program does with such memory, and each step of it is timed until it is done on
 * both sides. The ways take turns, and who begins changes with each repetition. One round comes before all, for
 * compilers; its first pair is kept, since no later one is like it. What kernels computed is checked, so that no
 * time is that of a kernel which saw other memory.
 *
 * vptr keeps pinned and device memory that is freed, so their first touch finds pages that are there, where the
 * others' may find none: to compare ways that a library would keep alike, look at "host overwrites".
 */
#include "svm.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "clock.h"
#include "progress.h"
#include "report.h"
#include "svm_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const size_t sizes[] = { 4096, (size_t)1 << 20, (size_t)64 << 20 };
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef enum step { FIRST_PAIR, PAIR, TOUCH, KERNEL, AGAIN, HOST, REWRITE, TURN, STEPS } step;

static const char *const step_names[STEPS] = {
  [FIRST_PAIR] = "first pair",   /* the very first allocation of that size, and its free */
  [PAIR] = "pair",               /* an allocation and its free, untouched */
  [TOUCH] = "first touch",       /* the host writes all of what was just allocated */
  [KERNEL] = "kernel",           /* reads and writes all of it */
  [AGAIN] = "kernel again",      /* the same, and the host did nothing between */
  [HOST] = "host reads",         /* all of it, after the kernel */
  [REWRITE] = "host overwrites", /* all of it: as the first touch, of pages that are there */
  [TURN] = "one number, kernel", /* the host changes one of the numbers, a kernel all of them, the host reads one */
};

static const report_column columns[] = {
  { "bytes", "bytes", 9, 0, REPORT_IN_ALL },
  { "step", "step", 18, REPORT_TEXT, REPORT_IN_ALL },
  { "memory", "memory", 16, REPORT_TEXT, REPORT_IN_ALL },
  { "us", "us", 11, 2, REPORT_IN_ALL },
  { "+-%", "spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "low_us", 0, 2, REPORT_IN_DATA },
  { "", "high_us", 0, 2, REPORT_IN_DATA },
  { "x in place", "per_in_place", 10, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char text[] = "__kernel void add(__global int4 *x) { x[get_global_id(0)] += 1; }";
enum { ITEM_BYTES = 16, GROUP = 64 };

typedef struct svm_bench {
  const options *options;
  report report;
  progress progress;
  cl_program program;
  cl_kernel kernel;
  bool has[SVM_WAYS];
  double *samples; /* us, [way][step][repetition] */
} svm_bench;

static double *samples_of(const svm_bench *bench, size_t way, size_t step) {
  return bench->samples + (way * STEPS + step) * bench->options->repetitions;
}

/* ---- the steps ------------------------------------------------------------------------------------------- */

static bool do_pair(const svm_way *way, size_t size) {
  svm_memory memory = { .size = size };
  return way->allocate(&memory) && way->free(&memory);
}

static bool do_touch(const svm_way *way, svm_memory *memory) {
  if (!way->take(memory, SVM_OVERWRITE))
    return false;
  int *host = memory->host;
  for (size_t i = 0; i < memory->size / sizeof *host; i++)
    host[i] = (int)i;
  return way->give(memory);
}

static bool do_kernel(const svm_bench *bench, const svm_way *way, const svm_memory *memory) {
  const size_t items = memory->size / ITEM_BYTES, group = GROUP;
  cl_command_queue queue = vptr_get_queue(NULL);
  if (!way->argument(bench->kernel, memory))
    return false;
  cl_int code = clEnqueueNDRangeKernel(queue, bench->kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = clFinish(queue);
  if (code != CL_SUCCESS)
    fprintf(stderr, "vptr-bench: OpenCL error %d\n", (int)code);
  return code == CL_SUCCESS;
}

/* Whether two kernels were there: the sum tells. */
static bool do_host(const svm_way *way, svm_memory *memory) {
  const size_t count = memory->size / sizeof(int);
  if (!way->take(memory, SVM_READ))
    return false;
  const int *host = memory->host;
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (uint64_t)host[i];
  return way->give(memory) && sum == (uint64_t)count * (count - 1) / 2 + 2 * (uint64_t)count;
}

/* What a library has to do that does not know which of the bytes a program touches: all are taken. */
static bool do_turn(const svm_bench *bench, const svm_way *way, svm_memory *memory) {
  if (!way->take(memory, SVM_CHANGE))
    return false;
  ((int *)memory->host)[5] = 70;
  if (!way->give(memory) || !do_kernel(bench, way, memory) || !way->take(memory, SVM_READ))
    return false;
  bool right = ((const volatile int *)memory->host)[5] == 71;
  return way->give(memory) && right;
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

static bool do_step(const svm_bench *bench, const svm_way *way, svm_memory *memory, step which) {
  switch (which) {
  case TOUCH:
  case REWRITE:
    return do_touch(way, memory);
  case KERNEL:
  case AGAIN:
    return do_kernel(bench, way, memory);
  case HOST:
    return do_host(way, memory);
  case TURN:
    return do_turn(bench, way, memory);
  default:
    return do_pair(way, memory->size);
  }
}

static bool refuse(const svm_way *way, size_t size, const char *what) {
  fprintf(stderr, "vptr-bench: %s, %zu bytes: '%s' failed, or computed nonsense; %s\n", way->name, size, what,
          vptr_last_error());
  return false;
}

/* Microseconds; NAN: it failed. */
static double time_step(const svm_bench *bench, const svm_way *way, svm_memory *memory, step which) {
  uint64_t begin = clock_ns();
  bool good = do_step(bench, way, memory, which);
  return good ? (double)clock_since(begin) / 1e3 : NAN;
}

/* The first step that is timed is `from`; us_out has STEPS numbers. */
static bool do_round(const svm_bench *bench, const svm_way *way, size_t size, step from, double *us_out) {
  svm_memory memory = { .size = size };
  for (step which = from; which < TOUCH; which++)
    if (isnan(us_out[which] = time_step(bench, way, &memory, which)))
      return refuse(way, size, step_names[which]);
  if (!way->allocate(&memory))
    return refuse(way, size, "allocate");
  bool good = true;
  for (step which = TOUCH; which < STEPS && good; which++)
    if (isnan(us_out[which] = time_step(bench, way, &memory, which)))
      good = refuse(way, size, step_names[which]);
  return way->free(&memory) && good;
}

static bool warm_up(svm_bench *bench, size_t size) {
  double us[STEPS];
  for (size_t way = 0; way < SVM_WAYS; way++) {
    if (!bench->has[way])
      continue;
    if (!do_round(bench, &svm_ways[way], size, FIRST_PAIR, us))
      return false;
    for (size_t i = 0; i < bench->options->repetitions; i++)
      samples_of(bench, way, FIRST_PAIR)[i] = us[FIRST_PAIR];
  }
  return true;
}

static bool repeat(svm_bench *bench, size_t size, size_t repetition) {
  double us[STEPS];
  for (size_t i = 0; i < SVM_WAYS; i++) {
    size_t way = (i + repetition) % SVM_WAYS;
    if (!bench->has[way])
      continue;
    progress_step(&bench->progress, svm_ways[way].name);
    if (!do_round(bench, &svm_ways[way], size, PAIR, us))
      return false;
    for (step which = PAIR; which < STEPS; which++)
      samples_of(bench, way, which)[repetition] = us[which];
  }
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void print_row(svm_bench *bench, size_t size, size_t way, step which, double in_place) {
  summary of = summary_of(samples_of(bench, way, which), bench->options->repetitions);
  const report_cell cells[COLUMNS] = {
    report_number((double)size),
    { .text = step_names[which] },
    { .text = svm_ways[way].name },
    report_number(of.median),
    report_number(summary_spread_percent(&of)),
    report_number(of.low),
    report_number(of.high),
    report_number(of.median / in_place),
  };
  report_row(&bench->report, cells);
}

static void print_size(svm_bench *bench, size_t size) {
  size_t repetitions = bench->options->repetitions;
  progress_wipe(&bench->progress);
  for (step which = FIRST_PAIR; which < STEPS; which++) {
    double in_place =
        bench->has[SVM_IN_PLACE] ? summary_of(samples_of(bench, SVM_IN_PLACE, which), repetitions).median : NAN;
    for (size_t way = 0; way < SVM_WAYS; way++)
      if (bench->has[way])
        print_row(bench, size, way, which, in_place);
    report_gap(&bench->report);
  }
}

static void print_notes(svm_bench *bench) {
  char name[256] = "", words[160];
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_NAME, sizeof name, name, NULL);
  report_note(&bench->report, "device", name);
  report_note(&bench->report, "shared virtual memory", svm_capabilities());
  for (size_t way = 0; way < SVM_WAYS; way++)
    if (!bench->has[way]) {
      snprintf(words, sizeof words, "%s: %s", svm_ways[way].name, svm_ways[way].missing());
      report_note(&bench->report, "not measured", words);
    }
}

static bool run_all(svm_bench *bench) {
  size_t repetitions = bench->options->repetitions, ways = 0;
  for (size_t way = 0; way < SVM_WAYS; way++)
    ways += bench->has[way] = svm_ways[way].missing() == NULL;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  print_notes(bench);
  progress_begin(&bench->progress, SIZES * repetitions * ways);
  bool good = true;
  for (size_t s = 0; s < SIZES && good; s++) {
    good = warm_up(bench, sizes[s]);
    for (size_t i = 0; i < repetitions && good; i++)
      good = repeat(bench, sizes[s], i);
    if (good)
      print_size(bench, sizes[s]);
  }
  progress_wipe(&bench->progress);
  report_end(&bench->report);
  return good;
}

/* ---- the beginning --------------------------------------------------------------------------------------- */

static bool make_kernel(svm_bench *bench) {
  const char *source = text;
  cl_device_id device = vptr_get_device(NULL);
  cl_int code;
  bench->program = clCreateProgramWithSource(vptr_get_context(NULL), 1, &source, NULL, &code);
  if (code == CL_SUCCESS)
    code = clBuildProgram(bench->program, 1, &device, NULL, NULL, NULL);
  if (code == CL_SUCCESS)
    bench->kernel = clCreateKernel(bench->program, "add", &code);
  if (code != CL_SUCCESS)
    fprintf(stderr, "vptr-bench: OpenCL makes no kernel: error %d\n", (int)code);
  return code == CL_SUCCESS;
}

static void clear(svm_bench *bench) {
  free(bench->samples);
  if (bench->kernel != NULL)
    clReleaseKernel(bench->kernel);
  if (bench->program != NULL)
    clReleaseProgram(bench->program);
}

bool svm_run(const options *wanted) {
  svm_bench bench = { .options = wanted };
  if (cudaFree(NULL) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  if (vptr_get_context(NULL) == NULL) {
    fputs("vptr-bench: svm compares OpenCL's memory, and the fake device has none: leave VPTR_PLATFORM unset, or "
          "name a "
          "platform by it\n",
          stderr);
    return false;
  }
  bench.samples = calloc((size_t)SVM_WAYS * STEPS * wanted->repetitions, sizeof *bench.samples);
  if (bench.samples == NULL)
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
  bool good = bench.samples != NULL && make_kernel(&bench) && run_all(&bench);
  clear(&bench);
  return good;
}
