/* SPDX-License-Identifier: MIT */
/* barrier_block - cuda::barrier in shared memory: all arrive and wait, tokens, parts of a block, phases that go round. */
#include <cuda/barrier>

#include <utility>

#include "check.h"

typedef cuda::barrier<cuda::thread_scope_block> barrier;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { THREADS = 96 };

/* Work between arriving and waiting, which needs nobody else's. */
__global__ void split(int *out) {
  __shared__ barrier meeting;
  __shared__ int room[THREADS];
  int i = (int)threadIdx.x, sum = 0;
  if (i == 0)
    init(&meeting, THREADS);
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    room[i] = i * 10 + round;
    barrier::arrival_token token; /* it may be given its value later */
    if (i % 2 == 0)
      token = meeting.arrive();
    else
      token = meeting.arrive(1);
    sum += round;
    meeting.wait(std::move(token));
    sum += room[(i + 35) % THREADS];
    meeting.arrive_and_wait();
  }
  out[i] = sum;
}

/* Each warp has a barrier of its own; one is for two warps. */
__global__ void parts(int *out) {
  __shared__ barrier own[3], both;
  __shared__ int room[THREADS];
  int i = (int)threadIdx.x, warp = i / 32;
  if (i < 3)
    init(&own[i], 32);
  if (i == 3)
    init(&both, 64);
  __syncthreads();
  int x = i;
  for (int round = 0; round <= warp; round++) {
    room[i] = x;
    own[warp].arrive_and_wait();
    x += room[warp * 32 + (i + 1) % 32];
    own[warp].arrive_and_wait();
  }
  if (warp != 1) {
    room[i] = x;
    both.arrive_and_wait();
    x += room[(i + 64) % 128];
  }
  out[i] = x;
}

int main() {
  items<int, THREADS> out;
  split<<<1, THREADS>>>(out.device);
  out.fetch();
  EXPECT_EACH(THREADS, out[i] == 4 * ((i + 35) % THREADS * 10) + 12);
  parts<<<1, THREADS>>>(out.device);
  out.fetch();
  int now[THREADS], next[THREADS];
  for (int i = 0; i < THREADS; i++)
    now[i] = i;
  for (int warp = 0; warp < 3; warp++)
    for (int round = 0; round <= warp; round++) {
      for (int i = 0; i < 32; i++)
        next[warp * 32 + i] = now[warp * 32 + i] + now[warp * 32 + (i + 1) % 32];
      for (int i = warp * 32; i < warp * 32 + 32; i++)
        now[i] = next[i];
    }
  EXPECT_EACH(THREADS, out[i] == (i / 32 == 1 ? now[i] : now[i] + now[(i + 64) % 128]));
  return result();
}
