/* SPDX-License-Identifier: MIT */
/*
 * lvalue - where an lvalue lies: in the memory of its variable, or where the pointer points that leads to it.
 */
#include "translate/infer/solver.h"

static vptr__location location_in_space(vptr__space space) {
  return (vptr__location){ .space = space };
}

static vptr__location locate_pointee(vptr__spaces *spaces, const vptr__type *pointer) {
  return (vptr__location){ .variable = vptr__spaces_variable(spaces, pointer) };
}

/* Constants at namespace level without a place in the device's memory become OpenCL's __constant. */
static vptr__location locate_variable(vptr__spaces *spaces, const vptr__declaration *variable) {
  if (variable->type->kind == VPTR__TYPE_REFERENCE)
    return locate_pointee(spaces, variable->type);
  if (variable->flags & VPTR__SHARED)
    return location_in_space(VPTR__SPACE_SHARED);
  if (variable->flags & (VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED))
    return location_in_space(VPTR__SPACE_GLOBAL);
  if ((variable->flags & VPTR__AT_NAMESPACE) && !(variable->flags & VPTR__BUILT_IN))
    return location_in_space(VPTR__SPACE_CONSTANT);
  return location_in_space(VPTR__SPACE_PRIVATE);
}

/* The variable of an lvalue that has none of its own: the call of a function that returns a reference, `a ? b : c`. */
vptr__space_variable *vptr__spaces_lvalue(vptr__spaces *spaces, const vptr__expression *lvalue) {
  void **slot = vptr__map_put(spaces->solver->arena, &spaces->lvalues, (uintptr_t)lvalue);
  if (*slot == NULL)
    *slot = vptr__space_variable_new(spaces->solver->arena);
  return *slot;
}

static vptr__location locate_element(vptr__spaces *spaces, const vptr__expression *index) {
  for (int i = 0; i < 2; i++) {
    const vptr__expression *operand = index->operands[i];
    if (operand->type != NULL && operand->type->kind == VPTR__TYPE_POINTER)
      return locate_pointee(spaces, operand->type);
    if (operand->type != NULL && operand->type->kind == VPTR__TYPE_ARRAY)
      return vptr__spaces_locate(spaces, operand);
  }
  return location_in_space(VPTR__SPACE_PRIVATE);
}

static vptr__location locate_operator(vptr__spaces *spaces, const vptr__expression *lvalue) {
  const vptr__expression *operand = lvalue->operands[0];
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_UNARY:
    return lvalue->op == '*' ? locate_pointee(spaces, operand->type) : vptr__spaces_locate(spaces, operand);
  case VPTR__EXPRESSION_BINARY:
    return lvalue->op == ',' ? vptr__spaces_locate(spaces, lvalue->operands[1])
                             : location_in_space(VPTR__SPACE_PRIVATE);
  case VPTR__EXPRESSION_MEMBER:
    if (operand->type != NULL && operand->type->kind == VPTR__TYPE_POINTER)
      return locate_pointee(spaces, operand->type);
    return vptr__spaces_locate(spaces, operand);
  default: /* ASSIGN, CAST */
    return vptr__spaces_locate(spaces, operand);
  }
}

/* What is no lvalue is a temporary: the thread's own. */
vptr__location vptr__spaces_locate(vptr__spaces *spaces, const vptr__expression *lvalue) {
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_STRING:
    return location_in_space(VPTR__SPACE_CONSTANT);
  case VPTR__EXPRESSION_NAME:
    if (lvalue->declaration == NULL || lvalue->declaration->type == NULL)
      return location_in_space(VPTR__SPACE_PRIVATE);
    return locate_variable(spaces, lvalue->declaration);
  case VPTR__EXPRESSION_INDEX:
    return locate_element(spaces, lvalue);
  case VPTR__EXPRESSION_CALL:
  case VPTR__EXPRESSION_CONDITIONAL:
    if (!lvalue->is_lvalue)
      return location_in_space(VPTR__SPACE_PRIVATE);
    return (vptr__location){ .variable = vptr__spaces_lvalue(spaces, lvalue) };
  case VPTR__EXPRESSION_ASSIGN:
  case VPTR__EXPRESSION_UNARY:
  case VPTR__EXPRESSION_BINARY:
  case VPTR__EXPRESSION_CAST:
    return lvalue->is_lvalue ? locate_operator(spaces, lvalue) : location_in_space(VPTR__SPACE_PRIVATE);
  case VPTR__EXPRESSION_MEMBER:
    return locate_operator(spaces, lvalue);
  default:
    return location_in_space(VPTR__SPACE_PRIVATE);
  }
}

void vptr__spaces_bind(vptr__spaces *spaces, vptr__space_variable *variable, vptr__location location,
                       vptr__position position) {
  if (location.variable != NULL)
    vptr__space_variable_unify(&spaces->solver->log, variable, location.variable, position);
  else
    vptr__space_variable_fix(&spaces->solver->log, variable, location.space, position);
}
