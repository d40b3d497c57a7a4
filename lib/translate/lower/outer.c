/* SPDX-License-Identifier: MIT */
/* outer - what may be outside of loops over threads: see planning.h. */
#include "translate/lower/planning.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/apart.h"
#include "translate/lower/stride.h"

bool vptr__outer_is_apart(const vptr__planning *planning, const void *place) {
  return vptr__map_find(&planning->instance->apart->places, (uintptr_t)place) != NULL;
}

/* Where the variables of a thread are is another place for each. */
static bool points_to_own(const vptr__planning *planning, const vptr__declaration *variable) {
  return variable->type->kind == VPTR__TYPE_POINTER &&
         vptr__infer_space(planning->instance, variable->type) == VPTR__SPACE_PRIVATE;
}

bool vptr__outer_is_plain(const vptr__planning *planning, const vptr__declaration *variable) {
  const vptr__apart *apart = planning->instance->apart;
  return variable != NULL && !points_to_own(planning, variable) &&
         vptr__map_find(&apart->followed, (uintptr_t)variable) != NULL &&
         vptr__map_find(&apart->variables, (uintptr_t)variable) == NULL &&
         vptr__map_find(&planning->demoted, (uintptr_t)variable) == NULL;
}

typedef struct target_walk {
  vptr__planning *planning;
  vptr__region *region; /* NULL: it is only asked whether all are plain */
  bool counts, are_plain;
} target_walk;

static void look_at_target(void *context, vptr__expression *expression) {
  target_walk *walk = context;
  vptr__declaration *target = vptr__effect_target(expression);
  if (target == NULL)
    return;
  walk->are_plain &= vptr__outer_is_plain(walk->planning, target);
  if (walk->counts)
    vptr__usage_of(&walk->planning->usages, target)->once++;
}

bool vptr__outer_writes_plain(vptr__planning *planning, const vptr__expression *expression, bool counts) {
  target_walk walk = { .planning = planning, .counts = counts, .are_plain = true };
  vptr__visitor visitor = { .expression = look_at_target, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
  return walk.are_plain;
}

/* It writes to plain variables, if to any, and does nothing else. */
bool vptr__outer_can_be_once(vptr__planning *planning, const vptr__expression *expression) {
  vptr__effect effect = vptr__effect_of(planning->effects, planning->instance, expression);
  return !effect.writes && vptr__outer_writes_plain(planning, expression, false);
}

bool vptr__outer_gathers(const vptr__planning *planning, const vptr__expression *expression) {
  return expression != NULL && vptr__effect_of(planning->effects, planning->instance, expression).gathers;
}

static bool is_condition(vptr__planning *planning, const vptr__expression *condition) {
  return condition == NULL ||
         (!vptr__outer_is_apart(planning, condition) && vptr__outer_can_be_once(planning, condition));
}

bool vptr__outer_is_loop(const vptr__statement *statement) {
  return statement->kind == VPTR__STATEMENT_WHILE || statement->kind == VPTR__STATEMENT_DO ||
         statement->kind == VPTR__STATEMENT_FOR;
}

static bool is_head(vptr__planning *planning, const vptr__statement *first) {
  if (first == NULL || first->kind == VPTR__STATEMENT_EMPTY)
    return true;
  if (first->kind == VPTR__STATEMENT_EXPRESSION)
    return vptr__outer_can_be_once(planning, first->expression) && !vptr__outer_gathers(planning, first->expression);
  if (first->kind != VPTR__STATEMENT_DECLARATION)
    return false;
  for (const vptr__declaration *each = first->declarations; each != NULL; each = each->next)
    if (!vptr__outer_is_plain(planning, each) || vptr__outer_gathers(planning, each->initializer) ||
        (each->initializer != NULL && !vptr__outer_can_be_once(planning, each->initializer)))
      return false;
  return true;
}

static bool asks_plain(const void *context, const vptr__declaration *variable) {
  return vptr__outer_is_plain(context, variable);
}

/* Of loops in a loop only the outermost are asked, which ask those in them: else a nest would take twice the time for
 * each loop more. */
static bool are_loops_outer(vptr__planning *planning, const vptr__statement *list) {
  for (const vptr__statement *each = list; each != NULL; each = each->next) {
    bool is = vptr__outer_is_loop(each)
                  ? vptr__outer_takes_loop(planning, each)
                  : are_loops_outer(planning, each->first) && are_loops_outer(planning, each->body) &&
                        are_loops_outer(planning, each->otherwise);
    if (!is)
      return false;
  }
  return true;
}

static vptr__strides strides_of(const vptr__planning *planning) {
  return (vptr__strides){
    planning->effects, planning->instance, &planning->writes, asks_plain, planning, VPTR__THREAD_IDX, 'x'
  };
}

typedef struct order_walk {
  vptr__strides strides;
  bool is_in_order;
} order_walk;

static void look_at_condition(void *context, vptr__statement *statement) {
  order_walk *walk = context;
  if (statement->kind == VPTR__STATEMENT_IF)
    walk->is_in_order &= vptr__strides_are_in_order(&walk->strides, statement->expression);
  else if (statement->kind == VPTR__STATEMENT_SWITCH)
    walk->is_in_order = false;
}

bool vptr__outer_is_in_order(vptr__planning *planning, const vptr__statement *choice, vptr__leave leave) {
  order_walk walk = { strides_of(planning), true };
  vptr__visitor visitor = { .statement = look_at_condition, .context = &walk };
  vptr__statement alone = *choice;
  alone.next = NULL;
  if (leave == VPTR__LEAVE_REST)
    look_at_condition(&walk, &alone);
  else
    vptr__visit_statement(&visitor, &alone);
  return walk.is_in_order;
}

/* Without a barrier in it, a loop over threads is inside only where that is the better way. */
static bool is_better_outside(vptr__planning *planning, const vptr__statement *loop) {
  const vptr__strides strides = strides_of(planning);
  return vptr__map_find(&planning->unmoved, (uintptr_t)loop) == NULL && vptr__strides_are_short(&strides, loop) &&
         are_loops_outer(planning, loop->body);
}

/* A loop that all threads go round together. */
bool vptr__outer_takes_loop(vptr__planning *planning, const vptr__statement *loop) {
  const vptr__inside *inside = vptr__inside_of(&planning->insides, loop);
  if (vptr__outer_is_apart(planning, loop) || loop->declarations != NULL ||
      vptr__outer_gathers(planning, loop->step) || (loop->body != NULL && vptr__outer_is_apart(planning, loop->body)))
    return false;
  return is_condition(planning, loop->expression) && is_head(planning, loop->first) &&
         (loop->step == NULL || vptr__outer_can_be_once(planning, loop->step)) &&
         (inside->gathers || is_better_outside(planning, loop));
}

bool vptr__outer_takes_choice(vptr__planning *planning, const vptr__statement *choice) {
  return !vptr__outer_is_apart(planning, choice) && choice->first == NULL && choice->declarations == NULL &&
         is_condition(planning, choice->expression);
}

static bool has_wanted(vptr__planning *planning, const vptr__statement *list) {
  for (; list != NULL; list = list->next)
    if (vptr__outer_is_wanted(planning, list))
      return true;
  return false;
}

/* Whether it should be around loops over threads: for a barrier, a loop that all go round together, or a jump. */
static bool find_wanted(vptr__planning *planning, const vptr__statement *statement) {
  const vptr__inside *inside = vptr__inside_of(&planning->insides, statement);
  if (inside->gathers)
    return true;
  if (vptr__outer_is_loop(statement))
    return vptr__outer_takes_loop(planning, statement);
  switch (statement->kind) {
  case VPTR__STATEMENT_RETURN:
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
    return !vptr__outer_is_apart(planning, statement);
  case VPTR__STATEMENT_IF:
  case VPTR__STATEMENT_SWITCH:
    if (!vptr__outer_takes_choice(planning, statement))
      return false;
    if (statement->kind == VPTR__STATEMENT_SWITCH && !inside->returns && !inside->continues)
      return false;
    return has_wanted(planning, statement->body) || has_wanted(planning, statement->otherwise);
  default:
    return has_wanted(planning, statement->first) || has_wanted(planning, statement->body);
  }
}

bool vptr__outer_is_wanted(vptr__planning *planning, const vptr__statement *statement) {
  enum { NO = 1, YES = 2 };
  void **slot = vptr__map_find(&planning->wanted, (uintptr_t)statement);
  if (slot != NULL)
    return (uintptr_t)*slot == YES;
  bool is = find_wanted(planning, statement);
  *vptr__map_put(planning->arena, &planning->wanted, (uintptr_t)statement) = (void *)(uintptr_t)(is ? YES : NO);
  return is;
}
