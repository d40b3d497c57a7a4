/* SPDX-License-Identifier: MIT */
/*
 * region - the loops over threads of a function, and which of them use which variable. Filled while the function is
 * planned (loops.c), read by storage.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_REGION_H
#define VPTR_TRANSLATE_LOWER_REGION_H

#include "translate/lower/loops.h"

/* Of a variable of the function's own, or a parameter. */
typedef struct vptr__usage {
  vptr__declaration *variable;
  vptr__region *region, *last;        /* the first and the last that use it */
  bool is_many;                       /* more than one does */
  bool is_outside;                    /* it is read outside of them */
  bool is_listed;                     /* it is declared outside of them, or there was a value for it */
  vptr__region *declared;             /* the one in which it gets its initialiser */
  const vptr__statement *loop;        /* the innermost outside loop around its declaration */
  unsigned once;                      /* writes to it that are done once for the block */
  struct vptr__usage *next;
} vptr__usage;

typedef struct vptr__usages {
  vptr__arena *arena;
  vptr__map found;                    /* declaration -> vptr__usage */
  vptr__usage *first, **end;
} vptr__usages;

void vptr__usages_begin(vptr__usages *usages, vptr__arena *arena);
vptr__usage *vptr__usage_of(vptr__usages *usages, vptr__declaration *variable);

vptr__region *vptr__region_new(vptr__arena *arena, const vptr__statement *loop, const vptr__mask *mask);

/* The statement or the variable's initialiser is one more item of the region. */
void vptr__region_add(vptr__usages *usages, vptr__region *region, const vptr__statement *statement,
                      vptr__declaration *variable);

/* The expression's variables are used there; region NULL: outside. */
void vptr__region_use(vptr__usages *usages, vptr__region *region, const vptr__expression *expression);

#endif
