/* SPDX-License-Identifier: MIT */
/* needs: thrust/version.h */
/* thrust_scan - scans with an initial value, which CUB has in its parameters or in memory, and of other operators. */
#include "check.h"

#include <vector>

#include <thrust/device_vector.h>
#include <thrust/scan.h>

int main() {
  for (int count : { 0, 1, 33, 1920, 4099 }) {
    std::vector<int> in(count), expected(count), got(count);
    for (int i = 0; i < count; i++)
      in[i] = (int)((unsigned)i * 2654435761u >> 22);
    thrust::device_vector<int> from(in.begin(), in.end()), to(count);
    for (int i = 0, sum = 10; i < count; sum += in[i++])
      expected[i] = sum;
    thrust::exclusive_scan(from.begin(), from.end(), to.begin(), 10);
    thrust::copy(to.begin(), to.end(), got.begin());
    EXPECT(got == expected);
    for (int i = 0, most = -1; i < count; i++)
      expected[i] = most = in[i] > most ? in[i] : most;
    thrust::inclusive_scan(from.begin(), from.end(), to.begin(), thrust::maximum<int>());
    thrust::copy(to.begin(), to.end(), got.begin());
    EXPECT(got == expected);
  }
  return result();
}
