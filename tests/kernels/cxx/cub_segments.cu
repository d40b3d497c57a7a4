/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_segments - CUB's sort of segments by one kernel, in small blocks, so that it is compiled soon: empty segments, short ones
 * and long ones, whose values stay in the order of equal keys. */
#include "check.h"

#include <algorithm>
#include <vector>

#include <cub/cub.cuh>

enum { MOST = 3646, SEGMENTS = 15 };

/* CUB's own tuning of an old device, with fewer items for a thread. */
template <int ThreadsOfSegment> struct policies {
  struct tuning : cub::ChainedPolicy<350, tuning, tuning> {
    enum { BLOCK_THREADS = 64, PARTITIONING_THRESHOLD = 20, RADIX_BITS = 2 };
    typedef cub::AgentRadixSortDownsweepPolicy<BLOCK_THREADS, 1, int, cub::BLOCK_LOAD_DIRECT, cub::LOAD_DEFAULT,
                                               cub::RADIX_RANK_MEMOIZE, cub::BLOCK_SCAN_WARP_SCANS, RADIX_BITS>
        LargeSegmentPolicy;
    typedef cub::AgentSmallAndMediumSegmentedSortPolicy<
        BLOCK_THREADS,
        cub::AgentSubWarpMergeSortPolicy<ThreadsOfSegment, 1, cub::WARP_LOAD_DIRECT, cub::LOAD_DEFAULT>,
        cub::AgentSubWarpMergeSortPolicy<32, 1, cub::WARP_LOAD_DIRECT, cub::LOAD_DEFAULT>>
        SmallAndMediumSegmentedSortPolicyT;
  };
  typedef tuning MaxPolicy;
};

static items<int, MOST> keys, sorted_keys, values, sorted_values;
static items<int, SEGMENTS + 1> ends;

static void sort_pairs(int segments) {
  typedef cub::DispatchSegmentedSort<false, int, int, int, const int *, const int *, policies<4>> sorting;
  int count = ends[segments];
  cub::DoubleBuffer<int> key(keys.device, sorted_keys.device), value(values.device, sorted_values.device);
  size_t bytes = 0;
  void *room = nullptr;
  const int *begins = ends.device;
  CALL(sorting::Dispatch(nullptr, bytes, key, value, count, segments, begins, begins + 1, false, nullptr, false));
  CALL(cudaMalloc(&room, bytes));
  CALL(sorting::Dispatch(room, bytes, key, value, count, segments, begins, begins + 1, false, nullptr, false));
  LAUNCHED();
  CALL(cudaFree(room));
}

static void compare(int segments) {
  std::vector<int> order(ends[segments]);
  for (size_t i = 0; i < order.size(); i++)
    order[i] = (int)i;
  for (int i = 0; i < segments; i++)
    std::stable_sort(order.begin() + ends[i], order.begin() + ends[i + 1], [](int a, int b) { return keys[a] < keys[b]; });
  sorted_keys.fetch();
  sorted_values.fetch();
  EXPECT_EACH(order.size(), sorted_keys[i] == keys[order[i]]);
  EXPECT_EACH(order.size(), sorted_values[i] == order[i]);
}

int main() {
  static const int sizes[] = { 0, 1, 2, 5, 63, 64, 65, 8, 3000, 0, 130, 7, 300, 1, 0 };
  for (int i = 0; i < MOST; i++)
    keys.host[i] = (int)((unsigned)i * 2654435761u >> 20) - 2000, values.host[i] = i;
  for (int i = 0; i < SEGMENTS; i++)
    ends.host[i + 1] = ends.host[i] + sizes[i % (int)(sizeof sizes / sizeof *sizes)];
  keys.send(), values.send(), ends.send();
  sort_pairs(SEGMENTS);
  compare(SEGMENTS);
  return result();
}
