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

static void measure_pair(twin *twin, const char *name, operation go, size_t size, waiting how) {
  const pair pair = { size, twin->stream };
  const work work = { name, size, 0, go, &pair, twin->stream, how };
  if (size <= twin->largest)
    twin_measure(twin, &work);
}

/* Beside others of the size, if it is small. */
static void measure_device(twin *twin, size_t size) {
  static const char name[] = "cudaMalloc + cudaFree";
  static void *others[OTHERS];
  size_t live = 0, wanted = size <= MOST_WITH_OTHERS && twin_wants(twin, name) ? OTHERS : 0;
  cudaError_t error = cudaSuccess;
  while (live < wanted && (error = cudaMalloc(&others[live], size)) == cudaSuccess)
    live++;
  if (twin_good(twin, name, size, error))
    measure_pair(twin, name, device_pair, size, WAITED_FOR);
  while (live > 0)
    cudaFree(others[--live]);
}

static cudaError_t pool_keeps(uint64_t bytes) {
  cudaMemPool_t pool;
  cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, DEVICE);
  return error != cudaSuccess ? error : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes);
}

static void measure_in_stream(twin *twin) {
  static const char keeping[] = "cudaMallocAsync + cudaFreeAsync; pool keeps all";
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_pair(twin, "cudaMallocAsync + cudaFreeAsync", stream_pair, device_sizes[i], SENT);
  if (!twin_wants(twin, keeping) || !twin_good(twin, keeping, 0, pool_keeps(UINT64_MAX)))
    return;
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_pair(twin, keeping, stream_pair, device_sizes[i], SENT);
  twin_good(twin, keeping, 0, pool_keeps(0));
  cudaStreamSynchronize(twin->stream);
}

static cudaError_t ask(const void *of, size_t turn) {
  struct cudaPointerAttributes attributes;
  (void)turn;
  return cudaPointerGetAttributes(&attributes, of);
}

static void measure_question(twin *twin, const char *name, const void *pointer) {
  const work work = { .name = name, .go = ask, .of = pointer };
  twin_measure(twin, &work);
}

static void measure_questions(twin *twin) {
  static const char name[] = "cudaPointerGetAttributes";
  enum { BYTES = 1 << 20, WITHIN = 54321 };
  char *device = NULL, *pinned = NULL, *plain = malloc(BYTES);
  cudaError_t error = plain == NULL ? cudaErrorMemoryAllocation : cudaMalloc((void **)&device, BYTES);
  if (error == cudaSuccess)
    error = cudaMallocHost((void **)&pinned, BYTES);
  if (twin_good(twin, name, BYTES, error)) {
    measure_question(twin, "cudaPointerGetAttributes; device memory", device);
    measure_question(twin, "cudaPointerGetAttributes; within device memory", device + WITHIN);
    measure_question(twin, "cudaPointerGetAttributes; pinned memory", pinned + WITHIN);
    measure_question(twin, "cudaPointerGetAttributes; plain memory", plain + WITHIN);
  }
  cudaFree(device);
  cudaFreeHost(pinned);
  free(plain);
}

void allocations_measure(twin *twin) {
  for (int i = 0; i < DEVICE_SIZES; i++)
    measure_device(twin, device_sizes[i]);
  measure_in_stream(twin);
  for (int i = 0; i < PINNED_SIZES; i++)
    measure_pair(twin, "cudaMallocHost + cudaFreeHost", pinned_pair, pinned_sizes[i], WAITED_FOR);
  measure_questions(twin);
}
