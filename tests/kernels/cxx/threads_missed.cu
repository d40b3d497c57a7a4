/* SPDX-License-Identifier: MIT */
/* threads_missed - barriers that not all threads of a block reach: some have left before, others come by another way. */
#include "check.h"

__global__ void leave(int *out, int count) {
  __shared__ int seen[128];
  int i = (int)threadIdx.x;
  seen[i] = i;
  if (i >= count)
    return;
  for (int step = 1; step < count; step *= 2) {
    __syncthreads();
    int other = seen[(i + step) % count];
    __syncthreads();
    seen[i] += other;
  }
  out[i] = seen[i];
}

__global__ void meet(int *out) {
  __shared__ int box[2];
  if (threadIdx.x < 48) {
    if (threadIdx.x == 0)
      box[0] = 7;
    __syncthreads();
    out[threadIdx.x] = box[1];
  } else {
    if (threadIdx.x == 48)
      box[1] = 9;
    __syncthreads();
    out[threadIdx.x] = box[0];
  }
}

int main() {
  items<int, 128> out;
  leave<<<1, 128>>>(out.device, 64);
  out.fetch();
  EXPECT_EACH(64, out[i] == 64 * 63 / 2);
  EXPECT_EACH(64, out[64 + i] == 0);
  meet<<<1, 96>>>(out.device);
  out.fetch();
  EXPECT_EACH(96, out[i] == (i < 48 ? 9 : 7));
  return failures > 0;
}
