/* SPDX-License-Identifier: MIT */
/*
 * clone - an unchecked expression once more: each use of a default argument is an expression of its own.
 *
 * Types are written anew as well, since pointers in two calls may point into two spaces.
 */
#include "translate/types/check.h"

static vptr__expression *clone_list(vptr__checker *checker, const vptr__expression *list) {
  vptr__expression *first = NULL, **last = &first;
  for (; list != NULL; list = list->next) {
    *last = vptr__clone_expression(checker, list);
    last = &(*last)->next;
  }
  return first;
}

vptr__expression *vptr__clone_expression(vptr__checker *checker, const vptr__expression *expression) {
  if (expression == NULL)
    return NULL;
  vptr__arena_enter(checker->arena);
  vptr__expression *made = VPTR__ARENA_NEW(checker->arena, vptr__expression);
  *made = *expression;
  made->next = NULL;
  if (expression->written_type != NULL)
    made->written_type = vptr__type_again(checker->unit, expression->written_type);
  for (int i = 0; i < 3; i++)
    made->operands[i] = vptr__clone_expression(checker, expression->operands[i]);
  made->arguments = clone_list(checker, expression->arguments);
  made->designator = vptr__clone_expression(checker, expression->designator);
  vptr__arena_leave(checker->arena);
  return made;
}
