/* SPDX-License-Identifier: MIT */
/*
 * statement - bodies of functions, statement by statement.
 */
#include "translate/types/check.h"

static void check_statement(vptr__checker *checker, vptr__statement *statement);

static void check_inside(vptr__checker *checker, vptr__statement *body, bool is_loop) {
  if (body == NULL)
    return;
  checker->body.breakable++;
  checker->body.continuable += is_loop;
  check_statement(checker, body);
  checker->body.breakable--;
  checker->body.continuable -= is_loop;
}

/* A condition that is a declaration is that variable's value. */
static void take_condition(vptr__checker *checker, vptr__statement *statement) {
  vptr__declaration *variable = statement->declarations;
  if (variable == NULL)
    return;
  vptr__declaration_check(checker, variable);
  if (statement->expression != NULL)
    return;
  statement->expression = vptr__expression_new(checker->unit, VPTR__EXPRESSION_NAME, variable->position);
  statement->expression->name = variable->name;
  statement->expression->declaration = variable;
}

static void check_condition(vptr__checker *checker, vptr__statement *statement) {
  take_condition(checker, statement);
  if (statement->expression != NULL)
    statement->expression = vptr__convert_condition(checker, statement->expression);
}

static void check_if(vptr__checker *checker, vptr__statement *statement) {
  if (statement->first != NULL)
    check_statement(checker, statement->first);
  check_condition(checker, statement);
  if (statement->body != NULL)
    check_statement(checker, statement->body);
  if (statement->otherwise != NULL)
    check_statement(checker, statement->otherwise);
}

static void check_loop(vptr__checker *checker, vptr__statement *statement) {
  if (statement->kind == VPTR__STATEMENT_FOR && statement->first != NULL)
    check_statement(checker, statement->first);
  if (statement->kind != VPTR__STATEMENT_DO)
    check_condition(checker, statement);
  if (statement->step != NULL)
    statement->step = vptr__expression_check(checker, statement->step);
  check_inside(checker, statement->body, true);
  if (statement->kind == VPTR__STATEMENT_DO)
    check_condition(checker, statement);
}

static void check_switch(vptr__checker *checker, vptr__statement *statement) {
  vptr__check_body around = checker->body;
  if (statement->first != NULL)
    check_statement(checker, statement->first);
  take_condition(checker, statement);
  vptr__expression *value = vptr__expression_value(checker, statement->expression);
  statement->expression = value;
  checker->body.switched = checker->wrong;
  if (!vptr__expression_is_wrong(checker, value) && !vptr__type_is_integer(value->type)) {
    VPTR__CHECK_ERROR(checker, value->position, "switch is on integers and enumerations, not on '%s'",
                      VPTR__CHECK_TEXT(checker, value->type));
  } else if (!vptr__expression_is_wrong(checker, value)) {
    vptr__type *type = vptr__kind_promoted(checker, value->type);
    statement->expression = vptr__convert_cast(checker, value, type);
    checker->body.switched = vptr__kind_is_scoped(value->type) ? value->type : type;
  }
  checker->body.cases = (vptr__map){ 0 };
  checker->body.has_default = false;
  check_inside(checker, statement->body, false);
  around.jumps = checker->body.jumps;
  around.labels = checker->body.labels;
  checker->body = around;
}

/* No value is 0; of the two that share a key the second is found behind the first. */
static uintptr_t value_key(int64_t value) {
  return value == 0 ? 1 : (uintptr_t)value;
}

static void add_case(vptr__checker *checker, vptr__statement *statement) {
  void **slot = vptr__map_put(checker->arena, &checker->body.cases, value_key(statement->value));
  while (*slot != NULL && ((const vptr__statement *)*slot)->value != statement->value)
    slot = vptr__map_put(checker->arena, &checker->body.cases, (uintptr_t)*slot);
  if (*slot != NULL) {
    vptr__place place = vptr__source_place(checker->source, ((const vptr__statement *)*slot)->position);
    VPTR__CHECK_ERROR(checker, statement->position, "the case %lld is there already, at %s:%u",
                      (long long)statement->value, place.file, place.line);
    return;
  }
  *slot = statement;
}

static void check_case(vptr__checker *checker, vptr__statement *statement) {
  vptr__type *type = checker->body.switched;
  if (type == NULL)
    VPTR__CHECK_ERROR(checker, statement->position, "'case' outside of a switch");
  else if (type != checker->wrong &&
           vptr__constant_integer(checker, statement->expression, type, "a case", &statement->value))
    add_case(checker, statement);
}

static void check_default(vptr__checker *checker, vptr__statement *statement) {
  if (checker->body.switched == NULL)
    VPTR__CHECK_ERROR(checker, statement->position, "'default' outside of a switch");
  else if (checker->body.has_default)
    VPTR__CHECK_ERROR(checker, statement->position, "a second 'default' in one switch");
  checker->body.has_default = true;
}

/* ---- return ------------------------------------------------------------------------------------------------- */

static void deduce_result(vptr__checker *checker, vptr__statement *statement, vptr__type *result) {
  if (statement->expression == NULL) {
    *result = *vptr__kind_basic(checker, VPTR__TYPE_VOID);
    return;
  }
  vptr__expression *value = vptr__expression_value(checker, statement->expression);
  statement->expression = value;
  *result = *vptr__kind_again(checker, value->type);
}

static void check_return(vptr__checker *checker, vptr__statement *statement) {
  const vptr__declaration *function = checker->body.function;
  vptr__type *result = function->type->base;
  if (result->kind == VPTR__TYPE_AUTO)
    deduce_result(checker, statement, result);
  vptr__expression *value = statement->expression;
  if (value == NULL) {
    if (result->kind != VPTR__TYPE_VOID)
      VPTR__CHECK_ERROR(checker, statement->position, "'%s' returns '%s': give 'return' a value",
                        function->name->text, VPTR__CHECK_TEXT(checker, result));
    return;
  }
  if (result->kind == VPTR__TYPE_VOID) {
    value = statement->expression = vptr__expression_check(checker, value);
    if (!vptr__expression_is_wrong(checker, value) && value->type->kind != VPTR__TYPE_VOID)
      VPTR__CHECK_ERROR(checker, value->position, "'%s' returns nothing: write 'return;'", function->name->text);
    return;
  }
  statement->expression = vptr__initializer_check(checker, result, value, "return as");
  if (statement->expression->kind == VPTR__EXPRESSION_INIT_LIST &&
      !vptr__expression_is_wrong(checker, statement->expression)) {
    statement->expression->kind = VPTR__EXPRESSION_CONSTRUCT; /* lists stand at declarations only, behind this room */
    statement->expression->op = '{';
    statement->expression->written_type = statement->expression->type = vptr__kind_unqualified(checker, result);
  }
}

/* ---- labels ------------------------------------------------------------------------------------------------- */

static void note_label(vptr__checker *checker, vptr__statement *statement) {
  void **slot = vptr__map_put(checker->arena, &checker->body.labels, (uintptr_t)statement->label);
  if (*slot != NULL)
    VPTR__CHECK_ERROR(checker, statement->position, "the label '%s' is there already", statement->label->text);
  *slot = statement;
}

static void note_jump(vptr__checker *checker, vptr__statement *statement) {
  vptr__check_jump *made = VPTR__ARENA_NEW(checker->arena, vptr__check_jump);
  *made = (vptr__check_jump){ statement, checker->body.jumps };
  checker->body.jumps = made;
}

static void check_jumps(vptr__checker *checker) {
  for (const vptr__check_jump *jump = checker->body.jumps; jump != NULL; jump = jump->next)
    if (vptr__map_find(&checker->body.labels, (uintptr_t)jump->statement->label) == NULL)
      VPTR__CHECK_ERROR(checker, jump->statement->position, "there is no label '%s' in this function",
                        jump->statement->label->text);
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

static void check_jump(vptr__checker *checker, const vptr__statement *statement) {
  bool is_break = statement->kind == VPTR__STATEMENT_BREAK;
  if ((is_break ? checker->body.breakable : checker->body.continuable) == 0)
    VPTR__CHECK_ERROR(checker, statement->position,
                      is_break ? "'break' outside of loops and switches" : "'continue' outside of loops");
}

static void check_list(vptr__checker *checker, vptr__statement *statement) {
  for (; statement != NULL; statement = statement->next)
    check_statement(checker, statement);
}

static void check_kind(vptr__checker *checker, vptr__statement *statement) {
  switch (statement->kind) {
  case VPTR__STATEMENT_EMPTY:
    return;
  case VPTR__STATEMENT_EXPRESSION:
    statement->expression = vptr__expression_check(checker, statement->expression);
    return;
  case VPTR__STATEMENT_DECLARATION:
    for (vptr__declaration *declared = statement->declarations; declared != NULL; declared = declared->next)
      vptr__declaration_check(checker, declared);
    return;
  case VPTR__STATEMENT_BLOCK:
    check_list(checker, statement->first);
    return;
  case VPTR__STATEMENT_IF:
    check_if(checker, statement);
    return;
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    check_loop(checker, statement);
    return;
  case VPTR__STATEMENT_SWITCH:
    check_switch(checker, statement);
    return;
  case VPTR__STATEMENT_CASE:
    check_case(checker, statement);
    break;
  case VPTR__STATEMENT_DEFAULT:
    check_default(checker, statement);
    break;
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
    check_jump(checker, statement);
    return;
  case VPTR__STATEMENT_RETURN:
    check_return(checker, statement);
    return;
  case VPTR__STATEMENT_GOTO:
    note_jump(checker, statement);
    break;
  case VPTR__STATEMENT_LABEL:
    note_label(checker, statement);
    break;
  }
  if (statement->body != NULL)
    check_statement(checker, statement->body);
}

static void check_statement(vptr__checker *checker, vptr__statement *statement) {
  vptr__arena_enter(checker->arena);
  check_kind(checker, statement);
  vptr__arena_leave(checker->arena);
}

void vptr__statement_check_body(vptr__checker *checker, vptr__declaration *function) {
  check_statement(checker, function->body);
  check_jumps(checker);
}
