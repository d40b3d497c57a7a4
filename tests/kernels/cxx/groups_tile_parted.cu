/* SPDX-License-Identifier: MIT */
/* groups_tile_parted - tiles of one warp do different things, different numbers of times; the block's size is no multiple of 32. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 72 };

__global__ void part(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int x = (int)threadIdx.x, sum = 0;
  switch (tile.meta_group_rank() % 3) {
  case 0:
    for (int step = 4; step > 0; step /= 2)
      x += tile.shfl_xor(x, step);
    sum = x;
    break;
  case 1:
    sum = (int)tile.ballot(x % 2 == 0);
    break;
  default:
    for (unsigned round = 0; round <= tile.meta_group_rank(); round++) {
      sum += tile.shfl(x, (int)round % 8);
      tile.sync();
    }
  }
  out[threadIdx.x] = sum;
}

int main() {
  items<int, THREADS> out;
  part<<<1, THREADS>>>(out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int tile = i / 8, first = tile * 8;
    int rounds = 0;
    for (int round = 0; round <= tile; round++)
      rounds += first + round % 8;
    check_item(out[i] == (tile % 3 == 0 ? first * 8 + 28 : tile % 3 == 1 ? 0x55 : rounds), i, "tile", __FILE__, __LINE__);
  }
  return result();
}
