/* SPDX-License-Identifier: MIT */
/* groups_coalesced - coalesced_threads() under conditions: ranks, shuffles and votes of the lanes that are there. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 80, VALUES = 10 };

__global__ void some(int *out) {
  int i = (int)threadIdx.x, *row = out + i * VALUES;
  if (i % 3 != 1)
    return;
  cg::coalesced_group group = cg::coalesced_threads();
  row[0] = (int)group.size();
  row[1] = (int)group.thread_rank();
  row[2] = group.shfl(i, 0);
  row[3] = group.shfl(i, (int)group.num_threads() - 1);
  row[4] = group.shfl_up(i, 2);
  row[5] = group.shfl_down(i, 3);
  row[6] = (int)group.ballot(i % 2 == 0);
  row[7] = (group.any(i == 31) != 0) * 2 + (group.all(i % 3 == 1) != 0);
  row[8] = (int)group.match_any(i / 8);
  group.sync();
  row[9] = (int)group.meta_group_size() * 10 + (int)group.meta_group_rank();
}

/* One atomic addition for all lanes that come at once. */
__device__ int next_of(int *counter) {
  cg::coalesced_group group = cg::coalesced_threads();
  int before = 0;
  if (group.thread_rank() == 0)
    before = atomicAdd(counter, (int)group.size());
  return group.shfl(before, 0) + (int)group.thread_rank();
}
__global__ void filter(const int *in, int *out, int *counter) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (in[i] % 7 == 2)
    out[next_of(counter)] = in[i];
}

int main() {
  items<int, THREADS * VALUES> out;
  some<<<1, THREADS>>>(out.device);
  out.fetch();
  for (int i = 1; i < THREADS; i += 3) {
    const int *row = &out[i * VALUES], warp = i / 32 * 32;
    int lanes[32], count = 0, rank = 0, even = 0, same = 0;
    for (int k = warp; k < warp + 32 && k < THREADS; k++)
      if (k % 3 == 1) {
        rank = k == i ? count : rank;
        lanes[count++] = k;
      }
    for (int k = 0; k < count; k++) {
      even |= (lanes[k] % 2 == 0) << k;
      same |= (lanes[k] / 8 == i / 8) << k;
    }
    EXPECT(row[0] == count && row[1] == rank && row[2] == lanes[0] && row[3] == lanes[count - 1]);
    EXPECT(row[4] == lanes[rank >= 2 ? rank - 2 : rank] && row[5] == lanes[rank + 3 < count ? rank + 3 : rank]);
    EXPECT(row[6] == even && row[7] == (warp == 0) * 2 + 1 && row[8] == same && row[9] == 10);
  }
  items<int, 512> in, kept;
  items<int, 1> counter;
  long long sum = 0, found = 0;
  int expected = 0;
  for (int i = 0; i < 512; i++) {
    in.host[i] = i * 37 % 1000;
    if (in.host[i] % 7 == 2) {
      sum += in.host[i];
      expected++;
    }
  }
  in.send();
  filter<<<4, 128>>>(in.device, kept.device, counter.device);
  kept.fetch();
  counter.fetch();
  for (int i = 0; i < counter[0]; i++) {
    EXPECT(kept[i] % 7 == 2);
    found += kept[i];
  }
  EXPECT(counter[0] == expected && found == sum);
  return result();
}
