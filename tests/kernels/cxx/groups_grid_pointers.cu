/* SPDX-License-Identifier: MIT */
/* groups_grid_pointers - what a thread keeps over grid.sync(): pointers to shared memory, to the heap of kernels, to its own. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 4, THREADS = 33, N = BLOCKS * THREADS };

__global__ void keep(int *out) {
  __shared__ int room[THREADS];
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank(), mine[3] = { i, i + 1, i + 2 };
  int *heap = (int *)malloc(2 * sizeof(int));
  int *kept = i % 3 == 0 ? heap : i % 3 == 1 ? room + threadIdx.x : &mine[i % 2];
  heap[0] = 3 * i;
  room[threadIdx.x] = 5 * i;
  grid.sync();
  *kept += 1;
  grid.sync();
  out[i] = *kept;
  grid.sync();
  free(heap);
}

int main() {
  items<int, N> out;
  void *arguments[] = { &out.device };
  CALL(cudaLaunchCooperativeKernel((void *)keep, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  out.fetch();
  EXPECT_EACH(N, out[i] == (i % 3 == 0 ? 3 * i : i % 3 == 1 ? 5 * i : i + i % 2) + 1);
  return result();
}
