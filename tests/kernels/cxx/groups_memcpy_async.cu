/* SPDX-License-Identifier: MIT */
/* groups_memcpy_async - copies by blocks and tiles into shared memory and back, by bytes and by elements, and waits. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 96, PART = 160 };

/* Two stages: one is copied while the other is used. */
__global__ void stages(const int *in, int *out, int parts) {
  __shared__ int room[2][PART];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, room[0], in, sizeof(int) * PART);
  for (int part = 0; part < parts; part++) {
    if (part + 1 < parts) {
      cg::memcpy_async(block, room[(part + 1) % 2], in + (part + 1) * PART, sizeof(int) * PART);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int i = (int)block.thread_rank(); i < PART; i += (int)block.size())
      out[part * PART + i] = room[part % 2][PART - 1 - i] + 1;
    block.sync();
  }
}

__global__ void tiles(const short *in, short *out) {
  __shared__ short room[THREADS / 16][24];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  short *own = room[tile.meta_group_rank()];
  const short *from = in + tile.meta_group_rank() * 23;
  for (unsigned i = tile.thread_rank(); i < 24; i += 16)
    own[i] = -1;
  tile.sync();
  cg::memcpy_async(tile, own, 24, from, 23); /* elements: the fewer of both */
  cg::wait(tile);
  for (unsigned i = tile.thread_rank(); i < 24; i += 16)
    out[tile.meta_group_rank() * 24 + i] = own[23 - i];
}

__global__ void aligned(const double *in, double *out) {
  __shared__ __align__(16) double room[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, room, in, cuda::aligned_size_t<16>(sizeof room));
  cg::wait(block);
  if (block.thread_rank() < 64)
    out[block.thread_rank()] = room[63 - block.thread_rank()];
}

int main() {
  items<int, PART * 5> in, out;
  for (int i = 0; i < PART * 5; i++)
    in.host[i] = i * 3;
  in.send();
  stages<<<1, THREADS>>>(in.device, out.device, 5);
  out.fetch();
  EXPECT_EACH(PART * 5, out[i] == (i / PART * PART + PART - 1 - i % PART) * 3 + 1);
  items<short, 6 * 23> small;
  items<short, 6 * 24> copied;
  for (int i = 0; i < 6 * 23; i++)
    small.host[i] = (short)(i + 5);
  small.send();
  tiles<<<1, THREADS>>>(small.device, copied.device);
  copied.fetch();
  EXPECT_EACH(6 * 24, copied[i] == (i % 24 == 0 ? -1 : i / 24 * 23 + 23 - i % 24 + 5));
  items<double, 64> wide, back;
  for (int i = 0; i < 64; i++)
    wide.host[i] = i * 0.5;
  wide.send();
  aligned<<<1, THREADS>>>(wide.device, back.device);
  back.fetch();
  EXPECT_EACH(64, back[i] == (63 - i) * 0.5);
  return result();
}
