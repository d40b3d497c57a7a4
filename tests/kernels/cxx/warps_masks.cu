/* SPDX-License-Identifier: MIT */
/* warps_masks - the masks of lanes as PTX has them, lanes in blocks of two dimensions, __activemask() and __fns(). */
#include "check.h"

__device__ unsigned lane_of() {
  unsigned x;
  asm("mov.u32 %0, %%laneid;" : "=r"(x));
  return x;
}
#define MASK(name)                                                                                                    \
  __device__ unsigned mask_##name() {                                                                                 \
    unsigned x;                                                                                                       \
    asm("mov.u32 %0, %%lanemask_" #name ";" : "=r"(x));                                                               \
    return x;                                                                                                         \
  }
MASK(lt)
MASK(le)
MASK(eq)
MASK(ge)
MASK(gt)

__global__ void masks(unsigned *out) {
  unsigned i = threadIdx.x + blockDim.x * threadIdx.y, *row = out + i * 9;
  row[0] = lane_of();
  row[1] = mask_lt();
  row[2] = mask_le();
  row[3] = mask_eq();
  row[4] = mask_ge();
  row[5] = mask_gt();
  if (i % 5 < 2)
    row[6] = __activemask();
  else
    row[6] = __activemask();
  __syncwarp(i < 64 ? ~0u : 0xffu);
  row[7] = __fns(0x00f10f10u, row[0], 2);
  row[8] = __fns(0x00f10f10u, row[0], -1);
}

int main() {
  enum { THREADS = 12 * 6 };
  items<unsigned, THREADS * 9> out;
  masks<<<1, dim3(12, 6)>>>(out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const unsigned lane = (unsigned)i % 32, below = (1u << lane) - 1, *row = &out[i * 9];
    EXPECT(row[0] == lane && row[1] == below && row[2] == (below | 1u << lane) && row[3] == 1u << lane);
    EXPECT(row[4] == ~below && row[5] == ~(below | 1u << lane));
    unsigned same = 0, up = ~0u, down = ~0u, found = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32 && k < THREADS; k++)
      same |= (unsigned)((k % 5 < 2) == (i % 5 < 2)) << k % 32;
    for (unsigned k = lane; k < 32 && up == ~0u; k++)
      up = (0x00f10f10u >> k & 1) && ++found == 2 ? k : up;
    for (int k = (int)lane; k >= 0 && down == ~0u; k--)
      down = 0x00f10f10u >> k & 1 ? (unsigned)k : down;
    EXPECT((row[6] & ~same) == 0 && (row[6] >> lane & 1) != 0); /* those that come at once are up to the device */
    EXPECT(row[7] == up && row[8] == down);
  }
  return result();
}
