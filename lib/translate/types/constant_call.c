/* SPDX-License-Identifier: MIT */
/*
 * constant_call - constexpr functions, run while translating.
 *
 * An interpreter over the checked tree for functions of scalars: locals, if, loops, return. A frame is a list of
 * variables and their values; steps are counted over all calls together, so that a loop without end is no constant
 * instead of a translation without end. Frames are on the C stack: their variables too, MOST_LOCALS of them.
 */
#include "translate/types/check.h"

enum { MOST_LOCALS = 24, MOST_STEPS = 100000, MOST_CALLS = 32 };

typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAILED } flow;

struct vptr__constant_frame {
  const vptr__declaration *variables[MOST_LOCALS];
  vptr__constant values[MOST_LOCALS];
  int count;
  vptr__constant returned;
  int *steps;
  int depth;
};

static vptr__constant *find_local(vptr__constant_frame *frame, const vptr__declaration *variable) {
  for (int i = frame->count - 1; i >= 0; i--)
    if (frame->variables[i] == variable)
      return &frame->values[i];
  return NULL;
}

const vptr__constant *vptr__constant_local(const vptr__constant_frame *frame, const vptr__declaration *variable) {
  return find_local((vptr__constant_frame *)frame, variable);
}

static bool add_local(vptr__constant_frame *frame, const vptr__declaration *variable, vptr__constant value) {
  vptr__constant *known = find_local(frame, variable);
  if (known == NULL) {
    if (frame->count == MOST_LOCALS)
      return false;
    frame->variables[frame->count] = variable;
    known = &frame->values[frame->count++];
  }
  *known = value;
  return true;
}

static bool step_value(const vptr__expression *expression, vptr__constant_frame *frame, vptr__constant *target,
                       vptr__constant *value_out) {
  const vptr__type *type = expression->operands[0]->type;
  vptr__constant one = { 1, 1.0 }, before = *target;
  if (!vptr__constant_operate(expression->op == VPTR__TOKEN_INCREMENT ? '+' : '-', type, target, &one, type, target))
    return false;
  (void)frame;
  *value_out = expression->is_postfix ? before : *target;
  return true;
}

static int operation_of(int op) {
  static const int pairs[][2] = { { VPTR__TOKEN_ADD_ASSIGN, '+' },
                                  { VPTR__TOKEN_SUB_ASSIGN, '-' },
                                  { VPTR__TOKEN_MUL_ASSIGN, '*' },
                                  { VPTR__TOKEN_DIV_ASSIGN, '/' },
                                  { VPTR__TOKEN_MOD_ASSIGN, '%' },
                                  { VPTR__TOKEN_AND_ASSIGN, '&' },
                                  { VPTR__TOKEN_OR_ASSIGN, '|' },
                                  { VPTR__TOKEN_XOR_ASSIGN, '^' },
                                  { VPTR__TOKEN_SHIFT_LEFT_ASSIGN, VPTR__TOKEN_SHIFT_LEFT },
                                  { VPTR__TOKEN_SHIFT_RIGHT_ASSIGN, VPTR__TOKEN_SHIFT_RIGHT } };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i][0] == op)
      return pairs[i][1];
  return 0;
}

bool vptr__constant_assign(const vptr__expression *expression, vptr__constant_frame *frame,
                           vptr__constant *value_out) {
  const vptr__expression *left = expression->operands[0];
  if (frame == NULL || left->kind != VPTR__EXPRESSION_NAME)
    return false;
  vptr__constant *target = find_local(frame, left->declaration), value = { 0 }, wide = { 0 };
  if (target == NULL)
    return false;
  if (expression->kind == VPTR__EXPRESSION_UNARY)
    return step_value(expression, frame, target, value_out);
  if (!vptr__constant_evaluate(expression->operands[1], frame, &value))
    return false;
  if (expression->op != '=') {
    const vptr__type *computation = expression->computation;
    if (!vptr__constant_convert(left->type, computation, *target, &wide) ||
        !vptr__constant_operate(operation_of(expression->op), computation, &wide, &value,
                                expression->operands[1]->type, &wide) ||
        !vptr__constant_convert(computation, left->type, wide, &value))
      return false;
  }
  *value_out = *target = value;
  return true;
}

/* ---- statements --------------------------------------------------------------------------------------------- */

static flow run_statement(const vptr__statement *statement, vptr__constant_frame *frame);

static bool declare_locals(const vptr__declaration *variable, vptr__constant_frame *frame) {
  for (; variable != NULL; variable = variable->next) {
    vptr__constant value = { 0 };
    if (variable->kind != VPTR__DECLARATION_VARIABLE)
      continue;
    if (!vptr__kind_is_scalar(variable->type) || variable->initializer == NULL)
      return false;
    if (variable->initializer->kind != VPTR__EXPRESSION_INIT_LIST &&
        !vptr__constant_evaluate(variable->initializer, frame, &value))
      return false;
    if (!add_local(frame, variable, value))
      return false;
  }
  return true;
}

static flow run_list(const vptr__statement *statement, vptr__constant_frame *frame) {
  flow went = FLOW_NEXT;
  for (; statement != NULL && went == FLOW_NEXT; statement = statement->next)
    went = run_statement(statement, frame);
  return went;
}

static flow run_if(const vptr__statement *statement, vptr__constant_frame *frame) {
  vptr__constant condition = { 0 };
  if (statement->declarations != NULL ||
      (statement->first != NULL && run_statement(statement->first, frame) != FLOW_NEXT))
    return FLOW_FAILED;
  if (!vptr__constant_evaluate(statement->expression, frame, &condition))
    return FLOW_FAILED;
  const vptr__statement *taken = condition.integer != 0 ? statement->body : statement->otherwise;
  return taken != NULL ? run_statement(taken, frame) : FLOW_NEXT;
}

static flow run_loop(const vptr__statement *loop, vptr__constant_frame *frame) {
  if (loop->declarations != NULL ||
      (loop->kind == VPTR__STATEMENT_FOR && loop->first != NULL && run_statement(loop->first, frame) != FLOW_NEXT))
    return FLOW_FAILED;
  for (bool is_first = true;; is_first = false) {
    vptr__constant condition = { .integer = 1 }, ignored;
    bool asks = loop->expression != NULL && !(is_first && loop->kind == VPTR__STATEMENT_DO);
    if (asks && !vptr__constant_evaluate(loop->expression, frame, &condition))
      return FLOW_FAILED;
    if (condition.integer == 0)
      return FLOW_NEXT;
    flow went = run_statement(loop->body, frame);
    if (went == FLOW_BREAK)
      return FLOW_NEXT;
    if (went == FLOW_RETURN || went == FLOW_FAILED)
      return went;
    if (loop->step != NULL && !vptr__constant_evaluate(loop->step, frame, &ignored))
      return FLOW_FAILED;
  }
}

static flow run_statement(const vptr__statement *statement, vptr__constant_frame *frame) {
  vptr__constant ignored;
  if (--*frame->steps < 0)
    return FLOW_FAILED;
  switch (statement->kind) {
  case VPTR__STATEMENT_EMPTY:
    return FLOW_NEXT;
  case VPTR__STATEMENT_EXPRESSION:
    return vptr__constant_evaluate(statement->expression, frame, &ignored) ? FLOW_NEXT : FLOW_FAILED;
  case VPTR__STATEMENT_DECLARATION:
    return declare_locals(statement->declarations, frame) ? FLOW_NEXT : FLOW_FAILED;
  case VPTR__STATEMENT_BLOCK:
    return run_list(statement->first, frame);
  case VPTR__STATEMENT_IF:
    return run_if(statement, frame);
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    return run_loop(statement, frame);
  case VPTR__STATEMENT_BREAK:
    return FLOW_BREAK;
  case VPTR__STATEMENT_CONTINUE:
    return FLOW_CONTINUE;
  case VPTR__STATEMENT_RETURN:
    if (statement->expression == NULL || !vptr__constant_evaluate(statement->expression, frame, &frame->returned))
      return FLOW_FAILED;
    return FLOW_RETURN;
  default:
    return FLOW_FAILED;
  }
}

bool vptr__constant_call(const vptr__expression *call, vptr__constant_frame *frame, vptr__constant *value_out) {
  const vptr__declaration *function = call->operands[0]->declaration;
  if (function == NULL || function->body == NULL || (function->flags & VPTR__CONSTEXPR) == 0 ||
      function->checked != VPTR__CHECK_DONE || !vptr__kind_is_scalar(function->type->base))
    return false;
  int steps = MOST_STEPS;
  vptr__constant_frame inner = { .steps = frame != NULL ? frame->steps : &steps,
                                 .depth = frame != NULL ? frame->depth + 1 : 0 };
  if (inner.depth > MOST_CALLS)
    return false;
  const vptr__expression *argument = call->arguments;
  const vptr__declaration *parameter = function->type->parameters;
  for (; argument != NULL && parameter != NULL; argument = argument->next, parameter = parameter->next) {
    vptr__constant value = { 0 };
    if (!vptr__kind_is_scalar(parameter->type) || !vptr__constant_evaluate(argument, frame, &value) ||
        !add_local(&inner, parameter, value))
      return false;
  }
  if (run_statement(function->body, &inner) != FLOW_RETURN)
    return false;
  *value_out = inner.returned;
  return true;
}
