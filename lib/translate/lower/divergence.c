/* SPDX-License-Identifier: MIT */
/*
 * divergence - expressions: whether they differ between threads, and what they write. See uniform.h for the rules.
 *
 * Marks of nodes only ever appear, so rounds end. They keep no order within a function: memory that differs once
 * differs everywhere, which refuses a little more than it must, and never less. Variables that track.h follows have no
 * marks.
 */
#include <string.h>

#include "translate/lexer/token.h"
#include "translate/lower/apart.h"
#include "translate/lower/divergence.h"
#include "translate/types/builtin.h"

void vptr__divergence_mark(vptr__divergence *divergence, vptr__node *node) {
  node = vptr__node_find(node);
  divergence->has_changed |= !node->is_divergent;
  node->is_divergent = true;
}

void vptr__divergence_note(vptr__divergence *divergence, const void *place) {
  vptr__apart *apart = divergence->flow->instance->apart;
  if (divergence->is_reporting && apart != NULL)
    *vptr__map_put(divergence->arena, &apart->places, (uintptr_t)place) = apart;
}

void vptr__divergence_note_variable(vptr__divergence *divergence, const vptr__declaration *variable, bool differs) {
  vptr__apart *apart = divergence->flow->instance->apart;
  if (!divergence->is_reporting || apart == NULL)
    return;
  *vptr__map_put(divergence->arena, &apart->followed, (uintptr_t)variable) = apart;
  if (differs)
    *vptr__map_put(divergence->arena, &apart->variables, (uintptr_t)variable) = apart;
}

/* A variable that is followed gets a value. */
static void set_followed(vptr__divergence *divergence, int number, const vptr__declaration *variable, bool differs) {
  bool is_apart = differs || divergence->control != NULL;
  vptr__track_set(&divergence->flow->track, number, is_apart);
  vptr__divergence_note_variable(divergence, variable, is_apart);
}

/* Whether what is stored there differs, not counting where `there` is. */
static bool content_differs(vptr__divergence *divergence, const vptr__expression *lvalue) {
  vptr__flow *flow = divergence->flow;
  int number = vptr__track_lvalue(&flow->track, lvalue);
  if (number >= 0)
    return vptr__track_differs(&flow->track, number);
  return vptr__infer_lvalue(flow->instance, lvalue) == VPTR__SPACE_PRIVATE &&
         vptr__node_find(vptr__flow_content(divergence, flow, lvalue))->is_divergent;
}

static void record_store(vptr__divergence *divergence, const vptr__expression *lvalue, bool differs) {
  vptr__flow *flow = divergence->flow;
  int number = vptr__track_lvalue(&flow->track, lvalue);
  if (number >= 0)
    set_followed(divergence, number, lvalue->declaration, differs);
  else if ((differs || divergence->control != NULL) &&
           vptr__infer_lvalue(flow->instance, lvalue) == VPTR__SPACE_PRIVATE)
    vptr__divergence_mark(divergence, vptr__flow_content(divergence, flow, lvalue));
}

/* Walks what only some threads come to, if `differs`, and all or none otherwise. It may not have
 * happened: what was before holds as well. */
static bool walk_under(vptr__divergence *divergence, const vptr__expression *expression, bool differs,
                       const vptr__expression *condition) {
  const vptr__reason *control = divergence->control;
  vptr__track *track = &divergence->flow->track;
  vptr__bits *before = vptr__track_copy(track);
  if (differs)
    divergence->control = vptr__flow_reason(divergence, condition, VPTR__REASON_CONDITION, condition->position);
  bool result = vptr__divergence_walk(divergence, expression);
  divergence->control = control;
  vptr__track_join(track, track->now, before);
  vptr__track_give(track, before);
  return result;
}

static bool walk_list(vptr__divergence *divergence, const vptr__expression *item) {
  bool differs = false;
  for (; item != NULL; item = item->next)
    differs |= vptr__divergence_walk(divergence, item);
  return differs;
}

static bool walk_unary(vptr__divergence *divergence, const vptr__expression *unary) {
  const vptr__expression *operand = unary->operands[0];
  bool differs = vptr__divergence_walk(divergence, operand);
  if (unary->op != VPTR__TOKEN_INCREMENT && unary->op != VPTR__TOKEN_DECREMENT)
    return differs;
  bool value_differs = differs || content_differs(divergence, operand);
  record_store(divergence, operand, value_differs);
  return unary->is_lvalue ? differs : value_differs;
}

static bool walk_binary(vptr__divergence *divergence, const vptr__expression *binary) {
  bool left = vptr__divergence_walk(divergence, binary->operands[0]);
  if (binary->op == VPTR__TOKEN_AND_AND || binary->op == VPTR__TOKEN_OR_OR)
    return walk_under(divergence, binary->operands[1], left, binary->operands[0]) || left;
  bool right = vptr__divergence_walk(divergence, binary->operands[1]);
  return binary->op == ',' ? right : left || right;
}

static bool walk_assignment(vptr__divergence *divergence, const vptr__expression *assign) {
  const vptr__expression *target = assign->operands[0];
  bool value = vptr__divergence_walk(divergence, assign->operands[1]);
  bool address = vptr__divergence_walk(divergence, target);
  if (assign->operands[1]->is_lvalue) /* a record that is copied without a LOAD */
    value |= content_differs(divergence, assign->operands[1]);
  if (assign->op != '=')
    value |= address || content_differs(divergence, target);
  record_store(divergence, target, value || address);
  return assign->is_lvalue ? address : value;
}

static bool walk_conditional(vptr__divergence *divergence, const vptr__expression *conditional) {
  const vptr__expression *condition = conditional->operands[0];
  bool differs = vptr__divergence_walk(divergence, condition);
  bool left = walk_under(divergence, conditional->operands[1], differs, condition);
  bool right = walk_under(divergence, conditional->operands[2], differs, condition);
  return differs || left || right;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static void pass_argument(vptr__divergence *divergence, vptr__flow *callee, const vptr__declaration *parameter,
                          const vptr__expression *argument) {
  bool differs = vptr__divergence_walk(divergence, argument);
  vptr__node *node = vptr__flow_node(divergence, callee, parameter);
  if (parameter->type->kind != VPTR__TYPE_REFERENCE && argument->is_lvalue)
    differs |= content_differs(divergence, argument);
  if (!differs)
    return;
  if (parameter->type->kind == VPTR__TYPE_REFERENCE && !argument->is_lvalue) /* a temporary */
    vptr__divergence_mark(divergence, vptr__node_target(divergence->arena, node));
  else
    vptr__divergence_mark(divergence, node);
}

static bool walk_call(vptr__divergence *divergence, const vptr__expression *call) {
  vptr__instance *instance = vptr__infer_callee(divergence->flow->instance, call);
  if (instance == NULL)
    return true;
  vptr__flow *callee = vptr__divergence_flow(divergence, instance);
  const vptr__declaration *parameter = instance->function->type->parameters;
  const vptr__expression *argument = call->arguments;
  for (; parameter != NULL && argument != NULL; parameter = parameter->next, argument = argument->next)
    pass_argument(divergence, callee, parameter, argument);
  if (divergence->control != NULL && callee->entry == NULL) {
    callee->entry = divergence->control;
    divergence->has_changed = true;
  }
  if (instance->has_barrier)
    vptr__divergence_barrier(divergence, call, instance->function->name ? instance->function->name->text : "", true);
  return vptr__node_find(callee->result)->is_divergent;
}

static bool is_own_memory(vptr__divergence *divergence, const vptr__expression *argument) {
  return argument->type != NULL && argument->type->kind == VPTR__TYPE_POINTER &&
         vptr__infer_space(divergence->flow->instance, argument->type) == VPTR__SPACE_PRIVATE;
}

/* It may read and write what its pointers point to: sincosf(x, &s, &c), memcpy(). */
static bool walk_built_in(vptr__divergence *divergence, const vptr__expression *call) {
  bool differs = false;
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next) {
    differs |= vptr__divergence_walk(divergence, argument);
    if (is_own_memory(divergence, argument))
      differs |= vptr__node_find(vptr__flow_aim(divergence, divergence->flow, argument))->is_divergent;
  }
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    if ((differs || divergence->control != NULL) && is_own_memory(divergence, argument))
      vptr__divergence_mark(divergence, vptr__flow_aim(divergence, divergence->flow, argument));
  if (call->builtin == NULL)
    return true;
  if (call->builtin->flags & VPTR__BUILTIN_BARRIER)
    vptr__divergence_barrier(divergence, call, call->builtin->name, false);
  if (call->builtin->flags & VPTR__BUILTIN_UNIFORM)
    return false;
  return differs || (call->builtin->flags & VPTR__BUILTIN_DIVERGENT);
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

/* Of lvalues: whether the address differs. A reference is one. */
static bool walk_name(vptr__divergence *divergence, const vptr__expression *name) {
  const vptr__declaration *declaration = name->declaration;
  if (declaration == NULL || declaration->type == NULL)
    return false;
  if (name->is_lvalue && declaration->type->kind != VPTR__TYPE_REFERENCE)
    return false;
  if (declaration->kind != VPTR__DECLARATION_VARIABLE && declaration->kind != VPTR__DECLARATION_PARAMETER)
    return false;
  return vptr__node_find(vptr__flow_node(divergence, divergence->flow, declaration))->is_divergent;
}

bool vptr__divergence_walk(vptr__divergence *divergence, const vptr__expression *expression) {
  if (expression == NULL)
    return false;
  switch (expression->kind) {
  case VPTR__EXPRESSION_NAME:
    return walk_name(divergence, expression);
  case VPTR__EXPRESSION_LOAD:
    return vptr__divergence_walk(divergence, expression->operands[0]) ||
           content_differs(divergence, expression->operands[0]);
  case VPTR__EXPRESSION_MEMBER:
    return vptr__divergence_walk(divergence, expression->operands[0]);
  case VPTR__EXPRESSION_INDEX: {
    bool base = vptr__divergence_walk(divergence, expression->operands[0]);
    return vptr__divergence_walk(divergence, expression->operands[1]) || base;
  }
  case VPTR__EXPRESSION_UNARY:
    return walk_unary(divergence, expression);
  case VPTR__EXPRESSION_BINARY:
    return walk_binary(divergence, expression);
  case VPTR__EXPRESSION_ASSIGN:
    return walk_assignment(divergence, expression);
  case VPTR__EXPRESSION_CONDITIONAL:
    return walk_conditional(divergence, expression);
  case VPTR__EXPRESSION_CAST:
    return vptr__divergence_walk(divergence, expression->operands[0]);
  case VPTR__EXPRESSION_CALL:
    return walk_call(divergence, expression);
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    return walk_built_in(divergence, expression);
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST:
    return walk_list(divergence, expression->arguments);
  default: /* literals */
    return false;
  }
}

void vptr__divergence_initialize(vptr__divergence *divergence, const vptr__declaration *variable) {
  const vptr__expression *value = variable->initializer;
  int number = vptr__track_number(&divergence->flow->track, variable);
  if (number >= 0)
    vptr__divergence_note_variable(divergence, variable, false);
  if (value == NULL || (variable->flags & VPTR__SHARED))
    return;
  bool differs = vptr__divergence_walk(divergence, value);
  bool is_reference = variable->type->kind == VPTR__TYPE_REFERENCE;
  if (!is_reference && value->is_lvalue)
    differs |= content_differs(divergence, value);
  if (number >= 0) {
    set_followed(divergence, number, variable, differs);
    return;
  }
  vptr__node *node = vptr__flow_node(divergence, divergence->flow, variable);
  if (is_reference && !value->is_lvalue)
    node = vptr__node_target(divergence->arena, node);
  if (differs || divergence->control != NULL)
    vptr__divergence_mark(divergence, node);
}
