/* SPDX-License-Identifier: MIT */
/* needs: thrust/async/sort.h */
/* thrust_async_sort - Thrust's asynchronous sort, by a comparison of one's own, and what waits for it. */
#include "check.h"

#include <thrust/async/copy.h>
#include <thrust/async/sort.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <vector>

enum { COUNT = 3001 };

struct by_last_digit {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a % 10 < b % 10; }
};

int main() {
  std::vector<unsigned> sorted(COUNT);
  for (int i = 0; i < COUNT; i++)
    sorted[i] = (unsigned)i * 2654435761u >> 12;
  thrust::device_vector<unsigned> numbers(sorted.begin(), sorted.end());
  thrust::host_vector<unsigned> back(COUNT);
  auto sorting = thrust::async::stable_sort(numbers.begin(), numbers.end(), by_last_digit());
  auto copying = thrust::async::copy(thrust::device.after(sorting), thrust::host, numbers.begin(), numbers.end(), back.begin());
  copying.wait();
  std::stable_sort(sorted.begin(), sorted.end(), by_last_digit());
  EXPECT_EACH(COUNT, back[i] == sorted[i]);
  return result();
}
