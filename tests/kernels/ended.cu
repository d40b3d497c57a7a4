/* SPDX-License-Identifier: MIT */
/*
 * ended - a failed assertion and a trap end the block: what the thread would do next is not done, nor is what other threads of
 * the block would do, wherever in an expression, a loop or a function the failure is. The next launch does nothing, and
 * cudaDeviceReset() makes all work again.
 *
 * So it is where one work-item runs a block. With a work-item for each thread (VPTR_THREADS=items, and GPUs) the others go on,
 * and only the error is asked for.
 */
#include "kernels.h"

#include <assert.h>

enum { THREADS = 64, FAILING = 37 };

/* What kernels write: how far each thread came. */
static int *steps;
static bool ends_block;

__device__ int checked(int t) {
  assert(t != FAILING);
  return 1;
}

struct pair {
  int *where;
  float number;
};

__device__ struct pair pair_checked(int *to, int t) {
  struct pair made = { to, 2 };
  if (t == FAILING)
    __trap();
  return made;
}

__device__ int &reference_checked(int *to, int t) { return to[checked(t) - 1]; }

__device__ void nested(int *to, int t) {
  *to = 1;
  *to += checked(t) + 1;
}

/* ---- where the failure is -------------------------------------------------------------------------------- */

__global__ void in_value(int *to) {
  int t = threadIdx.x;
  to[t] = 1;
  to[t] += checked(t);
}

__global__ void in_record(int *to) {
  int t = threadIdx.x;
  to[t] = 1;
  *pair_checked(to + t, t).where = 2;
}

__global__ void in_reference(int *to) {
  int t = threadIdx.x;
  to[t] = 1;
  reference_checked(to + t, t) = 2;
}

__global__ void in_call(int *to) {
  nested(to + threadIdx.x, threadIdx.x);
}

__global__ void in_condition(int *to, int n) {
  int t = threadIdx.x;
  to[t] = 1;
  for (int i = 0; i < n && checked(t + i * 1000); i++)
    switch (checked(t)) {
    case 1: to[t] = 2; break;
    default: to[t] = 3; break;
    }
}

__global__ void in_loop(int *to, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    sum += to[i * THREADS + t];
    assert(i * THREADS + t != FAILING + THREADS);
  }
  to[t] = 2 + sum;
}

/* All threads go round the same loop, and read neighbours: a loop over threads stands inside. */
__global__ void behind_loop(int *to, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++)
    sum += to[i * THREADS + t];
  assert(t != FAILING);
  to[t] = 2 + sum;
}

/* ---- and barriers ---------------------------------------------------------------------------------------- */

/* Nobody comes behind the second barrier. */
__global__ void between_barriers(int *to) {
  __shared__ int seen[THREADS];
  int t = threadIdx.x;
  seen[t] = 1;
  __syncthreads();
  to[t] = seen[t ^ 1];
  to[t] += checked(t);
  __syncthreads();
  to[t] = 3;
}

__device__ int exchanged(int *seen, int value, int t) {
  seen[t] = value;
  __syncthreads();
  int other = seen[t ^ 1];
  assert(t != FAILING);
  return other;
}

__global__ void in_function_with_barrier(int *to) {
  __shared__ int seen[THREADS];
  int t = threadIdx.x;
  to[t] = 1;
  to[t] = 1 + exchanged(seen, 1, t);
  __syncthreads();
  to[t] = 3;
}

__global__ void trapped(int *to) {
  int t = threadIdx.x;
  to[t] = 1;
  __syncthreads();
  if (t == FAILING)
    __trap();
  to[t] = 2;
  __syncthreads();
  to[t] = 3;
}

/* ---- the tests ------------------------------------------------------------------------------------------- */

static void begin(void) {
  CHECK(cudaMallocManaged((void **)&steps, 4 * THREADS * sizeof *steps));
  memset(steps, 0, 4 * THREADS * sizeof *steps);
}

/* The step of each thread: those before the one that failed, that one, those behind. */
static void end(const char *kernel, cudaError_t error, int before, int at, int behind) {
  cudaError_t seen = cudaDeviceSynchronize();
  EXPECT(seen, error);
  EXPECT(cudaGetLastError(), error);
  for (int t = 0; t < THREADS && ends_block; t++) {
    int expected = t < FAILING ? before : t == FAILING ? at : behind;
    if (steps[t] != expected && failures++ < 20)
      printf("%s: thread %d came to %d, not to %d\n", kernel, t, steps[t], expected);
  }
  CHECK(cudaDeviceReset());
}

/* Launches go to one stream, so the second begins behind the failure; what has no assertion is not held up. */
__global__ void plain(int *to) { to[THREADS + threadIdx.x] = 5; }

static void later_launches_tested(void) {
  begin();
  in_value<<<1, THREADS>>>(steps);
  in_value<<<3, THREADS - 32>>>(steps + 2 * THREADS);
  between_barriers<<<3, THREADS>>>(steps + 3 * THREADS);
  EXPECT(cudaDeviceSynchronize(), cudaErrorAssert);
  for (int t = 0; t < THREADS && ends_block; t++) {
    EXPECT(steps[2 * THREADS + t], 0);
    EXPECT(steps[3 * THREADS + t], 0);
  }
  EXPECT(cudaDeviceSynchronize(), cudaErrorAssert);
  CHECK(cudaDeviceReset());
  begin();
  in_value<<<1, FAILING>>>(steps);
  plain<<<1, THREADS>>>(steps);
  CHECK(cudaDeviceSynchronize());
  for (int t = 0; t < FAILING; t++)
    EXPECT(steps[t], 2);
  EXPECT(steps[THREADS], 5);
  CHECK(cudaFree(steps));
}

#define ENDED(error, before, at, behind, kernel, ...)                                                        \
  do {                                                                                                       \
    begin();                                                                                                 \
    kernel<<<1, THREADS>>>(steps, ##__VA_ARGS__);                                                            \
    end(#kernel, error, before, at, behind);                                                                 \
  } while (0)

int main(void) {
  const char *threads = getenv("VPTR_THREADS"), *backend = getenv("VPTR_TEST_BACKEND");
  ends_block = (threads == NULL || strcmp(threads, "items") != 0) && backend != NULL && strcmp(backend, "pocl") == 0;
  ENDED(cudaErrorAssert, 2, 1, 0, in_value);
  ENDED(cudaErrorLaunchFailure, 2, 1, 0, in_record);
  ENDED(cudaErrorAssert, 2, 1, 0, in_reference);
  ENDED(cudaErrorAssert, 3, 1, 0, in_call);
  ENDED(cudaErrorAssert, 2, 1, 0, in_condition, 2);
  ENDED(cudaErrorAssert, 2, 0, 0, in_loop, 4);
  ENDED(cudaErrorAssert, 2, 0, 0, behind_loop, 4);
  ENDED(cudaErrorAssert, 2, 1, 0, between_barriers);
  ENDED(cudaErrorAssert, 1, 1, 1, in_function_with_barrier);
  ENDED(cudaErrorLaunchFailure, 2, 1, 1, trapped);
  later_launches_tested();
  return verdict("ended");
}
