/* SPDX-License-Identifier: MIT */
/*
 * step - see step.h.
 *
 * A function's statements are walked in the order of the text, with a list of the stores since the last barrier. Where
 * ways meet, the stores of both are on it. What a loop brings back to its beginning is kept for the next round over the
 * whole function. Lists have a most of STORES_MOST, and the rounds one of ROUNDS_MOST, so that the time is linear in
 * the text: what is beyond them is not told of.
 */
#include "translate/lower/step.h"

#include "translate/infer/visit.h"
#include "translate/lower/place.h"
#include "translate/types/builtin.h"

enum { STORES_MOST = 16, ROUNDS_MOST = 4 };

/* A condition that differs between threads, and which way of it. */
typedef struct guard {
  const vptr__statement *statement;
  int way;
  const struct guard *outer;
} guard;

typedef struct store {
  const vptr__expression *place;
  const guard *guard;
  const struct store *next;
} store;

typedef struct step_pass {
  vptr__unit *unit;
  vptr__arena *arena;
  const vptr__instance *instance;
  vptr__varying varying;
  vptr__map heads;    /* loop -> the stores that its rounds bring back */
  const guard *guard; /* of the place that is walked */
  const store *stores;
  bool has_changed, has_spoken;
} step_pass;

/* ---- stores and loads ------------------------------------------------------------------------------------ */

static bool is_watched(const step_pass *pass, const vptr__expression *place) {
  const vptr__type *type = place->type;
  while (type != NULL && type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type != NULL && (type->qualifiers & VPTR__VOLATILE) != 0 && vptr__place_name(place) != NULL &&
         vptr__infer_lvalue(pass->instance, place) == VPTR__SPACE_SHARED;
}

static const store *store_of(const store *stores, const vptr__expression *place) {
  while (stores != NULL && stores->place != place)
    stores = stores->next;
  return stores;
}

static int count_of(const store *stores) {
  int count = 0;
  for (; stores != NULL; stores = stores->next)
    count++;
  return count;
}

static const store *with_store(step_pass *pass, const store *stores, const vptr__expression *place,
                               const guard *guard) {
  if (store_of(stores, place) != NULL || count_of(stores) >= STORES_MOST)
    return stores;
  store *made = VPTR__ARENA_NEW(pass->arena, store);
  *made = (store){ place, guard, stores };
  return made;
}

static const store *join_stores(step_pass *pass, const store *into, const store *from) {
  for (; from != NULL; from = from->next)
    into = with_store(pass, into, from->place, from->guard);
  return into;
}

/* Whether who comes to the place that is walked also came there. */
static bool is_under(const step_pass *pass, const guard *there) {
  for (const guard *each = pass->guard; each != NULL && there != NULL; each = each->outer)
    if (each->statement == there->statement && each->way == there->way)
      return true;
  return there == NULL;
}

static void report_race(step_pass *pass, const vptr__expression *load, const store *store) {
  const vptr__expression *name = vptr__place_name(load);
  pass->has_spoken = true;
  vptr__source_report(
      pass->unit->source, VPTR__WARNING, name->position,
      "'%s' is read here, in volatile shared memory, where another thread may have stored since the last barrier: "
      "threads do not run 32 at a time in step here, so put __syncthreads() between one thread's store and another's "
      "load, outside of conditions that differ between threads",
      name->name != NULL ? name->name->text : "");
  vptr__source_report(pass->unit->source, VPTR__NOTE, vptr__place_name(store->place)->position, "this is the store");
}

static void check_load(step_pass *pass, const vptr__expression *place) {
  const store *other = NULL;
  for (const store *each = pass->stores; each != NULL; each = each->next) {
    vptr__place_relation relation = vptr__place_relate(&pass->varying, each->place, place);
    if (relation == VPTR__PLACE_OWN && is_under(pass, each->guard))
      return;
    if (relation == VPTR__PLACE_OTHER || (relation == VPTR__PLACE_COMMON && !is_under(pass, each->guard)))
      other = each;
  }
  if (other != NULL)
    report_race(pass, place, other);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static void walk_expression(step_pass *pass, const vptr__expression *expression);

/* What an update reads is its own element. */
static void walk_assignment(step_pass *pass, const vptr__expression *assign) {
  walk_expression(pass, assign->operands[1]);
  walk_expression(pass, assign->operands[0]);
  if (is_watched(pass, assign->operands[0]))
    pass->stores = with_store(pass, pass->stores, assign->operands[0], pass->guard);
}

static void walk_parts(step_pass *pass, const vptr__expression *expression) {
  for (int i = 0; i < 3; i++)
    walk_expression(pass, expression->operands[i]);
  for (const vptr__expression *argument = expression->arguments; argument != NULL; argument = argument->next)
    walk_expression(pass, argument);
}

static bool has_barrier(const step_pass *pass, const vptr__expression *call) {
  if (call->kind == VPTR__EXPRESSION_BUILT_IN_CALL)
    return call->builtin != NULL && (call->builtin->flags & VPTR__BUILTIN_BARRIER) != 0;
  const vptr__instance *callee = vptr__infer_callee(pass->instance, call);
  return callee != NULL && callee->has_barrier;
}

static void walk_expression(step_pass *pass, const vptr__expression *expression) {
  if (expression == NULL || pass->has_spoken)
    return;
  if (expression->kind == VPTR__EXPRESSION_ASSIGN) {
    walk_assignment(pass, expression);
    return;
  }
  walk_parts(pass, expression);
  if (expression->kind == VPTR__EXPRESSION_LOAD && is_watched(pass, expression->operands[0]))
    check_load(pass, expression->operands[0]);
  if ((expression->kind == VPTR__EXPRESSION_CALL || expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL) &&
      has_barrier(pass, expression))
    pass->stores = NULL;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

static void run_list(step_pass *pass, const vptr__statement *statement);

static void run_declarations(step_pass *pass, const vptr__declaration *declaration) {
  for (; declaration != NULL; declaration = declaration->next)
    if (declaration->kind == VPTR__DECLARATION_VARIABLE)
      walk_expression(pass, declaration->initializer);
}

static void run_way(step_pass *pass, const vptr__statement *statement, const vptr__statement *body, int way) {
  const guard *outer = pass->guard;
  if (statement->expression != NULL && vptr__varying_is(&pass->varying, statement->expression)) {
    guard *made = VPTR__ARENA_NEW(pass->arena, guard);
    *made = (guard){ statement, way, outer };
    pass->guard = made;
  }
  run_list(pass, body);
  pass->guard = outer;
}

/* IF and SWITCH, of which a way may be none. */
static void run_choice(step_pass *pass, const vptr__statement *statement) {
  run_list(pass, statement->first);
  run_declarations(pass, statement->declarations);
  walk_expression(pass, statement->expression);
  const store *before = pass->stores;
  run_way(pass, statement, statement->body, 0);
  const store *body = pass->stores;
  pass->stores = before;
  run_way(pass, statement, statement->otherwise, 1);
  pass->stores = join_stores(pass, body, pass->stores);
}

static void run_loop(step_pass *pass, const vptr__statement *loop) {
  run_list(pass, loop->first);
  void **head = vptr__map_put(pass->arena, &pass->heads, (uintptr_t)loop);
  const store *brought = *head, *before = join_stores(pass, pass->stores, brought);
  pass->stores = before;
  run_declarations(pass, loop->declarations);
  if (loop->kind != VPTR__STATEMENT_DO)
    walk_expression(pass, loop->expression);
  const store *around = pass->stores;
  run_way(pass, loop, loop->body, 0);
  walk_expression(pass, loop->step);
  if (loop->kind == VPTR__STATEMENT_DO)
    walk_expression(pass, loop->expression);
  const store *all = join_stores(pass, brought, pass->stores);
  if (all != brought) {
    *vptr__map_put(pass->arena, &pass->heads, (uintptr_t)loop) = (void *)all;
    pass->has_changed = true;
  }
  if (loop->kind != VPTR__STATEMENT_DO)
    pass->stores = join_stores(pass, pass->stores, around);
}

static void run_statement(step_pass *pass, const vptr__statement *statement) {
  switch (statement->kind) {
  case VPTR__STATEMENT_IF:
  case VPTR__STATEMENT_SWITCH:
    run_choice(pass, statement);
    break;
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    run_loop(pass, statement);
    break;
  default:
    run_list(pass, statement->first);
    run_declarations(pass, statement->declarations);
    if (statement->kind != VPTR__STATEMENT_CASE)
      walk_expression(pass, statement->expression);
    run_list(pass, statement->body);
  }
}

static void run_list(step_pass *pass, const vptr__statement *statement) {
  for (; statement != NULL && !pass->has_spoken; statement = statement->next)
    run_statement(pass, statement);
}

/* ---- functions ------------------------------------------------------------------------------------------- */

typedef struct search {
  const step_pass *pass;
  bool has_found;
} search;

static void find_store(void *context, vptr__expression *expression) {
  search *found = context;
  if (expression->kind == VPTR__EXPRESSION_ASSIGN && is_watched(found->pass, expression->operands[0]))
    found->has_found = true;
}

/* Hardly any function has one, and the others are passed by quickly. */
static bool has_store(const step_pass *pass) {
  search found = { pass, false };
  vptr__visitor visitor = { .expression = find_store, .context = &found };
  vptr__visit_statement(&visitor, pass->instance->function->body);
  return found.has_found;
}

static bool check_instance(vptr__unit *unit, vptr__arena *arena, const vptr__instance *instance) {
  step_pass pass = { .unit = unit, .arena = arena, .instance = instance };
  if (!has_store(&pass))
    return false;
  vptr__varying_learn(&pass.varying, arena, instance);
  for (int i = 0; i < ROUNDS_MOST && !pass.has_spoken && (i == 0 || pass.has_changed); i++) {
    pass.has_changed = false;
    pass.stores = NULL;
    run_list(&pass, instance->function->body);
  }
  return pass.has_spoken;
}

void vptr__step_check(vptr__unit *unit, const vptr__inference *inference) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  vptr__map told = { 0 };
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next) {
    uintptr_t function = (uintptr_t)instance->function;
    if (vptr__map_find(&told, function) == NULL && check_instance(unit, arena, instance))
      *vptr__map_put(arena, &told, function) = instance;
  }
}
