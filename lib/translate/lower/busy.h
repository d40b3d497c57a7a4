/* SPDX-License-Identifier: MIT */
/*
 * busy - whether a block goes round any loop of its kernel at all, told before it begins.
 *
 *     for (int k = 0; k < width; k++) ...         0 < width
 *
 * Loops over a block's threads (loops.h) pay where they go round a loop of the program together. Around a loop that is
 * not gone round they are only what they cost: a look for those that leave, and arrays for what lives across a cut. So
 * each thread of such a block goes through the kernel by itself, which the kernel's entry decides by this condition:
 * that of each loop, for its first round, of what is known there. That is numbers, the kernel's parameters, blockIdx,
 * blockDim, gridDim, and variables that are written once with what is made of those. Nothing is loaded for it, and
 * nothing divided by what may be 0.
 *
 * Called by loops.c, of kernels without barriers.
 */
#ifndef VPTR_TRANSLATE_LOWER_BUSY_H
#define VPTR_TRANSLATE_LOWER_BUSY_H

#include "translate/lower/loops.h"
#include "translate/lower/write.h"

/* NULL: always, or it cannot be told. All names in it are the kernel's parameters, or built in. */
const vptr__expression *vptr__busy_find(vptr__arena *arena, const vptr__instance *kernel, const vptr__loops *loops,
                                        const vptr__writes *writes);

#endif
