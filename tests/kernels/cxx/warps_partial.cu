/* SPDX-License-Identifier: MIT */
/* warps_partial - blocks that are no multiple of 32: shuffles, votes and matches of the last warp by its own mask. */
#include "check.h"

__global__ void run(int *out) {
  int i = (int)threadIdx.x, n = (int)blockDim.x, lane = i % 32, left = n - i / 32 * 32;
  unsigned mask = left >= 32 ? ~0u : (1u << left) - 1;
  int *row = out + i * 6, x = i * 3, same = 0;
  for (int step = 16; step > 0; step /= 2) {
    int other = __shfl_down_sync(mask, x, (unsigned)step);
    if (lane + step < left && lane + step < 32)
      x += other;
  }
  row[0] = __shfl_sync(mask, x, 0);
  row[1] = (int)__ballot_sync(mask, i % 2 == 0);
  row[2] = __all_sync(mask, i < n) != 0;
  row[3] = __any_sync(mask, i == n - 1) != 0;
  row[4] = (int)__match_any_sync(mask, i / 4);
  row[5] = __match_all_sync(mask, 7ull, &same) == mask && same;
}

int main() {
  const int sizes[] = { 1, 5, 31, 33, 40, 63, 95, 100 };
  for (int n : sizes) {
    items<int, 100 * 6> out;
    run<<<1, n>>>(out.device);
    out.fetch();
    for (int i = 0; i < n; i++) {
      const int *row = &out[i * 6], first = i / 32 * 32, end = first + 32 < n ? first + 32 : n;
      int sum = 0;
      unsigned even = 0, same = 0;
      for (int k = first; k < end; k++) {
        sum += k * 3;
        even |= (unsigned)(k % 2 == 0) << k % 32;
        same |= (unsigned)(k / 4 == i / 4) << k % 32;
      }
      EXPECT(row[0] == sum && (unsigned)row[1] == even && row[2] == 1 && row[3] == (end == n));
      EXPECT((unsigned)row[4] == same && row[5] == 1);
    }
  }
  return result();
}
