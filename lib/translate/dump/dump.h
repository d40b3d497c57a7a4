/* SPDX-License-Identifier: MIT */
/*
 * dump - what each step of a translation made, as text to read: a section for each step that is asked for, in the order
 * of the way. The passes do not know of it; translate.c tells it what they have made, behind each of them.
 *
 * The text is the same for the same sources, and each line has the source's line in front, but for the module's own
 * text.
 */
#ifndef VPTR_TRANSLATE_DUMP_DUMP_H
#define VPTR_TRANSLATE_DUMP_DUMP_H

#include "translate/emit/writer.h"
#include "translate/lower/plan.h"

enum { /* steps */
       VPTR__DUMP_TREE = 1,   /* what syntax/ has read */
       VPTR__DUMP_TYPES = 2,  /* the same behind types/: what kernels reach, with all types and conversions */
       VPTR__DUMP_SPACES = 4, /* where pointers point: infer/ */
       VPTR__DUMP_PLAN = 8,   /* lower/ */
       VPTR__DUMP_TEXT = 16   /* the module */
};

typedef struct vptr__dump {
  unsigned steps;
  bool is_kernel_c;
  const char *name;           /* of the source, for heads */
  vptr__writer out;
} vptr__dump;

/* The steps of "tree,plan"; 0: a word of it is none. */
unsigned vptr__dump_steps(const char *words);

/* Each adds its section, if it is asked for; NULL: the step has made nothing, which is said. */
void vptr__dump_tree(vptr__dump *dump, const vptr__unit *unit);
void vptr__dump_types(vptr__dump *dump, const vptr__unit *unit);
void vptr__dump_spaces(vptr__dump *dump, const vptr__unit *unit, const vptr__inference *inference);
void vptr__dump_plan(vptr__dump *dump, const vptr__unit *unit, const vptr__inference *inference,
                     const vptr__plan *plan);
void vptr__dump_module(vptr__dump *dump, const char *module);

#endif
