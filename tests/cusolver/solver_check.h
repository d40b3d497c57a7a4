/* SPDX-License-Identifier: MIT */
/*
 * solver_check - for programs that hold cuSOLVER against the matrices it was given: memory of the device, numbers at
 * random, counting.
 *
 * Plain CUDA and cuSOLVER, so that they run on NVIDIA's libraries as well. Results are multiplied out again on the
 * host, by loops of the program's own. Operands lie in one allocation, one behind the other and each as long as its
 * shape, and are compared whole: what lies between columns must stay. A program prints what is wrong and how many
 * checks there were, and exits with 1 if any failed.
 */
#ifndef SOLVER_CHECK_H
#define SOLVER_CHECK_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <cusolverDn.h>

/* WORK_BYTES: of a work area, where the size of what is asked for comes later. */
enum { ARENA_BYTES = 64 << 20, WORK_BYTES = 4 << 20 };

static int checks, failures;

static inline void check_that(bool is_right, const char *what, const char *condition, int line) {
  checks++;
  if (is_right)
    return;
  failures++;
  if (failures <= 40)
    printf("%s: %s (line %d)\n", what, condition, line);
}

#define EXPECT(what, condition) check_that(condition, what, #condition, __LINE__)
#define FINE(call) EXPECT(#call, (call) == CUSOLVER_STATUS_SUCCESS)
#define WRONG(call) EXPECT(#call, (call) == CUSOLVER_STATUS_INVALID_VALUE)

static inline int verdict(const char *program) {
  printf("%s: %d checks, %d failed\n", program, checks, failures);
  return failures != 0;
}

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

static inline double random_real(void) {
  return (double)(int)(random_bits() % 20001u) / 10000 - 1;
}

/* A leading dimension of so many rows. */
static inline int random_leading(int rows) {
  return (rows > 1 ? rows : 1) + random_int(0, 3);
}

/* Elements that a matrix reaches over; at least 1. */
static inline size_t extent_of(int rows, int columns, int ld) {
  return rows <= 0 || columns <= 0 ? 1 : (size_t)(columns - 1) * (size_t)ld + (size_t)rows;
}

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

/* A copy on the device, which begins at a multiple of 16 bytes. */
static inline void *on_device(const void *host, size_t bytes) {
  char *place = arena + arena_used;
  arena_used += (bytes + 15) / 16 * 16;
  if (arena_used > ARENA_BYTES) {
    printf("the arena is too small\n");
    exit(1);
  }
  if (bytes > 0 && cudaMemcpy(place, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    EXPECT("cudaMemcpy", !"to the device");
  return place;
}

static inline void from_device(void *host, const void *device, size_t bytes) {
  if (bytes > 0 && cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    EXPECT("cudaMemcpy", !"from the device");
}

/* An int that was -77: infos begin so. */
static inline int *new_info(void) {
  int value = -77;
  return on_device(&value, sizeof value);
}

static inline int value_of(const int *device) {
  int value = 0;
  from_device(&value, device, sizeof value);
  return value;
}

#endif
