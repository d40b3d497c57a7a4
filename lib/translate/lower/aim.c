/* SPDX-License-Identifier: MIT */
/*
 * aim - where pointers to a thread's own memory point. See node.h.
 *
 * The content of an lvalue is the node that it is a part of; the aim of a value is the node that pointers in it
 * point to. Nodes for global and shared memory are made as well, but nobody asks what is in them.
 */
#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/divergence.h"

vptr__flow *vptr__divergence_flow(vptr__divergence *divergence, const vptr__instance *instance) {
  void **slot = vptr__map_put(divergence->arena, &divergence->flows, (uintptr_t)instance);
  if (*slot == NULL) {
    vptr__flow *flow = VPTR__ARENA_NEW(divergence->arena, vptr__flow);
    flow->instance = (vptr__instance *)instance;
    flow->result = vptr__node_new(divergence->arena);
    *slot = flow;
  }
  return *slot;
}

vptr__node *vptr__flow_node(vptr__divergence *divergence, vptr__flow *flow, const vptr__declaration *variable) {
  void **slot = vptr__map_put(divergence->arena, &flow->nodes, (uintptr_t)variable);
  if (*slot == NULL) {
    vptr__node *node = vptr__node_new(divergence->arena);
    node->is_divergent = (variable->flags & VPTR__BUILT_IN) && variable->built_in == VPTR__THREAD_IDX;
    *slot = node;
  }
  return *slot;
}

/* What no variable is, and no pointer of the program's: NULL, a number. The same in each round, since a round that
 * finds nothing new to mark is the last. */
static vptr__node *unknown_node(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *value) {
  void **slot = vptr__map_put(divergence->arena, &flow->nodes, (uintptr_t)value);
  if (*slot == NULL)
    *slot = vptr__node_new(divergence->arena);
  return vptr__node_find(*slot);
}

static bool is_pointer(const vptr__expression *expression) {
  return expression->type != NULL && expression->type->kind == VPTR__TYPE_POINTER;
}

/* What a call returns points to, or refers to. */
static vptr__node *aim_of_call(vptr__divergence *divergence, const vptr__flow *flow, const vptr__expression *call) {
  vptr__instance *callee = vptr__infer_callee(flow->instance, call);
  if (callee == NULL)
    return vptr__node_new(divergence->arena);
  return vptr__node_target(divergence->arena, vptr__divergence_flow(divergence, callee)->result);
}

static vptr__node *unify_nodes(vptr__node *left, vptr__node *right) {
  vptr__node_unify(left, right);
  return vptr__node_find(left);
}

static vptr__node *content_of_name(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *name) {
  if (name->declaration == NULL || name->declaration->type == NULL)
    return vptr__node_new(divergence->arena);
  vptr__node *node = vptr__flow_node(divergence, flow, name->declaration);
  if (name->declaration->type->kind == VPTR__TYPE_REFERENCE)
    return vptr__node_target(divergence->arena, node);
  return vptr__node_find(node);
}

/* What holds a value that is in no variable: of it only matters where its pointers point. */
static vptr__node *make_temporary_node(vptr__divergence *divergence, vptr__flow *flow,
                                       const vptr__expression *value) {
  vptr__node *node = vptr__node_new(divergence->arena);
  if (vptr__infer_has_pointers(value->type))
    vptr__node_unify(vptr__node_target(divergence->arena, node), vptr__flow_aim(divergence, flow, value));
  return node;
}

vptr__node *vptr__flow_content(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *lvalue) {
  vptr__expression *const *operands = lvalue->operands;
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_NAME:
    return content_of_name(divergence, flow, lvalue);
  case VPTR__EXPRESSION_INDEX:
    if (is_pointer(operands[0]) || is_pointer(operands[1]))
      return vptr__flow_aim(divergence, flow, operands[is_pointer(operands[0]) ? 0 : 1]);
    return vptr__flow_content(divergence, flow, operands[0]);
  case VPTR__EXPRESSION_MEMBER:
    return is_pointer(operands[0]) ? vptr__flow_aim(divergence, flow, operands[0])
                                   : vptr__flow_content(divergence, flow, operands[0]);
  case VPTR__EXPRESSION_UNARY:
    return lvalue->op == '*' ? vptr__flow_aim(divergence, flow, operands[0])
                             : vptr__flow_content(divergence, flow, operands[0]);
  case VPTR__EXPRESSION_ASSIGN:
  case VPTR__EXPRESSION_CAST:
  case VPTR__EXPRESSION_LOAD:
    return vptr__flow_content(divergence, flow, operands[0]);
  case VPTR__EXPRESSION_BINARY:
    return vptr__flow_content(divergence, flow, operands[1]);
  case VPTR__EXPRESSION_CONDITIONAL:
    return unify_nodes(vptr__flow_content(divergence, flow, operands[1]),
                       vptr__flow_content(divergence, flow, operands[2]));
  case VPTR__EXPRESSION_CALL:
  case VPTR__EXPRESSION_CONSTRUCT:
    return lvalue->is_lvalue ? aim_of_call(divergence, flow, lvalue) : make_temporary_node(divergence, flow, lvalue);
  default:
    return unknown_node(divergence, flow, lvalue);
  }
}

/* A list, or what a function of CUDA's was given: the pointers of all. */
static vptr__node *aim_of_arguments(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *value) {
  vptr__node *aim = unknown_node(divergence, flow, value);
  for (const vptr__expression *argument = value->arguments; argument != NULL; argument = argument->next)
    if (argument->kind == VPTR__EXPRESSION_INIT_LIST || vptr__infer_has_pointers(argument->type))
      aim = unify_nodes(aim, vptr__flow_aim(divergence, flow, argument));
  return aim;
}

static vptr__node *aim_of_operator(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *value) {
  vptr__expression *const *operands = value->operands;
  switch (value->kind) {
  case VPTR__EXPRESSION_UNARY:
    if (value->op == '&')
      return vptr__flow_content(divergence, flow, operands[0]);
    return vptr__node_target(divergence->arena, vptr__flow_content(divergence, flow, operands[0]));
  case VPTR__EXPRESSION_BINARY:
    return vptr__flow_aim(divergence, flow, operands[value->op != ',' && is_pointer(operands[0]) ? 0 : 1]);
  case VPTR__EXPRESSION_ASSIGN:
    return vptr__node_target(divergence->arena, vptr__flow_content(divergence, flow, operands[0]));
  case VPTR__EXPRESSION_CONDITIONAL:
    return unify_nodes(vptr__flow_aim(divergence, flow, operands[1]), vptr__flow_aim(divergence, flow, operands[2]));
  default: /* CAST */
    if (operands[0]->type != NULL && operands[0]->type->kind == VPTR__TYPE_ARRAY)
      return vptr__flow_content(divergence, flow, operands[0]);
    return vptr__flow_aim(divergence, flow, operands[0]);
  }
}

vptr__node *vptr__flow_aim(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *value) {
  switch (value->kind) {
  case VPTR__EXPRESSION_UNARY:
  case VPTR__EXPRESSION_BINARY:
  case VPTR__EXPRESSION_ASSIGN:
  case VPTR__EXPRESSION_CONDITIONAL:
  case VPTR__EXPRESSION_CAST:
    return aim_of_operator(divergence, flow, value);
  case VPTR__EXPRESSION_LOAD:
  case VPTR__EXPRESSION_NAME:
  case VPTR__EXPRESSION_MEMBER:
  case VPTR__EXPRESSION_INDEX:
    return vptr__node_target(divergence->arena, vptr__flow_content(divergence, flow, value));
  case VPTR__EXPRESSION_CALL:
    return aim_of_call(divergence, flow, value);
  case VPTR__EXPRESSION_BUILT_IN_CALL:
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST:
    return aim_of_arguments(divergence, flow, value);
  default: /* null pointers, strings */
    return unknown_node(divergence, flow, value);
  }
}

/* ---- the pass -------------------------------------------------------------------------------------------- */

typedef struct aim_pass {
  vptr__divergence *divergence;
  vptr__flow *flow;
} aim_pass;

/* A value goes into something of a type, which is `node`. */
static void aim_into(aim_pass *pass, const vptr__type *type, vptr__node *node, const vptr__expression *value) {
  if (!vptr__infer_has_pointers(type))
    return;
  vptr__node *target = vptr__node_target(pass->divergence->arena, node);
  if (type->kind == VPTR__TYPE_REFERENCE && !value->is_lvalue)
    vptr__node_unify(target, make_temporary_node(pass->divergence, pass->flow, value));
  else if (type->kind == VPTR__TYPE_REFERENCE)
    vptr__node_unify(target, vptr__flow_content(pass->divergence, pass->flow, value));
  else
    vptr__node_unify(target, vptr__flow_aim(pass->divergence, pass->flow, value));
}

static void aim_call(aim_pass *pass, const vptr__expression *call) {
  vptr__instance *callee = vptr__infer_callee(pass->flow->instance, call);
  if (callee == NULL)
    return;
  vptr__flow *flow = vptr__divergence_flow(pass->divergence, callee);
  const vptr__declaration *parameter = callee->function->type->parameters;
  const vptr__expression *argument = call->arguments;
  for (; parameter != NULL && argument != NULL; parameter = parameter->next, argument = argument->next)
    aim_into(pass, parameter->type, vptr__flow_node(pass->divergence, flow, parameter), argument);
}

/* memcpy() and its kind may copy pointers: all that it was given holds the same ones behind it. */
static void aim_built_in(aim_pass *pass, const vptr__expression *call) {
  vptr__node *held = vptr__node_new(pass->divergence->arena);
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    if (is_pointer(argument))
      vptr__node_unify(
          held, vptr__node_target(pass->divergence->arena, vptr__flow_aim(pass->divergence, pass->flow, argument)));
}

static void aim_expression(void *context, vptr__expression *expression) {
  aim_pass *pass = context;
  if (expression->kind == VPTR__EXPRESSION_CALL)
    aim_call(pass, expression);
  else if (expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL)
    aim_built_in(pass, expression);
  else if (expression->kind == VPTR__EXPRESSION_ASSIGN && expression->op == '=')
    aim_into(pass, expression->operands[0]->type,
             vptr__flow_content(pass->divergence, pass->flow, expression->operands[0]), expression->operands[1]);
}

static void aim_variable(void *context, vptr__declaration *variable) {
  aim_pass *pass = context;
  if (variable->initializer != NULL)
    aim_into(pass, variable->type, vptr__flow_node(pass->divergence, pass->flow, variable), variable->initializer);
}

static void aim_statement(void *context, vptr__statement *statement) {
  aim_pass *pass = context;
  if (statement->kind == VPTR__STATEMENT_RETURN && statement->expression != NULL)
    aim_into(pass, pass->flow->instance->function->type->base, pass->flow->result, statement->expression);
}

void vptr__divergence_aim(vptr__divergence *divergence, vptr__flow *flow) {
  aim_pass pass = { .divergence = divergence, .flow = flow };
  vptr__visitor visitor = {
    .statement = aim_statement, .expression = aim_expression, .variable = aim_variable, .context = &pass
  };
  vptr__visit_statement(&visitor, flow->instance->function->body);
}
