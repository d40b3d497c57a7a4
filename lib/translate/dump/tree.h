/* SPDX-License-Identifier: MIT */
/*
 * tree - the tree as text, for tests and debuggers: one line for each declaration and statement, expressions in
 * parentheses with the operator first.
 */
#ifndef VPTR_TRANSLATE_DUMP_TREE_H
#define VPTR_TRANSLATE_DUMP_TREE_H

#include "translate/dump/printer.h"

/* In the unit's arena; form: PRINT_LINES and its kin. Without the declarations of the built-in headers. */
const char *vptr__tree_text(const vptr__unit *unit, unsigned form);

/* gdb: print vptr__tree_expression_text(unit, e) */
const char *vptr__tree_expression_text(const vptr__unit *unit, const vptr__expression *expression);

#endif
