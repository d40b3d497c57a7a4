/* SPDX-License-Identifier: MIT */
/* thrust - CUDA's own library of algorithms, compiled by nvcc. */
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main() {
  const int n = 1 << 18;
  thrust::host_vector<int> host(n);
  unsigned seed = 1;
  for (int i = 0; i < n; i++)
    host[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 8);
  thrust::device_vector<int> values = host;
  long long sum = 0, expected = 0;
  for (int i = 0; i < n; i++)
    expected += host[i];
  sum = thrust::reduce(values.begin(), values.end(), 0ll);
  CHECK(sum == expected);
  thrust::sort(values.begin(), values.end());
  thrust::sort(host.begin(), host.end());
  thrust::host_vector<int> sorted = values;
  for (int i = 0; i < n; i++)
    CHECK(sorted[i] == host[i]);
  thrust::device_vector<int> ones(n, 1);
  thrust::inclusive_scan(ones.begin(), ones.end(), ones.begin());
  CHECK(ones[n - 1] == n && ones[1000] == 1001);
  return 0;
}
