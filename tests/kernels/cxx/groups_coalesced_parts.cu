/* SPDX-License-Identifier: MIT */
/* groups_coalesced_parts - tiled, binary and labeled partitions of coalesced threads and of tiles. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int digest(const cg::coalesced_group &group) {
  return (int)(group.meta_group_rank() * 100000 + group.meta_group_size() * 10000 + group.size() * 100 + group.thread_rank());
}

__global__ void parts(int *out) {
  int i = (int)threadIdx.x, *row = out + i * 6;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::coalesced_group sides = cg::binary_partition(tile, i % 16 < 5);
  row[0] = digest(sides);
  row[1] = sides.shfl(i, 0);
  cg::coalesced_group labels = cg::labeled_partition(tile, (i + 2) % 3);
  row[2] = digest(labels);
  if (i % 2 == 0) {
    cg::coalesced_group even = cg::coalesced_threads();
    cg::coalesced_group four = cg::tiled_partition(even, 4);
    row[3] = digest(four);
    row[4] = four.shfl(i, 3);
    row[5] = digest(cg::labeled_partition(even, i % 10));
  }
}

int main() {
  items<int, 64 * 6> out;
  parts<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const int *row = &out[i * 6], rank = i % 16, first = i - rank, warp = i / 32 * 32;
    const bool is_low = rank < 5;
    EXPECT(row[0] == is_low * 100000 + 20000 + (is_low ? 5 : 11) * 100 + (is_low ? rank : rank - 5));
    EXPECT(row[1] == (is_low ? first : first + 5));
    int size = 0, before = 0;
    for (int k = first; k < first + 16; k++)
      if (k % 3 == i % 3) {
        before += k < i;
        size++;
      }
    EXPECT(row[2] / 10000 % 10 == 3 && row[2] % 10000 == size * 100 + before);
    if (i % 2 != 0)
      continue;
    EXPECT(row[3] == (i - warp) / 8 * 100000 + 40000 + 400 + (i - warp) / 2 % 4 && row[4] == i / 8 * 8 + 6);
    size = before = 0;
    for (int k = warp; k < warp + 32; k += 2)
      if (k % 10 == i % 10) {
        before += k < i;
        size++;
      }
    EXPECT(row[5] / 10000 % 10 == 5 && row[5] % 10000 == size * 100 + before);
  }
  return result();
}
