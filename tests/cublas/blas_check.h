/* SPDX-License-Identifier: MIT */
/*
 * blas_check - for programs that hold cuBLAS against BLAS on the host: memory of the device, numbers at random,
 * comparison.
 *
 * Plain CUDA and cuBLAS, so that they run on NVIDIA's libraries as well. All operands lie in one allocation, at odd
 * places and one behind the other, and arrays are compared whole, with what lies between rows and behind the end: a
 * function that writes beside its result is caught. A program prints what differs and how many checks there were, and
 * exits with 1 if any failed.
 */
#ifndef BLAS_CHECK_H
#define BLAS_CHECK_H

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

enum { ARENA_BYTES = 48 << 20 };

static int checks, failures;

static inline void fail(const char *what, const char *why, long a, long b) {
  failures++;
  if (failures <= 40)
    printf("%s: %s (%ld, %ld)\n", what, why, a, b);
}

#define EXPECT(what, condition)                                                                                      \
  do {                                                                                                               \
    checks++;                                                                                                        \
    if (!(condition))                                                                                                \
      fail(what, #condition, __LINE__, 0);                                                                           \
  } while (0)

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

/* An increment that is not 0, negative as often as not. */
static inline int random_increment(void) {
  int by = random_int(1, 3);
  return random_int(0, 1) ? by : -by;
}

static inline int size_of_vector(int n, int inc) {
  return n <= 0 ? 0 : 1 + (n - 1) * (inc < 0 ? -inc : inc);
}

static inline void fill_float(void *memory, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((float *)memory)[i] = (float)random_real();
}

static inline void fill_double(void *memory, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((double *)memory)[i] = random_real();
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

/* A copy on the device, which begins at a multiple of 16 bytes and ends just before the next. */
static inline void *on_device(const void *host, size_t bytes) {
  char *place = arena + arena_used;
  arena_used += (bytes + 15) / 16 * 16;
  if (arena_used > ARENA_BYTES) {
    printf("the arena is too small\n");
    exit(1);
  }
  if (bytes > 0 && cudaMemcpy(place, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    fail("cudaMemcpy", "to the device", 0, 0);
  return place;
}

static inline void from_device(void *host, const void *device, size_t bytes) {
  if (bytes > 0 && cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    fail("cudaMemcpy", "from the device", 0, 0);
}

/* ---- comparison ------------------------------------------------------------------------------------------------- */

static inline bool is_near(double got, double expected, double tolerance) {
  if (isnan(expected) || isnan(got))
    return isnan(expected) && isnan(got);
  if (isinf(expected) || isinf(got))
    return got == expected;
  return fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

static inline void compare_float(const char *what, const void *device, const void *expected, size_t count,
                                 double tolerance) {
  float *got = malloc(count * sizeof(float) + 1);
  from_device(got, device, count * sizeof(float));
  checks++;
  for (size_t i = 0; i < count; i++)
    if (!is_near((double)got[i], (double)((const float *)expected)[i], tolerance)) {
      printf("%s: number %zu is %g, not %g\n", what, i, (double)got[i], (double)((const float *)expected)[i]);
      fail(what, "differs", (long)i, (long)count);
      break;
    }
  free(got);
}

static inline void compare_double(const char *what, const void *device, const void *expected, size_t count,
                                  double tolerance) {
  double *got = malloc(count * sizeof(double) + 1);
  from_device(got, device, count * sizeof(double));
  checks++;
  for (size_t i = 0; i < count; i++)
    if (!is_near(got[i], ((const double *)expected)[i], tolerance)) {
      printf("%s: number %zu is %g, not %g\n", what, i, got[i], ((const double *)expected)[i]);
      fail(what, "differs", (long)i, (long)count);
      break;
    }
  free(got);
}

#endif
