/* SPDX-License-Identifier: MIT */
/*
 * kind - what kind of type it is, and the types that follow from it: promoted, unqualified, common to two.
 *
 * Copies that differ in qualifiers alone keep the ids of their pointers: they are the same pointer. A copy that is
 * another pointer is vptr__kind_again()'s.
 */
#include "translate/types/check.h"

bool vptr__type_is_integer(const vptr__type *type) {
  return (type->kind >= VPTR__TYPE_BOOL && type->kind <= VPTR__TYPE_UNSIGNED_LONG_LONG) ||
         type->kind == VPTR__TYPE_ENUM;
}

bool vptr__type_is_signed(const vptr__type *type) {
  switch (vptr__kind_underlying(type)->kind) {
  case VPTR__TYPE_CHAR:
  case VPTR__TYPE_SIGNED_CHAR:
  case VPTR__TYPE_SHORT:
  case VPTR__TYPE_INT:
  case VPTR__TYPE_LONG:
  case VPTR__TYPE_LONG_LONG:
    return true;
  default:
    return false;
  }
}

bool vptr__type_is_floating(const vptr__type *type) {
  return type->kind == VPTR__TYPE_FLOAT || type->kind == VPTR__TYPE_DOUBLE;
}

bool vptr__type_is_arithmetic(const vptr__type *type) {
  return type->kind >= VPTR__TYPE_BOOL && type->kind <= VPTR__TYPE_DOUBLE;
}

vptr__type *vptr__kind_underlying(const vptr__type *type) {
  if (type->kind == VPTR__TYPE_ENUM && type->declaration->type->base != NULL)
    return type->declaration->type->base;
  return (vptr__type *)type;
}

bool vptr__kind_is_scoped(const vptr__type *type) {
  return type->kind == VPTR__TYPE_ENUM && (type->declaration->flags & VPTR__ENUM_CLASS) != 0;
}

bool vptr__kind_is_operand(const vptr__type *type) {
  return vptr__type_is_arithmetic(type) || (type->kind == VPTR__TYPE_ENUM && !vptr__kind_is_scoped(type));
}

bool vptr__kind_is_scalar(const vptr__type *type) {
  return vptr__type_is_arithmetic(type) || type->kind == VPTR__TYPE_ENUM || type->kind == VPTR__TYPE_POINTER ||
         type->kind == VPTR__TYPE_NULLPTR;
}

unsigned vptr__kind_bits(const vptr__type *type) {
  type = vptr__kind_underlying(type);
  return type->kind == VPTR__TYPE_BOOL ? 1 : (unsigned)vptr__type_size(type) * 8;
}

vptr__type *vptr__kind_basic(vptr__checker *checker, vptr__type_kind kind) {
  if (checker->basic[kind] == NULL)
    checker->basic[kind] = vptr__type_new(checker->unit, kind);
  return checker->basic[kind];
}

unsigned vptr__kind_qualifiers(const vptr__type *type) {
  unsigned qualifiers = type->qualifiers;
  for (; type->kind == VPTR__TYPE_ARRAY; qualifiers |= type->qualifiers)
    type = type->base;
  return qualifiers & VPTR__CHECK_CV;
}

static vptr__type *copy_type(vptr__checker *checker, const vptr__type *type) {
  vptr__type *made = VPTR__ARENA_NEW(checker->arena, vptr__type);
  *made = *type;
  return made;
}

vptr__type *vptr__kind_requalified(vptr__checker *checker, vptr__type *type, unsigned qualifiers) {
  if (vptr__kind_qualifiers(type) == qualifiers &&
      (type->qualifiers & VPTR__RESTRICT) == (qualifiers & VPTR__RESTRICT))
    return type;
  vptr__type *made = copy_type(checker, type);
  vptr__type *element = made;
  for (; element->kind == VPTR__TYPE_ARRAY; element = element->base) {
    element->qualifiers = 0;
    element->base = copy_type(checker, element->base);
  }
  element->qualifiers = qualifiers;
  return made;
}

vptr__type *vptr__kind_unqualified(vptr__checker *checker, vptr__type *type) {
  return vptr__kind_requalified(checker, type, 0);
}

vptr__type *vptr__kind_again(vptr__checker *checker, vptr__type *type) {
  if (type->kind != VPTR__TYPE_POINTER && type->kind != VPTR__TYPE_ARRAY)
    return vptr__kind_unqualified(checker, type);
  vptr__type *made = vptr__type_again(checker->unit, type);
  made->qualifiers = 0;
  return made;
}

vptr__type *vptr__kind_promoted(vptr__checker *checker, vptr__type *type) {
  if (type->kind == VPTR__TYPE_ENUM && !vptr__kind_is_scoped(type))
    type = vptr__kind_underlying(type);
  if (type->kind >= VPTR__TYPE_BOOL && type->kind < VPTR__TYPE_INT)
    return vptr__kind_basic(checker, VPTR__TYPE_INT);
  if (vptr__type_is_arithmetic(type))
    return vptr__kind_basic(checker, type->kind);
  return vptr__kind_unqualified(checker, type);
}

/* The kinds from int on come in pairs, signed before unsigned, in the order of their rank; long and long long have
 * one size. */
static vptr__type_kind common_integer(vptr__type_kind left, vptr__type_kind right) {
  vptr__type_kind higher = left > right ? left : right, lower = left > right ? right : left;
  bool higher_is_unsigned = ((higher - VPTR__TYPE_INT) & 1) != 0,
       lower_is_unsigned = ((lower - VPTR__TYPE_INT) & 1) != 0;
  if (higher_is_unsigned || !lower_is_unsigned)
    return higher;
  return lower == VPTR__TYPE_UNSIGNED ? higher : (vptr__type_kind)(higher + 1);
}

vptr__type *vptr__kind_usual(vptr__checker *checker, vptr__type *left, vptr__type *right) {
  if (left->kind == VPTR__TYPE_DOUBLE || right->kind == VPTR__TYPE_DOUBLE)
    return vptr__kind_basic(checker, VPTR__TYPE_DOUBLE);
  if (left->kind == VPTR__TYPE_FLOAT || right->kind == VPTR__TYPE_FLOAT)
    return vptr__kind_basic(checker, VPTR__TYPE_FLOAT);
  return vptr__kind_basic(
      checker, common_integer(vptr__kind_promoted(checker, left)->kind, vptr__kind_promoted(checker, right)->kind));
}
