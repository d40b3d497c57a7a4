/* SPDX-License-Identifier: MIT */
/*
 * segments - CUB's sorts of pairs in segments, as its own calls tune them: ascending, descending and stable, 30 and 900 segments of
 * up to 6000 elements, each compared with std::stable_sort().
 *
 *     vptrcc -O1 -I tests/kernels/cxx tests/kernels/large/segments.cu -o segments && ./segments        exits with 0 if all are right
 *
 * It is no test of `make check`: PoCL takes minutes to compile these kernels.
 */
#include "check.h"

#include <algorithm>
#include <vector>

#include <cub/cub.cuh>

enum { LONGEST = 6000, SHORTEST_OF_MOST = 80, KEYS = 4001 };

static unsigned state = 12345;

static unsigned next_number() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

struct order {
  bool is_descending, is_stable;
};

template <class T> struct copy_of {
  T *device = nullptr;

  explicit copy_of(const std::vector<T> &host) {
    CALL(cudaMalloc(&device, (host.size() + 1) * sizeof(T)));
    CALL(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~copy_of() { cudaFree(device); }
  std::vector<T> fetched(size_t count) const {
    std::vector<T> host(count);
    CALL(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
};

/* One segment in seven has no element, and one in eight may be long. */
static std::vector<int> random_ends(int segments) {
  std::vector<int> ends(segments + 1);
  for (int i = 0; i < segments; i++) {
    int size = next_number() % 8 == 0 ? next_number() % (LONGEST + 1) : next_number() % SHORTEST_OF_MOST;
    ends[i + 1] = ends[i] + (i % 7 == 3 ? 0 : size);
  }
  return ends;
}

template <class... Rest> static cudaError_t call(order by, Rest... rest) {
  typedef cub::DeviceSegmentedSort sort;
  if (by.is_stable)
    return by.is_descending ? sort::StableSortPairsDescending(rest...) : sort::StableSortPairs(rest...);
  return by.is_descending ? sort::SortPairsDescending(rest...) : sort::SortPairs(rest...);
}

static void sort_pairs(order by, const std::vector<int> &ends, const std::vector<int> &key, const std::vector<int> &value) {
  const int count = ends.back(), segments = (int)ends.size() - 1;
  copy_of<int> keys(key), values(value), sorted_keys(key), sorted_values(value), limits(ends);
  void *room = nullptr;
  size_t bytes = 0;
  for (int turn = 0; turn < 2; turn++) {
    CALL(call(by, room, std::ref(bytes), (const int *)keys.device, sorted_keys.device, (const int *)values.device,
              sorted_values.device, count, segments, limits.device, limits.device + 1, (cudaStream_t) nullptr, false));
    if (turn == 0)
      CALL(cudaMalloc(&room, bytes));
  }
  LAUNCHED();
  CALL(cudaFree(room));

  std::vector<int> wanted = value, found_keys = sorted_keys.fetched(count), found = sorted_values.fetched(count);
  for (int i = 0; i < segments; i++)
    std::stable_sort(wanted.begin() + ends[i], wanted.begin() + ends[i + 1],
                     [&](int a, int b) { return by.is_descending ? key[a] > key[b] : key[a] < key[b]; });
  EXPECT_EACH(count, found_keys[i] == key[wanted[i]]);
  if (by.is_stable)
    EXPECT_EACH(count, found[i] == wanted[i]);
  else
    EXPECT_EACH(count, key[found[i]] == found_keys[i]);
}

int main() {
  for (int segments : { 30, 900 })
    for (order by : { order{ false, false }, order{ false, true }, order{ true, false }, order{ true, true } }) {
      std::vector<int> ends = random_ends(segments), key, value;
      for (int i = 0; i < ends.back(); i++)
        key.push_back((int)(next_number() % KEYS) - KEYS / 2), value.push_back(i);
      sort_pairs(by, ends, key, value);
    }
  return result();
}
