/* SPDX-License-Identifier: MIT */
/* groups_large_nested - a block of 256 threads in tiles of 128, of 64 and of 16: barriers of all sizes by turns. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void nest(int *out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int room[256];
  cg::thread_block block = cg::this_thread_block(memory);
  auto half = cg::tiled_partition<128>(block);
  auto quarter = cg::tiled_partition<64>(half);
  auto small = cg::tiled_partition<16>(quarter);
  int i = (int)threadIdx.x, *row = out + i * 5;
  row[0] = (int)(half.meta_group_rank() * 100 + quarter.meta_group_rank() * 10 + small.meta_group_rank());
  row[1] = (int)(half.meta_group_size() * 100 + quarter.meta_group_size() * 10 + small.meta_group_size());
  int x = i;
  if (quarter.meta_group_rank() == 0) { /* the other quarter of each half does not come here */
    room[i] = x;
    quarter.sync();
    x += room[i ^ 63];
    quarter.sync();
  }
  room[i] = x;
  half.sync();
  x += room[i ^ 127];
  half.sync();
  room[i] = x;
  block.sync();
  x += room[i ^ 255];
  row[2] = x;
  row[3] = cg::reduce(quarter, 1, cg::plus<int>()) + cg::reduce(half, 1, cg::plus<int>()) * 1000;
  row[4] = cg::reduce(small, i, cg::plus<int>());
}

int main() {
  items<int, 256 * 5> out;
  nest<<<1, 256>>>(out.device);
  out.fetch();
  int now[256], next[256];
  for (int i = 0; i < 256; i++)
    now[i] = i + (i % 128 < 64 ? i ^ 63 : 0);
  for (int by = 127; by <= 255; by += 128) {
    for (int i = 0; i < 256; i++)
      next[i] = now[i] + now[i ^ by];
    for (int i = 0; i < 256; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < 256; i++) {
    const int *row = &out[i * 5];
    EXPECT(row[0] == i / 128 * 100 + i % 128 / 64 * 10 + i % 64 / 16 && row[1] == 224);
    EXPECT(row[2] == now[i] && row[3] == 128064 && row[4] == i / 16 * 256 + 120);
  }
  return result();
}
