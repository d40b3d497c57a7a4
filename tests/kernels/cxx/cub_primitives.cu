/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_primitives - CUB's other primitives of blocks and warps: merge sorts, differences, shuffles, exchanges, loads of warps. */
#include "check.h"

#include <algorithm>

#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

enum { THREADS = 64, EACH = 4, ITEMS = THREADS * EACH, WARPS = THREADS / 32, OF_WARP = 32 * EACH };

struct less_than {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
struct difference {
  __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void blocks(const int *in, int *sorted, int *differences, int *moved) {
  typedef cub::BlockMergeSort<int, THREADS, EACH> sort;
  typedef cub::BlockAdjacentDifference<int, THREADS> subtract;
  typedef cub::BlockShuffle<int, THREADS> shuffle;
  __shared__ union {
    typename sort::TempStorage sort;
    typename subtract::TempStorage subtract;
    typename shuffle::TempStorage shuffle;
  } room;
  int items[EACH], others[EACH], one;
  for (int i = 0; i < EACH; i++)
    items[i] = in[threadIdx.x * EACH + i];
  sort(room.sort).Sort(items, less_than());
  __syncthreads();
  for (int i = 0; i < EACH; i++)
    sorted[threadIdx.x * EACH + i] = items[i];
  subtract(room.subtract).SubtractLeft(items, others, difference());
  __syncthreads();
  for (int i = 0; i < EACH; i++)
    differences[threadIdx.x * EACH + i] = others[i];
  shuffle(room.shuffle).Rotate(items[0], one, 3);
  moved[threadIdx.x] = one;
}

__global__ void warps(const int *in, int *sorted, int *striped) {
  typedef cub::WarpLoad<int, EACH, cub::WARP_LOAD_TRANSPOSE> load;
  typedef cub::WarpMergeSort<int, EACH> sort;
  typedef cub::WarpExchange<int, EACH> exchange;
  typedef cub::WarpStore<int, EACH, cub::WARP_STORE_DIRECT> store;
  __shared__ union {
    typename load::TempStorage load;
    typename sort::TempStorage sort;
    typename exchange::TempStorage exchange;
    typename store::TempStorage store;
  } room[WARPS];
  int warp = threadIdx.x / 32, items[EACH];
  load(room[warp].load).Load(in + warp * OF_WARP, items);
  __syncwarp();
  sort(room[warp].sort).Sort(items, less_than());
  __syncwarp();
  store(room[warp].store).Store(sorted + warp * OF_WARP, items);
  __syncwarp();
  exchange(room[warp].exchange).BlockedToStriped(items, items);
  for (int i = 0; i < EACH; i++)
    striped[threadIdx.x * EACH + i] = items[i];
}

int main() {
  items<int, ITEMS> in, sorted, differences, by_warp, striped;
  items<int, THREADS> moved;
  int expected[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    expected[i] = in.host[i] = (int)((unsigned)i * 2654435761u >> 21) - 700;
  in.send();
  blocks<<<1, THREADS>>>(in.device, sorted.device, differences.device, moved.device);
  sorted.fetch(), differences.fetch(), moved.fetch();
  std::sort(expected, expected + ITEMS);
  EXPECT_EACH(ITEMS, sorted[i] == expected[i]);
  EXPECT_EACH(ITEMS, differences[i] == (i == 0 ? expected[0] : expected[i] - expected[i - 1]));
  EXPECT_EACH(THREADS, moved[i] == expected[(i + 3) % THREADS * EACH]);
  warps<<<1, THREADS>>>(in.device, by_warp.device, striped.device);
  by_warp.fetch(), striped.fetch();
  for (int warp = 0; warp < WARPS; warp++) {
    int *own = in.host + warp * OF_WARP;
    std::sort(own, own + OF_WARP);
    for (int i = 0; i < OF_WARP; i++) {
      check_item(by_warp[warp * OF_WARP + i] == own[i], i, "sorted by warps", __FILE__, __LINE__);
      check_item(striped[warp * OF_WARP + i] == own[i % EACH * 32 + i / EACH], i, "striped", __FILE__, __LINE__);
    }
  }
  return result();
}
