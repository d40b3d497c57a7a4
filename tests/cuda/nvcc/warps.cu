/* SPDX-License-Identifier: MIT */
/* warps - shuffles, votes, matches, cooperative groups of a warp and of a block, barriers that count. */
#include "check.h"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

__global__ void sums(const int *in, int *out) {
  int value = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(~0u, value, offset);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = value;
}

__global__ void votes(unsigned *out) {
  unsigned odd = __ballot_sync(~0u, threadIdx.x & 1);
  int all = __all_sync(~0u, threadIdx.x < 32), any = __any_sync(~0u, threadIdx.x == 7);
  unsigned same = __match_any_sync(~0u, threadIdx.x / 8);
  int up = __shfl_up_sync(~0u, (int)threadIdx.x, 3), mixed = __shfl_xor_sync(~0u, (int)threadIdx.x, 5);
  if (threadIdx.x == 9)
    out[0] = odd, out[1] = all, out[2] = any, out[3] = same, out[4] = up, out[5] = mixed;
  if (threadIdx.x < 8)
    out[6 + threadIdx.x] = __popc(__activemask());
}

__global__ void reduce(const int *in, int *out) {
  groups::thread_block block = groups::this_thread_block();
  auto tile = groups::tiled_partition<16>(block);
  int value = in[block.thread_rank()];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    value += tile.shfl_down(value, offset);
  __shared__ int parts[64];
  if (tile.thread_rank() == 0)
    parts[block.thread_rank() / 16] = value;
  block.sync();
  if (block.thread_rank() == 0) {
    int sum = 0;
    for (unsigned i = 0; i < block.size() / 16; i++)
      sum += parts[i];
    *out = sum;
  }
  int many = __syncthreads_count(threadIdx.x % 3 == 0);
  if (threadIdx.x == 1)
    out[1] = many;
}

int main() {
  int in[256];
  for (int i = 0; i < 256; i++)
    in[i] = i * 3;
  int *memory = device_copy(in, 256), *out;
  GOES(cudaMalloc(&out, 20 * sizeof *out));
  sums<<<1, 256>>>(memory, out);
  for (int warp = 0; warp < 8; warp++)
    CHECK(value_at(out, warp) == 3 * (32 * warp * 32 + 31 * 16));
  votes<<<1, 32>>>((unsigned *)out);
  CHECK((unsigned)value_at(out, 0) == 0xaaaaaaaau && value_at(out, 1) == 1 && value_at(out, 2) == 1);
  CHECK(value_at(out, 3) == 0xff00 && value_at(out, 4) == 6 && value_at(out, 5) == 12);
  reduce<<<1, 256>>>(memory, out);
  CHECK(value_at(out, 0) == 3 * 255 * 128 && value_at(out, 1) == 86);
  return 0;
}
