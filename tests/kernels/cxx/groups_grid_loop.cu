/* SPDX-License-Identifier: MIT */
/* groups_grid_loop - a cooperative loop to a fixed point, as many blocks as occupancy says, launched with an attribute. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { N = 4096, THREADS = 128 };

/* Each cell takes the least of itself and its neighbours until nothing changes. */
__global__ void spread(int *from, int *to, int *changes, int *rounds) {
  cg::grid_group grid = cg::this_grid();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int round = 0;
  for (bool goes_on = true; goes_on; round++) {
    int changed = 0;
    for (unsigned long long i = grid.thread_rank(); i < N; i += grid.size()) {
      int least = from[i];
      if (i % 64 > 0 && from[i - 1] < least)
        least = from[i - 1];
      if (i % 64 < 63 && from[i + 1] < least)
        least = from[i + 1];
      changed += least != from[i];
      to[i] = least;
    }
    changed = cg::reduce(warp, changed, cg::plus<int>());
    if (warp.thread_rank() == 0 && changed > 0)
      atomicAdd(&changes[round], changed);
    grid.sync();
    goes_on = *(volatile int *)&changes[round] > 0;
    int *other = from;
    from = to;
    to = other;
    grid.sync();
  }
  if (grid.thread_rank() == 0)
    *rounds = round;
}

int main() {
  items<int, N> cells, other;
  items<int, 128> changes;
  items<int, 1> rounds;
  int has_it = 0, each = 0, processors = 0;
  CALL(cudaDeviceGetAttribute(&has_it, cudaDevAttrCooperativeLaunch, 0));
  CALL(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, spread, THREADS, 0));
  EXPECT(has_it == 1 && each > 0);
  for (int i = 0; i < N; i++)
    cells.host[i] = (i * 7919 + 13) % 4099;
  cells.send();
  const int blocks = each * processors < 16 ? each * processors : 16;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)blocks);
  config.blockDim = dim3(THREADS);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CALL(cudaLaunchKernelEx(&config, spread, cells.device, other.device, changes.device, rounds.device));
  rounds.fetch();
  cells.fetch(), other.fetch();
  int most = 0;
  for (int row = 0; row < N / 64; row++) {
    int least = 1 << 20, at = 0;
    for (int k = 0; k < 64; k++)
      if (((row * 64 + k) * 7919 + 13) % 4099 < least) {
        least = ((row * 64 + k) * 7919 + 13) % 4099;
        at = k;
      }
    most = at > most ? at : most;
    most = 63 - at > most ? 63 - at : most;
    for (int k = 0; k < 64; k++)
      EXPECT((rounds[0] % 2 == 0 ? cells : other)[row * 64 + k] == least);
  }
  EXPECT(rounds[0] == most + 1);
  return result();
}
