/* SPDX-License-Identifier: MIT */
/* groups_tile_nested - tiles of tiles of tiles: ranks among their like count within the parent. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

template <unsigned Size, class Parent> __device__ int digest(const cg::thread_block_tile<Size, Parent> &tile) {
  return (int)(tile.meta_group_rank() * 10000 + tile.meta_group_size() * 100 + tile.thread_rank());
}
/* The parent is not in this type. */
__device__ int sum_of(cg::thread_block_tile<4> tile, int x) {
  for (int step = 2; step > 0; step /= 2)
    x += tile.shfl_xor(x, step);
  return x + (int)tile.meta_group_rank() * 1000;
}

__global__ void nest(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  auto four = cg::tiled_partition<4>(eight);
  auto one = cg::tiled_partition<1>(four);
  int *row = out + threadIdx.x * 6;
  row[0] = digest(warp);
  row[1] = digest(eight);
  row[2] = digest(four);
  row[3] = digest(one);
  row[4] = sum_of(four, (int)threadIdx.x);
  row[5] = (int)four.ballot(threadIdx.x % 4 == 2) * 100 + (int)eight.ballot(threadIdx.x % 4 == 2);
}

int main() {
  items<int, 128 * 6> out;
  nest<<<1, 128>>>(out.device);
  out.fetch();
  for (int i = 0; i < 128; i++) {
    const int *row = &out[i * 6];
    EXPECT(row[0] == i / 32 * 10000 + 400 + i % 32 && row[1] == i % 32 / 8 * 10000 + 400 + i % 8);
    EXPECT(row[2] == i % 8 / 4 * 10000 + 200 + i % 4 && row[3] == i % 4 * 10000 + 400);
    EXPECT(row[4] == i / 4 * 16 + 6 + i % 8 / 4 * 1000 && row[5] == 4 * 100 + 0x44);
  }
  return result();
}
