/* SPDX-License-Identifier: MIT */
/*
 * counter - a variable that several loops count with, each from a value of its own, becomes a variable of each of them.
 *
 *     int i;                                             int i;
 *     for (i = 0; i < n; i++) { ... }                    for (int i = 0; i < n; i++) { ... }
 *     for (i = threadIdx.x; i < n; i += 64) { ... }      for (int i = threadIdx.x; i < n; i += 64) { ... }
 *
 * What is known of a variable is mostly known of all of it: blocks as loops (loops.h) take one that a loop in the loop
 * over threads writes to for different in each thread, and could then not have a loop around barriers that counts with
 * it.
 *
 * A loop has one of its own where it begins with an assignment to it, in its head or right in front of it, and nothing
 * reads what the loop leaves in it: all uses in the function are in such loops. The tree is changed, before any pass of
 * lower/ has looked at it. Called by plan.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_COUNTER_H
#define VPTR_TRANSLATE_LOWER_COUNTER_H

#include "translate/infer/infer.h"

void vptr__counters_split(vptr__arena *arena, const vptr__inference *inference);

#endif
