/* SPDX-License-Identifier: MIT */
/*
 * launch - see launch.h.
 *
 * Numbers come about as those of bench/copy.c do: chunks of both take turns, a sample is the median of its chunks, and
 * what is added is the difference of two samples of one repetition. Both queues are emptied behind each chunk, outside
 * of the time, so that nobody pays for the other's work. Arguments alternate between two sets, since vptr leaves out
 * what the kernel has already.
 */
#include "launch.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>
#include <vptr_kernel.h>

#include "clock.h"
#include "progress.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_NS = 20000000, CALLS = 50, MOST_CHUNKS = 256, MOST_POINTERS = 32, SETS = 2, BYTES = 4096, TEXT = 8192 };

static const size_t pointer_counts[] = { 0, 1, 8, MOST_POINTERS };
enum { COUNTS = sizeof pointer_counts / sizeof *pointer_counts };

typedef enum waiting { SENT, WAITED_FOR, WAITINGS } waiting;

static const char *const waiting_names[WAITINGS] = { [SENT] = "sent", [WAITED_FOR] = "waited for" };

static const report_column columns[] = {
  { "launches", "launches", 12, REPORT_TEXT, REPORT_IN_ALL },
  { "pointers", "pointers", 8, 0, REPORT_IN_ALL },
  { "bare ns", "bare_ns", 10, 0, REPORT_IN_ALL },
  { "+-%", "bare_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "vptr ns", "vptr_ns", 10, 0, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "added ns", "added_ns", 9, 0, REPORT_IN_ALL },
  { "", "added_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "added_high_ns", 0, 0, REPORT_IN_DATA },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct launch_bench {
  const options *options;
  report report;
  progress progress;
  cl_context context; /* of the bare calls, with their queue and memory */
  cl_command_queue queue;
  cl_mem buffers[SETS][MOST_POINTERS];
  void *ptrs[SETS][MOST_POINTERS];
  void *arguments[SETS][MOST_POINTERS]; /* where those are */
  cudaStream_t stream;
  size_t pointers; /* of the kernel now: */
  cl_program program;
  cl_kernel kernel;
  void *module;
  double *bare, *vptr, *added; /* ns of one call, a sample each repetition */
} launch_bench;

static const char stub;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

typedef bool (*launch_function)(const launch_bench *bench, size_t set);

static bool launch_bare(const launch_bench *bench, size_t set) {
  const size_t one[3] = { 1, 1, 1 };
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < bench->pointers; i++)
    code |= clSetKernelArg(bench->kernel, i, sizeof(cl_mem), &bench->buffers[set][i]);
  return (code | clEnqueueNDRangeKernel(bench->queue, bench->kernel, 3, NULL, one, one, 0, NULL, NULL)) == CL_SUCCESS;
}

static bool wait_bare(const launch_bench *bench) {
  return clFinish(bench->queue) == CL_SUCCESS;
}

static bool launch_vptr(const launch_bench *bench, size_t set) {
  const dim3 one = { 1, 1, 1 };
  return cudaLaunchKernel(&stub, one, one, (void **)bench->arguments[set], 0, bench->stream) == cudaSuccess;
}

static bool wait_vptr(const launch_bench *bench) {
  return cudaStreamSynchronize(bench->stream) == cudaSuccess;
}

/* ---- samples --------------------------------------------------------------------------------------------- */

/* ns of one call; NAN if one failed. */
static double time_calls(const launch_bench *bench, launch_function launch, bool (*wait)(const launch_bench *),
                         waiting how) {
  bool good = true;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < CALLS; i++) {
    good &= launch(bench, i % SETS);
    if (how == WAITED_FOR)
      good &= wait(bench);
  }
  double taken = (double)clock_since(begin);
  good &= wait(bench);
  return good ? taken / CALLS : NAN;
}

static bool sample(launch_bench *bench, waiting how, size_t repetition) {
  double bare[MOST_CHUNKS], vptr[MOST_CHUNKS];
  size_t count = 0;
  uint64_t begin = clock_ns();
  do {
    bool bare_first = (count + repetition) % 2 == 0;
    if (bare_first)
      bare[count] = time_calls(bench, launch_bare, wait_bare, how);
    vptr[count] = time_calls(bench, launch_vptr, wait_vptr, how);
    if (!bare_first)
      bare[count] = time_calls(bench, launch_bare, wait_bare, how);
    if (isnan(bare[count]) || isnan(vptr[count])) {
      fprintf(stderr, "vptr-bench: launching with %zu pointers failed %s\n", bench->pointers,
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

static void print_row(launch_bench *bench, waiting how) {
  size_t repetitions = bench->options->repetitions;
  summary bare = summary_of(bench->bare, repetitions), vptr = summary_of(bench->vptr, repetitions);
  summary added = summary_of(bench->added, repetitions);
  const report_cell cells[COLUMNS] = {
    { .text = waiting_names[how] }, report_number((double)bench->pointers),
    report_number(bare.median),     report_number(summary_spread_percent(&bare)),
    report_number(vptr.median),     report_number(summary_spread_percent(&vptr)),
    report_number(added.median),    report_number(added.low),
    report_number(added.high),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

/* An empty kernel with so many pointers, as a module; what follows its lines is OpenCL C, and so is all of it. */
static void write_text(char *text, size_t pointers) {
  strcpy(text, "//vptr-module 1\n//vptr kernel name=empty lowered=empty entry=empty\n");
  for (size_t i = 0; i < pointers; i++)
    strcat(text, "//vptr param size=8 align=8 kind=pointer\n");
  strcat(text, "#ifndef VPTR_ADDRESSES\n#define P(a) __global uchar *a\n#elif VPTR_ADDRESSES\n#define P(a) ulong a\n"
               "#else\n#define P(a) __global uchar *a, ulong a##_offset\n#endif\n__kernel void empty(");
  for (size_t i = 0; i < pointers; i++)
    sprintf(text + strlen(text), "%sP(a%zu)", i > 0 ? ", " : "", i);
  strcat(text, ") {}\n");
}

static bool make_kernels(launch_bench *bench, size_t pointers) {
  char text[TEXT];
  const char *whole = text;
  cl_device_id device = vptr_get_device(NULL);
  write_text(text, pointers);
  const vptr_cuda_kernel kernel = { &stub, "empty" };
  const vptr_cuda_module module = { sizeof module, text, strlen(text), &kernel, 1, NULL, 0 };
  bench->pointers = pointers;
  bench->program = clCreateProgramWithSource(bench->context, 1, &whole, NULL, NULL);
  if (bench->program != NULL && clBuildProgram(bench->program, 1, &device, "", NULL, NULL) == CL_SUCCESS)
    bench->kernel = clCreateKernel(bench->program, "empty", NULL);
  if (bench->kernel != NULL && vptr_cuda_register_module(&module, &bench->module) == cudaSuccess)
    return true;
  fprintf(stderr, "vptr-bench: the empty kernel cannot be built: %s\n", vptr_last_error());
  return false;
}

static void drop_kernels(launch_bench *bench) {
  vptr_cuda_unregister_module(bench->module);
  if (bench->kernel != NULL)
    clReleaseKernel(bench->kernel);
  if (bench->program != NULL)
    clReleaseProgram(bench->program);
  bench->module = NULL;
  bench->kernel = NULL;
  bench->program = NULL;
}

static bool measure(launch_bench *bench, waiting how) {
  bool good = true;
  for (size_t i = 0; i < COUNTS && good; i++) {
    good = make_kernels(bench, pointer_counts[i]) && !isnan(time_calls(bench, launch_vptr, wait_vptr, how)) &&
           !isnan(time_calls(bench, launch_bare, wait_bare, how));
    for (size_t repetition = 0; repetition < bench->options->repetitions && good; repetition++) {
      progress_step(&bench->progress, waiting_names[how]);
      good = sample(bench, how, repetition);
    }
    if (good)
      print_row(bench, how);
    drop_kernels(bench);
  }
  return good;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void print_notes(launch_bench *bench) {
  char text[256] = "";
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_NAME, sizeof text - 1, text, NULL);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "bare", "clSetKernelArg() for each pointer, and clEnqueueNDRangeKernel()");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half; 'added' is vptr's minus bare",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
}

static bool run_all(launch_bench *bench) {
  bool good = true;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  print_notes(bench);
  for (waiting how = 0; how < WAITINGS && good; how++) {
    report_gap(&bench->report);
    good = measure(bench, how);
  }
  if (good)
    report_end(&bench->report);
  return good;
}

static bool make_memory(launch_bench *bench) {
  bool good = true;
  for (size_t i = 0; i < (size_t)SETS * MOST_POINTERS && good; i++) {
    size_t set = i / MOST_POINTERS, at = i % MOST_POINTERS;
    bench->buffers[set][at] = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    bench->arguments[set][at] = &bench->ptrs[set][at];
    good = bench->buffers[set][at] != NULL && cudaMalloc(&bench->ptrs[set][at], BYTES) == cudaSuccess;
  }
  return good;
}

static bool make_queue(launch_bench *bench) {
  cl_device_id device = vptr_get_device(NULL);
  bench->context = vptr_get_context(NULL);
  if (bench->context != NULL && clRetainContext(bench->context) == CL_SUCCESS)
    bench->queue = clCreateCommandQueueWithProperties(bench->context, device, NULL, NULL);
  return bench->queue != NULL;
}

static bool prepare(launch_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  if (cudaFree(NULL) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  if (vptr_get_device(NULL) == NULL) {
    fputs("vptr-bench: launch measures beside OpenCL's own calls, and the fake device has none: leave VPTR_PLATFORM "
          "unset, or name a platform\n",
          stderr);
    return false;
  }
  bench->bare = calloc(3 * repetitions, sizeof *bench->bare);
  if (bench->bare == NULL || !make_queue(bench) || !make_memory(bench) ||
      cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: launch needs a queue, a stream and some memory: %s\n", vptr_last_error());
    return false;
  }
  bench->vptr = bench->bare + repetitions;
  bench->added = bench->vptr + repetitions;
  return true;
}

static void give_back(launch_bench *bench) {
  for (size_t i = 0; i < (size_t)SETS * MOST_POINTERS; i++) {
    cudaFree(bench->ptrs[i / MOST_POINTERS][i % MOST_POINTERS]);
    if (bench->buffers[i / MOST_POINTERS][i % MOST_POINTERS] != NULL)
      clReleaseMemObject(bench->buffers[i / MOST_POINTERS][i % MOST_POINTERS]);
  }
  if (bench->stream != NULL)
    cudaStreamDestroy(bench->stream);
  if (bench->queue != NULL)
    clReleaseCommandQueue(bench->queue);
  if (bench->context != NULL)
    clReleaseContext(bench->context);
  free(bench->bare);
}

bool launch_run(const options *wanted) {
  launch_bench bench = { .options = wanted };
  bool good = prepare(&bench);
  if (good) {
    progress_begin(&bench.progress, WAITINGS * COUNTS * wanted->repetitions);
    good = run_all(&bench);
    progress_wipe(&bench.progress);
  }
  give_back(&bench);
  return good;
}
