/* SPDX-License-Identifier: MIT */
/* groups_large_tiles - tiles of 64 to 512 threads: barriers of their own, shuffles, votes, reductions and scans over warps. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 512, VALUES = 9 };

template <unsigned Size> __global__ void large(int *out) {
  __shared__ cg::block_tile_memory<THREADS> memory;
  __shared__ int room[THREADS];
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  int i = (int)threadIdx.x, *row = out + i * VALUES;
  row[0] = (int)(tile.thread_rank() * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size());
  /* Tiles go round another number of times. */
  int x = i;
  for (unsigned round = 0; round <= tile.meta_group_rank(); round++) {
    room[i] = x;
    tile.sync();
    x += room[i / (int)Size * (int)Size + (int)(tile.thread_rank() + 33) % (int)Size];
    tile.sync();
  }
  row[1] = x;
  row[2] = tile.shfl(i, 40);
  row[3] = (tile.any(i == 100) != 0) * 2 + (tile.all(i != 100) != 0);
  row[4] = cg::reduce(tile, i, cg::plus<int>());
  row[5] = cg::reduce(tile, i * 7 % 101, [](int a, int b) { return a > b ? a : b; });
  row[6] = cg::inclusive_scan(tile, i % 5);
  row[7] = cg::exclusive_scan(tile, i % 5);
  row[8] = (int)tile.size();
}

template <unsigned Size> void check() {
  static int rounds[2][THREADS];
  items<int, THREADS * VALUES> out;
  large<Size><<<1, THREADS>>>(out.device);
  out.fetch();
  const int size = (int)Size;
  for (int tile = 0; tile < THREADS / size; tile++) {
    int first = tile * size, most = 0, sum = 0;
    for (int i = first; i < first + size; i++) {
      rounds[0][i] = i;
      most = i * 7 % 101 > most ? i * 7 % 101 : most;
    }
    for (int round = 0; round <= tile; round++)
      for (int half = 0; half < 2; half++)
        for (int i = first; i < first + size; i++)
          rounds[1 - half][i] =
              half == 0 ? (int)((unsigned)rounds[0][i] + (unsigned)rounds[0][first + (i - first + 33) % size]) : rounds[1][i];
    for (int i = first; i < first + size; i++) {
      const int *row = &out[i * VALUES];
      EXPECT(row[0] == (i - first) * 100 + tile * 10 + THREADS / size && row[1] == rounds[0][i] && row[2] == first + 40);
      EXPECT(row[3] == (first <= 100 && 100 < first + size ? 2 : 1));
      EXPECT(row[4] == first * size + size * (size - 1) / 2 && row[5] == most && row[7] == sum);
      sum += i % 5;
      EXPECT(row[6] == sum && row[8] == size);
    }
  }
}

int main() {
  check<64>();
  check<128>();
  check<256>();
  check<512>();
  return result();
}
