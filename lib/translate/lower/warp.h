/* SPDX-License-Identifier: MIT */
/*
 * warp - conditions that are the same for all threads of a warp, though not for all of a block, and decide about
 * exchanges of warps: `if (threadIdx.x < 32)`, `if (threadIdx.x / 32 == 0)`.
 *
 * Loops over threads may go on under such a condition, for those warps that come by: no warp is split, so whoever a
 * mask names is there. Where a warp may be split its lanes can meet lanes elsewhere in the text, which loops cannot do.
 * It is shown of threadIdx.x, divided by a multiple of 32 or compared with one, and so it holds for blocks whose rows
 * are whole warps, or that have one row alone: others are run as they would be without loops.
 *
 * Called by loops.c, uniform.c and emit/kernel.c. No data that changes once it is found, and no locks.
 */
#ifndef VPTR_TRANSLATE_LOWER_WARP_H
#define VPTR_TRANSLATE_LOWER_WARP_H

#include "translate/lower/inside.h"
#include "translate/lower/write.h"

typedef struct vptr__warps {
  vptr__map choices; /* IF statement -> its vptr__warp_name: what is written in it and read outside */
} vptr__warps;

typedef struct vptr__warp_name {
  vptr__declaration *variable; /* NULL: the end of the list */
  struct vptr__warp_name *next;
} vptr__warp_name;

/* Those in a statement; never NULL. */
const vptr__warps *vptr__warps_find(vptr__arena *arena, vptr__insides *insides, const vptr__writes *writes,
                                    const vptr__statement *within);

/* Of one of them: the variables that are different behind it. NULL: it is none. */
const vptr__warp_name *vptr__warps_written(const vptr__warps *warps, const vptr__statement *choice);

#endif
