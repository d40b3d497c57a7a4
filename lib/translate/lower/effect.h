/* SPDX-License-Identifier: MIT */
/*
 * effect - what working out an expression does besides having a value, so that one work-item may do it once for all the
 * threads of a block, or anew for each of them.
 *
 * A function without effects writes to variables of its own only, and calls no others. What cannot be told counts as an
 * effect. Called by loops.c and storage.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_EFFECT_H
#define VPTR_TRANSLATE_LOWER_EFFECT_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

/* What is known of functions is kept. */
typedef struct vptr__effects {
  vptr__arena *arena;
  vptr__map functions; /* instance -> whether it has any, and whether it loads */
} vptr__effects;

typedef struct vptr__effect {
  bool writes;  /* to memory, or by a call: more than the next two */
  bool steps;   /* writes to variables that are named in it, as a whole: `i = 3`, `i++` */
  bool loads;   /* from memory that is not a named variable's */
  bool gathers; /* has a barrier: a call by all threads of the block */
} vptr__effect;

vptr__effect vptr__effect_of(vptr__effects *effects, const vptr__instance *instance,
                             const vptr__expression *expression);

/* The variable that an assignment or a ++ names; NULL: it is none, or goes elsewhere. */
vptr__declaration *vptr__effect_target(const vptr__expression *expression);

/* A variable of the function's own, or a parameter: not a reference, nor anything that others see. */
bool vptr__effect_is_own(const vptr__expression *name);

/* __syncthreads(), or that of a warp, and nothing else. */
bool vptr__effect_is_barrier(const vptr__expression *expression);

/* A call that all threads of the block make together: it has a barrier in it, or is an exchange of warps. */
bool vptr__effect_is_gathering(const vptr__instance *instance, const vptr__expression *expression);

#endif
