/* SPDX-License-Identifier: MIT */
/*
 * builtin_warp - kernel C's operations of warps (tools/kernelc/native.h), which devices with PTX do themselves.
 *
 * They stand in the first arm of `if (__vptr_native()) { } else { }`, which is chosen when the text is built for a
 * device: the other arm runs the block's threads itself. Where one work-item runs a block, the first arm may have a
 * form as loops over threads (lower/loops.h), in which EXCHANGEs are calls by all threads together.
 * __vptr_warp_barrier() is no barrier for the check of barriers: on these devices threads may come to one by different
 * ways, and who has returned is not waited for.
 *
 * mask, value, lane and clamp are PTX's operands, in this order; _wide: of 64 bits. __vptr_warp_has_...(lane, clamp) is
 * whether there was a lane to read from. __vptr_warp_meet(word, mine) adds to a word in global memory, and waits until
 * its top bit has turned; what the block wrote before is there for those that meet it.
 */
#include "translate/types/builtin.h"

#include <stddef.h>

#define EXCHANGE(name, signature)                                                                                    \
  {                                                                                                                  \
    "__vptr_warp_" #name, signature, "vptr_warp_" #name, "warp",                                                     \
        VPTR__BUILTIN_DIVERGENT | VPTR__BUILTIN_SIDE_EFFECT | VPTR__BUILTIN_WARP                                     \
  }
#define OPERATION(name, signature)                                                                                   \
  { "__vptr_warp_" #name, signature, "vptr_warp_" #name, "warp", VPTR__BUILTIN_DIVERGENT | VPTR__BUILTIN_SIDE_EFFECT }

const vptr__builtin vptr__builtin_warps[] = {
  { "__vptr_native", "i", "native", NULL, VPTR__BUILTIN_SPECIAL },
  EXCHANGE(active, "j"),
  EXCHANGE(all, "jjj"),
  EXCHANGE(and, "jjj"),
  EXCHANGE(any, "jjj"),
  EXCHANGE(ballot, "jjj"),
  EXCHANGE(ballot_own, "jjj"),
  EXCHANGE(barrier, "v"),
  EXCHANGE(barrier_and, "jj"),
  OPERATION(barrier_arrive, "vjj"),
  EXCHANGE(barrier_count, "jj"),
  EXCHANGE(barrier_or, "jj"),
  OPERATION(barrier_some, "vjj"),
  EXCHANGE(bfly, "jjjjj"),
  EXCHANGE(bfly_wide, "yjyjj"),
  EXCHANGE(down, "jjjjj"),
  EXCHANGE(down_wide, "yjyjj"),
  OPERATION(has_bfly, "jjj"),
  OPERATION(has_down, "jjj"),
  OPERATION(has_idx, "jjj"),
  OPERATION(has_up, "jjj"),
  EXCHANGE(idx, "jjjjj"),
  EXCHANGE(idx_wide, "yjyjj"),
  EXCHANGE(least, "jjj"),
  EXCHANGE(least_signed, "jjj"),
  EXCHANGE(match_all, "jjj"),
  EXCHANGE(match_all_wide, "jjy"),
  EXCHANGE(match_any, "jjj"),
  EXCHANGE(match_any_wide, "jjy"),
  OPERATION(meet, "vPjj"),
  EXCHANGE(most, "jjj"),
  EXCHANGE(most_signed, "jjj"),
  EXCHANGE(or, "jjj"),
  OPERATION(pause, "vj"),
  EXCHANGE(same, "jjj"),
  EXCHANGE(sum, "jjj"),
  EXCHANGE(sync, "vj"),
  EXCHANGE(up, "jjjjj"),
  EXCHANGE(up_wide, "yjyjj"),
  EXCHANGE(xor, "jjj"),
  { NULL, NULL, NULL, NULL, 0 },
};
