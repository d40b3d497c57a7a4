/* SPDX-License-Identifier: MIT */
/*
 * builtin_warp - kernel C's operations of warps (tools/kernelc/native.h), which devices with PTX do themselves.
 *
 * They stand in the first arm of `if (__vptr_native()) { } else { }`, which is chosen when the text is built for a
 * device: the other arm runs the block's threads itself. __vptr_warp_barrier() is no barrier for the check of barriers:
 * on these devices threads may come to one by different ways, and who has returned is not waited for.
 *
 * mask, value, lane and clamp are PTX's operands, in this order; _wide: of 64 bits. __vptr_warp_has_...(lane, clamp) is
 * whether there was a lane to read from.
 */
#include "translate/types/builtin.h"

#include <stddef.h>

#define OPERATION(name, signature)                                                                                   \
  { "__vptr_warp_" #name, signature, "vptr_warp_" #name, "warp", VPTR__BUILTIN_DIVERGENT | VPTR__BUILTIN_SIDE_EFFECT }

const vptr__builtin vptr__builtin_warps[] = {
  { "__vptr_native", "i", "native", NULL, VPTR__BUILTIN_SPECIAL },
  OPERATION(active, "j"),
  OPERATION(all, "jjj"),
  OPERATION(and, "jjj"),
  OPERATION(any, "jjj"),
  OPERATION(ballot, "jjj"),
  OPERATION(ballot_own, "jjj"),
  OPERATION(barrier, "v"),
  OPERATION(barrier_and, "jj"),
  OPERATION(barrier_arrive, "vjj"),
  OPERATION(barrier_count, "jj"),
  OPERATION(barrier_or, "jj"),
  OPERATION(barrier_some, "vjj"),
  OPERATION(bfly, "jjjjj"),
  OPERATION(bfly_wide, "yjyjj"),
  OPERATION(down, "jjjjj"),
  OPERATION(down_wide, "yjyjj"),
  OPERATION(has_bfly, "jjj"),
  OPERATION(has_down, "jjj"),
  OPERATION(has_idx, "jjj"),
  OPERATION(has_up, "jjj"),
  OPERATION(idx, "jjjjj"),
  OPERATION(idx_wide, "yjyjj"),
  OPERATION(least, "jjj"),
  OPERATION(least_signed, "jjj"),
  OPERATION(match_all, "jjj"),
  OPERATION(match_all_wide, "jjy"),
  OPERATION(match_any, "jjj"),
  OPERATION(match_any_wide, "jjy"),
  OPERATION(most, "jjj"),
  OPERATION(most_signed, "jjj"),
  OPERATION(or, "jjj"),
  OPERATION(pause, "vj"),
  OPERATION(same, "jjj"),
  OPERATION(sum, "jjj"),
  OPERATION(sync, "vj"),
  OPERATION(up, "jjjjj"),
  OPERATION(up_wide, "yjyjj"),
  OPERATION(xor, "jjj"),
  { NULL, NULL, NULL, NULL, 0 },
};
