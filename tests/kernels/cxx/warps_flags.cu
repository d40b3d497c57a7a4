/* SPDX-License-Identifier: MIT */
/* warps_flags - warps of a block that hand work on by flags in shared memory, and sleep while they wait. */
#include "check.h"

__global__ void chain(int *out) {
  __shared__ volatile int turn;
  __shared__ int value;
  int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, warps = (int)blockDim.x / 32;
  if (threadIdx.x == 0) {
    turn = warps - 1; /* the last warp begins */
    value = 1;
  }
  __syncthreads();
  while (turn != warp)
    __nanosleep(50);
  __syncwarp();
  if (lane == 0) {
    value = value * 3 + warp;
    out[warp] = value;
    __threadfence_block();
    turn = warp - 1;
  }
  __syncwarp();
}

/* A lock whose waiting threads sleep: each thread of the block takes it. */
__global__ void lock(int *out) {
  __shared__ int taken, sum;
  if (threadIdx.x == 0)
    taken = sum = 0;
  __syncthreads();
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(&taken, 0, 1) == 0) {
      *(volatile int *)&sum = *(volatile int *)&sum + (int)threadIdx.x;
      __threadfence_block();
      atomicExch(&taken, 0);
      is_done = true;
    } else {
      __nanosleep(100);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum;
}

int main() {
  items<int, 8> out;
  chain<<<1, 256>>>(out.device);
  out.fetch();
  int value = 1;
  for (int warp = 7; warp >= 0; warp--) {
    value = value * 3 + warp;
    EXPECT(out[warp] == value);
  }
  items<int, 1> sum;
  lock<<<1, 96>>>(sum.device);
  sum.fetch();
  EXPECT(sum[0] == 95 * 48);
  return result();
}
