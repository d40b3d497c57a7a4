/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_device - CUB's reductions of segments and histograms, of the whole device. */
#include "check.h"

#include <numeric>
#include <vector>

#include <cub/cub.cuh>

/* Twice: how much room it wants, then the work. */
template <class Body> void with_room(Body body) {
  size_t bytes = 0;
  void *room = nullptr;
  CALL(body(nullptr, bytes));
  CALL(cudaMalloc(&room, bytes + 1));
  CALL(body(room, bytes));
  LAUNCHED();
  CALL(cudaFree(room));
}

enum { MOST = 20011, SEGMENTS = 4, BINS = 10 };

int main() {
  static items<int, MOST> in;
  items<int, SEGMENTS + 1> ends;
  items<int, SEGMENTS> sums;
  items<int, BINS> bins;
  for (int i = 0; i < MOST; i++)
    in.host[i] = (int)((unsigned)i * 2654435761u >> 16);
  in.send();
  for (int count : { 1, 257, 4099, (int)MOST }) {
    int counts[BINS] = { 0 };
    for (int i = 0; i <= SEGMENTS; i++)
      ends.host[i] = i == 2 ? count / 4 : count * i / SEGMENTS; /* one is empty */
    ends.send();
    with_room([&](void *room, size_t &bytes) {
      return cub::DeviceSegmentedReduce::Sum(room, bytes, in.device, sums.device, (int)SEGMENTS, ends.device,
                                             ends.device + 1);
    });
    sums.fetch();
    EXPECT_EACH(SEGMENTS, sums[i] == std::accumulate(in.host + ends[i], in.host + ends[i + 1], 0));
    with_room([&](void *room, size_t &bytes) {
      return cub::DeviceHistogram::HistogramEven(room, bytes, in.device, bins.device, BINS + 1, 0, 70000, count);
    });
    for (int i = 0; i < count; i++)
      counts[in[i] / 7000]++;
    bins.fetch();
    EXPECT_EACH(BINS, bins[i] == counts[i]);
  }
  return result();
}
