/* SPDX-License-Identifier: MIT */
/*
 * visit - see visit.h.
 */
#include "translate/infer/visit.h"

void vptr__visit_expression(const vptr__visitor *visitor, vptr__expression *expression) {
  if (expression == NULL)
    return;
  for (int i = 0; i < 3; i++)
    vptr__visit_expression(visitor, expression->operands[i]);
  for (vptr__expression *argument = expression->arguments; argument != NULL; argument = argument->next)
    vptr__visit_expression(visitor, argument);
  if (visitor->expression != NULL)
    visitor->expression(visitor->context, expression);
}

static void visit_declarations(const vptr__visitor *visitor, vptr__declaration *declaration) {
  for (; declaration != NULL; declaration = declaration->next) {
    if (declaration->kind != VPTR__DECLARATION_VARIABLE)
      continue;
    vptr__visit_expression(visitor, declaration->initializer);
    if (visitor->variable != NULL)
      visitor->variable(visitor->context, declaration);
  }
}

/* A CASE's expression is a number for the compiler, computed by types/: nobody runs it. */
static void visit_one(const vptr__visitor *visitor, vptr__statement *statement) {
  if (visitor->statement != NULL)
    visitor->statement(visitor->context, statement);
  vptr__visit_statement(visitor, statement->first);
  visit_declarations(visitor, statement->declarations);
  if (statement->kind != VPTR__STATEMENT_CASE)
    vptr__visit_expression(visitor, statement->expression);
  vptr__visit_statement(visitor, statement->body);
  vptr__visit_expression(visitor, statement->step);
  vptr__visit_statement(visitor, statement->otherwise);
}

void vptr__visit_statement(const vptr__visitor *visitor, vptr__statement *statement) {
  for (; statement != NULL; statement = statement->next)
    visit_one(visitor, statement);
}
