/* SPDX-License-Identifier: MIT */
/* memory_own_pointers - arrays of pointers to shared memory, and to a thread's own variables, that loops go over. */
#include "check.h"

struct view {
  int *at;
  int count;
};

__global__ void run(int *out) {
  __shared__ int room[2][32];
  int own[4] = { 1, 2, 3, 4 }, i = (int)threadIdx.x, all = 0;
  view views[3] = { { room[0], 32 }, { room[1], 16 }, { room[0] + 3, 20 } };
  for (int r = 0; r < 2; r++)
    views[r].at[i] = i * (r + 1);
  __syncthreads();
  int *mine[2] = { own + 1, own + 2 };
  for (int r = 0; r < 3; r++)
    all += views[r].at[i % views[r].count];
  for (int r = 0; r < 2; r++)
    all += *mine[r];
  out[i] = all;
}

int main() {
  items<int, 32> out;
  run<<<1, 32>>>(out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == i + 2 * (i % 16) + i % 20 + 3 + 5);
  return result();
}
