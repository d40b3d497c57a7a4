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

#ifdef __VPTRCC__ /* CUDA wants the block to be whole tiles */
/* The block's last tiles have fewer threads than their types say, and the copies are whole. */
__global__ void last_tiles(const int *in, int *out, int *by_barrier) {
  __shared__ int small[6][32], large[2][64], together[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  auto wide = cg::tiled_partition<64>(block);
  if (block.thread_rank() == 0)
    init(&barrier, block.size());
  block.sync();
  cg::memcpy_async(tile, small[tile.meta_group_rank()], in + tile.meta_group_rank() * 32, 32 * sizeof(int));
  cg::wait(tile);
  for (unsigned i = threadIdx.x % 16; i < 32; i += tile.meta_group_rank() == 4 ? 8 : 16)
    out[tile.meta_group_rank() * 32 + i] = small[tile.meta_group_rank()][i];
  cg::memcpy_async(wide, large[wide.meta_group_rank()], in + wide.meta_group_rank() * 64, 64 * sizeof(int));
  cg::wait(wide);
  for (unsigned i = threadIdx.x % 64; i < 64; i += wide.meta_group_rank() == 1 ? 8 : 64)
    out[160 + wide.meta_group_rank() * 64 + i] = large[wide.meta_group_rank()][i];
  if (wide.meta_group_rank() == 1)
    cuda::memcpy_async(wide, together, in, sizeof together, barrier);
  barrier.arrive_and_wait();
  if (threadIdx.x < 64)
    by_barrier[threadIdx.x] = together[threadIdx.x];
}

static void tiles_of_fewer_threads_copy_all() {
  items<int, 160> in;
  items<int, 288> out;
  items<int, 64> by_barrier;
  for (int i = 0; i < 160; i++)
    in.host[i] = i * 3 + 1;
  in.send();
  last_tiles<<<1, 72>>>(in.device, out.device, by_barrier.device);
  out.fetch();
  by_barrier.fetch();
  EXPECT_EACH(160, out[i] == in.host[i]);
  EXPECT_EACH(128, out[160 + i] == in.host[i]);
  EXPECT_EACH(64, by_barrier[i] == in.host[i]);
}
#endif

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
#ifdef __VPTRCC__
  tiles_of_fewer_threads_copy_all();
#endif
  return result();
}
