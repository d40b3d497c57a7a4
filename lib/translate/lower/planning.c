/* SPDX-License-Identifier: MIT */
/* planning - parts of the plan: see planning.h. */
#include "translate/lower/planning.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

vptr__part *vptr__planning_add(vptr__planning *planning, const void *of, vptr__part_kind kind) {
  void **slot = vptr__map_put(planning->arena, &planning->loops->parts, (uintptr_t)of);
  vptr__part *part = *slot;
  if (part == NULL)
    *slot = part = VPTR__ARENA_NEW(planning->arena, vptr__part);
  part->kind = kind;
  return part;
}

void vptr__planning_refuse(vptr__planning *planning) {
  planning->is_refused = true;
}

void vptr__planning_close(vptr__planning *planning) {
  planning->region = NULL;
}

vptr__region *vptr__planning_open(vptr__planning *planning) {
  if (planning->region == NULL)
    planning->region = vptr__region_new(planning->arena, planning->loop, planning->mask);
  return planning->region;
}

void vptr__planning_use(vptr__planning *planning, const vptr__expression *expression) {
  vptr__region_use(&planning->usages, NULL, expression);
  vptr__outer_writes_plain(planning, expression, true);
}

void vptr__planning_threads(vptr__planning *planning, const vptr__statement *statement, vptr__declaration *variable) {
  vptr__region *region = vptr__planning_open(planning);
  vptr__planning_add(planning, statement != NULL ? (const void *)statement : variable, VPTR__PART_THREADS)->region =
      region;
  vptr__region_add(&planning->usages, region, statement, variable);
  if (statement == NULL || statement->kind == VPTR__STATEMENT_EXPRESSION) {
    const vptr__expression *expression = statement != NULL ? statement->expression : variable->initializer;
    vptr__effect effect = vptr__effect_of(planning->effects, planning->instance, expression);
    region->is_busy |= effect.writes;
    return;
  }
  region->is_busy = true;
  const vptr__inside *inside = vptr__inside_of(&planning->insides, statement);
  planning->has_inner |= inside->has_loop;
  if (inside->breaks || inside->gathers || inside->has_case)
    vptr__planning_refuse(planning);
  region->is_left |= inside->returns || inside->continues;
  planning->left |= (inside->returns ? VPTR__END_OF_FUNCTION : 0u) | (inside->continues ? VPTR__END_OF_ROUND : 0u);
}

/* ---- once, or ahead ---------------------------------------------------------------------------------------- */

typedef struct ahead_walk {
  vptr__planning *planning;
  bool can_be;
} ahead_walk;

static void look_at_ahead(void *context, vptr__expression *expression) {
  ahead_walk *walk = context;
  const vptr__declaration *variable = expression->declaration;
  if (expression->kind == VPTR__EXPRESSION_NAME && vptr__effect_is_own(expression) &&
      !vptr__outer_is_plain(walk->planning, variable))
    walk->can_be = false;
  const vptr__declaration *target = vptr__effect_target(expression);
  if (target != NULL &&
      vptr__usage_of(&walk->planning->usages, (vptr__declaration *)target)->last == walk->planning->region)
    walk->can_be = false;
}

/* Whether it may be done before what is in the open region. */
static bool can_be_ahead(vptr__planning *planning, const vptr__expression *expression) {
  ahead_walk walk = { planning, true };
  vptr__visitor visitor = { .expression = look_at_ahead, .context = &walk };
  vptr__effect effect = vptr__effect_of(planning->effects, planning->instance, expression);
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
  return walk.can_be && (!effect.loads || !planning->region->is_busy);
}

void vptr__planning_once(vptr__planning *planning, const void *of, const vptr__expression *expression) {
  bool is_ahead = planning->region != NULL && can_be_ahead(planning, expression);
  if (!is_ahead)
    vptr__planning_close(planning);
  vptr__planning_add(planning, of, is_ahead ? VPTR__PART_AHEAD : VPTR__PART_ONCE);
  vptr__planning_use(planning, expression);
}

/* ---- gatherings -------------------------------------------------------------------------------------------- */

/* A call that not all come to, although all come to the statement. */
static bool is_conditional_in(const vptr__planning *planning, const vptr__expression *expression,
                              bool is_conditional) {
  if (expression == NULL)
    return false;
  if (is_conditional && vptr__effect_is_gathering(planning->instance, expression))
    return true;
  bool is_choice = expression->kind == VPTR__EXPRESSION_CONDITIONAL ||
                   (expression->kind == VPTR__EXPRESSION_BINARY &&
                    (expression->op == VPTR__TOKEN_AND_AND || expression->op == VPTR__TOKEN_OR_OR));
  for (int i = 0; i < 3; i++)
    if (is_conditional_in(planning, expression->operands[i], is_conditional || (is_choice && i > 0)))
      return true;
  for (const vptr__expression *each = expression->arguments; each != NULL; each = each->next)
    if (is_conditional_in(planning, each, is_conditional))
      return true;
  return false;
}

typedef struct gathering_walk {
  vptr__planning *planning;
  vptr__gathering **end;
} gathering_walk;

/* An argument that is the same for all, and passed so. */
static void use_argument(vptr__planning *planning, vptr__gathering *gathering, const vptr__expression *argument,
                         bool is_array) {
  if (is_array) {
    vptr__region_use(&planning->usages, gathering->region, argument);
  } else {
    if (!vptr__outer_can_be_once(planning, argument))
      vptr__planning_refuse(planning);
    vptr__planning_use(planning, argument);
  }
}

/* Operands: a warp's mask, the value that others see, and what is asked where it is used: a lane, a clamp. Votes of the
 * block have a value alone. */
static const vptr__expression *exchanged_value(const vptr__expression *call) {
  const vptr__expression *first = call->arguments;
  bool has_mask = (call->builtin->flags & VPTR__BUILTIN_WARP) != 0 && first != NULL && first->next != NULL;
  return has_mask ? first->next : first;
}

/* All but the value is worked out where the result is used. */
static void use_exchanged(vptr__planning *planning, vptr__gathering *gathering) {
  const vptr__expression *value = exchanged_value(gathering->call);
  const uint64_t elements = planning->loops->threads + 3 * VPTR__LOOPS_WARP;
  for (const vptr__expression *each = gathering->call->arguments; each != NULL; each = each->next) {
    vptr__effect effect = vptr__effect_of(planning->effects, planning->instance, each);
    if (effect.writes || effect.steps)
      vptr__planning_refuse(planning);
  }
  vptr__region_use(&planning->usages, gathering->region, value);
  if ((gathering->call->builtin->flags & VPTR__BUILTIN_WARP) != 0 && value != NULL)
    planning->loops->bytes += elements * vptr__type_size(value->type);
}

static void add_gathering(void *context, vptr__expression *expression) {
  gathering_walk *walk = context;
  vptr__planning *planning = walk->planning;
  if (!vptr__effect_is_gathering(planning->instance, expression))
    return;
  vptr__gathering *gathering = VPTR__ARENA_NEW(planning->arena, vptr__gathering);
  *gathering = (vptr__gathering){ .call = expression, .number = planning->gatherings++ };
  gathering->region = vptr__region_new(planning->arena, planning->loop, planning->mask);
  *walk->end = gathering;
  walk->end = &gathering->next;
  *vptr__map_put(planning->arena, &planning->loops->gatherings, (uintptr_t)expression) = gathering;
  if (expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL) {
    use_exchanged(planning, gathering);
    return;
  }
  const vptr__instance *callee = vptr__infer_callee(planning->instance, expression);
  if (callee->loops == NULL) {
    vptr__planning_refuse(planning);
    return;
  }
  const vptr__declaration *parameter = callee->function->type->parameters;
  for (const vptr__expression *each = expression->arguments; each != NULL; each = each->next) {
    use_argument(planning, gathering, each, parameter == NULL || vptr__loops_takes_array(callee, parameter));
    parameter = parameter != NULL ? parameter->next : NULL;
  }
  planning->loops->bytes += callee->loops->bytes;
}

/* What comes before a statement, or a variable's initialiser, that has such calls in it. */
void vptr__planning_gather(vptr__planning *planning, const void *of, const vptr__expression *expression) {
  if (!vptr__outer_gathers(planning, expression))
    return;
  if (is_conditional_in(planning, expression, false))
    vptr__planning_refuse(planning);
  vptr__planning_close(planning);
  vptr__part *part = vptr__planning_add(planning, of, VPTR__PART_THREADS);
  gathering_walk walk = { planning, &part->gatherings };
  vptr__visitor visitor = { .expression = add_gathering, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
}
