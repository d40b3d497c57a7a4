/* SPDX-License-Identifier: MIT */
/*
 * pinned - see pinned.h. malloc() is jemalloc's here, and so are small pinned blocks, where there is jemalloc.
 */
#include "pinned.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "clock.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NANOSECONDS_EACH = 2000000, MOST_PAIRS = 20000 };

static const report_column columns[] = {
  { "bytes", "bytes", 10, 0, REPORT_IN_ALL },  { "pair", "pair", 34, REPORT_TEXT, REPORT_IN_ALL },
  { "ns", "ns", 12, 1, REPORT_IN_ALL },        { "low", "low_ns", 12, 1, REPORT_IN_ALL },
  { "high", "high_ns", 12, 1, REPORT_IN_ALL },
};

typedef struct pinned_bench {
  const options *options;
  report report;
  double *samples; /* ns of a pair, one each repetition */
} pinned_bench;

/* Allocates, touches the first byte and frees; false on failure. */
typedef bool (*pair_function)(size_t size);

static bool pinned_pair(size_t size) {
  void *host;
  if (cudaMallocHost(&host, size) != cudaSuccess)
    return false;
  *(volatile char *)host = 1;
  return cudaFreeHost(host) == cudaSuccess;
}

static bool malloc_pair(size_t size) {
  volatile char *host = malloc(size);
  if (host == NULL)
    return false;
  *host = 1;
  free((void *)host);
  return true;
}

static bool opencl_pair(size_t size) {
  cl_command_queue queue = vptr_get_queue(NULL);
  cl_int code;
  cl_mem buffer =
      clCreateBuffer(vptr_get_context(NULL), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &code);
  if (code != CL_SUCCESS)
    return false;
  volatile char *host =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &code);
  if (code == CL_SUCCESS) {
    *host = 1;
    code = clEnqueueUnmapMemObject(queue, buffer, (void *)host, 0, NULL, NULL);
    clFinish(queue);
  }
  clReleaseMemObject(buffer);
  return code == CL_SUCCESS;
}

static double time_pairs(pair_function pair, size_t size, size_t pairs) {
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < pairs; i++)
    if (!pair(size))
      return NAN;
  return (double)clock_since(begin) / (double)pairs;
}

/* As many pairs as fit into some milliseconds, so that quick and slow ones are measured alike. */
static bool measure(pinned_bench *bench, const char *name, pair_function pair, size_t size) {
  size_t repetitions = bench->options->repetitions;
  double warm = time_pairs(pair, size, 3);
  size_t pairs = isnan(warm) ? 1 : (size_t)(NANOSECONDS_EACH / (warm + 1));
  pairs = pairs < 3 ? 3 : pairs > MOST_PAIRS ? MOST_PAIRS : pairs;
  for (size_t i = 0; i < repetitions; i++) {
    bench->samples[i] = time_pairs(pair, size, pairs);
    if (isnan(bench->samples[i])) {
      fprintf(stderr, "vptr-bench: %s of %zu bytes failed: %s\n", name, size, vptr_last_error());
      return false;
    }
  }
  summary of = summary_of(bench->samples, repetitions);
  const report_cell cells[] = {
    { NULL, (double)size }, { name, 0 }, { NULL, of.median }, { NULL, of.low }, { NULL, of.high }
  };
  report_row(&bench->report, cells);
  return true;
}

static bool run_all(pinned_bench *bench) {
  static const size_t sizes[] = { 64, 4096, 65536, 900000, (size_t)16 << 20 };
  bool fine = true;
  report_begin(&bench->report, bench->options->format, columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; fine && i < sizeof sizes / sizeof *sizes; i++) {
    if (i > 0)
      report_gap(&bench->report);
    fine = measure(bench, "cudaMallocHost + cudaFreeHost", pinned_pair, sizes[i]) &&
           measure(bench, "malloc + free", malloc_pair, sizes[i]);
    if (fine && vptr_get_context(NULL) != NULL) /* the fake device has none */
      fine = measure(bench, "OpenCL: create + map + release", opencl_pair, sizes[i]);
  }
  report_end(&bench->report);
  return fine;
}

bool pinned_run(const options *wanted) {
  pinned_bench bench = { .options = wanted };
  if (cudaFree(NULL) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  bench.samples = calloc(wanted->repetitions, sizeof *bench.samples);
  if (bench.samples == NULL) {
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
    return false;
  }
  bool fine = run_all(&bench);
  free(bench.samples);
  return fine;
}
