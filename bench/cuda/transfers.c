/* SPDX-License-Identifier: MIT */
/*
 * transfers - see groups.h.
 *
 * Memory of the host was written to before, since a fresh page costs more than its copy. What the device does alone
 * is waited for behind each call. Rows lie in a picture that is twice as wide, on both sides.
 */
#include "groups.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = { 4, 1 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30 };
enum { SIZES = sizeof sizes / sizeof *sizes, LEAST_ON_DEVICE = 2 /* of sizes */, SIZES_OF_SENT = 3 };

/* Rows, and what all of them are at most. */
static const struct rows { size_t width, most; } rows[] = { { 64, 1 << 20 }, { 4 << 10, 16 << 20 } };
enum { ROWS = sizeof rows / sizeof *rows, WIDER = 2 };

typedef enum place { DEVICE_MEMORY, OTHER_DEVICE_MEMORY, PAGEABLE, PINNED, PLACES } place;

typedef struct transfers {
  runner *runner;
  bool is_tried;
  size_t size; /* of each memory; 0: there is none */
  void *memory[PLACES];
} transfers;

/* A line is a single row. */
typedef struct rect {
  void *to;
  const void *from;
  size_t width, rows;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
} rect;

/* ---- memory ---------------------------------------------------------------------------------------------- */

static void give_back(transfers *transfers) {
  cudaFree(transfers->memory[DEVICE_MEMORY]);
  cudaFree(transfers->memory[OTHER_DEVICE_MEMORY]);
  free(transfers->memory[PAGEABLE]);
  cudaFreeHost(transfers->memory[PINNED]);
  memset(transfers->memory, 0, sizeof transfers->memory);
}

static cudaError_t make(transfers *transfers, size_t size) {
  void **memory = transfers->memory;
  cudaError_t error = cudaMalloc(&memory[DEVICE_MEMORY], size);
  if (error == cudaSuccess)
    error = cudaMalloc(&memory[OTHER_DEVICE_MEMORY], size);
  if (error == cudaSuccess)
    error = cudaMallocHost(&memory[PINNED], size);
  if (error == cudaSuccess && (memory[PAGEABLE] = malloc(size)) == NULL)
    error = cudaErrorMemoryAllocation;
  if (error != cudaSuccess)
    return error;
  memset(memory[PAGEABLE], 1, size);
  memset(memory[PINNED], 2, size);
  error = cudaMemset(memory[DEVICE_MEMORY], 3, size);
  return error != cudaSuccess ? error : cudaMemset(memory[OTHER_DEVICE_MEMORY], 4, size);
}

/* When first asked: as much as there is, up to the largest size. */
static bool has_memory(transfers *transfers) {
  for (int i = SIZES - 1; i >= 0 && !transfers->is_tried && transfers->size == 0; i--) {
    if (sizes[i] > transfers->runner->largest)
      continue;
    cudaError_t error = make(transfers, sizes[i]);
    if (error == cudaSuccess) {
      transfers->size = sizes[i];
    } else {
      give_back(transfers);
      runner_good(transfers->runner, "two memories on the device and two on the host", sizes[i], error);
    }
  }
  transfers->is_tried = true;
  return transfers->size > 0;
}

/* ---- the measured calls ---------------------------------------------------------------------------------- */

/* Of what the device does without the host. */
static cudaError_t settle(const rect *rect, cudaError_t error) {
  bool is_alone = rect->kind == cudaMemcpyDeviceToDevice;
  return error == cudaSuccess && is_alone ? cudaStreamSynchronize(NULL) : error;
}

static cudaError_t copy_line(const void *of, size_t turn) {
  const rect *rect = of;
  (void)turn;
  return settle(rect, cudaMemcpy(rect->to, rect->from, rect->width, rect->kind));
}

static cudaError_t send_line(const void *of, size_t turn) {
  const rect *rect = of;
  (void)turn;
  return cudaMemcpyAsync(rect->to, rect->from, rect->width, rect->kind, rect->stream);
}

static cudaError_t copy_rows(const void *of, size_t turn) {
  const rect *rect = of;
  size_t pitch = WIDER * rect->width;
  (void)turn;
  return settle(rect, cudaMemcpy2D(rect->to, pitch, rect->from, pitch, rect->width, rect->rows, rect->kind));
}

static cudaError_t set_line(const void *of, size_t turn) {
  const rect *rect = of;
  return settle(rect, cudaMemset(rect->to, (int)(turn & 0xff), rect->width));
}

static cudaError_t set_rows(const void *of, size_t turn) {
  const rect *rect = of;
  return settle(rect, cudaMemset2D(rect->to, WIDER * rect->width, (int)(turn & 0xff), rect->width, rect->rows));
}

/* ---- lines of figures ------------------------------------------------------------------------------------ */

/* A way from one memory to another. */
typedef struct way {
  const char *name;
  place to, from;
  enum cudaMemcpyKind kind;
} way;

static const way host_ways[] = {
  { "to the device; pageable", DEVICE_MEMORY, PAGEABLE, cudaMemcpyHostToDevice },
  { "to the host; pageable", PAGEABLE, DEVICE_MEMORY, cudaMemcpyDeviceToHost },
  { "to the device; pinned", DEVICE_MEMORY, PINNED, cudaMemcpyHostToDevice },
  { "to the host; pinned", PINNED, DEVICE_MEMORY, cudaMemcpyDeviceToHost },
};
enum { HOST_WAYS = sizeof host_ways / sizeof *host_ways, FIRST_PINNED = 2 };
static const way on_device = { "on the device", OTHER_DEVICE_MEMORY, DEVICE_MEMORY, cudaMemcpyDeviceToDevice };

/* What is written alone has no source. */
static void measure_rect(transfers *transfers, const char *name, operation go, const way *way, size_t width,
                         size_t rows) {
  if (!runner_wants(transfers->runner, name) || !has_memory(transfers) || width * rows > transfers->size)
    return;
  const rect rect = { transfers->memory[way->to], transfers->memory[way->from], width, rows, way->kind,
                      transfers->runner->stream };
  const work work = {
    name, width * rows, width * rows, go, &rect, rect.stream, go == send_line ? SENT_WITH_CPU : WAITED_FOR
  };
  runner_measure(transfers->runner, &work);
}

static void measure_lines(transfers *transfers, const char *call, operation go, const way *way, int first, int end) {
  char name[96];
  snprintf(name, sizeof name, "%s %s", call, way->name);
  for (int i = first; i < end; i++)
    measure_rect(transfers, name, go, way, sizes[i], 1);
}

/* Half of a memory is what a picture twice as wide leaves for them. */
static void measure_rows(transfers *transfers, const char *call, operation go, const way *way, const char *where) {
  for (int i = 0; i < ROWS; i++) {
    char name[96];
    snprintf(name, sizeof name, "%s%s; rows of %zu", call, where, rows[i].width);
    if (!runner_wants(transfers->runner, name) || !has_memory(transfers))
      continue;
    size_t half = transfers->size / WIDER, bytes = rows[i].most < half ? rows[i].most : half;
    measure_rect(transfers, name, go, way, rows[i].width, bytes / rows[i].width);
  }
}

static void measure_copies(transfers *transfers) {
  for (int i = 0; i < HOST_WAYS; i++)
    measure_lines(transfers, "cudaMemcpy", copy_line, &host_ways[i], 0, SIZES);
  measure_lines(transfers, "cudaMemcpy", copy_line, &on_device, LEAST_ON_DEVICE, SIZES);
  for (int i = FIRST_PINNED; i < HOST_WAYS; i++)
    measure_lines(transfers, "cudaMemcpyAsync sent", send_line, &host_ways[i], 0, SIZES_OF_SENT);
  for (int i = 0; i < HOST_WAYS; i++) {
    char where[64];
    snprintf(where, sizeof where, " %s", host_ways[i].name);
    measure_rows(transfers, "cudaMemcpy2D", copy_rows, &host_ways[i], where);
  }
  measure_rows(transfers, "cudaMemcpy2D", copy_rows, &on_device, " on the device");
}

static void measure_sets(transfers *transfers) {
  for (int i = LEAST_ON_DEVICE; i < SIZES; i++)
    measure_rect(transfers, "cudaMemset", set_line, &on_device, sizes[i], 1);
  measure_rows(transfers, "cudaMemset2D", set_rows, &on_device, "");
}

void transfers_measure(runner *runner) {
  transfers transfers = { .runner = runner };
  measure_copies(&transfers);
  measure_sets(&transfers);
  give_back(&transfers);
}
