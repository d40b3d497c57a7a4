/* SPDX-License-Identifier: MIT */
/* groups_update - reductions and scans that update a word in memory: cuda::atomic and cuda::atomic_ref. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include "check.h"

namespace cg = cooperative_groups;
typedef cuda::atomic<int, cuda::thread_scope_device> counter;

__global__ void update(counter *words, int *plain, int *places) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  cg::reduce_update_async(tile, words[0], i, cg::plus<int>());
  cg::reduce_update_async(tile, words[1], i * 7 % 1001, cg::greater<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(plain[0]);
  cg::reduce_update_async(tile, ref, 1, cg::plus<int>());
  cg::reduce_store_async(tile, &plain[1 + i / 32], i % 32, cg::plus<int>());
  /* How many each thread wants: it gets a place for all of them. */
  int wanted = i % 3, place = cg::exclusive_scan_update(tile, words[2], wanted, cg::plus<int>());
  for (int k = 0; k < wanted; k++)
    atomicAdd(&places[place + k], 1);
  int until = cg::inclusive_scan_update(tile, words[3], 2);
  atomicAdd(&places[512 + until / 2 - 1], 1);
}

#ifdef __VPTRCC__
enum { THREADS = 200 }; /* the last tiles have fewer threads than their types say */
#else
enum { THREADS = 192 }; /* CUDA wants whole tiles */
#endif

/* Tiles of a part of a warp, and of several. */
__global__ void update_by_tiles(counter *words, int *places) {
  cg::thread_block block = cg::this_thread_block();
  auto large = cg::tiled_partition<64>(block);
  auto small = cg::tiled_partition<16>(block);
  int i = (int)threadIdx.x, wanted = i % 3;
  int place = cg::exclusive_scan_update(large, words[0], wanted, cg::plus<int>());
  for (int k = 0; k < wanted; k++)
    atomicAdd(&places[place + k], 1);
  cuda::atomic_ref<counter::value_type, cuda::thread_scope_device> ref(places[1023]);
  atomicAdd(&places[256 + cg::inclusive_scan_update(large, ref, 1) - 1], 1);
  atomicAdd(&places[512 + cg::inclusive_scan_update(small, words[1], 1) - 1], 1);
  atomicAdd(&places[768 + cg::exclusive_scan_update(small, words[2], 1)], 1);
  cg::reduce_update_async(small, words[3], 1, cg::plus<int>());
}

static void updates_by_tiles() {
  const int wanted = THREADS / 3 * 3 + THREADS % 3 / 2; /* 0 + 1 + 2 + 0 + ... */
  items<int, 4> words;
  items<int, 1024> places;
  update_by_tiles<<<1, THREADS>>>(reinterpret_cast<counter *>(words.device), places.device);
  words.fetch();
  places.fetch();
  EXPECT(words[0] == wanted && words[1] == THREADS && words[2] == THREADS && words[3] == THREADS);
  EXPECT_EACH(256, places[i] == (i < wanted ? 1 : 0));
  EXPECT_EACH(256, places[256 + i] == (i < THREADS ? 1 : 0));
  EXPECT_EACH(256, places[512 + i] == (i < THREADS ? 1 : 0));
  EXPECT_EACH(255, places[768 + i] == (i < THREADS ? 1 : 0));
  EXPECT(places[1023] == THREADS);
}

int main() {
  items<int, 4> words;
  items<int, 9> plain;
  items<int, 1024> places;
  update<<<2, 128>>>(reinterpret_cast<counter *>(words.device), plain.device, places.device);
  words.fetch();
  plain.fetch();
  places.fetch();
  int most = 0, wanted = 0;
  for (int i = 0; i < 256; i++) {
    most = i * 7 % 1001 > most ? i * 7 % 1001 : most;
    wanted += i % 3;
  }
  EXPECT(words[0] == 255 * 128 && words[1] == most && words[2] == wanted && words[3] == 512);
  EXPECT(plain[0] == 256);
  EXPECT_EACH(8, plain[1 + i] == 496);
  EXPECT_EACH(512, places[i] == (i < wanted ? 1 : 0));
  EXPECT_EACH(256, places[512 + i] == 1);
  updates_by_tiles();
  return result();
}
