/* SPDX-License-Identifier: MIT */
/*
 * leave - where some threads of a kernel without barriers return before its loops, and the others may go on together.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;      int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n)                                         if (i < n) {
 *       return;                                             ...
 *     ...                                                 }
 *
 * Almost every kernel begins so. As loops (loops.h), the threads that stay are counted there, once for a block: if none
 * does, the block is done; if they are a box, whose rows begin where the block's do, as where a grid is larger than the
 * data, the loops behind it go over that box; else, as at an image's border, the function begins again with loops that
 * go over the whole block and pass by the threads that are not marked. For that, nothing in front of it and in it may
 * write to anything but the thread's own variables.
 *
 * Found before it is asked what threads do together (uniform.h): behind such a place all that are left are there.
 * Called by loops.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_LEAVE_H
#define VPTR_TRANSLATE_LOWER_LEAVE_H

#include "translate/lower/apart.h"
#include "translate/lower/effect.h"
#include "translate/lower/inside.h"

/* Fills apart->leaves of a kernel. */
void vptr__leaves_find(vptr__effects *effects, vptr__insides *insides, vptr__apart *apart);

#endif
