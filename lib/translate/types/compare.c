/* SPDX-License-Identifier: MIT */
/*
 * compare - whether types are the same, and what pointers have in common.
 *
 * By structure: each type that is written is an object of its own. Records and enumerations are their declaration.
 */
#include "translate/types/check.h"

bool vptr__compare_parameters(const vptr__declaration *left, const vptr__declaration *right) {
  const vptr__declaration *l = left->type->parameters, *r = right->type->parameters;
  for (; l != NULL && r != NULL; l = l->next, r = r->next)
    if (!vptr__type_same(l->type, r->type, false))
      return false;
  return l == NULL && r == NULL && left->type->is_variadic == right->type->is_variadic;
}

static bool same_function(const vptr__type *left, const vptr__type *right) {
  const vptr__declaration *l = left->parameters, *r = right->parameters;
  for (; l != NULL && r != NULL; l = l->next, r = r->next)
    if (!vptr__type_same(l->type, r->type, false))
      return false;
  return l == NULL && r == NULL && left->is_variadic == right->is_variadic &&
         vptr__type_same(left->base, right->base, true);
}

bool vptr__type_same(const vptr__type *left, const vptr__type *right, bool with_qualifiers) {
  if (left->kind != right->kind)
    return false;
  if (with_qualifiers && vptr__kind_qualifiers(left) != vptr__kind_qualifiers(right))
    return false;
  switch (left->kind) {
  case VPTR__TYPE_POINTER:
  case VPTR__TYPE_REFERENCE:
    return vptr__type_same(left->base, right->base, true);
  case VPTR__TYPE_ARRAY:
    return left->is_incomplete == right->is_incomplete && left->count == right->count &&
           vptr__type_same(left->base, right->base, with_qualifiers);
  case VPTR__TYPE_FUNCTION:
    return same_function(left, right);
  case VPTR__TYPE_RECORD:
  case VPTR__TYPE_ENUM:
    return left->declaration == right->declaration;
  default:
    return true;
  }
}

/* C++'s rule: qualifiers may be added at any level, if all levels above it (but the outermost) are const then. */
bool vptr__compare_qualifies(const vptr__type *from, const vptr__type *to) {
  for (bool is_const_above = true;; from = from->base, to = to->base) {
    unsigned had = vptr__kind_qualifiers(from), gets = vptr__kind_qualifiers(to);
    if ((had & ~gets) != 0 || (had != gets && !is_const_above))
      return false;
    is_const_above = is_const_above && (gets & VPTR__CONST) != 0;
    if (from->kind != VPTR__TYPE_POINTER || to->kind != VPTR__TYPE_POINTER)
      return vptr__type_same(from, to, false);
  }
}

vptr__type *vptr__compare_composite(vptr__checker *checker, vptr__type *left, vptr__type *right) {
  if (left->kind == VPTR__TYPE_NULLPTR)
    return vptr__kind_again(checker, right);
  if (right->kind == VPTR__TYPE_NULLPTR || vptr__type_same(left, right, false))
    return vptr__kind_again(checker, left);
  if (left->kind != VPTR__TYPE_POINTER || right->kind != VPTR__TYPE_POINTER)
    return NULL;
  unsigned qualifiers = vptr__kind_qualifiers(left->base) | vptr__kind_qualifiers(right->base);
  bool is_void = left->base->kind == VPTR__TYPE_VOID || right->base->kind == VPTR__TYPE_VOID;
  vptr__type *pointee = is_void ? vptr__kind_basic(checker, VPTR__TYPE_VOID) : vptr__kind_again(checker, left->base);
  pointee = vptr__kind_requalified(checker, pointee, qualifiers);
  if (!is_void && (!vptr__compare_qualifies(left->base, pointee) || !vptr__compare_qualifies(right->base, pointee)))
    return NULL;
  return vptr__type_pointer(checker->unit, pointee);
}
