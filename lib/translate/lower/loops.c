/* SPDX-License-Identifier: MIT */
/*
 * loops - see loops.h. Rounds: at first all variables that are the same for all threads are taken for plain ones, and
 * all loops that are the same for all are outside; what turns out to be written inside, or not to work outside, is
 * not in the next round.
 */
#include "translate/lower/loops.h"

#include <string.h>

#include "translate/infer/visit.h"
#include "translate/lower/apart.h"
#include "translate/lower/busy.h"
#include "translate/lower/leave.h"
#include "translate/lower/planning.h"
#include "translate/lower/storage.h"
#include "translate/lower/uniform.h"
#include "translate/lower/warp.h"
#include "translate/types/builtin.h"

enum { ROUNDS_MOST = 200 };

static void plan_statement(vptr__planning *planning, const vptr__statement *statement, unsigned ends);
static void plan_list(vptr__planning *planning, const vptr__statement *list, unsigned ends);

/* ---- statements -------------------------------------------------------------------------------------------- */

static bool has_steps(vptr__planning *planning, const vptr__expression *expression) {
  return vptr__effect_of(planning->effects, planning->instance, expression).steps;
}

static void plan_expression(vptr__planning *planning, const vptr__statement *statement) {
  const vptr__expression *expression = statement->expression;
  if (vptr__effect_is_barrier(expression)) {
    vptr__planning_close(planning);
    vptr__planning_add(planning, statement, VPTR__PART_BARRIER);
    return;
  }
  vptr__planning_gather(planning, statement, expression);
  if (has_steps(planning, expression) && vptr__outer_can_be_once(planning, expression))
    vptr__planning_once(planning, statement, expression);
  else
    vptr__planning_threads(planning, statement, NULL);
}

static void plan_variable(vptr__planning *planning, vptr__declaration *variable) {
  const unsigned elsewhere = VPTR__SHARED | VPTR__EXTERN;
  if (variable->kind != VPTR__DECLARATION_VARIABLE || (variable->flags & elsewhere) != 0)
    return;
  vptr__usage *usage = vptr__usage_of(&planning->usages, variable);
  usage->is_listed = true;
  usage->loop = planning->loop;
  vptr__planning_gather(planning, variable, variable->initializer);
  if (variable->initializer == NULL) {
    vptr__planning_add(planning, variable,
                       vptr__outer_is_plain(planning, variable) ? VPTR__PART_AHEAD : VPTR__PART_NOTHING);
  } else if (vptr__outer_is_plain(planning, variable) && vptr__outer_can_be_once(planning, variable->initializer)) {
    vptr__planning_once(planning, variable, variable->initializer);
    usage->once++;
  } else {
    vptr__planning_threads(planning, NULL, variable);
  }
}

static void plan_return(vptr__planning *planning, const vptr__statement *statement) {
  const vptr__type *returned = planning->instance->function->type->base;
  if (vptr__outer_is_apart(planning, statement)) {
    vptr__planning_refuse(planning);
    return;
  }
  vptr__planning_gather(planning, statement, statement->expression);
  vptr__part *part = vptr__planning_add(planning, statement, VPTR__PART_ONCE);
  if (statement->expression != NULL) {
    vptr__region *region = vptr__planning_open(planning);
    vptr__region_use(&planning->usages, region, statement->expression);
    part->region = region;
    region->has_result = true;
    if (returned->kind == VPTR__TYPE_VOID)
      vptr__planning_refuse(planning); /* return f(); of nothing */
  }
  vptr__planning_close(planning);
}

static void plan_around(vptr__planning *planning, const vptr__statement *statement,
                        const vptr__expression *condition) {
  vptr__planning_gather(planning, statement, condition);
  vptr__planning_close(planning);
  vptr__planning_add(planning, statement, VPTR__PART_AROUND);
  if (condition != NULL)
    vptr__planning_use(planning, condition);
}

static void plan_body(vptr__planning *planning, const vptr__statement *body, unsigned ends) {
  if (body == NULL)
    return;
  if (body->kind == VPTR__STATEMENT_BLOCK)
    plan_list(planning, body->first, ends);
  else
    plan_list(planning, body, ends);
}

static const vptr__mask *mask_of(vptr__planning *planning, unsigned number, bool is_otherwise) {
  vptr__mask *mask = VPTR__ARENA_NEW(planning->arena, vptr__mask);
  *mask = (vptr__mask){ number, is_otherwise, planning->mask };
  return mask;
}

static void plan_arm_of(vptr__planning *planning, const vptr__statement *arm, const vptr__mask *mask) {
  const vptr__mask *outer = planning->mask;
  planning->mask = mask;
  plan_body(planning, arm, 0);
  planning->mask = outer;
}

/* Of warps: each arm is for those that come to it. */
static void plan_warps(vptr__planning *planning, const vptr__statement *choice) {
  const unsigned number = planning->choices++;
  vptr__planning_gather(planning, choice, choice->expression);
  vptr__planning_close(planning);
  vptr__part *part = vptr__planning_add(planning, choice, VPTR__PART_CHOICE);
  part->region = vptr__planning_open(planning);
  vptr__region_use(&planning->usages, part->region, choice->expression);
  vptr__planning_close(planning);
  part->masks[0] = mask_of(planning, number, false);
  part->masks[1] = mask_of(planning, number, true);
  plan_arm_of(planning, choice->body, part->masks[0]);
  plan_arm_of(planning, choice->otherwise, part->masks[1]);
  planning->loops->bytes += planning->loops->threads;
  planning->loops->has_choices = true;
}

static void plan_choice(vptr__planning *planning, const vptr__statement *choice, unsigned ends) {
  const bool is_outer = vptr__outer_takes_choice(planning, choice);
  if (!is_outer && vptr__warps_written(planning->instance->warps, choice) != NULL) {
    plan_warps(planning, choice);
    return;
  }
  if (!is_outer && vptr__inside_of(&planning->insides, choice)->gathers) {
    vptr__planning_refuse(planning);
    return;
  }
  bool is_switch = choice->kind == VPTR__STATEMENT_SWITCH;
  plan_around(planning, choice, choice->expression);
  plan_body(planning, choice->body, is_switch ? 0 : ends);
  plan_body(planning, choice->otherwise, ends);
}

/* In each round, with the calls that it has. Behind a do's body nobody comes by who continues. */
static void plan_condition(vptr__planning *planning, const vptr__statement *loop) {
  if (loop->kind == VPTR__STATEMENT_DO && vptr__outer_gathers(planning, loop->expression) && loop->body != NULL &&
      vptr__inside_of(&planning->insides, loop->body)->continues)
    vptr__planning_refuse(planning);
  vptr__planning_gather(planning, loop, loop->expression);
  vptr__planning_close(planning);
  vptr__planning_add(planning, loop, VPTR__PART_AROUND);
  vptr__planning_use(planning, loop->expression);
}

/* Its counters are plain. */
static void plan_first(vptr__planning *planning, const vptr__statement *first) {
  if (first == NULL)
    return;
  if (first->kind == VPTR__STATEMENT_EXPRESSION)
    vptr__planning_use(planning, first->expression);
  for (vptr__declaration *each = first->declarations; each != NULL; each = each->next) {
    vptr__usage *usage = vptr__usage_of(&planning->usages, each);
    usage->is_listed = true;
    usage->loop = planning->loop;
    usage->once += each->initializer != NULL;
    vptr__planning_use(planning, each->initializer);
  }
}

static void plan_loop(vptr__planning *planning, const vptr__statement *loop) {
  const vptr__statement *outer = planning->loop, *unneeded = planning->unneeded;
  if (!vptr__outer_takes_loop(planning, loop)) {
    vptr__planning_refuse(planning);
    return;
  }
  planning->has_outer = true;
  plan_around(planning, loop, NULL);
  plan_first(planning, loop->first);
  planning->loop = loop;
  if (loop->kind != VPTR__STATEMENT_DO)
    plan_condition(planning, loop);
  planning->unneeded = vptr__inside_of(&planning->insides, loop)->gathers ? NULL : unneeded != NULL ? unneeded : loop;
  plan_body(planning, loop->body, VPTR__END_OF_ROUND);
  vptr__planning_use(planning, loop->step);
  if (loop->kind == VPTR__STATEMENT_DO)
    plan_condition(planning, loop);
  if (planning->is_refused && planning->unneeded != NULL)
    *vptr__map_put(planning->arena, &planning->unmoved, (uintptr_t)planning->unneeded) = planning;
  planning->loop = outer;
  planning->unneeded = unneeded;
}

/* A construct, or a jump. */
static void plan_wanted(vptr__planning *planning, const vptr__statement *statement, unsigned ends) {
  switch (statement->kind) {
  case VPTR__STATEMENT_BLOCK:
    plan_around(planning, statement, NULL);
    plan_list(planning, statement->first, ends);
    break;
  case VPTR__STATEMENT_IF:
  case VPTR__STATEMENT_SWITCH:
    plan_choice(planning, statement, ends);
    break;
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    plan_loop(planning, statement);
    break;
  case VPTR__STATEMENT_RETURN:
    plan_return(planning, statement);
    break;
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
    vptr__planning_close(planning);
    vptr__planning_add(planning, statement, VPTR__PART_ONCE);
    break;
  default:
    vptr__planning_refuse(planning);
    break;
  }
}

/* In front of all loops: those that stay go on together, if their places say who they are. */
static void plan_leave(vptr__planning *planning, const vptr__statement *choice, vptr__leave leave) {
  vptr__region *region = vptr__planning_open(planning);
  if (!vptr__outer_is_in_order(planning, choice, leave))
    vptr__planning_refuse(planning);
  if (leave == VPTR__LEAVE_RETURNS)
    vptr__planning_threads(planning, choice, NULL);
  else
    vptr__region_use(&planning->usages, region, choice->expression);
  vptr__planning_add(planning, choice, VPTR__PART_LEAVE)->region = region;
  planning->loops->bytes += planning->loops->narrows ? 0 : planning->loops->threads; /* a mark for each */
  region->is_left = region->narrows = planning->loops->narrows = true;
  planning->left = 0;
  vptr__planning_close(planning);
  if (leave == VPTR__LEAVE_REST)
    plan_body(planning, choice->body, VPTR__END_OF_FUNCTION);
}

static void plan_label(vptr__planning *planning, const vptr__statement *label) {
  plan_around(planning, label, NULL);
  if (label->body != NULL)
    plan_statement(planning, label->body, 0);
}

static void plan_choice_of_some(vptr__planning *planning, const vptr__statement *statement) {
  vptr__leave leave = vptr__apart_leave(planning->instance->apart, statement);
  if (leave == VPTR__LEAVE_NONE)
    vptr__planning_threads(planning, statement, NULL);
  else
    plan_leave(planning, statement, leave);
}

static void plan_statement(vptr__planning *planning, const vptr__statement *statement, unsigned ends) {
  vptr__arena_enter(planning->arena);
  switch (statement->kind) {
  case VPTR__STATEMENT_EMPTY:
    vptr__planning_add(planning, statement, VPTR__PART_NOTHING);
    break;
  case VPTR__STATEMENT_EXPRESSION:
    plan_expression(planning, statement);
    break;
  case VPTR__STATEMENT_DECLARATION:
    vptr__planning_add(planning, statement, VPTR__PART_AROUND);
    for (vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
      plan_variable(planning, each);
    break;
  case VPTR__STATEMENT_CASE:
  case VPTR__STATEMENT_DEFAULT:
    plan_label(planning, statement);
    break;
  default:
    if (vptr__outer_is_wanted(planning, statement))
      plan_wanted(planning, statement, ends);
    else
      plan_choice_of_some(planning, statement);
    break;
  }
  vptr__arena_leave(planning->arena);
}

static bool is_last(const vptr__statement *statement) {
  for (statement = statement->next; statement != NULL; statement = statement->next)
    if (statement->kind != VPTR__STATEMENT_EMPTY)
      return false;
  return true;
}

/* Some threads have gone ahead: what is left is for the others, in the same region. */
static void plan_rest(vptr__planning *planning, const vptr__statement *list, unsigned ends) {
  for (; list != NULL; list = list->next) {
    if (list->kind == VPTR__STATEMENT_EMPTY)
      vptr__planning_add(planning, list, VPTR__PART_NOTHING);
    else
      vptr__planning_threads(planning, list, NULL);
    if (vptr__inside_of(&planning->insides, list)->gathers)
      vptr__planning_refuse(planning);
  }
  if (planning->left & ~ends)
    vptr__planning_refuse(planning);
  planning->left = 0;
}

static void plan_list(vptr__planning *planning, const vptr__statement *list, unsigned ends) {
  for (; list != NULL && !planning->is_refused; list = list->next) {
    plan_statement(planning, list, is_last(list) ? ends : 0);
    if (planning->left != 0) {
      plan_rest(planning, list->next, ends);
      break;
    }
  }
  vptr__planning_close(planning);
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Parameters have their values from the start. */
static void list_parameters(vptr__planning *planning) {
  for (vptr__declaration *each = planning->instance->function->type->parameters; each != NULL; each = each->next)
    vptr__usage_of(&planning->usages, each)->is_listed = true;
}

/* What was written inside, or might have been: the next round is without it. */
static bool demote_variables(vptr__planning *planning) {
  bool has_changed = false;
  for (const vptr__usage *usage = planning->usages.first; usage != NULL; usage = usage->next) {
    if (!vptr__outer_is_plain(planning, usage->variable))
      continue;
    *vptr__map_put(planning->arena, &planning->plain, (uintptr_t)usage->variable) = (void *)usage;
    if (vptr__write_to(&planning->writes, usage->variable)->count == usage->once)
      continue;
    *vptr__map_put(planning->arena, &planning->demoted, (uintptr_t)usage->variable) = planning;
    has_changed = true;
  }
  return has_changed;
}

static void begin_round(vptr__planning *planning) {
  const uint64_t bound = planning->instance->function->bounds[0];
  planning->loops = VPTR__ARENA_NEW(planning->arena, vptr__loops);
  planning->loops->threads = bound > 0 && bound < VPTR__LOOPS_THREADS ? bound : VPTR__LOOPS_THREADS;
  vptr__usages_begin(&planning->usages, planning->arena);
  planning->plain = planning->wanted = (vptr__map){ 0 };
  planning->region = NULL;
  planning->loop = planning->unneeded = NULL;
  planning->mask = NULL;
  planning->gatherings = planning->choices = 0;
  planning->is_refused = planning->has_outer = planning->has_inner = false;
  planning->left = 0;
  list_parameters(planning);
}

/* Whether another round would differ. */
static bool go_round(vptr__planning *planning) {
  uint32_t unmoved = planning->unmoved.count;
  begin_round(planning);
  plan_body(planning, vptr__infer_looped(planning->instance), VPTR__END_OF_FUNCTION);
  if (planning->is_refused)
    return planning->unmoved.count != unmoved;
  return demote_variables(planning);
}

static bool is_settled(vptr__planning *planning) {
  for (int round = 0; round < ROUNDS_MOST; round++)
    if (!go_round(planning))
      return !planning->is_refused;
  return false;
}

/* Without barriers it is for vectors that go through a loop of the program together; all of them have to. */
static bool is_worth_it(const vptr__planning *planning) {
  return planning->instance->has_barrier || planning->instance->arm != NULL ||
         (planning->has_outer && !planning->has_inner);
}

static void plan_instance(vptr__arena *arena, vptr__effects *effects, vptr__instance *instance) {
  vptr__planning planning = { .arena = arena, .instance = instance, .effects = effects };
  planning.insides = (vptr__insides){ .arena = arena, .instance = instance };
  planning.writes.arena = arena;
  const vptr__inside *inside = vptr__inside_of(&planning.insides, vptr__infer_looped(instance));
  if (inside->has_label || inside->is_of_thread)
    return;
  vptr__writes_find(&planning.writes, instance->function);
  if (!is_settled(&planning) || !is_worth_it(&planning))
    return;
  vptr__storing storing = { .arena = arena, .instance = instance, .writes = &planning.writes };
  storing.usages = &planning.usages;
  storing.plain = &planning.plain;
  storing.loops = planning.loops;
  if (!vptr__storage_choose(&storing))
    return;
  instance->loops = planning.loops;
  if (instance->is_kernel && !instance->has_barrier && instance->arm == NULL)
    instance->loops->busy = vptr__busy_find(arena, instance, instance->loops, &planning.writes);
}

typedef struct place_walk {
  const vptr__instance *instance;
  bool needs_place, runs_block;
} place_walk;

/* Atomic operations on shared memory are plain ones in a block's work-item. */
static bool call_needs_place(const vptr__instance *instance, const vptr__expression *call) {
  return call->builtin != NULL && (call->builtin->flags & VPTR__BUILTIN_ATOMIC) != 0 &&
         vptr__infer_pointee(instance, call->arguments) == VPTR__SPACE_SHARED;
}

static void look_for_place(void *context, vptr__expression *expression) {
  place_walk *walk = context;
  const vptr__declaration *name = expression->kind == VPTR__EXPRESSION_NAME ? expression->declaration : NULL;
  walk->needs_place |= name != NULL && (name->flags & VPTR__BUILT_IN) != 0 && name->built_in != VPTR__WARP_SIZE;
  if (expression->kind != VPTR__EXPRESSION_BUILT_IN_CALL)
    return;
  walk->needs_place |= call_needs_place(walk->instance, expression);
  walk->runs_block |= expression->builtin != NULL && strcmp(expression->builtin->lowered, "block") == 0;
}

/* Whether it asks which thread or block it is, or how many there are, itself or by a call. A failed assertion says
 * so, and what ends a block differs from what does not (emit/stop.c). */
static void look_for_places(vptr__instance *instance) {
  place_walk walk = { .instance = instance, .needs_place = instance->asserts };
  vptr__visitor visitor = { .expression = look_for_place, .context = &walk };
  vptr__visit_statement(&visitor, instance->function->body);
  for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next)
    walk.needs_place |= call->instance->needs_place;
  instance->needs_place = walk.needs_place;
  instance->runs_block = walk.runs_block;
}

/* Its warps meet in loops over threads, or in states, as before. */
static void plan_arm(vptr__unit *unit, const vptr__inference *inference, vptr__effects *effects,
                     vptr__instance *kernel) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  vptr__insides insides = { .arena = arena, .instance = kernel };
  vptr__writes writes = { .arena = arena };
  kernel->arm = vptr__inside_arm(kernel);
  if (kernel->arm == NULL)
    return;
  vptr__writes_find(&writes, kernel->function);
  kernel->warps = vptr__warps_find(arena, &insides, &writes, kernel->arm);
  kernel->apart = VPTR__ARENA_NEW(arena, vptr__apart);
  vptr__uniform_look(unit, inference, kernel);
  plan_instance(arena, effects, kernel);
  if (kernel->loops != NULL)
    return;
  kernel->arm = NULL;
  kernel->warps = NULL;
  kernel->apart = NULL;
}

void vptr__loops_plan(vptr__unit *unit, const vptr__inference *inference) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  vptr__effects effects = { .arena = arena };
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next) {
    look_for_places(instance);
    vptr__insides insides = { .arena = arena, .instance = instance };
    if (instance->is_kernel && !instance->has_barrier && !instance->runs_block &&
        vptr__inside_of(&insides, instance->function->body)->has_loop) {
      instance->apart = VPTR__ARENA_NEW(arena, vptr__apart);
      vptr__leaves_find(&effects, &insides, instance->apart);
      vptr__uniform_look(unit, inference, instance);
    }
    if (instance->is_kernel && instance->runs_block)
      plan_arm(unit, inference, &effects, instance);
    else if (instance->apart != NULL)
      plan_instance(arena, &effects, instance);
    instance->in_turn = instance->is_kernel && instance->asserts && !instance->has_barrier && !instance->runs_block &&
                        instance->loops == NULL;
  }
}

/* ---- answers ----------------------------------------------------------------------------------------------- */

const vptr__part *vptr__loops_part(const vptr__loops *loops, const void *statement_or_variable) {
  void **slot = vptr__map_find(&loops->parts, (uintptr_t)statement_or_variable);
  return slot != NULL ? *slot : NULL;
}

const vptr__place_of *vptr__loops_place(const vptr__loops *loops, const vptr__declaration *variable) {
  void **slot = vptr__map_find(&loops->places, (uintptr_t)variable);
  return slot != NULL ? *slot : NULL;
}

const vptr__gathering *vptr__loops_gathering(const vptr__loops *loops, const vptr__expression *call) {
  void **slot = vptr__map_find(&loops->gatherings, (uintptr_t)call);
  return slot != NULL ? *slot : NULL;
}

bool vptr__loops_takes_array(const vptr__instance *instance, const vptr__declaration *parameter) {
  const vptr__place_of *place = vptr__loops_place(instance->loops, parameter);
  return place == NULL || place->storage != VPTR__STORAGE_PLAIN;
}
