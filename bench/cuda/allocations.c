/* SPDX-License-Identifier: MIT */
/*
 * allocations - see groups.h.
 *
 * Up to 64 KiB a thousand others of the size are live: an allocator alone on the device is no program's. Device
 * memory in the order of a stream is measured twice: as the pool comes, which gives back what is free whenever the
 * stream is waited for, here every 50 pairs; and as programs set it that allocate much, so that it keeps all.
 */
#include "groups.h"

#include <stdint.h>
#include <stdlib.h>

enum { OTHERS = 1000, DEVICE = 0 };

static const size_t MOST_WITH_OTHERS = (size_t)64 << 10;
static const size_t device_sizes[] = { 256, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20 };
static const size_t pinned_sizes[] = { 4 << 10, 64 << 10, 1 << 20, 16 << 20 };
enum {
  DEVICE_SIZES = sizeof device_sizes / sizeof *device_sizes,
  PINNED_SIZES = sizeof pinned_sizes / sizeof *pinned_sizes
};

typedef struct pair {
  size_t size;
  cudaStream_t stream;
} pair;

static cudaError_t device_pair(const void *of, size_t turn) {
  void *pointer;
  (void)turn;
  cudaError_t error = cudaMalloc(&pointer, ((const pair *)of)->size);
  return error != cudaSuccess ? error : cudaFree(pointer);
}

static cudaError_t stream_pair(const void *of, size_t turn) {
  const pair *pair = of;
  void *pointer;
  (void)turn;
  cudaError_t error = cudaMallocAsync(&pointer, pair->size, pair->stream);
  return error != cudaSuccess ? error : cudaFreeAsync(pointer, pair->stream);
}

static cudaError_t pinned_pair(const void *of, size_t turn) {
  void *pointer;
  (void)turn;
  cudaError_t error = cudaMallocHost(&pointer, ((const pair *)of)->size);
  return error != cudaSuccess ? error : cudaFreeHost(pointer);
}

static void measure_pair(runner *runner, const char *name, operation go, size_t size, waiting how) {
  const pair pair = { size, runner->stream };
  const work work = { name, size, 0, go, &pair, runner->stream, how };
  if (size <= runner->largest)
    runner_measure(runner, &work);
}

/* Beside others of the size, if it is small. */
static void measure_device(runner *runner, size_t size) {
  static const char name[] = "cudaMalloc + cudaFree";
  static void *others[OTHERS];
  size_t live = 0, wanted = size <= MOST_WITH_OTHERS && runner_wants(runner, name) ? OTHERS : 0;
  cudaError_t error = cudaSuccess;
  while (live < wanted && (error = cudaMalloc(&others[live], size)) == cudaSuccess)
    live++;
  if (runner_good(runner, name, size, error))
    measure_pair(runner, name, device_pair, size, WAITED_FOR);
  while (live > 0)
    cudaFree(others[--live]);
}

static cudaError_t pool_keeps(uint64_t bytes) {
  cudaMemPool_t pool;
  cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, DEVICE);
  return error != cudaSuccess ? error : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes);
}

static void measure_in_stream(runner *runner) {
  static const char keeping[] = "cudaMallocAsync + cudaFreeAsync; pool keeps all";
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_pair(runner, "cudaMallocAsync + cudaFreeAsync", stream_pair, device_sizes[i], SENT);
  if (!runner_wants(runner, keeping) || !runner_good(runner, keeping, 0, pool_keeps(UINT64_MAX)))
    return;
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_pair(runner, keeping, stream_pair, device_sizes[i], SENT);
  runner_good(runner, keeping, 0, pool_keeps(0));
  cudaStreamSynchronize(runner->stream);
}

static cudaError_t ask(const void *of, size_t turn) {
  struct cudaPointerAttributes attributes;
  (void)turn;
  return cudaPointerGetAttributes(&attributes, of);
}

static void measure_question(runner *runner, const char *name, const void *pointer) {
  const work work = { .name = name, .go = ask, .of = pointer };
  runner_measure(runner, &work);
}

static void measure_questions(runner *runner) {
  static const char name[] = "cudaPointerGetAttributes";
  enum { BYTES = 1 << 20, WITHIN = 54321 };
  char *device = NULL, *pinned = NULL, *plain = malloc(BYTES);
  cudaError_t error = plain == NULL ? cudaErrorMemoryAllocation : cudaMalloc((void **)&device, BYTES);
  if (error == cudaSuccess)
    error = cudaMallocHost((void **)&pinned, BYTES);
  if (runner_good(runner, name, BYTES, error)) {
    measure_question(runner, "cudaPointerGetAttributes; device memory", device);
    measure_question(runner, "cudaPointerGetAttributes; within device memory", device + WITHIN);
    measure_question(runner, "cudaPointerGetAttributes; pinned memory", pinned + WITHIN);
    measure_question(runner, "cudaPointerGetAttributes; plain memory", plain + WITHIN);
  }
  cudaFree(device);
  cudaFreeHost(pinned);
  free(plain);
}

void allocations_measure(runner *runner) {
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_device(runner, device_sizes[i]);
  measure_in_stream(runner);
  for (int i = 0; i < PINNED_SIZES; i++)
    measure_pair(runner, "cudaMallocHost + cudaFreeHost", pinned_pair, pinned_sizes[i], WAITED_FOR);
  measure_questions(runner);
}
