/* SPDX-License-Identifier: MIT */
/* barrier_arrivals - PTX's bar.arrive: some warps of a block come to a barrier and go on, others wait there for them. */
#include "check.h"

enum { PRODUCERS = 64, THREADS = 160, ROUNDS = 4, FULL = 1, EMPTY = 2, ALL = 3 };

__device__ void arrive(int number, int count) {
  asm volatile("bar.arrive %0, %1;" : : "r"(number), "r"(count) : "memory");
}
__device__ void meet(int number, int count) {
  asm volatile("barrier.sync %0, %1;" : : "r"(number), "r"(count) : "memory");
}

/* Two warps fill a room, and three use it: each goes ahead of the others as far as the room allows. */
__global__ void hand_over(const int *in, int *out, int *order) {
  __shared__ int room[PRODUCERS], most;
  int i = (int)threadIdx.x, sum = 0;
  if (i == 0)
    most = 0;
  __syncthreads();
  for (int round = 0; round < ROUNDS; round++) {
    if (i < PRODUCERS) {
      if (round > 0)
        meet(EMPTY, THREADS);
      room[i] = in[round * PRODUCERS + i];
      if (i == 0)
        *(volatile int *)&most = round + 1;
      arrive(FULL, THREADS);
    } else {
      meet(FULL, THREADS);
      order[round] = *(volatile int *)&most;
      for (int from = 0; from < PRODUCERS; from++)
        sum += room[from] * (i + round);
      if (round + 1 < ROUNDS)
        arrive(EMPTY, THREADS);
    }
  }
  out[i] = sum;
  if (i < 32) /* who arrives need not be there when the others wait */
    arrive(FULL, THREADS);
  else
    meet(FULL, THREADS);
}

/* A warp of eight threads is a whole one to a barrier, and so is one some of whose threads have left. */
__global__ void parts(int *out) {
  int i = (int)threadIdx.x;
  if (i >= 32 && i < 48)
    return;
  if (i < 64) {
    out[i] = i;
    asm volatile("barrier.cta.arrive 5, 96;" : : : "memory");
  } else {
    asm volatile("bar.sync 5, 96;" : : : "memory");
    out[i] = out[i - 8] + out[i - 64];
  }
}

/* All threads, at another barrier than the block's. */
__global__ void all(int *out) {
  __shared__ int room[THREADS];
  int i = (int)threadIdx.x;
  room[i] = i;
  asm volatile("\tbar.sync 3;\n" : : : "memory");
  int x = room[THREADS - 1 - i];
  asm volatile("barrier.sync %0;" : : "r"(ALL + 1) : "memory");
  room[i] = x;
#ifdef __clang__
  __nvvm_barrier_sync(6);
#else
  __syncthreads();
#endif
  out[i] = room[i ^ 1];
}

int main() {
  items<int, ROUNDS * PRODUCERS> in;
  items<int, THREADS> out, met, turned;
  items<int, ROUNDS> order;
  for (int i = 0; i < ROUNDS * PRODUCERS; i++)
    in.host[i] = i * 37 % 101;
  in.send();
  hand_over<<<1, THREADS>>>(in.device, out.device, order.device);
  out.fetch(), order.fetch();
  for (int i = 0; i < THREADS; i++) {
    int sum = 0;
    for (int from = 0; i >= PRODUCERS && from < ROUNDS * PRODUCERS; from++)
      sum += in[from] * (i + from / PRODUCERS);
    EXPECT(out[i] == sum);
  }
  EXPECT_EACH(ROUNDS, order[i] == i + 1);
  parts<<<1, 72>>>(met.device);
  met.fetch();
  EXPECT_EACH(72, met[i] == (i < 32 || (i >= 48 && i < 64) ? i : i < 64 ? 0 : i - 8 + i - 64));
  all<<<1, THREADS>>>(turned.device);
  turned.fetch();
  EXPECT_EACH(THREADS, turned[i] == THREADS - 1 - (i ^ 1));
  return result();
}
