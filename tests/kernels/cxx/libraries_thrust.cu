/* SPDX-License-Identifier: MIT */
/* needs: thrust/version.h */
/* libraries_thrust - Thrust as Debian has it: sequences, transforms, reductions and scans on the device. */
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

int main() {
  const int count = 5000;
  thrust::device_vector<int> a(count), b(count);
  thrust::sequence(a.begin(), a.end());
  thrust::transform(a.begin(), a.end(), b.begin(), square());
  long long sum = thrust::reduce(b.begin(), b.end(), 0LL, thrust::plus<long long>());
  EXPECT(sum == (count - 1LL) * count * (2LL * count - 1) / 6);
  thrust::inclusive_scan(a.begin(), a.end(), a.begin());
  EXPECT(a[0] == 0 && a[1] == 1 && a[100] == 5050 && a[count - 1] == count * (count - 1) / 2);
  return failures > 0;
}
