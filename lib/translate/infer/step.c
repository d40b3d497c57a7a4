/* SPDX-License-Identifier: MIT */
/*
 * step - code that counts on the threads of a warp running in step, which they do not here: told of by a warning.
 *
 * Such code stores to volatile shared memory what it loads from there, again and again, without a barrier in between.
 * On old devices that was how the end of a reduction was written. CUDA itself no longer promises anything of the
 * kind, so it is no error to translate it; but it will most likely compute something else.
 */
#include "translate/infer/solver.h"
#include "translate/infer/visit.h"
#include "translate/types/builtin.h"

static bool is_volatile(const vptr__expression *expression) {
  const vptr__type *type = vptr__type_without_arrays(expression->type);
  return type != NULL && (type->qualifiers & VPTR__VOLATILE) != 0;
}

static void find_load(void *found, vptr__expression *expression) {
  if (expression->kind == VPTR__EXPRESSION_LOAD && is_volatile(expression->operands[0]))
    *(bool *)found = true;
}

static bool loads_volatile(vptr__expression *expression) {
  bool found = false;
  vptr__visitor visitor = { .expression = find_load, .context = &found };
  vptr__visit_expression(&visitor, expression);
  return found;
}

void vptr__step_barrier(vptr__spaces *spaces, const vptr__expression *call) {
  if ((call->builtin->flags & VPTR__BUILTIN_BARRIER) != 0)
    spaces->is_stepping = false;
}

void vptr__step_assignment(vptr__spaces *spaces, const vptr__expression *assign) {
  if (spaces->is_trial || spaces->has_stepped || !is_volatile(assign->operands[0]) ||
      !loads_volatile(assign->operands[1]))
    return;
  vptr__location location = vptr__spaces_locate(spaces, assign->operands[0]);
  if (spaces->is_stepping) {
    vptr__located *item = VPTR__ARENA_NEW(spaces->solver->arena, vptr__located);
    *item =
        (vptr__located){ .variable = location.variable, .position = assign->position, .next = spaces->solver->steps };
    if (location.variable != NULL || location.space == VPTR__SPACE_SHARED)
      spaces->solver->steps = item;
    spaces->has_stepped = true;
  }
  spaces->is_stepping = true;
}

void vptr__step_judge(vptr__solver *solver) {
  for (const vptr__located *item = solver->steps; item != NULL; item = item->next)
    if ((item->variable == NULL || vptr__space_variable_value(item->variable) == VPTR__SPACE_SHARED) &&
        vptr__space_log_may_say(&solver->log, item->position))
      vptr__source_say(
          solver->unit->source, VPTR__WARNING, item->position,
          "this counts on the threads of a warp running in step, which they do not here: put __syncthreads() "
          "between one thread's store and another's load");
}
