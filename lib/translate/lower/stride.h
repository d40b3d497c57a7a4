/* SPDX-License-Identifier: MIT */
/*
 * stride - whether a loop without barriers is better with the loop over threads inside: vectors of neighbouring
 * threads then go through it together.
 *
 * It is where neighbours along x access the same place, or places that lie close to each other. Where each goes
 * along a row of its own the loop over threads would touch a line of the cache for each thread in every round; with
 * calls of atomics, divisions that no vector has, and loops that threads go round by themselves nothing is won.
 * What is not understood counts as that. Called by loops.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_STRIDE_H
#define VPTR_TRANSLATE_LOWER_STRIDE_H

#include "translate/lower/effect.h"
#include "translate/lower/write.h"

typedef struct vptr__strides {
  vptr__effects *effects;
  const vptr__instance *instance;
  const vptr__writes *writes;
  bool (*is_plain)(const void *context, const vptr__declaration *variable); /* the same for all threads */
  const void *context;
  vptr__built_in built_in;      /* what grows from one to the next: VPTR__THREAD_IDX, VPTR__BLOCK_IDX */
  char axis;                    /* of it: 'x', 'y', 'z' */
} vptr__strides;

/* Of a condition: what it compares grows evenly along all axes, so that the threads for which it holds are a box, in
 * most blocks. */
bool vptr__strides_are_in_order(const vptr__strides *strides, const vptr__expression *condition);

bool vptr__strides_are_short(const vptr__strides *strides, const vptr__statement *loop);

#endif
