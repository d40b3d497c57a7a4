/* SPDX-License-Identifier: MIT */
/* groups_left - threads return early, warp by warp and lane by lane; those that stay go on in groups. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void leave(int *out) {
  int i = (int)threadIdx.x;
  if (i >= 96)
    return;
  if (i % 32 >= 20) /* of each warp 20 lanes stay, in tiles of 4 */
    return;
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  out[i * 3] = cg::reduce(tile, i, cg::plus<int>());
  cg::coalesced_group some = cg::coalesced_threads();
  out[i * 3 + 1] = cg::reduce(some, i, cg::plus<int>());
  if (some.thread_rank() % 2)
    return;
  cg::coalesced_group less = cg::coalesced_threads();
  out[i * 3 + 2] = (int)less.size() * 100 + (int)less.thread_rank();
}

int main() {
  items<int, 128 * 3> out;
  leave<<<1, 128>>>(out.device);
  out.fetch();
  for (int i = 0; i < 128; i++) {
    const int *row = &out[i * 3], warp = i / 32 * 32, lane = i - warp;
    if (i >= 96 || lane >= 20) {
      EXPECT(row[0] == 0 && row[1] == 0 && row[2] == 0);
      continue;
    }
    EXPECT(row[0] == i / 4 * 16 + 6 && row[1] == warp * 20 + 190 && row[2] == (lane % 2 ? 0 : 1000 + lane / 2));
  }
  return result();
}
