/* SPDX-License-Identifier: MIT */
/*
 * copy - see copy.h.
 *
 * How a number comes about. The bare call and vptr's take turns in chunks of some 100 us, so that what disturbs the
 * machine disturbs both, and so does a driver that is quicker when it has just been asked. A sample is the median of
 * its chunks; what vptr adds is the difference of two samples of the same repetition. Who goes first alternates.
 *
 * The bare queue has no properties: there is none that is quicker. It is in vptr's own context, since a device that has to
 * change contexts takes 140 us for it.
 */
#include "copy.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "clock.h"
#include "progress.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_NS = 10000000, CHUNK_NS = 100000, MOST_CHUNKS = 256, MOST_CALLS = 100, WARM_CALLS = 3 };

static const size_t sizes[] = { 4, 64, 1024, 4096, 16384, 65536, 1 << 20, 8 << 20, 64 << 20, 256 << 20, 1 << 30 };
enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_OF_CPU = SIZES - 2 /* whose copies are memcpy() by then */ };
static const size_t LEAST_FOR_BANDWIDTH = (size_t)1 << 20;

typedef enum direction { TO_DEVICE, FROM_DEVICE, ON_DEVICE, DIRECTIONS } direction;

static const char *const direction_names[DIRECTIONS] = {
  [TO_DEVICE] = "host to device",
  [FROM_DEVICE] = "device to host",
  [ON_DEVICE] = "device to device",
};

static const report_column columns[] = {
  { "direction", "direction", 16, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 10, 0, REPORT_IN_ALL },
  { "bare ns", "bare_ns", 10, 0, REPORT_IN_ALL },
  { "+-%", "bare_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "bare_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "bare_high_ns", 0, 0, REPORT_IN_DATA },
  { "vptr ns", "vptr_ns", 10, 0, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "vptr_high_ns", 0, 0, REPORT_IN_DATA },
  { "added ns", "added_ns", 9, 0, REPORT_IN_ALL },
  { "", "added_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "added_high_ns", 0, 0, REPORT_IN_DATA },
  { "vptr/bare", "vptr_per_bare", 9, 3, REPORT_IN_ALL },
  { "bare GB/s", "bare_gigabytes_per_second", 9, 2, REPORT_IN_ALL },
  { "vptr GB/s", "vptr_gigabytes_per_second", 9, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct copy_bench {
  const options *options;
  report report;
  progress progress;
  size_t sizes, largest; /* how many of the sizes, and the last of them */
  char *host;
  void *ptr[2];       /* vptr's memory */
  cl_context context; /* of the bare calls, with their queue and memory */
  cl_command_queue queue;
  cl_mem buffer[2];
  double *bare, *vptr, *added; /* ns of one call, a sample each repetition */
} copy_bench;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

typedef bool (*copy_function)(const copy_bench *bench, direction way, size_t size);

static bool copy_bare(const copy_bench *bench, direction way, size_t size) {
  switch (way) {
  case TO_DEVICE:
    return clEnqueueWriteBuffer(bench->queue, bench->buffer[0], CL_TRUE, 0, size, bench->host, 0, NULL, NULL) ==
           CL_SUCCESS;
  case FROM_DEVICE:
    return clEnqueueReadBuffer(bench->queue, bench->buffer[0], CL_TRUE, 0, size, bench->host, 0, NULL, NULL) ==
           CL_SUCCESS;
  case ON_DEVICE:
    return clEnqueueCopyBuffer(bench->queue, bench->buffer[0], bench->buffer[1], 0, 0, size, 0, NULL, NULL) ==
               CL_SUCCESS &&
           clFinish(bench->queue) == CL_SUCCESS;
  case DIRECTIONS:
    break;
  }
  return false;
}

static bool copy_vptr(const copy_bench *bench, direction way, size_t size) {
  switch (way) {
  case TO_DEVICE:
    return cudaMemcpy(bench->ptr[0], bench->host, size, cudaMemcpyHostToDevice) == cudaSuccess;
  case FROM_DEVICE:
    return cudaMemcpy(bench->host, bench->ptr[0], size, cudaMemcpyDeviceToHost) == cudaSuccess;
  case ON_DEVICE:
    return cudaMemcpy(bench->ptr[1], bench->ptr[0], size, cudaMemcpyDeviceToDevice) == cudaSuccess &&
           cudaStreamSynchronize(NULL) == cudaSuccess;
  case DIRECTIONS:
    break;
  }
  return false;
}

/* ---- samples --------------------------------------------------------------------------------------------- */

/* ns of one call; NAN if one failed. */
static double time_calls(const copy_bench *bench, copy_function copy, direction way, size_t size, size_t calls) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < calls; i++)
    good &= copy(bench, way, size);
  return good ? (double)clock_since(begin) / (double)calls : NAN;
}

/* So that a chunk lasts about CHUNK_NS. */
static size_t calls_in_chunk(const copy_bench *bench, direction way, size_t size) {
  double once = time_calls(bench, copy_bare, way, size, WARM_CALLS);
  once = fmax(once, time_calls(bench, copy_vptr, way, size, WARM_CALLS));
  double calls = CHUNK_NS / fmax(once, 1);
  return calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : (size_t)calls;
}

static bool sample(copy_bench *bench, direction way, size_t size, size_t repetition) {
  double bare[MOST_CHUNKS], vptr[MOST_CHUNKS];
  size_t calls = calls_in_chunk(bench, way, size), count = 0;
  uint64_t begin = clock_ns();
  do {
    bool bare_first = (count + repetition) % 2 == 0;
    if (bare_first)
      bare[count] = time_calls(bench, copy_bare, way, size, calls);
    vptr[count] = time_calls(bench, copy_vptr, way, size, calls);
    if (!bare_first)
      bare[count] = time_calls(bench, copy_bare, way, size, calls);
    if (isnan(bare[count]) || isnan(vptr[count])) {
      fprintf(stderr, "vptr-bench: copying %zu bytes, %s, failed %s\n", size, direction_names[way],
              isnan(bare[count]) ? "in OpenCL" : vptr_last_error());
      return false;
    }
    count++;
  } while (count < MOST_CHUNKS && clock_since(begin) < SAMPLE_NS);
  bench->bare[repetition] = summary_of(bare, count).median;
  bench->vptr[repetition] = summary_of(vptr, count).median;
  bench->added[repetition] = bench->vptr[repetition] - bench->bare[repetition];
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Bytes in a nanosecond are gigabytes in a second. What is small says nothing about bandwidth. */
static report_cell bandwidth(size_t size, double ns) {
  return report_number(size >= LEAST_FOR_BANDWIDTH ? (double)size / ns : NAN);
}

static void print_row(copy_bench *bench, direction way, size_t size) {
  size_t repetitions = bench->options->repetitions;
  summary bare = summary_of(bench->bare, repetitions), vptr = summary_of(bench->vptr, repetitions);
  summary added = summary_of(bench->added, repetitions);
  const report_cell cells[COLUMNS] = {
    { .text = direction_names[way] }, report_number((double)size),
    report_number(bare.median),       report_number(summary_spread_percent(&bare)),
    report_number(bare.low),          report_number(bare.high),
    report_number(vptr.median),       report_number(summary_spread_percent(&vptr)),
    report_number(vptr.low),          report_number(vptr.high),
    report_number(added.median),      report_number(added.low),
    report_number(added.high),        report_number(vptr.median / bare.median),
    bandwidth(size, bare.median),     bandwidth(size, vptr.median),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static bool measure(copy_bench *bench, direction way) {
  for (size_t i = 0; i < bench->sizes; i++) {
    for (size_t repetition = 0; repetition < bench->options->repetitions; repetition++) {
      progress_step(&bench->progress, direction_names[way]);
      if (!sample(bench, way, sizes[i], repetition))
        return false;
    }
    print_row(bench, way, sizes[i]);
  }
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void print_notes(copy_bench *bench) {
  char text[256] = "";
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_NAME, sizeof text - 1, text, NULL);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "bare", "blocking calls of OpenCL, on a queue without properties");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half; 'added' is vptr's minus bare",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
}

static bool run_all(copy_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  print_notes(bench);
  for (direction way = 0; way < DIRECTIONS; way++) {
    report_gap(&bench->report);
    if (!measure(bench, way))
      return false;
  }
  report_end(&bench->report);
  return true;
}

/* Buffers that nobody wrote to are slow the first time. */
static bool make_buffer(copy_bench *bench, cl_mem *buffer_out) {
  *buffer_out = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, bench->largest, NULL, NULL);
  return *buffer_out != NULL && clEnqueueWriteBuffer(bench->queue, *buffer_out, CL_TRUE, 0, bench->largest,
                                                     bench->host, 0, NULL, NULL) == CL_SUCCESS;
}

static bool make_memory(copy_bench *bench, void **ptr_out) {
  return cudaMalloc(ptr_out, bench->largest) == cudaSuccess &&
         cudaMemcpy(*ptr_out, bench->host, bench->largest, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool make_samples(copy_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  bench->host = calloc(1, bench->largest);
  bench->bare = calloc(3 * repetitions, sizeof *bench->bare);
  if (bench->host == NULL || bench->bare == NULL) {
    fputs("vptr-bench: the host has no memory for copies and samples\n", stderr);
    return false;
  }
  memset(bench->host, 1, bench->largest); /* pages that nobody wrote to are all one, in the caches */
  bench->vptr = bench->bare + repetitions;
  bench->added = bench->vptr + repetitions;
  return true;
}

static bool make_queue(copy_bench *bench) {
  cl_device_id device = vptr_get_device(NULL);
  bench->context = vptr_get_context(NULL);
  if (bench->context != NULL && clRetainContext(bench->context) == CL_SUCCESS)
    bench->queue = clCreateCommandQueueWithProperties(bench->context, device, NULL, NULL);
  return bench->queue != NULL;
}

static void choose_sizes(copy_bench *bench) {
  cl_device_type type = 0;
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_TYPE, sizeof type, &type, NULL);
  bench->sizes = (type & CL_DEVICE_TYPE_CPU) != 0 ? SIZES_OF_CPU : SIZES;
  bench->largest = sizes[bench->sizes - 1];
}

static bool prepare(copy_bench *bench) {
  if (cudaFree(NULL) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  if (vptr_get_device(NULL) == NULL) {
    fputs("vptr-bench: copy measures beside OpenCL's own calls, and the fake device has none: leave VPTR_PLATFORM "
          "unset, or name a platform\n",
          stderr);
    return false;
  }
  choose_sizes(bench);
  if (!make_samples(bench))
    return false;
  bool good = make_queue(bench);
  for (int i = 0; i < 2 && good; i++)
    good = make_buffer(bench, &bench->buffer[i]) && make_memory(bench, &bench->ptr[i]);
  if (!good)
    fprintf(stderr, "vptr-bench: copy needs 4 pieces of device memory, %zu bytes each: %s\n", bench->largest,
            vptr_last_error());
  return good;
}

static void give_back(copy_bench *bench) {
  for (int i = 0; i < 2; i++) {
    cudaFree(bench->ptr[i]);
    if (bench->buffer[i] != NULL)
      clReleaseMemObject(bench->buffer[i]);
  }
  if (bench->queue != NULL)
    clReleaseCommandQueue(bench->queue);
  if (bench->context != NULL)
    clReleaseContext(bench->context);
  free(bench->bare);
  free(bench->host);
}

bool copy_run(const options *wanted) {
  copy_bench bench = { .options = wanted };
  bool good = prepare(&bench);
  if (good) {
    progress_begin(&bench.progress, DIRECTIONS * bench.sizes * wanted->repetitions);
    good = run_all(&bench);
    progress_wipe(&bench.progress);
  }
  give_back(&bench);
  return good;
}
