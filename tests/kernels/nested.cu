/* SPDX-License-Identifier: MIT */
/* nested - barriers that all threads reach, in loops and conditions, with branches between them that threads take apart. */
#include "kernels.h"

enum { BLOCK = 32, ROUNDS = 4, COUNTS = 8 };

static int *memory;
static int seen[COUNTS];

static void clear(void) {
  CHECK(cudaMemset(memory, 0, sizeof seen));
}

static void fetch(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
}

/* Both ways begin and end with a barrier: compilers make one of two. */
__global__ void both_ways(int *out, int rounds, int way) {
  unsigned t = threadIdx.x;
  if (t == 0)
    out[7] = 1;
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    if (way) {
      __syncthreads();
      if (t)
        atomicAdd(&out[0], 4);
      else
        atomicAdd(&out[1], 1);
    } else {
      __syncthreads();
    }
  }
}

static void both_ways_tested(void) {
  clear();
  both_ways<<<1, BLOCK>>>(memory, ROUNDS, 1);
  fetch();
  EXPECT(seen[0], 4 * (BLOCK - 1) * ROUNDS);
  EXPECT(seen[1], ROUNDS);
}

/* Only one label has a barrier. */
__global__ void labels(int *out, int rounds) {
  __shared__ int s[BLOCK];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    switch (i & 3) {
    case 0:
      if (threadIdx.x || blockIdx.x)
        atomicAdd(&out[0], 1);
      break;
    default:
      __syncthreads();
      break;
    }
  }
  out[1] = s[0];
}

static void labels_tested(void) {
  clear();
  labels<<<1, BLOCK>>>(memory, ROUNDS);
  fetch();
  EXPECT(seen[0], BLOCK - 1);
}

/* All threads return, or go through a loop with a barrier. */
__global__ void inner_loop(int *out, int rounds, int inner) {
  __shared__ int s[BLOCK];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    switch (out[7] & 3) { /* 0 */
    case 1:
      out[1] = s[0];
      return;
    default:
      if (threadIdx.x)
        atomicAdd(&out[0], 1);
      int j = 0;
      do
        __syncthreads();
      while (++j < inner);
      break;
    }
  }
}

static void inner_loop_tested(void) {
  clear();
  inner_loop<<<1, BLOCK>>>(memory, ROUNDS, 2);
  fetch();
  EXPECT(seen[0], (BLOCK - 1) * ROUNDS);
}

__global__ void counted(int *out, int rounds) {
  __shared__ int s[BLOCK];
  s[threadIdx.x] = threadIdx.x;
  int all = __syncthreads_count(1);
  for (int i = 0; i < rounds; i++) {
    int some = __syncthreads_count(s[threadIdx.x] == 1);
    if (some)
      atomicAdd(&out[0], some);
  }
  if (threadIdx.x == 0)
    out[1] = all;
}

static void counted_tested(void) {
  clear();
  counted<<<1, BLOCK>>>(memory, ROUNDS);
  fetch();
  EXPECT(seen[0], BLOCK * ROUNDS);
  EXPECT(seen[1], BLOCK);
}

/* A condition that is the same before each barrier, and in the loop's own condition: until all are done. */
__global__ void until_all(int *out, int limit) {
  __shared__ int s[BLOCK];
  unsigned t = threadIdx.x;
  bool is_odd = t & 1;
  int rounds = 0;
  s[t] = t;
  if (is_odd)
    atomicAdd(&out[0], 1);
  __syncthreads();
  while (__syncthreads_or(is_odd && s[t] < limit)) {
    if (is_odd)
      atomicAdd(&out[1], 1);
    __syncthreads();
    if (is_odd)
      s[t]++;
    __syncthreads();
    if (is_odd)
      atomicAdd(&out[2], s[t ^ 1] == (int)(t ^ 1));
    __syncthreads();
    rounds++;
  }
  if (t == 0)
    out[3] = rounds;
}

static void until_all_tested(void) {
  clear();
  until_all<<<1, BLOCK>>>(memory, 1 + ROUNDS);
  fetch();
  EXPECT(seen[0], BLOCK / 2);
  EXPECT(seen[1], BLOCK / 2 * ROUNDS);
  EXPECT(seen[2], BLOCK / 2 * ROUNDS);
  EXPECT(seen[3], ROUNDS);
}

__device__ void step(int *out, int number) {
  if (threadIdx.x == 3)
    atomicAdd(&out[number], 1);
  __syncthreads();
  if (threadIdx.x != 3)
    atomicAdd(&out[number + 1], 1);
}

/* Functions with barriers, in both ways and in a loop of three. */
__global__ void called(int *out, int rounds) {
  for (int i = 0; i < rounds; i++)
    for (int j = 0; j <= i; j++) {
      if (j & 1)
        step(out, 0);
      else
        step(out, 2);
      int k = 0;
      while (k++ < 2)
        step(out, 4);
    }
}

static void called_tested(void) {
  clear();
  called<<<1, BLOCK>>>(memory, 3);
  fetch();
  static const int expected[] = { 2, 2 * (BLOCK - 1), 4, 4 * (BLOCK - 1), 12, 12 * (BLOCK - 1) };
  for (int i = 0; i < 6; i++)
    EXPECT(seen[i], expected[i]);
}

/* Some threads jump past what others do, out of a loop too, and all meet at the label. */
__global__ void jumped(int *out, int rounds) {
  __shared__ int s[BLOCK];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < rounds; i++) {
    s[t] = t + i;
    __syncthreads();
    for (int j = 0; j < BLOCK; j++) {
      sum += s[(t + j) % BLOCK];
      if (j == t)
        goto met;
    }
    sum = -1;
  met:
    __syncthreads();
  }
  atomicAdd(&out[0], sum);
}

static void jumped_tested(void) {
  int sum = 0;
  for (int i = 0; i < ROUNDS; i++)
    for (int t = 0; t < BLOCK; t++)
      for (int j = 0; j <= t; j++)
        sum += (t + j) % BLOCK + i;
  clear();
  jumped<<<1, BLOCK>>>(memory, ROUNDS);
  fetch();
  EXPECT(seen[0], sum);
}

int main(void) {
  CHECK(cudaMalloc((void **)&memory, sizeof seen));
  both_ways_tested();
  labels_tested();
  inner_loop_tested();
  counted_tested();
  until_all_tested();
  called_tested();
  jumped_tested();
  CHECK(cudaFree(memory));
  return verdict("nested");
}
