/* SPDX-License-Identifier: MIT */
/*
 * instance - functions by the spaces of their parameters, each made once.
 *
 * Solving goes down into what is called, so callees are finished, and listed, before their callers. A key with open
 * levels makes a trial: the same walk, muted, whose instance is never listed; it is kept, since the question may
 * come again (at each depth of calls twice: kept, that is no more than one for each key).
 */
#include <string.h>

#include "translate/infer/solver.h"

static vptr__spaces *spaces_new(vptr__solver *solver, vptr__declaration *function, const unsigned char *key,
                                int count) {
  vptr__spaces *spaces = VPTR__ARENA_NEW(solver->arena, vptr__spaces);
  *spaces = (vptr__spaces){ .solver = solver, .function = function, .level_count = count };
  spaces->key = (unsigned char *)vptr__arena_copy(solver->arena, (const char *)key, (size_t)count);
  spaces->levels = vptr__arena_allocate(solver->arena, ((size_t)count + 1) * sizeof(vptr__space_variable *));
  spaces->is_trial = memchr(key, VPTR__SPACE_OPEN, (size_t)count) != NULL;
  spaces->instance = VPTR__ARENA_NEW(solver->arena, vptr__instance);
  spaces->instance->function = function;
  spaces->instance->spaces = spaces;
  spaces->instance->is_kernel = (function->flags & VPTR__GLOBAL) != 0;
  if (!spaces->is_trial)
    spaces->instance->name = vptr__instance_name(solver, function, spaces->instance->is_kernel);
  return spaces;
}

/* What the key says of the parameters' levels, each at its parameter. */
static void fix_parameters(vptr__spaces *spaces) {
  vptr__levels_of_parameters(spaces);
  const vptr__declaration *parameter = spaces->function->type->parameters;
  int level = 0;
  for (; parameter != NULL; parameter = parameter->next)
    for (const vptr__type *type = parameter->type; type != NULL; type = type->base) {
      if (type->kind != VPTR__TYPE_POINTER && type->kind != VPTR__TYPE_REFERENCE && type->kind != VPTR__TYPE_ARRAY)
        break;
      if (type->kind == VPTR__TYPE_ARRAY)
        continue;
      if (spaces->key[level] != VPTR__SPACE_OPEN)
        vptr__space_variable_fix(&spaces->solver->log, spaces->levels[level], (vptr__space)spaces->key[level],
                                 parameter->position);
      level++;
    }
}

static void list_calls(vptr__spaces *spaces) {
  vptr__call_target **end = &spaces->instance->calls;
  for (uint32_t i = 0; i < spaces->callees.capacity; i++) {
    if (spaces->callees.entries[i].key == 0)
      continue;
    vptr__call_target *target = VPTR__ARENA_NEW(spaces->solver->arena, vptr__call_target);
    target->call = (const vptr__expression *)spaces->callees.entries[i].key;
    target->instance = spaces->callees.entries[i].value;
    *end = target;
    end = &target->next;
  }
}

static void append_instance(vptr__solver *solver, vptr__spaces *spaces) {
  list_calls(spaces);
  if (solver->last != NULL)
    solver->last->next = spaces->instance;
  else
    solver->first = spaces->instance;
  solver->last = spaces->instance;
  solver->count++;
}

/* A trial is quiet, but what it calls with all levels known is real: the caller will call it with the same ones. */
static void solve_instance(vptr__spaces *spaces) {
  vptr__solver *solver = spaces->solver;
  bool was_muted = solver->log.is_muted;
  vptr__arena_enter(solver->arena);
  solver->log.is_muted = spaces->is_trial;
  spaces->is_solving = true;
  fix_parameters(spaces);
  vptr__spaces_walk(spaces);
  vptr__spaces_settle_calls(spaces);
  spaces->is_solving = false;
  solver->log.is_muted = was_muted;
  vptr__arena_leave(solver->arena);
  if (!spaces->is_trial)
    append_instance(solver, spaces);
}

static void refuse_recursion(vptr__solver *solver, const vptr__declaration *function, vptr__position position) {
  bool was_muted = solver->log.is_muted;
  solver->log.is_muted = false;
  if (vptr__space_log_may_report(&solver->log, position))
    vptr__source_report(
        solver->unit->source, VPTR__ERROR, position,
        "'%s' calls itself here, perhaps by way of others: devices have no stack for that; use a loop",
        function->name ? function->name->text : "");
  solver->log.is_muted = was_muted;
}

vptr__spaces *vptr__solver_instance(vptr__solver *solver, vptr__declaration *function, const unsigned char *key,
                                    int count, vptr__position position) {
  void **slot = vptr__map_find(&solver->functions, (uintptr_t)function);
  vptr__spaces *first = slot != NULL ? *slot : NULL;
  vptr__spaces *found = NULL;
  for (vptr__spaces *spaces = first; spaces != NULL; spaces = spaces->next) {
    if (spaces->is_solving) {
      refuse_recursion(solver, function, position);
      return NULL;
    }
    if (spaces->level_count == count && memcmp(spaces->key, key, (size_t)count) == 0)
      found = spaces;
  }
  if (found != NULL)
    return found;
  if (first == NULL)
    vptr__shared_learn_function(solver, function);
  vptr__spaces *spaces = spaces_new(solver, function, key, count);
  spaces->next = first;
  *vptr__map_put(solver->arena, &solver->functions, (uintptr_t)function) = spaces;
  solve_instance(spaces);
  return spaces;
}
