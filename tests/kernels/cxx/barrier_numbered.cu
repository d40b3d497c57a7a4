/* SPDX-License-Identifier: MIT */
/* barrier_numbered - PTX's barriers with a number, for some warps of a block, as constants and in registers. */
#include "check.h"

enum { THREADS = 160 };

__device__ void meet(int number, int count) { asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(count) : "memory"); }

__global__ void run(int *out) {
  __shared__ int room[THREADS];
  int i = (int)threadIdx.x, x = i;
  room[i] = x;
  if (i < 64) {
    asm volatile("bar.sync 1, 64;" : : : "memory");
    x += room[i ^ 63];
  } else if (i < 128) {
    for (int round = 0; round < 3; round++) {
      asm volatile("barrier.sync 2, 64;" : : : "memory");
      x += room[64 + (i + 32) % 64];
      meet(3, 64);
      room[i] = x;
    }
    meet(2 + 2, 64);
  } else {
    __syncwarp();
    x += room[128 + (i ^ 1) % 32];
  }
  __syncthreads();
  room[i] = x;
  if (i < 96) { /* three warps, one of which met another before */
    meet(1, 96);
    x += room[95 - i];
  }
  out[i] = x;
}

int main() {
  items<int, THREADS> out;
  run<<<1, THREADS>>>(out.device);
  out.fetch();
  int now[THREADS], next[64];
  for (int i = 0; i < THREADS; i++)
    now[i] = i;
  for (int i = 0; i < 64; i++)
    now[i] += i ^ 63;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 64; i++)
      next[i] = now[64 + i] + now[64 + (i + 32) % 64];
    for (int i = 0; i < 64; i++)
      now[64 + i] = next[i];
  }
  for (int i = 128; i < THREADS; i++)
    now[i] += i ^ 1;
  EXPECT_EACH(THREADS, out[i] == (i < 96 ? now[i] + now[95 - i] : now[i]));
  return result();
}
