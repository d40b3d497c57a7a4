/* SPDX-License-Identifier: MIT */
/* copy - see copy.h. */
#include "copy.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "duel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = { 4, 64, 1024, 4096, 16384, 65536, 1 << 20, 8 << 20, 64 << 20, 256 << 20, 1 << 30 };
enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_OF_CPU = SIZES - 2 /* whose copies are memcpy() by then */ };

typedef enum direction { TO_DEVICE, FROM_DEVICE, ON_DEVICE, FROM_PINNED, TO_PINNED, DIRECTIONS } direction;

static const char *const direction_names[DIRECTIONS] = {
  [TO_DEVICE] = "host to device",     [FROM_DEVICE] = "device to host", [ON_DEVICE] = "device to device",
  [FROM_PINNED] = "pinned to device", [TO_PINNED] = "device to pinned",
};

/* Rows with gaps, in device memory; the host's lie one behind the other. */
typedef struct shape {
  size_t width, rows, pitch;
} shape;

static const shape shapes[] = {
  { 4, 16384, 512 }, { 16, 16384, 512 }, { 64, 16384, 512 }, { 4096, 2048, 8192 }, { 4000, 2048, 4096 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const int DIRECTIONS_OF_SHAPES = ON_DEVICE + 1;

typedef struct copy_bench {
  duel duel;
  size_t sizes, largest; /* how many of the sizes, and the last of them */
  char *host;
  void *ptr[2], *pinned; /* vptr's memory */
  cl_mem buffer[2];      /* the bare calls' */
  cl_mem shared;         /* and their pinned memory, mapped */
  void *mapped;
} copy_bench;

/* What one call moves. */
typedef struct job {
  const copy_bench *bench;
  direction way;
  shape rect; /* rows 1: a line */
} job;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

static bool copy_bare(void *context) {
  const job *work = context;
  const copy_bench *bench = work->bench;
  const cl_command_queue queue = bench->duel.queue;
  const cl_mem buffer = bench->buffer[0];
  const size_t size = work->rect.width;
  switch (work->way) {
  case TO_DEVICE:
    return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bench->host, 0, NULL, NULL) == CL_SUCCESS;
  case FROM_DEVICE:
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bench->host, 0, NULL, NULL) == CL_SUCCESS;
  case ON_DEVICE:
    return clEnqueueCopyBuffer(queue, buffer, bench->buffer[1], 0, 0, size, 0, NULL, NULL) == CL_SUCCESS &&
           clFinish(queue) == CL_SUCCESS;
  case FROM_PINNED:
    return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bench->mapped, 0, NULL, NULL) == CL_SUCCESS;
  case TO_PINNED:
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bench->mapped, 0, NULL, NULL) == CL_SUCCESS;
  case DIRECTIONS:
    break;
  }
  return false;
}

static bool copy_vptr(void *context) {
  const job *work = context;
  const copy_bench *bench = work->bench;
  void *ptr = bench->ptr[0];
  const size_t size = work->rect.width;
  switch (work->way) {
  case TO_DEVICE:
    return cudaMemcpy(ptr, bench->host, size, cudaMemcpyHostToDevice) == cudaSuccess;
  case FROM_DEVICE:
    return cudaMemcpy(bench->host, ptr, size, cudaMemcpyDeviceToHost) == cudaSuccess;
  case ON_DEVICE:
    return cudaMemcpy(bench->ptr[1], ptr, size, cudaMemcpyDeviceToDevice) == cudaSuccess &&
           cudaStreamSynchronize(NULL) == cudaSuccess;
  case FROM_PINNED:
    return cudaMemcpy(ptr, bench->pinned, size, cudaMemcpyHostToDevice) == cudaSuccess;
  case TO_PINNED:
    return cudaMemcpy(bench->pinned, ptr, size, cudaMemcpyDeviceToHost) == cudaSuccess;
  case DIRECTIONS:
    break;
  }
  return false;
}

static bool copy_rect_bare(void *context) {
  static const size_t origin[3] = { 0, 0, 0 };
  const job *work = context;
  const copy_bench *bench = work->bench;
  const cl_command_queue queue = bench->duel.queue;
  const size_t pitch = work->rect.pitch, width = work->rect.width, region[3] = { width, work->rect.rows, 1 };
  if (work->way == TO_DEVICE)
    return clEnqueueWriteBufferRect(queue, bench->buffer[0], CL_TRUE, origin, origin, region, pitch, 0, width, 0,
                                    bench->host, 0, NULL, NULL) == CL_SUCCESS;
  if (work->way == FROM_DEVICE)
    return clEnqueueReadBufferRect(queue, bench->buffer[0], CL_TRUE, origin, origin, region, pitch, 0, width, 0,
                                   bench->host, 0, NULL, NULL) == CL_SUCCESS;
  return clEnqueueCopyBufferRect(queue, bench->buffer[0], bench->buffer[1], origin, origin, region, pitch, 0, pitch,
                                 0, 0, NULL, NULL) == CL_SUCCESS &&
         clFinish(queue) == CL_SUCCESS;
}

static bool copy_rect_vptr(void *context) {
  const job *work = context;
  const copy_bench *bench = work->bench;
  const size_t pitch = work->rect.pitch, width = work->rect.width, rows = work->rect.rows;
  if (work->way == TO_DEVICE)
    return cudaMemcpy2D(bench->ptr[0], pitch, bench->host, width, width, rows, cudaMemcpyHostToDevice) == cudaSuccess;
  if (work->way == FROM_DEVICE)
    return cudaMemcpy2D(bench->host, width, bench->ptr[0], pitch, width, rows, cudaMemcpyDeviceToHost) == cudaSuccess;
  return cudaMemcpy2D(bench->ptr[1], pitch, bench->ptr[0], pitch, width, rows, cudaMemcpyDeviceToDevice) ==
             cudaSuccess &&
         cudaStreamSynchronize(NULL) == cudaSuccess;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool run_lines(copy_bench *bench, direction way) {
  report_gap(&bench->duel.report);
  for (size_t i = 0; i < bench->sizes; i++) {
    job work = { bench, way, { sizes[i], 1, 0 } };
    if (!duel_row(&bench->duel,
                  &(duel_work){ direction_names[way], sizes[i], copy_bare, copy_vptr, &work, NULL, NULL }))
      return false;
  }
  return true;
}

static bool run_rects(copy_bench *bench, direction way) {
  report_gap(&bench->duel.report);
  for (size_t i = 0; i < SHAPES; i++) {
    const shape *rect = &shapes[i];
    job work = { bench, way, *rect };
    char what[64];
    snprintf(what, sizeof what, "%s, rows of %zu", direction_names[way], rect->width);
    if (!duel_row(&bench->duel,
                  &(duel_work){ what, rect->width * rect->rows, copy_rect_bare, copy_rect_vptr, &work, NULL, NULL }))
      return false;
  }
  return true;
}

static bool run_all(copy_bench *bench) {
  bool good = true;
  duel_report(&bench->duel, "direction", DIRECTIONS * bench->sizes + (size_t)DIRECTIONS_OF_SHAPES * SHAPES,
              "blocking calls of OpenCL, on a queue without properties; pinned: mapped CL_MEM_ALLOC_HOST_PTR");
  for (direction way = 0; way < DIRECTIONS && good; way++)
    good = run_lines(bench, way);
  for (int way = 0; way < DIRECTIONS_OF_SHAPES && good; way++)
    good = run_rects(bench, (direction)way);
  if (good)
    report_end(&bench->duel.report);
  return good;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static bool make_memory(copy_bench *bench, void **ptr_out) {
  return cudaMalloc(ptr_out, bench->largest) == cudaSuccess &&
         cudaMemcpy(*ptr_out, bench->host, bench->largest, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool make_pinned(copy_bench *bench) {
  cl_int code;
  if (cudaMallocHost(&bench->pinned, bench->largest) != cudaSuccess)
    return false;
  bench->shared =
      clCreateBuffer(bench->duel.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bench->largest, NULL, &code);
  if (bench->shared == NULL)
    return false;
  bench->mapped = clEnqueueMapBuffer(bench->duel.queue, bench->shared, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                     bench->largest, 0, NULL, NULL, &code);
  if (bench->mapped == NULL)
    return false;
  memset(bench->pinned, 1, bench->largest);
  memset(bench->mapped, 1, bench->largest);
  return true;
}

static bool prepare(copy_bench *bench, const options *wanted) {
  if (!duel_begin(&bench->duel, wanted, "copy"))
    return false;
  bench->sizes = bench->duel.on_cpu ? SIZES_OF_CPU : SIZES;
  bench->largest = sizes[bench->sizes - 1];
  bench->host = malloc(bench->largest);
  bool good = bench->host != NULL;
  if (good)
    memset(bench->host, 1, bench->largest); /* pages that nobody wrote to are all one, in the caches */
  for (int i = 0; i < 2 && good; i++) {
    bench->buffer[i] = duel_buffer(&bench->duel, bench->largest, bench->host);
    good = bench->buffer[i] != NULL && make_memory(bench, &bench->ptr[i]);
  }
  good = good && make_pinned(bench);
  if (!good)
    fprintf(stderr, "vptr-bench: copy needs 4 pieces of device memory and 3 of the host's, %zu bytes each: %s\n",
            bench->largest, vptr_last_error());
  return good;
}

static void give_back(copy_bench *bench) {
  if (bench->mapped != NULL) {
    clEnqueueUnmapMemObject(bench->duel.queue, bench->shared, bench->mapped, 0, NULL, NULL);
    clFinish(bench->duel.queue);
  }
  if (bench->shared != NULL)
    clReleaseMemObject(bench->shared);
  if (bench->pinned != NULL)
    cudaFreeHost(bench->pinned);
  for (int i = 0; i < 2; i++) {
    cudaFree(bench->ptr[i]);
    if (bench->buffer[i] != NULL)
      clReleaseMemObject(bench->buffer[i]);
  }
  free(bench->host);
  duel_end(&bench->duel);
}

bool copy_run(const options *wanted) {
  copy_bench bench = { 0 };
  bool good = prepare(&bench, wanted) && run_all(&bench);
  give_back(&bench);
  return good;
}
