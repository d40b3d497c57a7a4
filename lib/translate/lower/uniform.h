/* SPDX-License-Identifier: MIT */
/*
 * uniform - whether barriers are reached by all threads of a block, as far as the text can show it.
 *
 * A barrier that some threads miss hangs or crashes; under OpenCL on CPUs the first thread may decide for all,
 * which is silently wrong. So it must be shown that all come by:
 *   - what differs between threads: threadIdx, results of atomics and clocks, loads at addresses that differ, what is
 *     computed from it, and variables written where only some threads are;
 *   - what does not: everything else, loads from global and shared memory at the same address among it. (Another thread
 *     may write there between two loads; such a race is the program's to avoid, and every tiled loop with a flag relies
 *     on it.)
 *   - where only some threads are: under a condition, in a loop, a switch, a ?: or behind a && or || whose condition
 *     differs; behind a return, break, continue or goto of some, until where they meet again: the loop's end, its next
 *     round, the label, if it stands behind and no barrier is in what they jump out of; else never.
 * Functions are looked at as one with their callers: parameters differ if any caller's arguments do.
 */
#ifndef VPTR_TRANSLATE_LOWER_UNIFORM_H
#define VPTR_TRANSLATE_LOWER_UNIFORM_H

#include "translate/infer/infer.h"

/* Says what is wrong. instance->has_barrier must be right. */
void vptr__uniform_check(vptr__unit *unit, const vptr__inference *inference);

/* Of a kernel without barriers: finds what its threads do not do together, into its `apart`, which is there and says
 * where they leave (apart.h). Nothing is said. */
void vptr__uniform_look(vptr__unit *unit, const vptr__inference *inference, vptr__instance *kernel);

#endif
