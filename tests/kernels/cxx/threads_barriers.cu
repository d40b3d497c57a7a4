/* SPDX-License-Identifier: MIT */
/* threads_barriers - barriers in loops and functions of templates, and those that count and vote. */
#include "check.h"

template <int Rounds, class Step> __device__ int repeated(int *room, int mine, Step step) {
  int count = (int)blockDim.x, i = (int)threadIdx.x;
  for (int round = 0; round < Rounds; round++) {
    room[i] = mine;
    __syncthreads();
    mine = step(room[(i + 1) % count], room[(i + count - 1) % count]);
    __syncthreads();
  }
  return mine;
}
struct difference {
  __host__ __device__ int operator()(int a, int b) const { return a * 3 - b + 1; }
};

__global__ void run(int *out) {
  __shared__ int room[40];
  int i = (int)threadIdx.x;
  int mine = repeated<5>(room, i, difference());
  int odd = __syncthreads_count(mine & 1);
  int any = __syncthreads_or(i == 7), all = __syncthreads_and(i < 39);
  for (int limit = 0; __syncthreads_or(i > limit * 10); limit++)
    mine += limit;
  out[i] = mine * 1000 + odd * 10 + (any != 0) * 2 + (all != 0);
}

int main() {
  items<int, 40> out;
  run<<<1, 40>>>(out.device);
  out.fetch();
  int room[40], next[40], odd = 0;
  for (int i = 0; i < 40; i++)
    room[i] = i;
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 40; i++)
      next[i] = difference()(room[(i + 1) % 40], room[(i + 39) % 40]);
    memcpy(room, next, sizeof room);
  }
  for (int each : room)
    odd += each & 1;
  EXPECT_EACH(40, out[i] == (room[i] + 6) * 1000 + odd * 10 + 2);
  return result();
}
