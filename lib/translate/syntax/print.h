/* SPDX-License-Identifier: MIT */
/*
 * print - the tree as text, for tests and debuggers: one line for each declaration and statement, expressions in
 * parentheses with the operator first.
 */
#ifndef VPTR_TRANSLATE_SYNTAX_PRINT_H
#define VPTR_TRANSLATE_SYNTAX_PRINT_H

#include "translate/syntax/tree.h"

/* In the unit's arena. Without the declarations of the built-in headers. */
const char *vptr__unit_print(const vptr__unit *unit);

/* gdb: print vptr__expression_print(unit, e) */
const char *vptr__expression_print(const vptr__unit *unit, const vptr__expression *expression);

#endif
