/* SPDX-License-Identifier: MIT */
/*
 * call - calls of functions that have a body: which instance each one means.
 *
 * A call is ready when the spaces of all its levels are known. When none is, each waiting one is tried with what is
 * known: the body may itself say what it wants an open level to be (`void find(float **out) { *out = table; }`).
 * When no body wants anything, no use can tell, and private is as good as any other: the first that waits takes it,
 * and the rest is looked at again.
 */
#include "translate/infer/solver.h"

/* ---- levels ---------------------------------------------------------------------------------------------- */

static int levels_of_type(const vptr__type *type) {
  int count = type->kind == VPTR__TYPE_REFERENCE;
  for (type = vptr__type_without_arrays(vptr__type_referred(type)); type->kind == VPTR__TYPE_POINTER;
       type = vptr__type_without_arrays(type->base))
    count++;
  return count;
}

int vptr__levels_of(const vptr__declaration *function) {
  int count = 0;
  for (const vptr__declaration *parameter = function->type->parameters; parameter != NULL;
       parameter = parameter->next)
    count += levels_of_type(parameter->type);
  return count;
}

/* An argument beside its parameter. What it does not show (a list, a null pointer of no type) stays open. */
static int levels_of_argument(vptr__spaces *spaces, const vptr__type *type, const vptr__expression *argument,
                              vptr__space_variable **levels) {
  vptr__arena *arena = spaces->solver->arena;
  const vptr__type *given = argument->kind == VPTR__EXPRESSION_INIT_LIST ? NULL : argument->type;
  int count = 0;
  if (type->kind == VPTR__TYPE_REFERENCE) {
    levels[count] = vptr__space_variable_new(arena);
    vptr__spaces_bind(spaces, levels[count++], vptr__spaces_locate(spaces, argument), argument->position);
  }
  type = vptr__type_without_arrays(vptr__type_referred(type));
  given = vptr__type_without_arrays(vptr__type_referred(given));
  while (type->kind == VPTR__TYPE_POINTER) {
    bool is_given = given != NULL && given->kind == VPTR__TYPE_POINTER;
    levels[count++] = is_given ? vptr__spaces_variable(spaces, given) : vptr__space_variable_new(arena);
    given = is_given ? vptr__type_without_arrays(given->base) : NULL;
    type = vptr__type_without_arrays(type->base);
  }
  return count;
}

void vptr__levels_of_parameters(vptr__spaces *spaces) {
  int count = 0;
  vptr__declaration *parameter = spaces->function->type->parameters;
  for (; parameter != NULL; parameter = parameter->next) {
    const vptr__type *type = parameter->type;
    if (type->kind == VPTR__TYPE_REFERENCE)
      spaces->levels[count++] = vptr__spaces_variable(spaces, type);
    for (type = vptr__type_without_arrays(vptr__type_referred(type)); type->kind == VPTR__TYPE_POINTER;
         type = vptr__type_without_arrays(type->base))
      spaces->levels[count++] = vptr__spaces_variable(spaces, type);
  }
}

void vptr__spaces_add_call(vptr__spaces *spaces, vptr__expression *call) {
  vptr__arena *arena = spaces->solver->arena;
  vptr__declaration *named = call->operands[0]->declaration;
  vptr__declaration *callee = named != NULL && named->definition != NULL ? named->definition : named;
  if (callee == NULL || callee->body == NULL) {
    if (vptr__space_log_may_report(&spaces->solver->log, call->position))
      vptr__source_report(spaces->solver->unit->source, VPTR__ERROR, call->position,
                          "'%s' has no body here: define it in this file",
                          named != NULL && named->name != NULL ? named->name->text : "the function");
    return;
  }
  vptr__waiting_call *waiting = VPTR__ARENA_NEW(arena, vptr__waiting_call);
  int count = vptr__levels_of(callee);
  *waiting = (vptr__waiting_call){ .call = call, .callee = callee };
  waiting->levels = vptr__arena_allocate(arena, ((size_t)count + 1) * sizeof(vptr__space_variable *));
  const vptr__expression *argument = call->arguments;
  vptr__declaration *parameter = callee->type->parameters;
  for (; parameter != NULL && argument != NULL; parameter = parameter->next, argument = argument->next)
    waiting->level_count +=
        levels_of_argument(spaces, parameter->type, argument, waiting->levels + waiting->level_count);
  while (waiting->level_count < count) /* arguments are missing: types/ has refused it */
    waiting->levels[waiting->level_count++] = vptr__space_variable_new(arena);
  if (spaces->last_waiting != NULL)
    spaces->last_waiting->next = waiting;
  else
    spaces->waiting = waiting;
  spaces->last_waiting = waiting;
}

/* ---- settling -------------------------------------------------------------------------------------------- */

/* The key, with OPEN for what is not known; returns how many those are. */
static int key_of(const vptr__waiting_call *waiting, unsigned char *key) {
  int open = 0;
  for (int i = 0; i < waiting->level_count; i++) {
    bool is_known = vptr__space_variable_known(waiting->levels[i]);
    key[i] = (unsigned char)(is_known ? vptr__space_variable_value(waiting->levels[i]) : VPTR__SPACE_OPEN);
    open += !is_known;
  }
  return open;
}

/* What comes back, and which instance it was. One instance returns into one space, whoever calls it. */
static void settle_call(vptr__spaces *spaces, const vptr__waiting_call *waiting, vptr__spaces *callee) {
  vptr__solver *solver = spaces->solver;
  const vptr__type *returned = callee->function->type->base;
  const vptr__type *here = waiting->call->type;
  *vptr__map_put(solver->arena, &spaces->callees, (uintptr_t)waiting->call) = callee->instance;
  if (returned->kind == VPTR__TYPE_REFERENCE)
    vptr__space_variable_unify(&solver->log, vptr__spaces_lvalue(spaces, waiting->call),
                               vptr__spaces_variable(callee, returned), waiting->call->position);
  returned = vptr__type_without_arrays(vptr__type_referred(returned));
  here = vptr__type_without_arrays(vptr__type_referred(here));
  while (returned->kind == VPTR__TYPE_POINTER && here != NULL && here->kind == VPTR__TYPE_POINTER) {
    vptr__space_variable_unify(&solver->log, vptr__spaces_variable(spaces, here),
                               vptr__spaces_variable(callee, returned), waiting->call->position);
    returned = vptr__type_without_arrays(returned->base);
    here = vptr__type_without_arrays(here->base);
  }
}

/* Settles all that are ready; false: none was. */
static bool settle_ready(vptr__spaces *spaces, unsigned char *key) {
  bool any = false;
  vptr__waiting_call **link = &spaces->waiting;
  while (*link != NULL) {
    vptr__waiting_call *waiting = *link;
    if (key_of(waiting, key) != 0) {
      link = &waiting->next;
      continue;
    }
    *link = waiting->next;
    any = true;
    vptr__spaces *callee =
        vptr__solver_instance(spaces->solver, waiting->callee, key, waiting->level_count, waiting->call->position);
    if (callee != NULL)
      settle_call(spaces, waiting, callee);
  }
  return any;
}

/* Asks a body what it wants of the open levels; true: it wants something. */
static bool take_wishes(vptr__spaces *spaces, const vptr__waiting_call *waiting, unsigned char *key) {
  vptr__space_log *log = &spaces->solver->log;
  key_of(waiting, key);
  vptr__spaces *trial =
      vptr__solver_instance(spaces->solver, waiting->callee, key, waiting->level_count, waiting->call->position);
  bool any = false;
  for (int i = 0; trial != NULL && i < waiting->level_count; i++)
    if (!vptr__space_variable_known(waiting->levels[i]) && vptr__space_variable_known(trial->levels[i])) {
      vptr__space_variable *wish = vptr__space_variable_class(trial->levels[i]);
      vptr__space_variable_fix(log, waiting->levels[i], wish->space, wish->known_at);
      any = true;
    }
  return any;
}

static void give_up(vptr__spaces *spaces, const vptr__waiting_call *waiting) {
  for (int i = 0; i < waiting->level_count; i++)
    if (!vptr__space_variable_known(waiting->levels[i]))
      vptr__space_variable_fix(&spaces->solver->log, waiting->levels[i], VPTR__SPACE_PRIVATE,
                               waiting->call->position);
}

/* A trial stops where nothing is known: its caller may know more. */
static bool settle_open(vptr__spaces *spaces, unsigned char *key) {
  for (const vptr__waiting_call *waiting = spaces->waiting; waiting != NULL; waiting = waiting->next)
    if (take_wishes(spaces, waiting, key))
      return true;
  if (spaces->is_trial)
    return false;
  give_up(spaces, spaces->waiting);
  return true;
}

void vptr__spaces_settle_calls(vptr__spaces *spaces) {
  int most = 0;
  for (const vptr__waiting_call *waiting = spaces->waiting; waiting != NULL; waiting = waiting->next)
    most = waiting->level_count > most ? waiting->level_count : most;
  unsigned char *key = vptr__arena_allocate(spaces->solver->arena, (size_t)most + 1);
  while (spaces->waiting != NULL)
    if (!settle_ready(spaces, key) && !settle_open(spaces, key))
      return;
}
