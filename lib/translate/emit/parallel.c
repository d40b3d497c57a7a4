/* SPDX-License-Identifier: MIT */
/*
 * parallel - loops over threads of which the driver's compiler is told that no round of them reads what another one
 * writes, so that it makes vectors of them without a look at where pointers lead: see outline.h.
 *
 * That holds of memory, since threads between two barriers that write where others read have no defined result. It
 * does not hold of variables of the kernel's text that all rounds share: one that is the same for all threads, and an
 * array or a struct of the loop's own, which lies in memory as far as the driver's compiler knows. Nor of what has to
 * be done by one thread after the other: atomic operations are plain ones in some of these loops. So whatever is not
 * known to have none of them is left as it is: calls, but for those of arithmetic that OpenCL has itself, and pointers
 * to variables.
 */
#include "translate/emit/outline.h"
#include "translate/infer/visit.h"
#include "translate/lower/effect.h"
#include "translate/types/builtin.h"

typedef struct parallel_walk {
  const vptr__outline *outline;
  bool is_parallel;
} parallel_walk;

static void look_at_expression(void *context, vptr__expression *expression);

static bool is_scalar(const vptr__type *type) {
  return type != NULL && type->kind != VPTR__TYPE_RECORD && type->kind != VPTR__TYPE_ARRAY &&
         type->kind != VPTR__TYPE_REFERENCE;
}

static void look_at_variable(void *context, vptr__declaration *variable) {
  parallel_walk *walk = context;
  walk->is_parallel &= is_scalar(variable->type) && (variable->flags & VPTR__STATIC) == 0;
}

/* What is worked out anew in the loop is looked at too. */
static void look_at_name(parallel_walk *walk, const vptr__expression *name) {
  const unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__BUILT_IN;
  if (name->declaration == NULL || (name->declaration->flags & elsewhere) != 0)
    return;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, name->declaration);
  const vptr__visitor visitor = { .expression = look_at_expression, .context = walk };
  walk->is_parallel &= is_scalar(name->declaration->type);
  if (place != NULL && place->storage == VPTR__STORAGE_AGAIN && place->value != NULL && walk->is_parallel)
    vptr__visit_expression(&visitor, (vptr__expression *)place->value);
}

static bool is_shared_variable(const parallel_walk *walk, const vptr__expression *write) {
  const vptr__declaration *target = vptr__effect_target(write);
  const vptr__place_of *place = target != NULL ? vptr__loops_place(walk->outline->loops, target) : NULL;
  return place != NULL && place->storage == VPTR__STORAGE_PLAIN;
}

static bool is_arithmetic_call(const vptr__expression *call) {
  const vptr__builtin *builtin = call->builtin;
  if (builtin == NULL || builtin->unit != NULL || (builtin->flags & ~(unsigned)VPTR__BUILTIN_COMMON) != 0)
    return false;
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    if (!vptr__type_is_arithmetic(argument->type))
      return false;
  return true;
}

static bool may_stand(const parallel_walk *walk, const vptr__expression *expression) {
  switch (expression->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_FLOATING:
  case VPTR__EXPRESSION_BOOL:
  case VPTR__EXPRESSION_NAME:
  case VPTR__EXPRESSION_MEMBER:
  case VPTR__EXPRESSION_INDEX:
    return true;
  case VPTR__EXPRESSION_ASSIGN:
    return is_scalar(expression->type) && !is_shared_variable(walk, expression);
  case VPTR__EXPRESSION_UNARY:
    return expression->op != '&' && !is_shared_variable(walk, expression);
  case VPTR__EXPRESSION_BINARY:
  case VPTR__EXPRESSION_CONDITIONAL:
  case VPTR__EXPRESSION_CAST:
    return is_scalar(expression->type);
  case VPTR__EXPRESSION_LOAD: /* a pointer that lies in memory is looked up in a table */
    return is_scalar(expression->type) &&
           (expression->type->kind != VPTR__TYPE_POINTER || vptr__effect_is_own(expression->operands[0]));
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    return is_arithmetic_call(expression);
  default:
    return false;
  }
}

static void look_at_expression(void *context, vptr__expression *expression) {
  parallel_walk *walk = context;
  walk->is_parallel = walk->is_parallel && may_stand(walk, expression);
  if (walk->is_parallel && expression->kind == VPTR__EXPRESSION_NAME)
    look_at_name(walk, expression);
}

static void look_at_item(parallel_walk *walk, const vptr__region_item *item) {
  const vptr__visitor visitor = { .expression = look_at_expression, .variable = look_at_variable, .context = walk };
  if (item->statement != NULL) {
    vptr__statement alone = *item->statement;
    alone.next = NULL;
    vptr__visit_statement(&visitor, &alone);
  }
  if (item->variable == NULL)
    return;
  look_at_variable(walk, (vptr__declaration *)item->variable);
  if (item->variable->initializer != NULL)
    vptr__visit_expression(&visitor, item->variable->initializer);
}

bool vptr__outline_is_parallel(const vptr__outline *outline) {
  const vptr__region *region = outline->region;
  parallel_walk walk = { .outline = outline, .is_parallel = region->mask == NULL && !region->has_result };
  const vptr__visitor visitor = { .expression = look_at_expression, .context = &walk };
  for (const vptr__region_item *item = region->items; item != NULL && walk.is_parallel; item = item->next)
    look_at_item(&walk, item);
  if (outline->stays != NULL)
    vptr__visit_expression(&visitor, (vptr__expression *)outline->stays);
  return walk.is_parallel;
}
