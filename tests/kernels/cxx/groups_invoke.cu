/* SPDX-License-Identifier: MIT */
/* groups_invoke - invoke_one() and invoke_one_broadcast(): one thread calls, for all. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct pair {
  int first;
  double second;
};

__global__ void run(int *counters, int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int i = (int)threadIdx.x;
  cg::invoke_one(block, [&](int by) { atomicAdd(&counters[0], by); }, 3);
  cg::invoke_one(tile, [&] { atomicAdd(&counters[1], 1); });
  int ticket = cg::invoke_one_broadcast(tile, [&] { return atomicAdd(&counters[2], 1); });
  pair both = cg::invoke_one_broadcast(tile, [&](int x) { return pair{ x + (int)tile.meta_group_rank(), 0.5 * ticket }; }, 10);
  out[i * 3] = ticket;
  out[i * 3 + 1] = both.first;
  out[i * 3 + 2] = (int)(both.second * 2);
  if (i % 4 == 1) {
    cg::coalesced_group some = cg::coalesced_threads();
    int got = cg::invoke_one_broadcast(some, [&] { return atomicAdd(&counters[3], 1) * 0 + 5; });
    atomicAdd(&counters[4], got);
  }
}

int main() {
  items<int, 5> counters;
  items<int, 64 * 3> out;
  run<<<1, 64>>>(counters.device, out.device);
  counters.fetch();
  out.fetch();
  EXPECT(counters[0] == 3 && counters[1] == 4 && counters[2] == 4 && counters[3] >= 2 && counters[4] == 16 * 5);
  int seen = 0;
  for (int i = 0; i < 64; i++) {
    EXPECT(out[i * 3] == out[i / 16 * 48] && out[i * 3 + 1] == 10 + i / 16 && out[i * 3 + 2] == out[i * 3]);
    seen |= 1 << out[i * 3];
  }
  EXPECT(seen == 15);
  return result();
}
