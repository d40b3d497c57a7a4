/* SPDX-License-Identifier: MIT */
/*
 * records - see records.h.
 *
 * What a record holds by value comes before it. What it points to need not (C declares a struct by naming it), and
 * cannot where they point to each other: it comes behind.
 */
#include "translate/lower/records.h"

#include "translate/source/map.h"
#include "translate/infer/name.h"
#include "translate/infer/visit.h"

typedef struct records_pass {
  vptr__plan *plan;
  vptr__arena *arena;
  vptr__map seen; /* record -> vptr__record_plan */
  vptr__map names;
  vptr__record_plan *last;
} records_pass;

static void need_type(records_pass *pass, const vptr__type *type);
static void need_record(records_pass *pass, vptr__declaration *record);

static const vptr__type *without_arrays(const vptr__type *type) {
  while (type != NULL && type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type;
}

/* The record that a type holds by value, or NULL. */
static vptr__declaration *held_record(const vptr__type *type) {
  type = without_arrays(type);
  return type != NULL && type->kind == VPTR__TYPE_RECORD ? type->declaration : NULL;
}

/* An anonymous member is written inside of its record: it is no record of its own. */
static bool is_anonymous(const vptr__declaration *field) {
  return field->name == NULL && field->type->kind == VPTR__TYPE_RECORD && field->type->declaration != NULL;
}

/* What a pointer is in memory is the driver's affair: seen as something else, it would be wrong. */
static void classify_union(records_pass *pass, const vptr__declaration *record) {
  if ((record->flags & VPTR__UNION) != 0 && vptr__infer_has_pointers(record->type))
    vptr__source_report(pass->plan->unit->source, VPTR__ERROR, record->position,
                        "a union with pointers, whose bytes are not those that CUDA has: make it a struct");
}

static void need_held(records_pass *pass, const vptr__declaration *record) {
  vptr__arena_enter(pass->arena);
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next) {
    if (is_anonymous(field)) {
      classify_union(pass, field->type->declaration);
      *vptr__map_put(pass->arena, &pass->seen, (uintptr_t)field->type->declaration) =
          VPTR__ARENA_NEW(pass->arena, vptr__record_plan);
      need_held(pass, field->type->declaration);
    } else if (held_record(field->type) != NULL) {
      need_record(pass, held_record(field->type));
    }
  }
  vptr__arena_leave(pass->arena);
}

static void need_pointed_to(records_pass *pass, const vptr__declaration *record) {
  vptr__arena_enter(pass->arena);
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next) {
    if (is_anonymous(field))
      need_pointed_to(pass, field->type->declaration);
    else
      need_type(pass, field->type);
  }
  vptr__arena_leave(pass->arena);
}

static void need_record(records_pass *pass, vptr__declaration *record) {
  void **slot = vptr__map_put(pass->arena, &pass->seen, (uintptr_t)record);
  if (*slot != NULL)
    return;
  vptr__record_plan *plan = VPTR__ARENA_NEW(pass->arena, vptr__record_plan);
  *slot = plan;
  plan->record = record;
  classify_union(pass, record);
  need_held(pass, record);
  plan->name =
      vptr__name_unique(pass->plan->unit->source, &pass->names, vptr__name_qualified(pass->arena, record, "unnamed"));
  if (pass->last != NULL)
    pass->last->next = plan;
  else
    pass->plan->records = plan;
  pass->last = plan;
  need_pointed_to(pass, record);
}

static void need_type(records_pass *pass, const vptr__type *type) {
  for (; type != NULL; type = type->base)
    if (type->kind == VPTR__TYPE_RECORD && type->declaration != NULL) {
      need_record(pass, type->declaration);
      return;
    }
}

/* threadIdx and its kind are no variables of the module's: their members are all that there is. */
static void need_expression(void *context, vptr__expression *expression) {
  const vptr__declaration *declaration = expression->declaration;
  bool is_built_in =
      expression->kind == VPTR__EXPRESSION_NAME && declaration != NULL && (declaration->flags & VPTR__BUILT_IN);
  if (!is_built_in)
    need_type(context, expression->type);
}

static void need_variable(void *context, vptr__declaration *variable) {
  need_type(context, variable->type);
}

static void need_function(records_pass *pass, const vptr__declaration *function) {
  vptr__visitor visitor = { .expression = need_expression, .variable = need_variable, .context = pass };
  need_type(pass, function->type->base);
  for (const vptr__declaration *parameter = function->type->parameters; parameter != NULL;
       parameter = parameter->next)
    need_type(pass, parameter->type);
  vptr__visit_statement(&visitor, function->body);
}

/* Numbers in place of pointers: of what a kernel takes, and of what that holds. */
static void pass_by_value(records_pass *pass, const vptr__type *type) {
  vptr__declaration *record = held_record(type);
  if (record == NULL || (record->flags & VPTR__IN_MEMORY) || !vptr__infer_has_pointers(type))
    return;
  void **slot = vptr__map_find(&pass->seen, (uintptr_t)record);
  if (slot == NULL)
    return;
  ((vptr__record_plan *)*slot)->as_passed = true;
  vptr__arena_enter(pass->arena);
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next)
    pass_by_value(pass, field->type);
  vptr__arena_leave(pass->arena);
}

void vptr__records_plan(vptr__plan *plan) {
  records_pass pass = { .plan = plan, .arena = vptr__source_arena(plan->unit->source) };
  for (const vptr__context_member *member = plan->members; member != NULL; member = member->next)
    if (member->variable != NULL)
      need_type(&pass, member->variable->type);
  for (const vptr__instance *instance = plan->inference->instances; instance != NULL; instance = instance->next)
    need_function(&pass, instance->function);
  for (const vptr__kernel_plan *kernel = plan->kernels; kernel != NULL; kernel = kernel->next)
    for (const vptr__declaration *parameter = kernel->instance->function->type->parameters; parameter != NULL;
         parameter = parameter->next)
      pass_by_value(&pass, parameter->type);
}
