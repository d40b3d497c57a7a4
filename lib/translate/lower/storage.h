/* SPDX-License-Identifier: MIT */
/*
 * storage - where the variables of a function are when one work-item runs it for all threads of a block.
 *
 *   plain   what is the same for all threads wherever it is written (apart.h), and is only written where the
 *           work-item is outside of loops over threads: a variable, as it was. Arrays of constants, too.
 *   again   what is written once, and is worked out without loads and calls from the thread's place in the block and
 *           from variables that have not changed in between: `int x = threadIdx.x, i = blockIdx.x * 16 + x`. Each
 *           loop over threads that uses it has it of its own; an array would hide from the driver's compiler that
 *           neighbours access neighbours.
 *   inside  what one loop over threads alone uses, and writes before it reads.
 *   kept    all else: an array with an element for each thread. An array of which only elements are named is spread:
 *           its elements are such arrays, so that threads that use the same index use neighbours.
 *
 * Called by loops.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_STORAGE_H
#define VPTR_TRANSLATE_LOWER_STORAGE_H

#include "translate/lower/region.h"
#include "translate/lower/write.h"

typedef struct vptr__storing {
  vptr__arena *arena;
  const vptr__instance *instance;
  const vptr__writes *writes;
  vptr__usages *usages;
  const vptr__map *plain;   /* declaration -> vptr__usage of what is the same for all, and is written outside only */
  vptr__map again;          /* declaration -> what is known of it: yes, or no */
  vptr__loops *loops;
} vptr__storing;

/* False: a variable cannot be kept, or all of them are too many bytes. */
bool vptr__storage_choose(vptr__storing *storing);

#endif
