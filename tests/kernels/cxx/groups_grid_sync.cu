/* SPDX-License-Identifier: MIT */
/* groups_grid_sync - grid.sync() in cooperative launches: blocks that read what others wrote, with shared memory, static and
 * dynamic, variables and arrays of threads that last over it, under conditions of the grid, and in functions. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 6, THREADS = 40, N = BLOCKS * THREADS };

__global__ void turn(int *a, int *b, int *sums, int rounds) {
  __shared__ int own[THREADS];
  extern __shared__ int room[];
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank(), t = (int)threadIdx.x, array[4], sum = 0;
  int *chosen = &array[i & 3];
  for (int k = 0; k < 4; k++)
    array[k] = i + k;
  own[t] = i;
  room[t] = 2 * i;
  for (int round = 0; round < rounds; round++) {
    a[i] = b[i] + 1;
    grid.sync();
    b[i] = a[(i + THREADS + 1) % N];
    if (round % 2 == 0) {
      *chosen += 1;
      grid.sync();
    } else {
      sum += own[t ^ 1] + room[t ^ 1] + *chosen;
      grid.sync();
    }
  }
  sums[i] = sum;
}

/* The sum of all, then of half of the blocks, and so on. */
__device__ void add_up(const cg::grid_group &grid, int *parts) {
  __shared__ int room[THREADS];
  for (int blocks = (int)gridDim.x; blocks > 1; blocks = (blocks + 1) / 2) {
    grid.sync();
    int half = (blocks + 1) / 2, block = (int)blockIdx.x;
    if (block < half) {
      room[threadIdx.x] = block + half < blocks ? parts[(block + half) * THREADS + (int)threadIdx.x] : 0;
      __syncthreads();
      parts[block * THREADS + (int)threadIdx.x] += room[threadIdx.x];
    }
  }
}
__global__ void reduce(int *parts) {
  cg::grid_group grid = cg::this_grid();
  if (!grid.is_valid())
    return;
  parts[grid.thread_rank()] = (int)grid.thread_rank();
  add_up(grid, parts);
}

__global__ void ask(int *out) { out[cg::this_grid().thread_rank()] = cg::this_grid().is_valid() ? 2 : 1; }

int main() {
  items<int, N> a, b, sums;
  for (int i = 0; i < N; i++)
    b.host[i] = i;
  b.send();
  int rounds = 6;
  void *arguments[] = { &a.device, &b.device, &sums.device, &rounds };
  CALL(cudaLaunchCooperativeKernel((const void *)turn, dim3(BLOCKS), dim3(THREADS), arguments, THREADS * sizeof(int), 0));
  b.fetch(), sums.fetch();
  for (int i = 0; i < N; i++) {
    EXPECT(b[i] == (i + (THREADS + 1) * rounds) % N + rounds);
    EXPECT(sums[i] == 3 * 3 * (i / THREADS * THREADS + (i % THREADS ^ 1)) + 3 * (i + (i & 3)) + 1 + 2 + 3);
  }
  for (int blocks = 1; blocks <= BLOCKS; blocks++) {
    items<int, N> parts;
    void *only[] = { &parts.device };
    CALL(cudaLaunchCooperativeKernel((void *)reduce, dim3(blocks), dim3(THREADS), only, 0, 0));
    parts.fetch();
    for (int t = 0; t < THREADS; t++)
      EXPECT(parts[t] == blocks * t + THREADS * blocks * (blocks - 1) / 2);
  }
  items<int, N> asked;
  void *out[] = { &asked.device };
  CALL(cudaLaunchCooperativeKernel((void *)ask, dim3(3, 2), dim3(8, 5), out, 0, 0));
  asked.fetch();
  EXPECT_EACH(N, asked[i] == 2);
  return result();
}
