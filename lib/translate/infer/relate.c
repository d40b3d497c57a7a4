/* SPDX-License-Identifier: MIT */
/*
 * relate - the variables of types, and two types side by side.
 *
 * A type has a variable for each of its pointers, looked up by id: those of fields and at namespace level in the
 * translation, all others in the instance. Where a value goes from one type to another every level must agree, not
 * only the outermost: what a pointer to a pointer shows is written through both.
 */
#include "translate/infer/solver.h"

const vptr__type *vptr__type_without_arrays(const vptr__type *type) {
  while (type != NULL && type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type;
}

const vptr__type *vptr__type_referred(const vptr__type *type) {
  return type != NULL && type->kind == VPTR__TYPE_REFERENCE ? type->base : type;
}

vptr__space_variable *vptr__spaces_variable(vptr__spaces *spaces, const vptr__type *pointer) {
  if (pointer->space != NULL)
    return pointer->space;
  uintptr_t key = pointer->id != 0 ? pointer->id : (uintptr_t)pointer;
  void **shared = vptr__map_find(&spaces->solver->shared, key);
  if (shared != NULL)
    return *shared;
  void **slot = vptr__map_put(spaces->solver->arena, &spaces->variables, key);
  if (*slot != NULL)
    return *slot;
  vptr__space_variable *made = *slot = vptr__space_variable_new(spaces->solver->arena);
  const vptr__type *pointee = vptr__type_without_arrays(pointer->base);
  bool is_pointer = pointee != NULL && pointee->kind == VPTR__TYPE_POINTER;
  vptr__memory_imply(spaces->solver, made, pointee, is_pointer ? vptr__spaces_variable(spaces, pointee) : NULL);
  return made;
}

void vptr__spaces_relate(vptr__spaces *spaces, const vptr__type *left, const vptr__type *right,
                         vptr__position position) {
  left = vptr__type_without_arrays(vptr__type_referred(left));
  right = vptr__type_without_arrays(vptr__type_referred(right));
  while (left != NULL && right != NULL && left->kind == VPTR__TYPE_POINTER && right->kind == VPTR__TYPE_POINTER) {
    if (left != right)
      vptr__space_variable_unify(&spaces->solver->log, vptr__spaces_variable(spaces, left),
                                 vptr__spaces_variable(spaces, right), position);
    left = vptr__type_without_arrays(left->base);
    right = vptr__type_without_arrays(right->base);
  }
}
