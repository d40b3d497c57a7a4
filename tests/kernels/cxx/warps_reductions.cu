/* SPDX-License-Identifier: MIT */
/* warps_reductions - __reduce_*_sync() for masks that part a warp, and in the last warp of a block, which is not full. */
/* options: -arch=sm_80 */
#include "check.h"

enum { THREADS = 48 };

__global__ void reduce(unsigned *out) {
  unsigned i = threadIdx.x, lane = i % 32, last = i < 32 ? ~0u : 0xffffu;
  unsigned mask = (lane % 3 == 0 ? 0x49249249u : lane % 3 == 1 ? 0x92492492u : 0x24924924u) & last;
  unsigned x = i * 40503u % 1009u, *row = out + i * 8;
  int y = (int)x - 500;
  /* the three thirds by ways of their own */
  if (lane % 3 == 0) {
    row[0] = __reduce_add_sync(mask, x);
    row[1] = (unsigned)__reduce_add_sync(mask, y);
  } else if (lane % 3 == 1) {
    row[0] = __reduce_min_sync(mask, x);
    row[1] = (unsigned)__reduce_min_sync(mask, y);
  } else {
    row[0] = __reduce_max_sync(mask, x);
    row[1] = (unsigned)__reduce_max_sync(mask, y);
  }
  __syncwarp(last);
  row[2] = __reduce_and_sync(last, x | 5u);
  row[3] = __reduce_or_sync(last, x & 0x55u);
  row[4] = __reduce_xor_sync(last, x);
}

int main() {
  items<unsigned, THREADS * 8> out;
  reduce<<<1, THREADS>>>(out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int first = i / 32 * 32, end = first + 32 < THREADS ? first + 32 : THREADS;
    unsigned sum = 0, least = ~0u, most = 0, all = ~0u, any = 0, odd = 0;
    for (int k = first; k < end; k++) {
      unsigned x = (unsigned)k * 40503u % 1009u;
      all &= x | 5u, any |= x & 0x55u, odd ^= x;
      if ((k - first) % 3 != (i - first) % 3)
        continue;
      sum += x, least = x < least ? x : least, most = x > most ? x : most;
    }
    const unsigned *row = &out[i * 8], count = (unsigned)((end - first - (i - first) % 3 + 2) / 3);
    const int which = (i - first) % 3;
    EXPECT(row[0] == (which == 0 ? sum : which == 1 ? least : most));
    EXPECT(row[1] == (which == 0 ? sum - 500 * count : which == 1 ? least - 500 : most - 500));
    EXPECT(row[2] == all && row[3] == any && row[4] == odd);
  }
  return result();
}
