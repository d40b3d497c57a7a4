/* SPDX-License-Identifier: MIT */
/* groups_alike - partitions by what the threads say: all the same, truth values, pointers; and tiles of what a partition gave. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

#ifdef __VPTRCC__
enum { THREADS = 72, COLUMNS = 8 }; /* the last tile has fewer threads than its type says */
#else
enum { THREADS = 64, COLUMNS = 8 }; /* CUDA wants whole tiles */
#endif

__device__ int digest(const cg::coalesced_group &group) {
  return (int)(group.meta_group_rank() * 100000 + group.meta_group_size() * 10000 + group.size() * 100 +
               group.thread_rank());
}

__global__ void parts(int *out, const int *labels) {
  int i = (int)threadIdx.x, *row = out + i * COLUMNS;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  row[0] = digest(cg::binary_partition(tile, true));
  row[1] = digest(cg::binary_partition(tile, false));
  /* A truth value makes its group the second, whoever comes first. */
  bool is_low = i % 16 < 3;
  row[2] = digest(cg::labeled_partition(tile, is_low));
  row[3] = digest(cg::labeled_partition(tile, labels + i % 2));
  row[4] = digest(cg::labeled_partition(tile, (short)(i % 3 == 0 ? -1 : 70)));
  cg::coalesced_group low = cg::binary_partition(tile, is_low);
  row[5] = digest(cg::binary_partition(low, i % 2 == 0));
  row[6] = digest(cg::labeled_partition(low, true));
  row[7] = digest(cg::tiled_partition(low, 2));
}

static int expected(int rank_of, int groups, int size, int rank) {
  return rank_of * 100000 + groups * 10000 + size * 100 + rank;
}

int main() {
  items<int, THREADS * COLUMNS> out;
  items<int, 2> labels;
  parts<<<1, THREADS>>>(out.device, labels.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int *row = &out[i * COLUMNS], rank = i % 16, size = i < 64 ? 16 : 8, low = rank < 3;
    const int own = low ? 3 : size - 3, own_rank = low ? rank : rank - 3, third = (i - rank + 2) / 3 * 3;
    EXPECT(row[0] == expected(0, 1, size, rank) && row[1] == expected(0, 1, size, rank));
    EXPECT(row[2] == expected(low, 2, own, own_rank));
    EXPECT(row[3] == expected(rank % 2, 2, size / 2, rank / 2));
    int same = 0, before = 0;
    for (int k = i - rank; k < i - rank + size; k++)
      if ((k % 3 == 0) == (i % 3 == 0))
        before += k < i, same++;
    EXPECT(row[4] == expected((i % 3 == 0) == (third == i - rank) ? 0 : 1, 2, same, before));
    same = before = 0;
    for (int k = low ? i - rank : i - rank + 3; k < (low ? i - rank + 3 : i - rank + size); k++)
      if (k % 2 == i % 2)
        before += k < i, same++;
    EXPECT(row[5] == expected(i % 2 == 0, 2, same, before));
    EXPECT(row[6] == expected(0, 1, own, own_rank));
    EXPECT(row[7] == expected(own_rank / 2, (own + 1) / 2, own_rank / 2 * 2 + 2 <= own ? 2 : 1, own_rank % 2));
  }
  return result();
}
