/* SPDX-License-Identifier: MIT */
/* barrier_leaving - threads that leave a cuda::barrier for good, threads that arrive for several, and try_wait(). */
#include <cuda/barrier>

#include <utility>

#include "check.h"

typedef cuda::barrier<cuda::thread_scope_block> barrier;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { THREADS = 64 };

/* In each round a quarter leaves. */
__global__ void leave(int *out) {
  __shared__ barrier meeting;
  __shared__ int counts[4];
  int i = (int)threadIdx.x;
  if (i == 0)
    init(&meeting, THREADS);
  if (i < 4)
    counts[i] = 0;
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    atomicAdd(&counts[round], 1);
    if (i % 4 == round) {
      meeting.arrive_and_drop();
      break;
    }
    meeting.arrive_and_wait();
    out[round * THREADS + i] = counts[round];
  }
}

/* The first thread arrives for all of its warp. */
__global__ void together(int *out) {
  __shared__ barrier meeting;
  __shared__ int word;
  int i = (int)threadIdx.x;
  if (i == 0) {
    init(&meeting, THREADS);
    word = 0;
  }
  __syncthreads();
  if (i < 32) {
    barrier::arrival_token token = i == 0 ? meeting.arrive(1) : meeting.arrive();
    meeting.wait(std::move(token));
    out[i] = word;
  } else {
    __syncwarp();
    if (i == 32) {
      word = 41;
      (void)meeting.arrive(32);
    }
  }
}

/* A phase is looked at again and again; phases are even and odd by turns. */
__global__ void look(int *out) {
  __shared__ barrier meeting;
  int i = (int)threadIdx.x;
  if (i == 0)
    init(&meeting, THREADS);
  __syncthreads();
  for (int phase = 0; phase < 3; phase++) {
    (void)meeting.arrive();
    meeting.wait_parity(phase % 2 != 0);
    out[i] += phase + 1;
  }
}

int main() {
  items<int, 4 * THREADS> out;
  leave<<<1, THREADS>>>(out.device);
  out.fetch();
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < THREADS; i++)
      EXPECT(out[round * THREADS + i] == (i % 4 > round ? THREADS - round * THREADS / 4 : 0));
  items<int, 32> words;
  together<<<1, THREADS>>>(words.device);
  words.fetch();
  EXPECT_EACH(32, words[i] == 41);
  items<int, THREADS> sums;
  look<<<1, THREADS>>>(sums.device);
  sums.fetch();
  EXPECT_EACH(THREADS, sums[i] == 6);
  return result();
}
