/* SPDX-License-Identifier: MIT */
/* shared - shared memory: static, of several dimensions, in nested scopes and device functions, dynamic; and the barriers. */
#include "kernels.h"

enum { BLOCK = 32, BLOCKS = 4, COUNT = BLOCK * BLOCKS };

static int *memory;
static int seen[COUNT];

static void fetch(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
}

/* ---- static ---------------------------------------------------------------------------------------------- */

struct pair {
  short a;
  float b;
};

__device__ int rotated(int value) {
  __shared__ int ring[BLOCK];
  ring[threadIdx.x] = value;
  __syncthreads();
  int result = ring[(threadIdx.x + 1) % BLOCK];
  __syncthreads();
  return result;
}

__global__ void scopes(int *out) {
  __shared__ int cube[2][4][8 + 1];
  __shared__ struct pair pairs[BLOCK];
  __shared__ int total;
  unsigned t = threadIdx.x;
  if (t == 0)
    total = 0;
  cube[t / 16][t / 4 % 4][t % 4] = t * 3;
  pairs[t].a = t;
  pairs[t].b = t * 0.5f;
  __syncthreads();
  int value = cube[1 - t / 16][t / 4 % 4][3 - t % 4];
  {
    __shared__ float cube[BLOCK];
    cube[t] = pairs[BLOCK - 1 - t].b;
    __syncthreads();
    value += (int)cube[t / 2] * 1000;
  }
  for (int round = 0; round < 2; round++) {
    __shared__ unsigned char marks[BLOCK];
    marks[t] = t + round;
    __syncthreads();
    value += marks[BLOCK - 1 - t];
    __syncthreads();
  }
  atomicAdd(&total, 1);
  value += rotated(t) + rotated(pairs[t].a * 2);
  __syncthreads();
  out[blockIdx.x * BLOCK + t] = value * 100 + total + blockIdx.x;
}

static void scopes_tested(void) {
  scopes<<<BLOCKS, BLOCK>>>(memory);
  fetch();
  for (int i = 0; i < COUNT; i++) {
    int t = i % BLOCK, next = (t + 1) % BLOCK;
    int value = ((1 - t / 16) * 16 + t / 4 % 4 * 4 + 3 - t % 4) * 3;
    value += (int)((BLOCK - 1 - t / 2) * 0.5f) * 1000 + 2 * (BLOCK - 1 - t) + 1 + next + 2 * next;
    EXPECT(seen[i], value * 100 + BLOCK + i / BLOCK);
  }
}

/* A function's own shared variable is one, whatever memory the function is called with. */
__device__ int keep(const int *from, int add) {
  __shared__ int kept[BLOCK];
  int old = add != 0 ? 0 : kept[threadIdx.x];
  __syncthreads();
  if (add != 0)
    kept[threadIdx.x] = from[threadIdx.x] + add;
  __syncthreads();
  return old;
}

__global__ void one_of_a_function(int *out) {
  __shared__ int here[BLOCK];
  int *global = out + blockIdx.x * BLOCK;
  here[threadIdx.x] = 1;
  global[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  keep(global, 100);
  global[threadIdx.x] = keep(here, 0);
}

static void one_tested(void) {
  one_of_a_function<<<BLOCKS, BLOCK>>>(memory);
  fetch();
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], i % BLOCK * 2 + 100);
}

/* ---- dynamic --------------------------------------------------------------------------------------------- */

extern __shared__ char dynamic[];

__device__ float *floats_behind(int ints) { return (float *)(dynamic + ints * sizeof(int)); }

__global__ void parts(int *out, int ints) {
  int *numbers = (int *)dynamic;
  float *floats = floats_behind(ints);
  unsigned t = threadIdx.x;
  numbers[t] = t;
  floats[t] = t * 2.5f;
  __syncthreads();
  out[blockIdx.x * BLOCK + t] = numbers[BLOCK - 1 - t] * 1000 + (int)floats[BLOCK - 1 - t];
}

__global__ void typed(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x * 7;
  __syncthreads();
  out[blockIdx.x * BLOCK + threadIdx.x] = words[threadIdx.x ^ 1];
}

static void dynamic_tested(void) {
  parts<<<BLOCKS, BLOCK, 2 * BLOCK * sizeof(int)>>>(memory, BLOCK);
  fetch();
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], (BLOCK - 1 - i % BLOCK) * 1000 + (int)((BLOCK - 1 - i % BLOCK) * 2.5f));
  typed<<<BLOCKS, BLOCK, BLOCK * sizeof(int)>>>(memory);
  fetch();
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], (i % BLOCK ^ 1) * 7);
}

/* ---- barriers -------------------------------------------------------------------------------------------- */

__global__ void votes(int *out, int limit) {
  int t = threadIdx.x;
  int count = __syncthreads_count(t < limit + (int)blockIdx.x);
  int all = __syncthreads_and(t < 100 - limit * (int)blockIdx.x);
  int any = __syncthreads_or(t == limit);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  out[blockIdx.x * BLOCK + t] = count * 100 + (all != 0) * 10 + (any != 0);
}

/* Loops and conditions around barriers that are the same for all of a block. */
__global__ void together(int *out, int count, const int *rounds) {
  __shared__ int row[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
  row[threadIdx.x] = i;
  if (blockIdx.x * BLOCK >= count)
    return;
  for (int step = 1; step < *rounds; step *= 2) {
    __syncthreads();
    int other = row[threadIdx.x ^ step];
    __syncthreads();
    row[threadIdx.x] += other;
    if (blockIdx.x % 2 == 0) {
      __syncthreads();
      sum++;
    }
  }
  do {
    __syncthreads();
  } while (++sum < 7);
  out[i] = row[threadIdx.x] + sum;
}

static void barriers_tested(void) {
  votes<<<BLOCKS, BLOCK>>>(memory, 20);
  fetch();
  for (int i = 0; i < COUNT; i++) {
    int block = i / BLOCK;
    EXPECT(seen[i], (20 + block) * 100 + (BLOCK - 1 < 100 - 20 * block) * 10 + 1);
  }
  int rounds = BLOCK, *on_device;
  CHECK(cudaMalloc((void **)&on_device, sizeof rounds));
  CHECK(cudaMemcpy(on_device, &rounds, sizeof rounds, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(memory, 0, sizeof seen));
  together<<<BLOCKS, BLOCK>>>(memory, COUNT - BLOCK, on_device);
  fetch();
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], i >= COUNT - BLOCK ? 0 : i / BLOCK * BLOCK * BLOCK + BLOCK * (BLOCK - 1) / 2 + 7);
  CHECK(cudaFree(on_device));
}

/* ---- a scan over a row: the usual pattern ---------------------------------------------------------------- */

__global__ void scan(const int *in, int *out) {
  __shared__ int rows[2][BLOCK];
  int t = threadIdx.x, from = 0;
  rows[0][t] = in[t];
  __syncthreads();
  for (int step = 1; step < BLOCK; step <<= 1) {
    if (t >= step)
      rows[1 - from][t] = rows[from][t] + rows[from][t - step];
    else
      rows[1 - from][t] = rows[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = rows[from][t];
}

static void scan_tested(void) {
  int values[BLOCK], sum = 0;
  for (int i = 0; i < BLOCK; i++)
    values[i] = i * i % 11 - 3;
  CHECK(cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice));
  scan<<<1, BLOCK>>>(memory, memory + BLOCK);
  fetch();
  for (int i = 0; i < BLOCK; i++) {
    sum += values[i];
    EXPECT(seen[BLOCK + i], sum);
  }
}

/* ---- barriers under conditions that are the same for a block ------------------------------------------------ */

enum { ROUNDS = 6 };

/* Whatever is behind a barrier that all threads reach, or none: only those that it says do it. The counters are
 * seen[0] and so on. */
__global__ void conditions(int *out, const int *flags) {
  __shared__ int kept;
  unsigned t = threadIdx.x;
  for (int i = 0; i < ROUNDS; i++) { /* the same word for all, read from memory */
    if (t == 0)
      kept = 0;
    __syncthreads();
    if (flags[i] == 1)
      continue;
    __syncthreads();
    if (t == 0)
      atomicAdd(&out[0], 1);
  }
  for (int i = 0; i < ROUNDS; i++) { /* a counter */
    if (i & 1) {
      __syncthreads();
      if (t == 1)
        atomicAdd(&out[1], 1);
    } else if (t == 2) {
      atomicAdd(&out[2], 1);
    }
  }
  switch (flags[0] + ROUNDS) {
  case ROUNDS:
    __syncthreads();
    if (t == 3)
      atomicAdd(&out[3], 1);
  case 1: /* from above, too */
    atomicAdd(&out[4], 1);
    break;
  default:
    __syncthreads();
  }
  if (flags[1] == 0) { /* two ways that end alike */
    for (int i = 0; i < ROUNDS; i++)
      __syncthreads();
    __syncthreads();
    if (t == 4)
      atomicAdd(&out[5], 1);
    __syncthreads();
  } else {
    __syncthreads();
    if (t == 5)
      atomicAdd(&out[6], 1);
    __syncthreads();
  }
  if (t == 6)
    atomicAdd(&out[7], 1);
}

static void conditions_tested(void) {
  static const int expected[] = { ROUNDS * BLOCKS, ROUNDS / 2 * BLOCKS, ROUNDS / 2 * BLOCKS, BLOCKS, COUNT, BLOCKS, 0, BLOCKS };
  CHECK(cudaMemset(memory, 0, sizeof seen));
  conditions<<<BLOCKS, BLOCK>>>(memory, memory + COUNT / 2);
  fetch();
  for (int i = 0; i < 8; i++)
    EXPECT(seen[i], expected[i]);
}

/* ---- at namespace level ---------------------------------------------------------------------------------- */

__device__ __shared__ int of_all[BLOCK];
namespace inner {
static __shared__ int offset;
}

__device__ int other_end(int thread) {
  return of_all[BLOCK - 1 - thread] + inner::offset;
}

__global__ void turned(int *out) {
  of_all[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    inner::offset = 100;
  __syncthreads();
  out[threadIdx.x] = other_end(threadIdx.x);
}

__global__ void shifted(int *out) {
  of_all[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = of_all[(threadIdx.x + 1) % BLOCK];
}

/* Kernels may be declared where they are launched. */
static void outer_tested(void) {
  __global__ void turned(int *);
  extern __global__ void shifted(int *out);
  turned<<<1, BLOCK>>>(memory);
  fetch();
  for (int i = 0; i < BLOCK; i++)
    EXPECT(seen[i], BLOCK - 1 - i + 100);
  shifted<<<1, BLOCK>>>(memory);
  fetch();
  for (int i = 0; i < BLOCK; i++)
    EXPECT(seen[i], 2 * ((i + 1) % BLOCK));
}

int main(void) {
  CHECK(cudaMalloc((void **)&memory, sizeof seen));
  scopes_tested();
  one_tested();
  dynamic_tested();
  barriers_tested();
  scan_tested();
  conditions_tested();
  outer_tested();
  CHECK(cudaFree(memory));
  return verdict("shared");
}
