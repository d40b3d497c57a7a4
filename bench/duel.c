/* SPDX-License-Identifier: MIT */
/* duel - see duel.h. */
#include "duel.h"

#include <cuda_runtime_api.h>

#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLE_NS = 10000000, CHUNK_NS = 100000, MOST_CHUNKS = 256, MOST_CALLS = 100, WARM_CALLS = 3 };
enum { WIDTH_OF_TEXT = 32 };

static const size_t LEAST_FOR_BANDWIDTH = (size_t)1 << 20;

/* Behind the column that says what it is. */
static const report_column figures[] = {
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
enum { COLUMNS = 1 + sizeof figures / sizeof *figures };

/* ---- samples --------------------------------------------------------------------------------------------- */

/* ns of one call; NAN if one failed. */
static double time_calls(duel_call *call, duel_call *settle, void *context, size_t calls) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < calls; i++)
    good &= call(context);
  double ns = (double)clock_since(begin) / (double)calls;
  if (settle != NULL)
    good &= settle(context);
  return good ? ns : NAN;
}

static double time_bare(const duel_work *work, size_t calls) {
  return time_calls(work->bare, work->settle_bare, work->context, calls);
}

static double time_vptr(const duel_work *work, size_t calls) {
  return time_calls(work->vptr, work->settle_vptr, work->context, calls);
}

/* So that a chunk lasts about CHUNK_NS. */
static size_t calls_in_chunk(const duel_work *work) {
  double once = fmax(time_bare(work, 1), time_vptr(work, 1));
  if (once < CHUNK_NS)
    once = fmax(time_bare(work, WARM_CALLS), time_vptr(work, WARM_CALLS));
  double calls = CHUNK_NS / fmax(once, 1);
  return calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : (size_t)calls;
}

static bool sample(duel *duel, const duel_work *work, size_t repetition) {
  double bare[MOST_CHUNKS], vptr[MOST_CHUNKS];
  size_t calls = calls_in_chunk(work), count = 0;
  uint64_t begin = clock_ns();
  do {
    bool bare_first = (count + repetition) % 2 == 0;
    if (bare_first)
      bare[count] = time_bare(work, calls);
    vptr[count] = time_vptr(work, calls);
    if (!bare_first)
      bare[count] = time_bare(work, calls);
    if (isnan(bare[count]) || isnan(vptr[count])) {
      fprintf(stderr, "vptr-bench: %zu bytes, %s, failed %s\n", work->bytes, work->what,
              isnan(bare[count]) ? "in OpenCL" : vptr_last_error());
      return false;
    }
    count++;
  } while (count < MOST_CHUNKS && clock_since(begin) < SAMPLE_NS);
  duel->bare[repetition] = summary_of(bare, count).median;
  duel->vptr[repetition] = summary_of(vptr, count).median;
  duel->added[repetition] = duel->vptr[repetition] - duel->bare[repetition];
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Bytes in a nanosecond are gigabytes in a second. What is small says nothing about bandwidth. */
static report_cell bandwidth(size_t size, double ns) {
  return report_number(size >= LEAST_FOR_BANDWIDTH ? (double)size / ns : NAN);
}

static void print_row(duel *duel, const duel_work *work) {
  size_t repetitions = duel->options->repetitions;
  summary bare = summary_of(duel->bare, repetitions), vptr = summary_of(duel->vptr, repetitions);
  summary added = summary_of(duel->added, repetitions);
  const report_cell cells[COLUMNS] = {
    { .text = work->what },
    report_number((double)work->bytes),
    report_number(bare.median),
    report_number(summary_spread_percent(&bare)),
    report_number(bare.low),
    report_number(bare.high),
    report_number(vptr.median),
    report_number(summary_spread_percent(&vptr)),
    report_number(vptr.low),
    report_number(vptr.high),
    report_number(added.median),
    report_number(added.low),
    report_number(added.high),
    report_number(vptr.median / bare.median),
    bandwidth(work->bytes, bare.median),
    bandwidth(work->bytes, vptr.median),
  };
  progress_wipe(&duel->progress);
  report_row(&duel->report, cells);
}

bool duel_row(duel *duel, const duel_work *work) {
  for (size_t repetition = 0; repetition < duel->options->repetitions; repetition++) {
    progress_step(&duel->progress, work->what);
    if (!sample(duel, work, repetition))
      return false;
  }
  print_row(duel, work);
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

void duel_report(duel *duel, const char *first, size_t rows, const char *bare) {
  static report_column columns[COLUMNS];
  char text[256] = "";
  columns[0] = (report_column){ first, first, WIDTH_OF_TEXT, REPORT_TEXT, REPORT_IN_ALL };
  for (size_t i = 1; i < COLUMNS; i++)
    columns[i] = figures[i - 1];
  report_begin(&duel->report, duel->options->format, columns, COLUMNS);
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_NAME, sizeof text - 1, text, NULL);
  report_note(&duel->report, "device", text);
  report_note(&duel->report, "bare", bare);
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half; 'added' is vptr's minus bare",
           duel->options->repetitions);
  report_note(&duel->report, "figures", text);
  progress_begin(&duel->progress, rows * duel->options->repetitions);
}

cl_mem duel_buffer(const duel *duel, size_t size, const void *bytes) {
  cl_mem buffer = clCreateBuffer(duel->context, CL_MEM_READ_WRITE, size, NULL, NULL);
  if (buffer == NULL ||
      clEnqueueWriteBuffer(duel->queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL) == CL_SUCCESS)
    return buffer;
  clReleaseMemObject(buffer);
  return NULL;
}

static bool make_queue(duel *duel) {
  cl_device_id device = vptr_get_device(NULL);
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  duel->on_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  duel->context = vptr_get_context(NULL);
  if (duel->context != NULL && clRetainContext(duel->context) == CL_SUCCESS)
    duel->queue = clCreateCommandQueueWithProperties(duel->context, device, NULL, NULL);
  if (duel->queue == NULL)
    fputs("vptr-bench: OpenCL has no queue for the bare calls\n", stderr);
  return duel->queue != NULL;
}

static bool make_samples(duel *duel) {
  size_t repetitions = duel->options->repetitions;
  duel->bare = calloc(3 * repetitions, sizeof *duel->bare);
  if (duel->bare == NULL) {
    fputs("vptr-bench: the host has no memory for samples\n", stderr);
    return false;
  }
  duel->vptr = duel->bare + repetitions;
  duel->added = duel->vptr + repetitions;
  return true;
}

bool duel_begin(duel *duel, const options *wanted, const char *benchmark) {
  duel->options = wanted;
  if (cudaFree(NULL) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  if (vptr_get_device(NULL) == NULL) {
    fprintf(stderr,
            "vptr-bench: %s measures beside OpenCL's own calls, and the fake device has none: leave VPTR_PLATFORM "
            "unset, or name a platform\n",
            benchmark);
    return false;
  }
  return make_samples(duel) && make_queue(duel);
}

void duel_end(duel *duel) {
  progress_wipe(&duel->progress);
  if (duel->queue != NULL)
    clReleaseCommandQueue(duel->queue);
  if (duel->context != NULL)
    clReleaseContext(duel->context);
  free(duel->bare);
}
