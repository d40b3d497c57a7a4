/* SPDX-License-Identifier: MIT */
/* fill - see fill.h. */
#include "fill.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "duel.h"

#include <stdio.h>
#include <stdlib.h>

static const size_t sizes[] = { 4, 4096, 65536, 1 << 20, 8 << 20, 64 << 20, 256 << 20, 1 << 30 };
enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_OF_CPU = SIZES - 2 };

enum { ASYNC_CALLS = 8, ROWS = 1024, WIDEST = 16 };

static const size_t widths[] = { 1, 2, 4, 16, 3, 12 }; /* of vptr_fill()'s patterns */
static const size_t row_widths[] = { 16, 4096 };
enum { WIDTHS = sizeof widths / sizeof *widths, ROW_WIDTHS = sizeof row_widths / sizeof *row_widths };

static const unsigned char pattern[WIDEST] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

typedef struct fill_bench {
  duel duel;
  size_t sizes, largest;
  void *ptr;     /* vptr's memory */
  cl_mem buffer; /* the bare calls' */
} fill_bench;

/* What one call fills. */
typedef struct job {
  const fill_bench *bench;
  size_t size;
  size_t width; /* of the pattern, or of a row */
} job;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

static bool send_bare(const job *work, size_t offset, size_t size, size_t width) {
  return clEnqueueFillBuffer(work->bench->duel.queue, work->bench->buffer, pattern, width, offset, size, 0, NULL,
                             NULL) == CL_SUCCESS;
}

static bool wait_bare(const job *work) {
  return clFinish(work->bench->duel.queue) == CL_SUCCESS;
}

static bool wait_vptr(void) {
  return cudaStreamSynchronize(NULL) == cudaSuccess;
}

static bool set_bare(void *context) {
  const job *work = context;
  return send_bare(work, 0, work->size, 1) && wait_bare(work);
}

static bool set_vptr(void *context) {
  const job *work = context;
  return cudaMemset(work->bench->ptr, pattern[0], work->size) == cudaSuccess && wait_vptr();
}

static bool set_async_bare(void *context) {
  const job *work = context;
  bool good = true;
  for (int i = 0; i < ASYNC_CALLS; i++)
    good &= send_bare(work, 0, work->size / ASYNC_CALLS, 1);
  return good && wait_bare(work);
}

static bool set_async_vptr(void *context) {
  const job *work = context;
  bool good = true;
  for (int i = 0; i < ASYNC_CALLS; i++)
    good &= cudaMemsetAsync(work->bench->ptr, pattern[0], work->size / ASYNC_CALLS, NULL) == cudaSuccess;
  return good && wait_vptr();
}

static bool fill_bare(void *context) {
  const job *work = context;
  size_t width = (work->width & (work->width - 1)) == 0 ? work->width : 4;
  return send_bare(work, 0, work->size / width * width, width) && wait_bare(work);
}

static bool fill_vptr(void *context) {
  const job *work = context;
  return vptr_fill(NULL, work->bench->ptr, pattern, work->width, work->size / work->width) == VPTR_SUCCESS;
}

static bool set_rows_bare(void *context) {
  const job *work = context;
  bool good = true;
  for (size_t y = 0; y < ROWS; y++)
    good &= send_bare(work, 2 * y * work->width, work->width, 1);
  return good && wait_bare(work);
}

static bool set_rows_vptr(void *context) {
  const job *work = context;
  return cudaMemset2D(work->bench->ptr, 2 * work->width, pattern[0], work->width, ROWS) == cudaSuccess && wait_vptr();
}

/* ---- the run --------------------------------------------------------------------------------------------- */

/* Sizes below a pattern, or below a byte for each call, are left out. */
static bool run_sizes(fill_bench *bench, const char *what, size_t width, duel_call *bare, duel_call *vptr) {
  report_gap(&bench->duel.report);
  for (size_t i = 0; i < bench->sizes; i++) {
    job work = { bench, sizes[i], width };
    if (sizes[i] >= width && !duel_row(&bench->duel, &(duel_work){ what, sizes[i], bare, vptr, &work, NULL, NULL }))
      return false;
  }
  return true;
}

static bool run_patterns(fill_bench *bench) {
  bool good = true;
  for (size_t i = 0; i < WIDTHS && good; i++) {
    char what[64];
    snprintf(what, sizeof what, "vptr_fill with %zu bytes", widths[i]);
    good = run_sizes(bench, what, widths[i], fill_bare, fill_vptr);
  }
  return good;
}

static bool run_rows(fill_bench *bench) {
  bool good = true;
  report_gap(&bench->duel.report);
  for (size_t i = 0; i < ROW_WIDTHS && good; i++) {
    job work = { bench, ROWS * row_widths[i], row_widths[i] };
    char what[64];
    snprintf(what, sizeof what, "cudaMemset2D with rows of %zu", work.width);
    good = duel_row(&bench->duel, &(duel_work){ what, work.size, set_rows_bare, set_rows_vptr, &work, NULL, NULL });
  }
  return good;
}

static bool run_all(fill_bench *bench) {
  char async[64];
  duel_report(
      &bench->duel, "fill", (2 + WIDTHS) * bench->sizes + ROW_WIDTHS,
      "clEnqueueFillBuffer and clFinish, on a queue without properties; 3 and 12 bytes: with 4; rows: one each");
  snprintf(async, sizeof async, "cudaMemsetAsync, %d calls", ASYNC_CALLS);
  bool good = run_sizes(bench, "cudaMemset", 1, set_bare, set_vptr) &&
              run_sizes(bench, async, ASYNC_CALLS, set_async_bare, set_async_vptr) && run_patterns(bench) &&
              run_rows(bench);
  if (good)
    report_end(&bench->duel.report);
  return good;
}

static bool prepare(fill_bench *bench, const options *wanted) {
  if (!duel_begin(&bench->duel, wanted, "fill"))
    return false;
  bench->sizes = bench->duel.on_cpu ? SIZES_OF_CPU : SIZES;
  bench->largest = sizes[bench->sizes - 1];
  void *host = calloc(1, bench->largest);
  bool good = host != NULL;
  if (good)
    bench->buffer = duel_buffer(&bench->duel, bench->largest, host);
  free(host);
  good = bench->buffer != NULL && cudaMalloc(&bench->ptr, bench->largest) == cudaSuccess;
  if (!good)
    fprintf(stderr, "vptr-bench: fill needs 2 pieces of device memory, %zu bytes each: %s\n", bench->largest,
            vptr_last_error());
  return good;
}

bool fill_run(const options *wanted) {
  fill_bench bench = { 0 };
  bool good = prepare(&bench, wanted) && run_all(&bench);
  if (bench.buffer != NULL)
    clReleaseMemObject(bench.buffer);
  cudaFree(bench.ptr);
  duel_end(&bench.duel);
  return good;
}
