/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_block - CUB's radix sort, histogram, heads, exchanges, loads and stores of a block, and scans of warps. */
#include "check.h"

#include <algorithm>

#include <cub/cub.cuh>

enum { THREADS = 128, EACH = 4, ITEMS = THREADS * EACH, BINS = 16 };

__global__ void run(const int *in, int *sorted, int *heads, int *bins) {
  typedef cub::BlockLoad<int, THREADS, EACH, cub::BLOCK_LOAD_TRANSPOSE> load;
  typedef cub::BlockHistogram<unsigned char, THREADS, EACH, BINS> histogram;
  typedef cub::BlockRadixSort<int, THREADS, EACH> sort;
  typedef cub::BlockDiscontinuity<int, THREADS> discontinuity;
  typedef cub::BlockExchange<int, THREADS, EACH> exchange;
  typedef cub::BlockStore<int, THREADS, EACH, cub::BLOCK_STORE_WARP_TRANSPOSE> store;
  __shared__ union {
    typename load::TempStorage load;
    typename histogram::TempStorage histogram;
    typename sort::TempStorage sort;
    typename discontinuity::TempStorage discontinuity;
    typename exchange::TempStorage exchange;
    typename store::TempStorage store;
  } room;
  __shared__ int counts[BINS];
  int items[EACH], flags[EACH];
  unsigned char low[EACH];
  load(room.load).Load(in, items);
  for (int i = 0; i < EACH; i++)
    low[i] = (unsigned char)(items[i] % BINS);
  __syncthreads();
  histogram(room.histogram).Histogram(low, counts);
  __syncthreads();
  sort(room.sort).Sort(items);
  __syncthreads();
  discontinuity(room.discontinuity).FlagHeads(flags, items, cub::Inequality());
  for (int i = 0; i < EACH; i++)
    heads[threadIdx.x * EACH + i] = flags[i];
  __syncthreads();
  exchange(room.exchange).BlockedToStriped(items);
  __syncthreads();
  exchange(room.exchange).StripedToBlocked(items);
  __syncthreads();
  store(room.store).Store(sorted, items);
  if (threadIdx.x < BINS)
    bins[threadIdx.x] = counts[threadIdx.x];
}

__global__ void warps(const int *in, int *sums, int *most) {
  typedef cub::WarpScan<int> scan;
  typedef cub::WarpReduce<int> reduce;
  __shared__ typename scan::TempStorage for_scan[THREADS / 32];
  __shared__ typename reduce::TempStorage for_reduce[THREADS / 32];
  int warp = threadIdx.x / 32, sum;
  scan(for_scan[warp]).InclusiveSum(in[threadIdx.x], sum);
  int largest = reduce(for_reduce[warp]).Reduce(in[threadIdx.x], cub::Max());
  sums[threadIdx.x] = sum;
  if (threadIdx.x % 32 == 0)
    most[warp] = largest;
}

int main() {
  static items<int, ITEMS> in, sorted, heads;
  items<int, THREADS> sums;
  items<int, BINS> bins;
  items<int, THREADS / 32> most;
  int expected[ITEMS], counts[BINS] = { 0 };
  for (int i = 0; i < ITEMS; i++)
    counts[(expected[i] = in.host[i] = (int)((unsigned)i * 2654435761u >> 23) % 300) % BINS]++;
  in.send();
  run<<<1, THREADS>>>(in.device, sorted.device, heads.device, bins.device);
  sorted.fetch(), heads.fetch(), bins.fetch();
  std::sort(expected, expected + ITEMS);
  EXPECT_EACH(ITEMS, sorted[i] == expected[i]);
  EXPECT_EACH(ITEMS, heads[i] == (i == 0 || expected[i] != expected[i - 1]));
  EXPECT_EACH(BINS, bins[i] == counts[i]);
  warps<<<1, THREADS>>>(in.device, sums.device, most.device);
  sums.fetch(), most.fetch();
  for (int i = 0, sum = 0, largest = 0; i < THREADS; i++) {
    sum = (i % 32 == 0 ? 0 : sum) + in[i];
    largest = i % 32 == 0 || in[i] > largest ? in[i] : largest;
    EXPECT(sums[i] == sum);
    EXPECT(i % 32 != 31 || most[i / 32] == largest);
  }
  return result();
}
