/* SPDX-License-Identifier: MIT */
/*
 * visit - every statement, expression and local declaration of a function's body, in the order of the text.
 *
 * Recurses as deep as the tree is; types/, which went the same way before, has bounded that.
 */
#ifndef VPTR_TRANSLATE_INFER_VISIT_H
#define VPTR_TRANSLATE_INFER_VISIT_H

#include "translate/syntax/tree.h"

/* Each may be NULL. Expressions are told behind their operands, variables behind their initialisers, statements
 * before what they consist of. */
typedef struct vptr__visitor {
  void (*statement)(void *context, vptr__statement *statement);
  void (*expression)(void *context, vptr__expression *expression);
  void (*variable)(void *context, vptr__declaration *variable);
  void *context;
} vptr__visitor;

void vptr__visit_statement(const vptr__visitor *visitor, vptr__statement *statement); /* and those behind it */
void vptr__visit_expression(const vptr__visitor *visitor, vptr__expression *expression);

#endif
