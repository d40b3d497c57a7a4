/* SPDX-License-Identifier: MIT */
/*
 * mod_ref - through which of its parameters a kernel may write.
 *
 * A launch that knows that an argument is only read need not bring its memory back. `const` does not say so, since a
 * cast takes it away, and much that is only read is not declared so. So pointers are followed: from a variable to
 * those that it is assigned to, into functions and out of them, up to where something is done with what they point
 * to. Any other way that a pointer may go (into a struct, into memory, behind an address that was taken) counts as a
 * write. No order, no paths: one pass over each function, whatever its instances.
 */
#ifndef VPTR_TRANSLATE_LOWER_MOD_REF_H
#define VPTR_TRANSLATE_LOWER_MOD_REF_H

#include "translate/source/map.h"
#include "translate/syntax/tree.h"

/* A variable, a parameter or what a function returns: something that holds pointers. */
typedef struct vptr__carrier vptr__carrier;

typedef struct vptr__mod_ref {
  vptr__arena *arena;
  vptr__map carriers;  /* declaration -> vptr__carrier */
  vptr__map functions; /* definitions that were walked */
} vptr__mod_ref;

/* Walks a function, once. */
void vptr__mod_ref_walk(vptr__mod_ref *mod_ref, const vptr__declaration *function);

/* Whether something may be written through a pointer parameter of a kernel that was walked with all it calls. */
bool vptr__mod_ref_writes_through(const vptr__mod_ref *mod_ref, const vptr__declaration *parameter);

#endif
