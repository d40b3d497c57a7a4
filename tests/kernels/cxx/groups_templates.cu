/* SPDX-License-Identifier: MIT */
/* groups_templates - groups as template parameters, members, arguments by value and by reference, and results. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

template <class Group> __device__ int reduce_any(Group group, int *room, int x) {
  const unsigned rank = (unsigned)group.thread_rank(), size = (unsigned)group.size();
  room[rank] = x;
  group.sync();
  int sum = 0;
  for (unsigned i = 0; i < size; i++)
    sum += room[i];
  group.sync();
  return sum;
}

template <class Tile> struct worker {
  Tile tile;
  int *room;
  __device__ worker(const Tile &tile, int *room) : tile(tile), room(room + tile.meta_group_rank() * tile.size()) {}
  __device__ int turned(int x) {
    room[tile.thread_rank()] = x;
    tile.sync();
    int other = room[tile.size() - 1 - tile.thread_rank()];
    tile.sync();
    return other;
  }
};

template <unsigned Size> __device__ cg::thread_block_tile<Size, cg::thread_block> tile_of(const cg::thread_block &block) {
  return cg::tiled_partition<Size>(block);
}

template <unsigned Size> __device__ int last_of(const cg::thread_block_tile<Size> &tile, int x) {
  return tile.shfl(x, Size - 1);
}

__global__ void run(int *out) {
  __shared__ int room[64];
  cg::thread_block block = cg::this_thread_block();
  auto tile = tile_of<8>(block);
  int i = (int)threadIdx.x, *row = out + i * 5;
  row[0] = reduce_any(block, room, i);
  row[1] = reduce_any(tile, room + i / 8 * 8, i);
  worker<decltype(tile)> own(tile, room);
  row[2] = own.turned(i);
  row[3] = last_of<8>(tile, i);
  block.sync();
  if (i % 2)
    row[4] = reduce_any(cg::coalesced_threads(), room + i / 32 * 32, i);
}

int main() {
  items<int, 64 * 5> out;
  run<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const int *row = &out[i * 5], first = i / 8 * 8, warp = i / 32 * 32;
    EXPECT(row[0] == 2016 && row[1] == first * 8 + 28 && row[2] == first + 7 - i % 8 && row[3] == first + 7);
    EXPECT(i % 2 == 0 || row[4] == warp * 16 + 256);
  }
  return result();
}
