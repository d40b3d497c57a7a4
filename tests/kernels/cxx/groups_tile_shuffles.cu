/* SPDX-License-Identifier: MIT */
/* groups_tile_shuffles - tiles of 1 to 32 threads: every shuffle, ranks and sizes, in a block whose last warp is not full. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 96, VALUES = 10 };

template <unsigned Size> __global__ void shuffle(int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  int x = (int)block.thread_rank() * 10;
  int *row = out + block.thread_rank() * VALUES;
  row[0] = tile.shfl(x, Size - 1);
  row[1] = tile.shfl(x, (int)(tile.thread_rank() + 1) % (int)Size);
  row[2] = tile.shfl_up(x, 1);
  row[3] = tile.shfl_down(x, 2);
  row[4] = tile.shfl_xor(x, Size / 2);
  row[5] = (int)tile.thread_rank();
  row[6] = (int)tile.size();
  row[7] = (int)tile.meta_group_rank();
  row[8] = (int)tile.meta_group_size();
  tile.sync();
  row[9] = (int)tile.num_threads();
}

template <unsigned Size> void check() {
  items<int, THREADS * VALUES> out;
  shuffle<Size><<<1, THREADS>>>(out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int size = (int)Size, rank = i % size, first = i - rank, *row = &out[i * VALUES];
    EXPECT(row[0] == (first + size - 1) * 10 && row[1] == (first + (rank + 1) % size) * 10);
    EXPECT(row[2] == (rank >= 1 ? i - 1 : i) * 10 && row[3] == (rank + 2 < size ? i + 2 : i) * 10);
    EXPECT(row[4] == (size > 1 ? first + (rank ^ size / 2) : i) * 10);
    EXPECT(row[5] == rank && row[6] == size && row[9] == size);
    EXPECT(row[7] == i / size && row[8] == THREADS / size);
  }
}

int main() {
  check<1>();
  check<2>();
  check<4>();
  check<8>();
  check<16>();
  check<32>();
  return result();
}
