/* SPDX-License-Identifier: MIT */
/*
 * infer - the way through the pass, and what the others ask. See infer.h, and solver.h for the files.
 */
#include "translate/infer/solver.h"

bool vptr__infer_has_pointers(const vptr__type *type) {
  type = vptr__type_without_arrays(type);
  if (type == NULL)
    return false;
  if (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE)
    return true;
  if (type->kind != VPTR__TYPE_RECORD || type->declaration == NULL)
    return false;
  vptr__memo *memo = &type->declaration->points[VPTR__MEMO_INFER];
  if (*memo != VPTR__MEMO_NONE)
    return *memo == VPTR__MEMO_YES;
  *memo = VPTR__MEMO_NO;
  for (const vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next)
    if (vptr__infer_has_pointers(field->type))
      *memo = VPTR__MEMO_YES;
  return *memo == VPTR__MEMO_YES;
}

/* ---- the kernels ----------------------------------------------------------------------------------------- */

static bool is_kernel(const vptr__declaration *declaration) {
  return declaration->kind == VPTR__DECLARATION_FUNCTION && (declaration->flags & VPTR__GLOBAL) &&
         declaration->body != NULL && declaration->type != NULL;
}

/* Before any body: what kernels are passed tells most about fields. */
static void fix_passed_fields(vptr__solver *solver, const vptr__declaration *kernel) {
  for (vptr__declaration *parameter = kernel->type->parameters; parameter != NULL; parameter = parameter->next) {
    const vptr__type *type = parameter->type;
    vptr__shared_fix_fields(solver, type, VPTR__SPACE_GLOBAL, parameter->position);
    bool is_pointer = type->kind == VPTR__TYPE_POINTER;
    while (type->kind == VPTR__TYPE_POINTER)
      type = vptr__type_without_arrays(type->base);
    if (is_pointer && type->kind == VPTR__TYPE_RECORD && type->declaration != NULL)
      vptr__memory_enter(&solver->log, type->declaration, parameter->position);
  }
}

static void solve_kernel(vptr__solver *solver, vptr__declaration *kernel) {
  int count = vptr__levels_of(kernel);
  unsigned char *key = vptr__arena_allocate(solver->arena, (size_t)count + 1);
  for (int i = 0; i < count; i++)
    key[i] = VPTR__SPACE_GLOBAL;
  vptr__solver_instance(solver, kernel, key, count, kernel->position);
}

static void for_each_kernel(vptr__solver *solver, void (*what)(vptr__solver *, vptr__declaration *)) {
  for (vptr__declaration *declaration = solver->unit->declarations; declaration != NULL;
       declaration = declaration->next)
    if (is_kernel(declaration))
      what(solver, declaration);
}

static void learn_kernel(vptr__solver *solver, vptr__declaration *kernel) {
  vptr__shared_learn_function(solver, kernel);
  fix_passed_fields(solver, kernel);
}

vptr__inference *vptr__infer_run(vptr__unit *unit) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  int errors = vptr__source_errors(unit->source);
  vptr__solver *solver = VPTR__ARENA_NEW(arena, vptr__solver);
  *solver = (vptr__solver){ .unit = unit, .arena = arena, .log = { .source = unit->source, .solver = solver } };
  vptr__shared_learn_unit(solver);
  for_each_kernel(solver, learn_kernel);
  for_each_kernel(solver, solve_kernel);
  vptr__pun_classify_all(solver);
  if (vptr__source_errors(unit->source) != errors)
    return NULL;
  vptr__inference *inference = VPTR__ARENA_NEW(arena, vptr__inference);
  *inference = (vptr__inference){ .instances = solver->first, .count = solver->count };
  return inference;
}

/* ---- what others ask -------------------------------------------------------------------------------------- */

static vptr__space_variable *variable_of(const vptr__instance *instance, const vptr__type *pointer) {
  if (pointer->space != NULL || instance == NULL)
    return pointer->space;
  return vptr__spaces_variable(instance->spaces, pointer);
}

vptr__space vptr__infer_space(const vptr__instance *instance, const vptr__type *pointer) {
  vptr__space_variable *variable = variable_of(instance, pointer);
  return variable != NULL ? vptr__space_variable_value(variable) : VPTR__SPACE_PRIVATE;
}

vptr__position vptr__infer_origin(const vptr__instance *instance, const vptr__type *pointer) {
  vptr__space_variable *variable = variable_of(instance, pointer);
  if (variable == NULL || !vptr__space_variable_known(variable))
    return 0;
  return vptr__space_variable_class(variable)->known_at;
}

vptr__space vptr__infer_lvalue(const vptr__instance *instance, const vptr__expression *lvalue) {
  if (instance == NULL)
    return VPTR__SPACE_PRIVATE; /* an initialiser at namespace level: it has no lvalue that lies anywhere */
  vptr__location location = vptr__spaces_locate(instance->spaces, lvalue);
  return location.variable != NULL ? vptr__space_variable_value(location.variable) : location.space;
}

vptr__space vptr__infer_pointee(const vptr__instance *instance, const vptr__expression *pointer) {
  while (pointer->kind == VPTR__EXPRESSION_CAST && pointer->cast == VPTR__CAST_IMPLICIT &&
         pointer->operands[0]->type->kind == VPTR__TYPE_POINTER)
    pointer = pointer->operands[0];
  if (pointer->kind == VPTR__EXPRESSION_CAST && pointer->cast == VPTR__CAST_DECAY)
    return vptr__infer_lvalue(instance, pointer->operands[0]);
  return vptr__infer_space(instance, pointer->type);
}

vptr__instance *vptr__infer_callee(const vptr__instance *instance, const vptr__expression *call) {
  const vptr__spaces *spaces = instance->spaces;
  void **slot = vptr__map_find(&spaces->callees, (uintptr_t)call);
  return slot != NULL ? *slot : NULL;
}
