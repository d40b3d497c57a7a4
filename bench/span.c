/* SPDX-License-Identifier: MIT */
/*
 * span - see span.h.
 *
 * A sample is one kernel over all words, from the launch until it is waited for. The sides take turns, and who goes
 * first alternates. Memory was touched before.
 */
#include "span.h"

#include <vptr/vptr.h>
#include <vptr_kernel.h>

#include "clock.h"
#include "options.h"
#include "progress.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#define BUFFER_MIB 64
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(x) TEXT(x)

enum { BUFFERS = 3, THREADS = 256, BLOCKS = 1024, KERNELS = 3 };

static const size_t size = (size_t)BUFFERS * BUFFER_MIB << 20, words = ((size_t)BUFFERS * BUFFER_MIB << 20) / 4;

static const char text[] = TEXT(
    extern "C" __global__ void put(unsigned *x, size_t count, unsigned value, unsigned *total) {
      size_t all = (size_t)gridDim.x * blockDim.x;
      for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all)
        x[i] = value;
      if (blockIdx.x == 0 && threadIdx.x == 0)
        *total = (unsigned)count * value;
    } extern "C" __global__ void add_up(unsigned *x, size_t count, unsigned value, unsigned *total) {
      size_t all = (size_t)gridDim.x * blockDim.x;
      unsigned sum = 0;
      for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all)
        sum += x[i];
      atomicAdd(total, sum);
    } extern "C" __global__ void jump(unsigned *x, size_t count, unsigned value, unsigned *total) {
      size_t all = (size_t)gridDim.x * blockDim.x;
      unsigned sum = 0;
      for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count / 16; i += all)
        sum += x[(unsigned)i * 2654435761u % (unsigned)count];
      atomicAdd(total, sum * 16);
    });

static const char stubs[KERNELS];

typedef enum side { SEVERAL, ONE, SIDES } side;

static const report_column columns[] = {
  { "kernel", "kernel", 22, REPORT_TEXT, REPORT_IN_ALL },
  { "three ms", "three_buffers_ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "three_buffers_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "one ms", "one_buffer_ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "one_buffer_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "ratio", "three_per_one", 8, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct span_bench {
  const options *options;
  report report;
  progress progress;
  void *memory[SIDES];
  unsigned *total;
  unsigned value;
  double *samples[SIDES]; /* ns */
} span_bench;

static bool take_turn(span_bench *bench, side of, int kernel, double *ns_out) {
  const dim3 blocks = { BLOCKS, 1, 1 }, threads = { THREADS, 1, 1 };
  unsigned seen = 0;
  size_t count = words;
  bool good =
      cudaMemset(bench->total, 0, sizeof *bench->total) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  uint64_t begin = clock_ns();
  good = good && VPTR_CUDA_LAUNCH(&stubs[kernel], blocks, threads, 0, NULL, &bench->memory[of], &count, &bench->value,
                                  &bench->total) == cudaSuccess;
  good = good && cudaDeviceSynchronize() == cudaSuccess;
  *ns_out = (double)clock_since(begin);
  good = good && cudaMemcpy(&seen, bench->total, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess;
  if (good && seen == (unsigned)count * bench->value)
    return true;
  fprintf(stderr, "vptr-bench: %s: %s\n", of == SEVERAL ? "three buffers" : "one buffer",
          good ? "the sum is not that of what was written" : cudaGetErrorString(cudaGetLastError()));
  return false;
}

static void print_row(span_bench *bench, const char *name) {
  const size_t count = bench->options->repetitions;
  summary several = summary_of(bench->samples[SEVERAL], count), one = summary_of(bench->samples[ONE], count);
  const report_cell cells[COLUMNS] = {
    { .text = name },
    report_number(several.median / 1e6),
    report_number(summary_spread_percent(&several)),
    report_number(one.median / 1e6),
    report_number(summary_spread_percent(&one)),
    report_number(several.median / one.median),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static bool measure(span_bench *bench, const char *name, int kernel) {
  double warm;
  bool good = take_turn(bench, SEVERAL, kernel, &warm) && take_turn(bench, ONE, kernel, &warm);
  for (size_t i = 0; i < bench->options->repetitions && good; i++) {
    side first = i % 2 == 0 ? SEVERAL : ONE, second = i % 2 == 0 ? ONE : SEVERAL;
    progress_step(&bench->progress, name);
    good = take_turn(bench, first, kernel, &bench->samples[first][i]) &&
           take_turn(bench, second, kernel, &bench->samples[second][i]);
  }
  if (good)
    print_row(bench, name);
  return good;
}

/* ---- the run -------------------------------------------------------------------------------------------- */

/* In the way that vptr makes its own. */
static bool attach_one(span_bench *bench, cl_mem *buffer_out) {
  cl_int code = CL_INVALID_CONTEXT;
  cl_context context = vptr_get_context(NULL);
  if (context != NULL)
    *buffer_out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &code);
  if (code == CL_SUCCESS)
    return vptr_attach(NULL, *buffer_out, &bench->memory[ONE]) == VPTR_SUCCESS;
  fprintf(stderr, "vptr-bench: one buffer of %zu bytes: OpenCL error %d\n", size, code);
  return false;
}

static bool make_memory(span_bench *bench, cl_mem *buffer_out) {
  size_t parts = 0;
  bench->value = 3;
  bool good = vptr_malloc(NULL, size, &bench->memory[SEVERAL]) == VPTR_SUCCESS &&
              vptr_get_parts(NULL, bench->memory[SEVERAL], size, NULL, 0, &parts) == VPTR_SUCCESS &&
              cudaMalloc((void **)&bench->total, sizeof *bench->total) == cudaSuccess &&
              attach_one(bench, buffer_out);
  for (int i = 0; i < SIDES; i++)
    bench->samples[i] = calloc(bench->options->repetitions, sizeof *bench->samples[i]);
  good = good && bench->samples[SEVERAL] != NULL && bench->samples[ONE] != NULL;
  if (good && parts == BUFFERS)
    return true;
  fprintf(stderr, "vptr-bench: memory of %zu bytes in %d buffers (%zu): %s\n", size, BUFFERS, parts,
          vptr_last_error());
  return false;
}

static void free_memory(span_bench *bench, cl_mem buffer) {
  vptr_free(NULL, bench->memory[SEVERAL]);
  vptr_free(NULL, bench->memory[ONE]);
  cudaFree(bench->total);
  if (buffer != NULL)
    clReleaseMemObject(buffer);
  for (int i = 0; i < SIDES; i++)
    free(bench->samples[i]);
}

static bool measure_all(const options *wanted) {
  span_bench bench = { .options = wanted };
  struct cudaDeviceProp properties;
  char note[128];
  cl_mem buffer = NULL;
  bool good = make_memory(&bench, &buffer);
  if (good) {
    progress_begin(&bench.progress, KERNELS * wanted->repetitions);
    report_begin(&bench.report, wanted->format, columns, COLUMNS);
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
      report_note(&bench.report, "device", properties.name);
    snprintf(note, sizeof note, "%zu bytes, in %d buffers and in one; medians of %zu kernels", size, BUFFERS,
             wanted->repetitions);
    report_note(&bench.report, "figures", note);
    good = measure(&bench, "writes all, in order", 0) && measure(&bench, "reads all, in order", 1) &&
           measure(&bench, "reads at random", 2);
  }
  if (good)
    report_end(&bench.report);
  free_memory(&bench, buffer);
  return good;
}

bool span_run(const options *wanted) {
  const vptr_cuda_kernel kernels[] = { { &stubs[0], "put" }, { &stubs[1], "add_up" }, { &stubs[2], "jump" } };
  const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, KERNELS, NULL, 0 };
  void *handle = NULL;
  setenv("VPTR_BUFFER_BYTES", TEXT_OF(BUFFER_MIB) "M", 1);
  if (vptr_cuda_register_module(&module, &handle) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: the kernels cannot be built: %s\n", vptr_last_error());
    return false;
  }
  bool good = measure_all(wanted);
  vptr_cuda_unregister_module(handle);
  return good;
}
