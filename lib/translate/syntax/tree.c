/* SPDX-License-Identifier: MIT */
/*
 * tree - making the nodes of the tree: see tree.h.
 */
#include "translate/syntax/tree.h"

static void *allocate_node(vptr__unit *unit, size_t size) {
  return vptr__arena_allocate(vptr__source_arena(unit->source), size);
}

vptr__type *vptr__type_new(vptr__unit *unit, vptr__type_kind kind) {
  vptr__type *type = allocate_node(unit, sizeof *type);
  type->kind = kind;
  if (kind == VPTR__TYPE_POINTER || kind == VPTR__TYPE_REFERENCE)
    type->id = ++unit->type_ids;
  return type;
}

vptr__type *vptr__type_pointer(vptr__unit *unit, vptr__type *pointee) {
  vptr__type *type = vptr__type_new(unit, VPTR__TYPE_POINTER);
  type->base = pointee;
  return type;
}

static vptr__declaration *parameters_again(vptr__unit *unit, const vptr__declaration *parameters) {
  vptr__declaration *first = NULL, **link = &first;
  for (; parameters != NULL; parameters = parameters->next) {
    vptr__declaration *copy = allocate_node(unit, sizeof *copy);
    *copy = *parameters;
    copy->type = vptr__type_again(unit, parameters->type);
    copy->next = NULL;
    *link = copy;
    link = &copy->next;
  }
  return first;
}

/* The length of an array is one expression for all copies: it says the same number each time. */
vptr__type *vptr__type_again(vptr__unit *unit, const vptr__type *type) {
  if (type == NULL)
    return NULL;
  vptr__arena *arena = vptr__source_arena(unit->source);
  vptr__arena_enter(arena);
  vptr__type *copy = vptr__type_new(unit, type->kind);
  uint32_t id = copy->id;
  *copy = *type;
  copy->id = id;
  copy->base = vptr__type_again(unit, type->base);
  copy->parameters = parameters_again(unit, type->parameters);
  vptr__arena_leave(arena);
  return copy;
}

vptr__expression *vptr__expression_new(vptr__unit *unit, vptr__expression_kind kind, vptr__position position) {
  vptr__expression *expression = allocate_node(unit, sizeof *expression);
  expression->kind = kind;
  expression->position = position;
  return expression;
}
