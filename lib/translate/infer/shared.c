/* SPDX-License-Identifier: MIT */
/*
 * shared - pointers that all instances have in common: those of fields, and of variables at namespace level or in
 * shared memory.
 *
 * A record is one type in the whole module, so its fields cannot follow the instance (a record for each combination
 * of spaces would have to be converted into another whenever one is assigned). They are learned before the bodies
 * that use them are walked: an id that was once taken for an instance's own would be two variables.
 */
#include "translate/infer/solver.h"
#include "translate/infer/visit.h"

static void learn_type(vptr__solver *solver, vptr__type *type, bool is_shared);

void vptr__shared_learn_record(vptr__solver *solver, vptr__declaration *record) {
  if (record == NULL)
    return;
  void **slot = vptr__map_put(solver->arena, &solver->records, (uintptr_t)record);
  if (*slot != NULL)
    return;
  *slot = record;
  vptr__arena_enter(solver->arena);
  for (vptr__declaration *field = record->fields; field != NULL; field = field->next)
    learn_type(solver, field->type, true);
  vptr__arena_leave(solver->arena);
}

static void share_pointer(vptr__solver *solver, vptr__type *pointer) {
  void **slot = vptr__map_put(solver->arena, &solver->shared, pointer->id != 0 ? pointer->id : (uintptr_t)pointer);
  if (*slot != NULL) {
    pointer->space = *slot;
    return;
  }
  pointer->space = *slot = vptr__space_variable_new(solver->arena);
  vptr__type *pointee = (vptr__type *)vptr__type_without_arrays(pointer->base);
  bool is_pointer = pointee != NULL && pointee->kind == VPTR__TYPE_POINTER;
  if (is_pointer)
    share_pointer(solver, pointee);
  vptr__memory_imply(solver, pointer->space, pointee, is_pointer ? pointee->space : NULL);
}

/* The records that a type is made of, and, if is_shared, its pointers. */
static void learn_type(vptr__solver *solver, vptr__type *type, bool is_shared) {
  for (; type != NULL; type = type->base) {
    if (type->kind == VPTR__TYPE_RECORD) {
      vptr__shared_learn_record(solver, type->declaration);
      return;
    }
    if (is_shared && (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE))
      share_pointer(solver, type);
  }
}

void vptr__shared_learn_unit(vptr__solver *solver) {
  for (vptr__declaration *declaration = solver->unit->declarations; declaration != NULL;
       declaration = declaration->next) {
    if (declaration->kind == VPTR__DECLARATION_RECORD)
      vptr__shared_learn_record(solver, declaration);
    else if (declaration->kind == VPTR__DECLARATION_VARIABLE)
      learn_type(solver, declaration->type, true);
  }
}

static void learn_expression(void *context, vptr__expression *expression) {
  learn_type(context, expression->type, false);
  if (expression->kind == VPTR__EXPRESSION_NAME && expression->declaration != NULL &&
      expression->declaration->kind == VPTR__DECLARATION_VARIABLE)
    vptr__memory_variable(context, expression->declaration);
}

/* A __shared__ variable is one in all instances of its function, and so are the module's. */
static void learn_variable(void *context, vptr__declaration *variable) {
  const unsigned common = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED;
  learn_type(context, variable->type, (variable->flags & common) != 0);
}

void vptr__shared_learn_function(vptr__solver *solver, vptr__declaration *function) {
  vptr__visitor visitor = { .expression = learn_expression, .variable = learn_variable, .context = solver };
  learn_type(solver, function->type->base, false);
  for (vptr__declaration *parameter = function->type->parameters; parameter != NULL; parameter = parameter->next)
    learn_type(solver, parameter->type, false);
  vptr__visit_statement(&visitor, function->body);
}

/* All pointers that a value of the type holds, at any depth. */
void vptr__shared_fix_fields(vptr__solver *solver, const vptr__type *type, vptr__space space,
                             vptr__position position) {
  type = vptr__type_without_arrays(type);
  if (type == NULL || type->kind != VPTR__TYPE_RECORD || type->declaration == NULL)
    return;
  vptr__arena_enter(solver->arena);
  for (const vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next) {
    const vptr__type *inner = vptr__type_without_arrays(field->type);
    if (inner->kind != VPTR__TYPE_POINTER)
      vptr__shared_fix_fields(solver, inner, space, position);
    for (; inner != NULL && inner->kind == VPTR__TYPE_POINTER; inner = vptr__type_without_arrays(inner->base))
      vptr__space_variable_fix(&solver->log, inner->space, space, position);
  }
  vptr__arena_leave(solver->arena);
}
