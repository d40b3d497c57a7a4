/* SPDX-License-Identifier: MIT */
/*
 * launch - see launch.h.
 *
 * Numbers come about as those of bench/copy.c do: chunks of both take turns, a sample is the median of its chunks, and
 * what is added is the difference of two samples of one repetition, the ratio their quotient. Both queues are emptied
 * behind each chunk, outside of the time, so that nobody pays for the other's work.
 *
 * A launch may wake threads of the driver's. Where those share the CPUs with the thread that launches, time passes in
 * it that neither side used; so the CPU time of the calling thread stands beside.
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

enum {
  SAMPLE_NS = 20000000,
  CALLS = 50,
  MOST_CHUNKS = 256,
  MOST_POINTERS = 32,
  SETS = 2,
  TEXT = 8192,
  COPY_BYTES = 64 << 20
};

/* Memory that shares a buffer with other, and memory that does not. */
enum { SMALL, LARGE, SIZES };
static const size_t bytes_of[SIZES] = { [SMALL] = 4096, [LARGE] = 1 << 20 };

static const size_t pointer_counts[] = { 0, 1, 8, MOST_POINTERS };
enum { COUNTS = sizeof pointer_counts / sizeof *pointer_counts };

static const report_column columns[] = {
  { "calls", "calls", 26, REPORT_TEXT, REPORT_IN_ALL },
  { "pointers", "pointers", 8, 0, REPORT_IN_ALL },
  { "bare ns", "bare_ns", 9, 0, REPORT_IN_ALL },
  { "+-%", "bare_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "vptr ns", "vptr_ns", 9, 0, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "added ns", "added_ns", 8, 0, REPORT_IN_ALL },
  { "", "added_low_ns", 0, 0, REPORT_IN_DATA },
  { "", "added_high_ns", 0, 0, REPORT_IN_DATA },
  { "vptr/bare", "vptr_per_bare", 9, 3, REPORT_IN_ALL },
  { "bare CPU ns", "bare_cpu_ns", 11, 0, REPORT_IN_ALL },
  { "vptr CPU ns", "vptr_cpu_ns", 11, 0, REPORT_IN_ALL },
  { "CPU vptr/bare", "vptr_cpu_per_bare", 13, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef enum side { BARE, VPTR, SIDES } side;

/* What is kept of each side, a sample each repetition; and of both together. */
enum { TIME, CPU, FIGURES };
enum { ADDED = SIDES * FIGURES, PER_BARE, CPU_PER_BARE, SAMPLES };

typedef struct launch_bench {
  const options *options;
  report report;
  progress progress;
  cl_context context; /* of the bare calls, with their queue and memory */
  cl_command_queue queue;
  cl_mem buffers[SIZES][SETS][MOST_POINTERS];
  void *ptrs[SIZES][SETS][MOST_POINTERS];
  void *arguments[SIZES][SETS][MOST_POINTERS]; /* where those are */
  cudaStream_t stream;
  size_t pointers; /* of the kernel now: */
  cl_program program;
  cl_kernel kernel, resolved; /* for either side to set arguments of */
  void *module;
  double *samples[SAMPLES]; /* ns of one call, ratios; each [repetition] */
} launch_bench;

static const char stub;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

typedef bool call(const launch_bench *bench, int size, size_t set);

static bool set_bare(const launch_bench *bench, int size, size_t set) {
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < bench->pointers; i++)
    code |= clSetKernelArg(bench->kernel, i, sizeof(cl_mem), &bench->buffers[size][set][i]);
  return code == CL_SUCCESS;
}

static bool launch_bare(const launch_bench *bench, int size, size_t set) {
  const size_t one[3] = { 1, 1, 1 };
  return set_bare(bench, size, set) &&
         clEnqueueNDRangeKernel(bench->queue, bench->kernel, 3, NULL, one, one, 0, NULL, NULL) == CL_SUCCESS;
}

static bool wait_bare(const launch_bench *bench) {
  return clFinish(bench->queue) == CL_SUCCESS;
}

static bool run_bare(const launch_bench *bench, int size, size_t set) {
  return launch_bare(bench, size, set) && wait_bare(bench);
}

static bool set_vptr(const launch_bench *bench, int size, size_t set) {
  bool good = true;
  for (cl_uint i = 0; i < bench->pointers; i++)
    good &= vptr_set_kernel_arg(NULL, bench->resolved, i, bench->ptrs[size][set][i]) == VPTR_SUCCESS;
  return good;
}

static bool set_together(const launch_bench *bench, int size, size_t set) {
  return vptr_set_kernel_args(NULL, bench->resolved, 0, (const void *const *)bench->ptrs[size][set],
                              (cl_uint)bench->pointers) == VPTR_SUCCESS;
}

static bool launch_vptr(const launch_bench *bench, int size, size_t set) {
  const dim3 one = { 1, 1, 1 };
  return cudaLaunchKernel(&stub, one, one, (void **)bench->arguments[size][set], 0, bench->stream) == cudaSuccess;
}

static bool wait_vptr(const launch_bench *bench) {
  return cudaStreamSynchronize(bench->stream) == cudaSuccess;
}

static bool run_vptr(const launch_bench *bench, int size, size_t set) {
  return launch_vptr(bench, size, set) && wait_vptr(bench);
}

typedef struct work {
  const char *name;
  call *calls[SIDES];
  int size;
  size_t sets; /* of pointers, by turns */
} work;

/* The last ones come behind a large copy of pageable memory, whose threads and queues stay. */
static const work works[] = {
  { "each argument, others", { set_bare, set_vptr }, SMALL, SETS },
  { "arguments, same", { set_bare, set_together }, SMALL, 1 },
  { "arguments, others", { set_bare, set_together }, SMALL, SETS },
  { "arguments, others, large", { set_bare, set_together }, LARGE, SETS },
  { "sent, same", { launch_bare, launch_vptr }, SMALL, 1 },
  { "sent, others", { launch_bare, launch_vptr }, SMALL, SETS },
  { "sent, others, large", { launch_bare, launch_vptr }, LARGE, SETS },
  { "waited for, others", { run_bare, run_vptr }, SMALL, SETS },
  { "after a large copy: sent", { launch_bare, launch_vptr }, SMALL, SETS },
};
enum { WORKS = sizeof works / sizeof *works, AFTER_COPY = WORKS - 1 };

/* ---- samples --------------------------------------------------------------------------------------------- */

/* What one call took, in ns. */
typedef struct reading {
  double of[FIGURES];
} reading;

static bool wait_for(const launch_bench *bench, side which) {
  return which == BARE ? wait_bare(bench) : wait_vptr(bench);
}

static bool time_calls(const launch_bench *bench, const work *work, side which, reading *reading_out) {
  bool good = true;
  uint64_t cpu = clock_cpu_ns();
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < CALLS; i++)
    good &= work->calls[which](bench, work->size, i % work->sets);
  reading_out->of[TIME] = (double)clock_since(begin) / CALLS;
  reading_out->of[CPU] = (double)(clock_cpu_ns() - cpu) / CALLS;
  if (good && wait_for(bench, which))
    return true;
  fprintf(stderr, "vptr-bench: '%s' with %zu pointers failed %s\n", work->name, bench->pointers,
          which == BARE ? "in OpenCL" : vptr_last_error());
  return false;
}

typedef struct chunks {
  double of[SIDES][FIGURES][MOST_CHUNKS];
  size_t count;
} chunks;

/* One of each side. */
static bool time_chunk(const launch_bench *bench, const work *work, side first, chunks *chunks) {
  for (int i = 0; i < SIDES; i++) {
    side which = (side)((first + i) % SIDES);
    reading taken;
    if (!time_calls(bench, work, which, &taken))
      return false;
    for (int figure = 0; figure < FIGURES; figure++)
      chunks->of[which][figure][chunks->count] = taken.of[figure];
  }
  chunks->count++;
  return true;
}

static double *samples_of(const launch_bench *bench, side which, int figure) {
  return bench->samples[which * FIGURES + figure];
}

static bool sample(const launch_bench *bench, const work *work, size_t repetition) {
  chunks chunks = { .count = 0 };
  uint64_t begin = clock_ns();
  do {
    if (!time_chunk(bench, work, (chunks.count + repetition) % 2 == 0 ? BARE : VPTR, &chunks))
      return false;
  } while (chunks.count < MOST_CHUNKS && clock_since(begin) < SAMPLE_NS);
  double median[SIDES][FIGURES];
  for (side which = 0; which < SIDES; which++)
    for (int figure = 0; figure < FIGURES; figure++) {
      median[which][figure] = summary_of(chunks.of[which][figure], chunks.count).median;
      samples_of(bench, which, figure)[repetition] = median[which][figure];
    }
  bench->samples[ADDED][repetition] = median[VPTR][TIME] - median[BARE][TIME];
  bench->samples[PER_BARE][repetition] = median[VPTR][TIME] / median[BARE][TIME];
  bench->samples[CPU_PER_BARE][repetition] = median[VPTR][CPU] / median[BARE][CPU];
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void print_row(launch_bench *bench, const work *work) {
  size_t repetitions = bench->options->repetitions;
  summary of[SAMPLES];
  for (int i = 0; i < SAMPLES; i++)
    of[i] = summary_of(bench->samples[i], repetitions);
  const summary *bare = &of[BARE * FIGURES], *vptr = &of[VPTR * FIGURES], *added = &of[ADDED];
  const report_cell cells[COLUMNS] = {
    { .text = work->name },
    report_number((double)bench->pointers),
    report_number(bare[TIME].median),
    report_number(summary_spread_percent(&bare[TIME])),
    report_number(vptr[TIME].median),
    report_number(summary_spread_percent(&vptr[TIME])),
    report_number(added->median),
    report_number(added->low),
    report_number(added->high),
    report_number(of[PER_BARE].median),
    report_number(bare[CPU].median),
    report_number(vptr[CPU].median),
    report_number(of[CPU_PER_BARE].median),
  };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

/* An empty kernel with so many pointers, as a module; what follows its lines is OpenCL C, and so is all of it. */
static void write_text(char *text, size_t pointers) {
  sprintf(text, "//vptr-module 1\n//vptr kernel name=empty lowered=empty entry=empty packed=%d\n", pointers > 1);
  for (size_t i = 0; i < pointers; i++)
    strcat(text, "//vptr param size=8 align=8 kind=pointer\n");
  sprintf(
      text + strlen(text),
      "#if VPTR_PACKED && %zu > 1\nstruct all { ulong a[%zu]; };\n__kernel void empty(struct all all) {}\n#else\n",
      pointers, pointers);
  strcat(text, "#ifndef VPTR_ADDRESSES\n#define P(a) __global uchar *a\n#elif VPTR_ADDRESSES\n#define P(a) ulong a\n"
               "#else\n#define P(a) __global uchar *a, ulong a##_offset\n#endif\n__kernel void empty(");
  for (size_t i = 0; i < pointers; i++)
    sprintf(text + strlen(text), "%sP(a%zu)", i > 0 ? ", " : "", i);
  strcat(text, ") {}\n#endif\n");
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
  if (bench->kernel != NULL)
    bench->resolved = clCreateKernel(bench->program, "empty", NULL);
  if (bench->resolved != NULL && vptr_cuda_register_module(&module, &bench->module) == cudaSuccess)
    return true;
  fprintf(stderr, "vptr-bench: the empty kernel cannot be built: %s\n", vptr_last_error());
  return false;
}

static void drop_kernels(launch_bench *bench) {
  vptr_cuda_unregister_module(bench->module);
  if (bench->kernel != NULL)
    clReleaseKernel(bench->kernel);
  if (bench->resolved != NULL)
    clReleaseKernel(bench->resolved);
  if (bench->program != NULL)
    clReleaseProgram(bench->program);
  bench->module = NULL;
  bench->kernel = bench->resolved = NULL;
  bench->program = NULL;
}

static bool measure(launch_bench *bench, const work *work) {
  reading first; /* builds the kernel, and asks where memory lies */
  bool good = time_calls(bench, work, VPTR, &first) && time_calls(bench, work, BARE, &first);
  for (size_t repetition = 0; repetition < bench->options->repetitions && good; repetition++) {
    progress_step(&bench->progress, work->name);
    good = sample(bench, work, repetition);
  }
  if (good)
    print_row(bench, work);
  return good;
}

static bool sends(const work *work) {
  return work->calls[BARE] != set_bare;
}

static bool measure_all(launch_bench *bench, const work *work) {
  bool good = true;
  for (size_t i = 0; i < COUNTS && good; i++) {
    if (pointer_counts[i] == 0 && !sends(work))
      continue;
    good = make_kernels(bench, pointer_counts[i]) && measure(bench, work);
    drop_kernels(bench);
  }
  return good;
}

/* Twice, since a driver may be given the first large copy of a process as it is. */
static bool copy_much(void) {
  void *device, *host = calloc(1, COPY_BYTES);
  bool good = host != NULL && cudaMalloc(&device, COPY_BYTES) == cudaSuccess;
  if (good) {
    for (int i = 0; i < 2 && good; i++)
      good = cudaMemcpy(device, host, COPY_BYTES, cudaMemcpyHostToDevice) == cudaSuccess &&
             cudaMemcpy(host, device, COPY_BYTES, cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(device);
  }
  if (!good)
    fprintf(stderr, "vptr-bench: copying %d bytes to the device and back failed: %s\n", (int)COPY_BYTES,
            vptr_last_error());
  free(host);
  return good;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void print_notes(launch_bench *bench) {
  char text[256] = "";
  clGetDeviceInfo(vptr_get_device(NULL), CL_DEVICE_NAME, sizeof text - 1, text, NULL);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "arguments",
              "clSetKernelArg() for each pointer, and vptr_set_kernel_args() for all; or for each");
  report_note(&bench->report, "launches", "the former and clEnqueueNDRangeKernel(), and cudaLaunchKernel()");
  report_note(&bench->report, "pointers",
              "the same ones each time, or others; large: of memory with a buffer of its own");
  report_note(&bench->report, "CPU ns", "of the calling thread; a driver's threads may run meanwhile");
  snprintf(text, sizeof text, "medians of %zu, with half the width of the middle half; 'added' is vptr's minus bare",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
}

static bool run_all(launch_bench *bench) {
  bool good = true;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  print_notes(bench);
  for (size_t i = 0; i < WORKS && good; i++) {
    report_gap(&bench->report);
    good = (i != AFTER_COPY || copy_much()) && measure_all(bench, &works[i]);
  }
  if (good)
    report_end(&bench->report);
  return good;
}

static bool make_places(launch_bench *bench, int size, size_t set) {
  bool good = true;
  for (size_t i = 0; i < MOST_POINTERS && good; i++) {
    bench->buffers[size][set][i] = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, bytes_of[size], NULL, NULL);
    bench->arguments[size][set][i] = &bench->ptrs[size][set][i];
    good =
        bench->buffers[size][set][i] != NULL && cudaMalloc(&bench->ptrs[size][set][i], bytes_of[size]) == cudaSuccess;
  }
  return good;
}

static bool make_memory(launch_bench *bench) {
  bool good = true;
  for (int size = 0; size < SIZES; size++)
    for (size_t set = 0; set < SETS; set++)
      good = good && make_places(bench, size, set);
  return good;
}

static bool make_samples(launch_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  double *all = calloc(SAMPLES * repetitions, sizeof *all);
  for (int i = 0; i < SAMPLES && all != NULL; i++)
    bench->samples[i] = all + (size_t)i * repetitions;
  return all != NULL;
}

static bool make_queue(launch_bench *bench) {
  cl_device_id device = vptr_get_device(NULL);
  bench->context = vptr_get_context(NULL);
  if (bench->context != NULL && clRetainContext(bench->context) == CL_SUCCESS)
    bench->queue = clCreateCommandQueueWithProperties(bench->context, device, NULL, NULL);
  return bench->queue != NULL;
}

static bool prepare(launch_bench *bench) {
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
  if (!make_samples(bench) || !make_queue(bench) || !make_memory(bench) ||
      cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: launch needs a queue, a stream and some memory: %s\n", vptr_last_error());
    return false;
  }
  return true;
}

static void give_places(launch_bench *bench, int size, size_t set) {
  for (size_t i = 0; i < MOST_POINTERS; i++) {
    cudaFree(bench->ptrs[size][set][i]);
    if (bench->buffers[size][set][i] != NULL)
      clReleaseMemObject(bench->buffers[size][set][i]);
  }
}

static void give_back(launch_bench *bench) {
  for (int size = 0; size < SIZES; size++)
    for (size_t set = 0; set < SETS; set++)
      give_places(bench, size, set);
  if (bench->stream != NULL)
    cudaStreamDestroy(bench->stream);
  if (bench->queue != NULL)
    clReleaseCommandQueue(bench->queue);
  if (bench->context != NULL)
    clReleaseContext(bench->context);
  free(bench->samples[0]);
}

static size_t steps(void) {
  size_t count = 0;
  for (size_t i = 0; i < WORKS; i++)
    count += COUNTS - !sends(&works[i]);
  return count;
}

bool launch_run(const options *wanted) {
  launch_bench bench = { .options = wanted };
  bool good = prepare(&bench);
  if (good) {
    progress_begin(&bench.progress, steps() * wanted->repetitions);
    good = run_all(&bench);
    progress_wipe(&bench.progress);
  }
  give_back(&bench);
  return good;
}
