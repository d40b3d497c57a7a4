/* SPDX-License-Identifier: MIT */
/*
 * track - variables of which the check of barriers knows at each place whether they differ, not once for all.
 *
 * `int i = threadIdx.x; ... for (i = 128; i > 0; i /= 2)` counts the same for all threads, since they all come to `i =
 * 128`. So what scalar variables hold is followed along the statements: a bit for each, set by a value that differs or
 * where only some threads are, and cleared where all threads get a value that does not. Where ways meet, the bits of
 * all of them are set. What loops bring back to their beginning is kept from round to round, and only grows.
 *
 * Not followed, and one node for all places as before (node.h): what has its address taken, structs and arrays,
 * references, and all variables of a function with a goto.
 */
#ifndef VPTR_TRANSLATE_LOWER_TRACK_H
#define VPTR_TRANSLATE_LOWER_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "translate/infer/infer.h"
#include "translate/source/map.h"
#include "translate/source/arena.h"
#include "translate/syntax/tree.h"

typedef struct vptr__bits {
  struct vptr__bits *next; /* of those that are not in use */
  uint64_t words[];
} vptr__bits;

/* Of one function. */
typedef struct vptr__track {
  vptr__arena *arena;
  vptr__map numbers;       /* declaration -> its number + 1 */
  uint32_t count, words;
  vptr__bits *spare;
  vptr__bits *now;         /* at the place that is walked */
  vptr__bits *breaks, *continues, *chosen; /* of the innermost loop or switch: what goes to its end, to its next round,
                                              to its labels; NULL: there is none */
  bool has_default;        /* the switch has a label for all else */
  vptr__map heads;         /* loop -> the bits that its rounds bring back */
} vptr__track;

/* Of what is run by loops over threads, or of all. */
void vptr__track_make(vptr__track *track, vptr__arena *arena, const vptr__instance *instance);

/* -1: not followed. Of an lvalue: the variable that it is. */
int vptr__track_number(const vptr__track *track, const vptr__declaration *variable);
int vptr__track_lvalue(const vptr__track *track, const vptr__expression *lvalue);

bool vptr__track_differs(const vptr__track *track, int number);
void vptr__track_set(vptr__track *track, int number, bool differs);

/* All clear; given back when they are no longer needed. */
vptr__bits *vptr__track_bits(vptr__track *track);
vptr__bits *vptr__track_copy(vptr__track *track);     /* of now */
void vptr__track_give(vptr__track *track, vptr__bits *bits);
bool vptr__track_join(const vptr__track *track, vptr__bits *into, const vptr__bits *from); /* whether any were new */
/* a jump: now goes there, and nobody is here. NULL: out of the function */
void vptr__track_leave(vptr__track *track, vptr__bits *to);
vptr__bits *vptr__track_head(vptr__track *track, const vptr__statement *loop);

#endif
