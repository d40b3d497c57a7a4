/* SPDX-License-Identifier: MIT */
/*
 * walk - what a body's expressions, statements and initialisers say about spaces.
 *
 * The walk goes behind types/, so every conversion is a node. It needs no order: a relation holds in the whole
 * instance (a pointer variable is of one OpenCL type, whatever it is assigned in between).
 */
#include "translate/infer/solver.h"
#include "translate/infer/visit.h"
#include "translate/types/builtin.h"

static bool is_pointer(const vptr__type *type) {
  return type != NULL && type->kind == VPTR__TYPE_POINTER;
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static void relate_decay(vptr__spaces *spaces, const vptr__expression *cast) {
  const vptr__expression *array = cast->operands[0];
  if (!is_pointer(cast->type))
    return;
  vptr__spaces_bind(spaces, vptr__spaces_variable(spaces, cast->type), vptr__spaces_locate(spaces, array),
                    cast->position);
  vptr__spaces_relate(spaces, cast->type->base, array->type, cast->position);
}

static void relate_cast(vptr__spaces *spaces, const vptr__expression *cast) {
  const vptr__expression *operand = cast->operands[0];
  if (cast->cast == VPTR__CAST_DECAY || (is_pointer(cast->type) && operand->type->kind == VPTR__TYPE_ARRAY)) {
    relate_decay(spaces, cast);
  } else { /* a null pointer relates nothing; other numbers become no pointers: types/ */
    vptr__spaces_relate(spaces, cast->type, operand->type, cast->position);
  }
  if (cast->written_type != NULL && cast->written_type->kind == VPTR__TYPE_REFERENCE && cast->is_lvalue)
    vptr__spaces_bind(spaces, vptr__spaces_variable(spaces, cast->written_type), vptr__spaces_locate(spaces, operand),
                      cast->position);
  if (cast->written_type != NULL)
    vptr__spaces_relate(spaces, cast->type, cast->written_type, cast->position);
}

static void relate_unary(vptr__spaces *spaces, const vptr__expression *unary) {
  const vptr__expression *operand = unary->operands[0];
  if (unary->op == '&') {
    if (!is_pointer(unary->type) || unary->type->base->kind == VPTR__TYPE_FUNCTION)
      return;
    vptr__spaces_bind(spaces, vptr__spaces_variable(spaces, unary->type), vptr__spaces_locate(spaces, operand),
                      unary->position);
    vptr__spaces_relate(spaces, unary->type->base, operand->type, unary->position);
  } else if (unary->op == '*') {
    if (is_pointer(operand->type))
      vptr__spaces_relate(spaces, unary->type, operand->type->base, unary->position);
  } else {
    vptr__spaces_relate(spaces, unary->type, operand->type, unary->position);
  }
}

/* Sums, differences and comparisons: whatever is a pointer among the operands and the result. A comparison's result
 * is none. */
static void relate_binary(vptr__spaces *spaces, const vptr__expression *binary) {
  const vptr__expression *left = binary->operands[0], *right = binary->operands[1];
  if (binary->op != ',') {
    vptr__spaces_relate(spaces, left->type, right->type, binary->position);
    vptr__spaces_relate(spaces, binary->type, left->type, binary->position);
  }
  vptr__spaces_relate(spaces, binary->type, right->type, binary->position);
}

static void relate_element(vptr__spaces *spaces, const vptr__expression *index) {
  for (int i = 0; i < 2; i++) {
    const vptr__type *type = index->operands[i]->type;
    if (type != NULL && (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_ARRAY))
      vptr__spaces_relate(spaces, index->type, type->base, index->position);
  }
}

static void relate_conditional(vptr__spaces *spaces, const vptr__expression *conditional) {
  for (int i = 1; i < 3; i++) {
    const vptr__expression *operand = conditional->operands[i];
    vptr__spaces_relate(spaces, conditional->type, operand->type, operand->position);
    if (conditional->is_lvalue)
      vptr__spaces_bind(spaces, vptr__spaces_lvalue(spaces, conditional), vptr__spaces_locate(spaces, operand),
                        operand->position);
  }
}

static void relate_assignment(vptr__spaces *spaces, const vptr__expression *assign) {
  vptr__spaces_relate(spaces, assign->operands[0]->type, assign->operands[1]->type, assign->position);
  vptr__spaces_relate(spaces, assign->type, assign->operands[0]->type, assign->position);
}

/* A number tells no memory, but the function that makes a pointer of it does. */
static void fix_space_of_result(vptr__spaces *spaces, const vptr__expression *call) {
  if ((call->builtin->flags & (VPTR__BUILTIN_SHARED | VPTR__BUILTIN_OWN)) == 0)
    return;
  bool is_shared = (call->builtin->flags & VPTR__BUILTIN_SHARED) != 0;
  vptr__space_variable_fix(&spaces->solver->log, vptr__spaces_variable(spaces, call->type),
                           is_shared ? VPTR__SPACE_SHARED : VPTR__SPACE_PRIVATE, call->position);
}

/* A function of CUDA's takes pointers into any memory; what it returns points where its first pointer does. */
static void relate_built_in(vptr__spaces *spaces, const vptr__expression *call) {
  bool is_global = (call->builtin->flags & VPTR__BUILTIN_GLOBAL) != 0;
  vptr__pun_call(spaces, call);
  fix_space_of_result(spaces, call);
  if (is_global && is_pointer(call->type))
    vptr__space_variable_store(&spaces->solver->log, vptr__spaces_variable(spaces, call->type), call->position);
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    if (is_pointer(argument->type)) {
      if (is_global)
        vptr__space_variable_store(&spaces->solver->log, vptr__spaces_variable(spaces, argument->type),
                                   argument->position);
      vptr__spaces_relate(spaces, call->type, argument->type, call->position);
      return;
    }
}

/* Of INIT_LISTs and CONSTRUCTs, which types/ has put in order: an item for each element or field, lists in lists. */
static void relate_items(vptr__spaces *spaces, const vptr__expression *list) {
  const vptr__type *type = list->type;
  if (list->written_type != NULL)
    vptr__spaces_relate(spaces, type, list->written_type, list->position);
  bool is_record = type->kind == VPTR__TYPE_RECORD && type->declaration != NULL;
  bool is_union = is_record && (type->declaration->flags & VPTR__UNION);
  const vptr__declaration *field = is_union ? list->declaration : is_record ? type->declaration->fields : NULL;
  for (const vptr__expression *item = list->arguments; item != NULL; item = item->next) {
    if (is_record && field == NULL)
      return;
    const vptr__type *member = is_record ? field->type : type->kind == VPTR__TYPE_ARRAY ? type->base : type;
    vptr__spaces_relate(spaces, member, item->type, item->position);
    field = is_record && !is_union ? field->next : field;
  }
}

static void relate_name(vptr__spaces *spaces, const vptr__expression *name) {
  const vptr__declaration *declaration = name->declaration;
  if (declaration != NULL && declaration->type != NULL && declaration->type->kind != VPTR__TYPE_FUNCTION)
    vptr__spaces_relate(spaces, name->type, declaration->type, name->position);
}

static void walk_expression(void *context, vptr__expression *expression) {
  vptr__spaces *spaces = context;
  switch (expression->kind) {
  case VPTR__EXPRESSION_NAME:
  case VPTR__EXPRESSION_MEMBER:
    relate_name(spaces, expression);
    break;
  case VPTR__EXPRESSION_LOAD:
    vptr__spaces_relate(spaces, expression->type, expression->operands[0]->type, expression->position);
    break;
  case VPTR__EXPRESSION_CAST:
    relate_cast(spaces, expression);
    vptr__pun_cast(spaces, expression);
    break;
  case VPTR__EXPRESSION_UNARY:
    relate_unary(spaces, expression);
    break;
  case VPTR__EXPRESSION_BINARY:
    relate_binary(spaces, expression);
    break;
  case VPTR__EXPRESSION_INDEX:
    relate_element(spaces, expression);
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    relate_conditional(spaces, expression);
    break;
  case VPTR__EXPRESSION_ASSIGN:
    relate_assignment(spaces, expression);
    break;
  case VPTR__EXPRESSION_CALL:
    vptr__spaces_add_call(spaces, expression);
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    relate_built_in(spaces, expression);
    break;
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST:
    relate_items(spaces, expression);
    break;
  default: /* literals */
    break;
  }
}

/* ---- statements and declarations ------------------------------------------------------------------------- */

static bool is_constant(const vptr__declaration *variable) {
  return (variable->flags & VPTR__CONSTEXPR) || (vptr__type_without_arrays(variable->type)->qualifiers & VPTR__CONST);
}

/* A constant one may as well be each thread's own. */
static void refuse_static(vptr__spaces *spaces, const vptr__declaration *variable) {
  unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__AT_NAMESPACE;
  if (!(variable->flags & VPTR__STATIC) || (variable->flags & elsewhere) || is_constant(variable))
    return;
  if (vptr__space_log_may_report(&spaces->solver->log, variable->position))
    vptr__source_report(
        spaces->solver->unit->source, VPTR__ERROR, variable->position,
        "a static variable in a function, '%s', is not supported: declare a __device__ variable outside of it",
        variable->name ? variable->name->text : "");
}

static void walk_variable(void *context, vptr__declaration *variable) {
  vptr__spaces *spaces = context;
  refuse_static(spaces, variable);
  if (variable->initializer == NULL)
    return;
  vptr__expression *value = variable->initializer;
  if (variable->type->kind == VPTR__TYPE_REFERENCE)
    vptr__spaces_bind(spaces, vptr__spaces_variable(spaces, variable->type), vptr__spaces_locate(spaces, value),
                      value->position);
  vptr__spaces_relate(spaces, variable->type, value->type, value->position);
}

static void walk_return(vptr__spaces *spaces, vptr__expression *value) {
  const vptr__type *returned = spaces->function->type->base;
  if (returned->kind == VPTR__TYPE_REFERENCE)
    vptr__spaces_bind(spaces, vptr__spaces_variable(spaces, returned), vptr__spaces_locate(spaces, value),
                      value->position);
  vptr__spaces_relate(spaces, returned, value->type, value->position);
}

static void walk_statement(void *context, vptr__statement *statement) {
  if (statement->kind == VPTR__STATEMENT_RETURN && statement->expression != NULL)
    walk_return(context, statement->expression);
}

void vptr__spaces_walk(vptr__spaces *spaces) {
  vptr__visitor visitor = {
    .statement = walk_statement, .expression = walk_expression, .variable = walk_variable, .context = spaces
  };
  vptr__visit_statement(&visitor, spaces->function->body);
  vptr__pun_classify(spaces);
}
