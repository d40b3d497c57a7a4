/* SPDX-License-Identifier: MIT */
/* effect - see effect.h. */
#include "translate/lower/effect.h"

#include <string.h>

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"

enum { ASKED = 1, WRITES = 2, LOADS = 4 };

typedef struct effect_walk {
  vptr__effects *effects;
  const vptr__instance *instance;
  vptr__effect found;
  bool is_function; /* its own variables are nobody else's */
} effect_walk;

bool vptr__effect_is_own(const vptr__expression *name) {
  const unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__AT_NAMESPACE |
                             VPTR__BUILT_IN | VPTR__STATIC;
  const vptr__declaration *variable = name->kind == VPTR__EXPRESSION_NAME ? name->declaration : NULL;
  return variable != NULL && variable->type != NULL &&
         (variable->kind == VPTR__DECLARATION_VARIABLE || variable->kind == VPTR__DECLARATION_PARAMETER) &&
         (variable->flags & elsewhere) == 0 && variable->type->kind != VPTR__TYPE_REFERENCE;
}

static bool is_step(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_UNARY &&
         (expression->op == VPTR__TOKEN_INCREMENT || expression->op == VPTR__TOKEN_DECREMENT);
}

vptr__declaration *vptr__effect_target(const vptr__expression *expression) {
  if (expression->kind != VPTR__EXPRESSION_ASSIGN && !is_step(expression))
    return NULL;
  return vptr__effect_is_own(expression->operands[0]) ? expression->operands[0]->declaration : NULL;
}

bool vptr__effect_is_barrier(const vptr__expression *expression) {
  if (expression == NULL || expression->kind != VPTR__EXPRESSION_BUILT_IN_CALL || expression->builtin == NULL)
    return false;
  const unsigned flags = expression->builtin->flags;
  return ((flags & VPTR__BUILTIN_BARRIER) != 0 && expression->arguments == NULL) ||
         ((flags & VPTR__BUILTIN_WARP) != 0 && expression->type->kind == VPTR__TYPE_VOID);
}

bool vptr__effect_is_gathering(const vptr__instance *instance, const vptr__expression *expression) {
  if (expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL)
    return expression->builtin != NULL &&
           (expression->builtin->flags & (VPTR__BUILTIN_BARRIER | VPTR__BUILTIN_WARP)) != 0;
  if (expression->kind != VPTR__EXPRESSION_CALL)
    return false;
  const vptr__instance *callee = vptr__infer_callee(instance, expression);
  return callee != NULL && callee->has_barrier;
}

/* Whatever lvalue, as long as it is a part of a named variable and not behind a pointer. */
static const vptr__expression *whole_of(const vptr__expression *lvalue) {
  for (;;) {
    if (lvalue->kind == VPTR__EXPRESSION_MEMBER && !lvalue->is_arrow)
      lvalue = lvalue->operands[0];
    else if (lvalue->kind == VPTR__EXPRESSION_INDEX && lvalue->operands[0]->kind == VPTR__EXPRESSION_CAST &&
             lvalue->operands[0]->cast == VPTR__CAST_DECAY)
      lvalue = lvalue->operands[0]->operands[0];
    else
      return lvalue;
  }
}

/* Others may write there. */
static bool is_memory(const vptr__expression *whole) {
  const unsigned others = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED;
  if (whole->kind != VPTR__EXPRESSION_NAME || whole->declaration == NULL)
    return true;
  const vptr__declaration *variable = whole->declaration;
  return (variable->flags & others) != 0 || (variable->type != NULL && variable->type->kind == VPTR__TYPE_REFERENCE);
}

/* ---- functions --------------------------------------------------------------------------------------------- */

static void look_at(void *context, vptr__expression *expression);

static void look_at_variable(void *context, vptr__declaration *variable) {
  effect_walk *walk = context;
  walk->found.writes |= (variable->flags & VPTR__STATIC) != 0 && (variable->flags & VPTR__CONSTEXPR) == 0;
}

static uintptr_t ask_function(vptr__effects *effects, const vptr__instance *instance) {
  void **slot = vptr__map_put(effects->arena, &effects->functions, (uintptr_t)instance);
  if (*slot != NULL)
    return (uintptr_t)*slot;
  *slot = (void *)(uintptr_t)(ASKED | WRITES | LOADS); /* until it is known */
  effect_walk walk = { .effects = effects, .instance = instance, .is_function = true };
  vptr__visitor visitor = { .expression = look_at, .variable = look_at_variable, .context = &walk };
  vptr__visit_statement(&visitor, instance->function->body);
  uintptr_t answer = ASKED | (walk.found.writes ? WRITES : 0u) | (walk.found.loads ? LOADS : 0u);
  *vptr__map_put(effects->arena, &effects->functions, (uintptr_t)instance) = (void *)answer;
  return answer;
}

/* ---- expressions ------------------------------------------------------------------------------------------- */

static void look_at_write(effect_walk *walk, const vptr__expression *write) {
  if (walk->is_function && vptr__effect_is_own(whole_of(write->operands[0])))
    return;
  if (vptr__effect_target(write) != NULL)
    walk->found.steps = true;
  else
    walk->found.writes = true;
}

static bool has_pointer(const vptr__expression *call) {
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    if (argument->type != NULL && argument->type->kind == VPTR__TYPE_POINTER)
      return true;
  return false;
}

/* Those with pointers write through them, but for these. */
static void look_at_built_in(effect_walk *walk, const vptr__expression *call) {
  static const char *const readers[] = { "load", "bits", "pointer", "number", "pointer of number" };
  const vptr__builtin *builtin = call->builtin;
  const unsigned does = VPTR__BUILTIN_SIDE_EFFECT | VPTR__BUILTIN_ATOMIC | VPTR__BUILTIN_STATUS;
  if (builtin == NULL || (builtin->flags & does) != 0) {
    walk->found.writes = true;
    return;
  }
  if (!has_pointer(call))
    return;
  walk->found.loads = true;
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
    if (strcmp(readers[i], builtin->lowered) == 0)
      return;
  walk->found.writes = true;
}

static void look_at_call(effect_walk *walk, const vptr__expression *call) {
  const vptr__instance *callee = vptr__infer_callee(walk->instance, call);
  uintptr_t answer = callee != NULL ? ask_function(walk->effects, callee) : WRITES | LOADS;
  walk->found.writes |= (answer & WRITES) != 0;
  walk->found.loads |= (answer & LOADS) != 0;
}

static void look_at(void *context, vptr__expression *expression) {
  effect_walk *walk = context;
  if (vptr__effect_is_gathering(walk->instance, expression)) {
    walk->found.gathers = true;
    return;
  }
  switch (expression->kind) {
  case VPTR__EXPRESSION_ASSIGN:
    look_at_write(walk, expression);
    break;
  case VPTR__EXPRESSION_UNARY:
    if (is_step(expression))
      look_at_write(walk, expression);
    break;
  case VPTR__EXPRESSION_LOAD:
    walk->found.loads |= is_memory(whole_of(expression->operands[0]));
    break;
  case VPTR__EXPRESSION_MEMBER: /* of a record that is copied without a LOAD */
  case VPTR__EXPRESSION_INDEX:
    walk->found.loads |= is_memory(whole_of(expression));
    break;
  case VPTR__EXPRESSION_CALL:
    look_at_call(walk, expression);
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    look_at_built_in(walk, expression);
    break;
  default:
    break;
  }
}

vptr__effect vptr__effect_of(vptr__effects *effects, const vptr__instance *instance,
                             const vptr__expression *expression) {
  effect_walk walk = { .effects = effects, .instance = instance };
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
  return walk.found;
}
