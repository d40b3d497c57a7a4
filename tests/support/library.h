/* SPDX-License-Identifier: MIT */
/*
 * library - for programs that hold one of CUDA's libraries against the host: numbers at random, and memory of the
 * device.
 *
 * Plain CUDA, so that they run on NVIDIA's libraries as well. Operands lie in one allocation, the arena, at odd places
 * and one behind the other: a function that writes beside its result is caught.
 */
#ifndef VPTR_TESTS_LIBRARY_H
#define VPTR_TESTS_LIBRARY_H

#include <stdlib.h>

#include <cuda_runtime_api.h>

#include "support/count.h"

enum { ARENA_BYTES = 64 << 20 };

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static unsigned long long random_state = 88172645463325252ull;

static inline unsigned random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)(random_state >> 24);
}

static inline int random_int(int least, int most) {
  return least + (int)(random_bits() % (unsigned)(most - least + 1));
}

static inline double random_real(void) { return (double)(int)(random_bits() % 20001u) / 10000 - 1; }

/* ---- memory of the device -------------------------------------------------------------------------------------- */

static char *arena;
static size_t arena_used;

static inline void begin_memory(void) {
  if (arena == NULL && cudaMalloc((void **)&arena, ARENA_BYTES) != cudaSuccess) {
    printf("no device memory\n");
    exit(1);
  }
  arena_used = 16 * (size_t)random_int(1, 9);
}

/* A copy on the device, which begins at a multiple of 16 bytes and ends just before the next. */
static inline void *on_device(const void *host, size_t bytes) {
  char *place = arena + arena_used;
  arena_used += (bytes + 15) / 16 * 16;
  if (arena_used > ARENA_BYTES) {
    printf("the arena is too small\n");
    exit(1);
  }
  if (bytes > 0 && cudaMemcpy(place, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    check_that(false, "cudaMemcpy", "to the device", __LINE__);
  return place;
}

/* Ends the program where the copy fails: a kernel has ended in an error, which every call gives from then on. `what`
 * was checked. */
static inline void copy_or_end(const char *what, void *host, const void *device, size_t bytes) {
  cudaError_t error = bytes > 0 ? cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) : cudaSuccess;
  if (error == cudaSuccess)
    return;
  printf("%s: %zu bytes cannot be read: %s; ended after %d checks, %d failed\n", what, bytes, cudaGetErrorName(error),
         checks, failures);
  exit(1);
}

static inline void from_device(void *host, const void *device, size_t bytes) {
  copy_or_end("from the device", host, device, bytes);
}

/* A work area of the size that a library told; never NULL, which NVIDIA's libraries refuse. */
static inline void *new_buffer(size_t bytes) {
  void *made = NULL;
  cudaError_t error = cudaMalloc(&made, bytes > 0 ? bytes : 1);
  if (error == cudaSuccess)
    return made;
  printf("a work area of %zu bytes: %s; ended after %d checks, %d failed\n", bytes, cudaGetErrorName(error), checks,
         failures);
  exit(1);
}

#endif
