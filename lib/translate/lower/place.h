/* SPDX-License-Identifier: MIT */
/*
 * place - two lvalues side by side, as their text shows it: whether threads that go by both meet in one element.
 *
 * Good enough for warnings, not for more: variables are taken for what they are anywhere in the function, and what an
 * index held at another time is not asked.
 */
#ifndef VPTR_TRANSLATE_LOWER_PLACE_H
#define VPTR_TRANSLATE_LOWER_PLACE_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

/* Which variables of a function differ between the threads of a block. */
typedef struct vptr__varying {
  const vptr__instance *instance;
  vptr__arena *arena;
  vptr__map variables;   /* declaration -> anything */
  bool has_changed;
} vptr__varying;

typedef enum vptr__place_relation {
  VPTR__PLACE_OWN,       /* each thread's own, the same or of the same piece */
  VPTR__PLACE_COMMON,    /* perhaps the same element, for all threads */
  VPTR__PLACE_APART,     /* never the same */
  VPTR__PLACE_OTHER      /* one thread's may be another's */
} vptr__place_relation;

void vptr__varying_learn(vptr__varying *varying, vptr__arena *arena, const vptr__instance *instance);
bool vptr__varying_is(const vptr__varying *varying, const vptr__expression *expression);

/* The variable that an lvalue is in, or by whose pointer it is reached, where it is named; NULL: nowhere. */
const vptr__expression *vptr__place_name(const vptr__expression *place);
vptr__place_relation vptr__place_relate(const vptr__varying *varying, const vptr__expression *left,
                                        const vptr__expression *right);

#endif
