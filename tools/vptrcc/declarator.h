/* SPDX-License-Identifier: MIT */
/*
 * declarator - the names that declarations give: of parameters, of template parameters, of variables.
 *
 * Without types a name is told from a type by its place: it is the last name of a declarator, and not the only one.
 */
#ifndef VPTRCC_DECLARATOR_H
#define VPTRCC_DECLARATOR_H

#include "declaration.h"

typedef struct cc_declarator {
  uint32_t first, last;    /* its tokens, both included, without a default or initialiser */
  uint32_t name;           /* the first token of its name (a::b: a); CC_NO_MATCH: it has none */
  uint32_t name_end;       /* behind the name; without one: where one would be written */
  bool is_pack;
} cc_declarator;

typedef struct cc_declarators {
  cc_declarator *items;
  uint32_t count;
} cc_declarators;

/* Parameters between the brackets '(' or '<' at `open` and their end before `close`. (void) has none. */
cc_declarators cc_parameters(const cc_text *text, vptr__arena *arena, uint32_t open, uint32_t close);

/* Variables of a declaration. The first one's tokens hold the type too. */
cc_declarators cc_variables(const cc_text *text, vptr__arena *arena, const cc_declaration *declaration);

#endif
