/* SPDX-License-Identifier: MIT */
/* needs: thrust/version.h */
/* thrust_sort - sorting by keys, which is CUB's radix sort: stable, of no item, of one tile, and of several. */
#include "check.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/sort.h>

int main() {
  for (int count : { 0, 1, 33, 4099, 20011 }) {
    std::vector<int> keys(count), order(count);
    for (int i = 0; i < count; i++)
      keys[i] = (int)((unsigned)i * 2654435761u >> 20) % 500 - 250;
    std::iota(order.begin(), order.end(), 0);
    thrust::device_vector<int> device_keys(keys.begin(), keys.end()), values(order.begin(), order.end());
    thrust::stable_sort_by_key(device_keys.begin(), device_keys.end(), values.begin());
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    std::vector<int> sorted(count);
    thrust::copy(values.begin(), values.end(), sorted.begin());
    EXPECT(sorted == order);
  }
  return result();
}
