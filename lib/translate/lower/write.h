/* SPDX-License-Identifier: MIT */
/*
 * write - who writes to the variables of a function, as blocks as loops ask it. Called by storage.c and loops.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_WRITE_H
#define VPTR_TRANSLATE_LOWER_WRITE_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

typedef struct vptr__write {
  unsigned count;                     /* of writes to the whole of it: initialiser, assignments, ++ */
  const vptr__expression *value;      /* of the last that was seen, if it is a plain one */
  bool is_initializer;                /* that one is */
  const vptr__statement *loop;        /* the innermost around that one; NULL: none */
  const vptr__statement *counter;     /* it is declared in this FOR's head, and written to there alone; NULL: no */
} vptr__write;

typedef struct vptr__writes {
  vptr__arena *arena;
  vptr__map found;                    /* declaration -> vptr__write */
  vptr__map outer;                    /* loop -> the loop around it */
} vptr__writes;

void vptr__writes_find(vptr__writes *writes, const vptr__declaration *function);
const vptr__write *vptr__write_to(const vptr__writes *writes, const vptr__declaration *variable); /* never NULL */

/* Whether a loop, or NULL, is `outer` or stands in its body. */
bool vptr__write_is_within(const vptr__writes *writes, const vptr__statement *loop, const vptr__statement *outer);

#endif
