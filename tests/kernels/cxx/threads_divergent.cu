/* SPDX-License-Identifier: MIT */
/* threads_divergent - warps whose lanes part: masks of some lanes, lanes that have left, other operations in other arms. */
#include "check.h"

__global__ void part(unsigned *out) {
  unsigned lane = threadIdx.x % 32, all = 0xffffffffu;
  unsigned *row = out + threadIdx.x * 4;
  if (lane < 20) {
    row[0] = __shfl_down_sync(0x000fffffu, threadIdx.x, 4);
    if (lane % 2 == 0)
      row[1] = __ballot_sync(0x00055555u, lane > 9);
    else
      row[1] = (unsigned)__popc(__match_any_sync(0x000aaaaau, (int)(lane / 4)));
  } else {
    row[0] = __reduce_add_sync(0xfff00000u, lane);
    row[1] = (unsigned)__any_sync(0xfff00000u, lane == 31);
  }
  __syncwarp();
  row[2] = __shfl_sync(all, row[0], 31 - (int)lane);
  if (lane >= 16)
    return;
  row[3] = __ballot_sync(all, 1);
}

/* Each lane goes round another number of times, and those that still do sum up. */
__global__ void rounds(int *out) {
  int lane = (int)(threadIdx.x % 32), sum = 0;
  unsigned left = 0xffffffffu;
  for (int i = 0; i <= lane; i++) {
    sum += __shfl_sync(left, lane, 31);
    left = __ballot_sync(left, i < lane);
  }
  out[threadIdx.x] = sum;
}

int main() {
  items<unsigned, 64 * 4> out;
  part<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    unsigned lane = (unsigned)i % 32, sum = 12 * (20 + 31) / 2;
    const unsigned *row = &out[i * 4];
    EXPECT(row[0] == (lane >= 20 ? sum : lane < 16 ? (unsigned)i + 4 : row[0]));
    EXPECT(lane >= 20 ? row[1] == 1 : lane % 2 == 0 ? row[1] == 0x00055400u : row[1] == 2);
    EXPECT(row[2] == (lane < 12 ? sum : out[(i / 32 * 32 + 31 - (int)lane) * 4]));
    EXPECT(row[3] == (lane < 16 ? 0xffffu : 0u));
  }
  items<int, 96> sums;
  rounds<<<1, 96>>>(sums.device);
  sums.fetch();
  EXPECT_EACH(96, sums[i] == 31 * (i % 32 + 1));
  return failures > 0;
}
