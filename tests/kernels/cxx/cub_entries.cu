/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_entries - what CUB has for the whole device besides: sums by keys, runs, partitions, greatest ones, products of a sparse
 * matrix and a vector. */
#include "check.h"

#include <algorithm>
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

enum { COUNT = 1500 };
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
static items<int, COUNT> keys, numbers, out, sums;
static items<int, 1> found;

static void runs() {
  std::vector<int> expected_keys, expected_counts, expected_sums;
  for (int i = 0; i < COUNT; i++)
    if (i == 0 || keys[i] != keys[i - 1])
      expected_keys.push_back(keys[i]), expected_counts.push_back(1), expected_sums.push_back(numbers[i]);
    else
      expected_counts.back()++, expected_sums.back() += numbers[i];
  with_room([&](void *room, size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(room, bytes, keys.device, out.device, sums.device, found.device, (int)COUNT);
  });
  out.fetch(), sums.fetch(), found.fetch();
  EXPECT(found[0] == (int)expected_keys.size());
  EXPECT_EACH(expected_keys.size(), out[i] == expected_keys[(size_t)i] && sums[i] == expected_counts[(size_t)i]);
  with_room([&](void *room, size_t &bytes) {
    return cub::DeviceReduce::ReduceByKey(room, bytes, keys.device, out.device, numbers.device, sums.device, found.device,
                                          cub::Sum(), (int)COUNT);
  });
  out.fetch(), sums.fetch(), found.fetch();
  EXPECT(found[0] == (int)expected_keys.size());
  EXPECT_EACH(expected_keys.size(), out[i] == expected_keys[(size_t)i] && sums[i] == expected_sums[(size_t)i]);
}

/* Those that do not hold come behind, in reverse. */
static void partitions() {
  std::vector<int> expected, others;
  for (int i = 0; i < COUNT; i++)
    (numbers[i] & 1 ? expected : others).push_back(numbers[i]);
  int odd = (int)expected.size();
  expected.insert(expected.end(), others.rbegin(), others.rend());
  with_room([&](void *room, size_t &bytes) {
    return cub::DevicePartition::If(room, bytes, numbers.device, out.device, found.device, (int)COUNT, is_odd());
  });
  out.fetch(), found.fetch();
  EXPECT(found[0] == odd);
  EXPECT_EACH(COUNT, out[i] == expected[(size_t)i]);
}

static void greatest() {
  items<cub::KeyValuePair<int, int>, 1> pair;
  with_room([&](void *room, size_t &bytes) {
    return cub::DeviceReduce::ArgMax(room, bytes, numbers.device, pair.device, (int)COUNT);
  });
  pair.fetch();
  EXPECT(pair[0].key == (int)(std::max_element(numbers.host, numbers.host + COUNT) - numbers.host));
  EXPECT(pair[0].value == numbers[pair[0].key]);
}

int main() {
  for (int i = 0; i < COUNT; i++) {
    numbers.host[i] = (int)((unsigned)i * 2654435761u >> 18);
    keys.host[i] = (int)((unsigned)(i / 3 - i % 2) * 40503u >> 3) & 7;
  }
  keys.send(), numbers.send();
  runs();
  partitions();
  greatest();
  return result();
}
