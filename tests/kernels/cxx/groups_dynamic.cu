/* SPDX-License-Identifier: MIT */
/* groups_dynamic - thread_group: groups whose kind and size are known when the kernel runs, handed to one function. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

/* Any group that lies in one block; the room is the block's. */
__device__ int sum_of(cg::thread_group group, int *room, int x) {
  int rank = (int)group.thread_rank();
  for (int step = (int)group.size() / 2; step > 0; step /= 2) {
    room[rank] = x;
    group.sync();
    if (rank < step)
      x += room[rank + step];
    group.sync();
  }
  return x;
}

__global__ void sums(int *out, unsigned size) {
  __shared__ int room[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition(block, size);
  int x = (int)threadIdx.x, first = x / (int)size * (int)size;
  int *row = out + x * 5;
  row[0] = sum_of(block, room, x);
  block.sync();
  row[1] = sum_of(tile, room + first, x);
  row[2] = (int)tile.size();
  row[3] = (int)tile.thread_rank();
  block.sync();
  cg::thread_group half = cg::tiled_partition(tile, size / 2);
  row[4] = sum_of(half, room + x / ((int)size / 2) * ((int)size / 2), x) * 100 + (int)half.size();
}

int main() {
  for (int size = 2; size <= 32; size *= 2) {
    items<int, 128 * 5> out;
    sums<<<1, 128>>>(out.device, (unsigned)size);
    out.fetch();
    for (int i = 0; i < 128; i++) {
      const int *row = &out[i * 5], first = i / size * size, half = size / 2, from = i / half * half;
      EXPECT(i != 0 || row[0] == 127 * 64);
      EXPECT(i != first || row[1] == first * size + size * (size - 1) / 2);
      EXPECT(row[2] == size && row[3] == i % size && row[4] % 100 == half);
      EXPECT(i != from || row[4] / 100 == from * half + half * (half - 1) / 2);
    }
  }
  return result();
}
