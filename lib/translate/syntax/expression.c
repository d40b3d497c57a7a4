/* SPDX-License-Identifier: MIT */
/*
 * expression - operators and their precedence.
 *
 * Operators of equal precedence are a loop, not a recursion, so that long sums cost no stack here. What nests by
 * recursion passes vptr__expression_unary(), a right-hand side of an assignment, or the middle of ?:, where it is
 * counted.
 */
#include "translate/syntax/state.h"

static bool is_assignment(int kind) {
  return kind == '=' || (kind >= VPTR__TOKEN_ADD_ASSIGN && kind <= VPTR__TOKEN_SHIFT_RIGHT_ASSIGN);
}

static vptr__expression *make_binary(vptr__parser *parser, vptr__expression_kind kind, vptr__token token,
                                     vptr__expression *left, vptr__expression *right) {
  vptr__expression *expression = vptr__expression_new(parser->unit, kind, token.position);
  expression->op = token.kind;
  expression->operands[0] = left;
  expression->operands[1] = right;
  expression->declaration = vptr__name_operator_functions(parser, token.kind);
  return expression;
}

static vptr__expression *read_binary(vptr__parser *parser, int lowest) {
  vptr__expression *left = vptr__expression_unary(parser);
  for (;;) {
    int precedence = vptr__token_precedence(vptr__parser_kind(parser));
    if (precedence < lowest || precedence == 0 || vptr__parser_at_launch_end(parser))
      return left;
    vptr__token token = vptr__parser_take(parser);
    left = make_binary(parser, VPTR__EXPRESSION_BINARY, token, left, read_binary(parser, precedence + 1));
  }
}

vptr__expression *vptr__expression_conditional(vptr__parser *parser) {
  vptr__expression *condition = read_binary(parser, 1);
  if (vptr__parser_kind(parser) != '?')
    return condition;
  vptr__arena_enter(parser->arena);
  vptr__expression *expression =
      vptr__expression_new(parser->unit, VPTR__EXPRESSION_CONDITIONAL, vptr__parser_take(parser).position);
  expression->operands[0] = condition;
  expression->operands[1] = vptr__expression_read(parser);
  vptr__parser_expect(parser, ':', "between the values of ?:");
  expression->operands[2] = vptr__expression_assignment(parser);
  vptr__arena_leave(parser->arena);
  return expression;
}

vptr__expression *vptr__expression_assignment(vptr__parser *parser) {
  vptr__expression *left = vptr__expression_conditional(parser);
  if (!is_assignment(vptr__parser_kind(parser)))
    return left;
  vptr__arena_enter(parser->arena);
  vptr__token token = vptr__parser_take(parser);
  vptr__expression *right =
      vptr__parser_kind(parser) == '{' ? vptr__expression_braces(parser) : vptr__expression_assignment(parser);
  vptr__arena_leave(parser->arena);
  return make_binary(parser, VPTR__EXPRESSION_ASSIGN, token, left, right);
}

vptr__expression *vptr__expression_read(vptr__parser *parser) {
  vptr__expression *left = vptr__expression_assignment(parser);
  while (vptr__parser_kind(parser) == ',') {
    vptr__token token = vptr__parser_take(parser);
    left = make_binary(parser, VPTR__EXPRESSION_BINARY, token, left, vptr__expression_assignment(parser));
  }
  return left;
}

/* ---- before the operand ---------------------------------------------------------------------------------- */

static vptr__expression *read_prefix(vptr__parser *parser) {
  vptr__token token = vptr__parser_take(parser);
  vptr__expression *expression = vptr__expression_new(parser->unit, VPTR__EXPRESSION_UNARY, token.position);
  expression->op = token.kind;
  expression->declaration = vptr__name_operator_functions(parser, token.kind);
  expression->operands[0] = vptr__expression_unary(parser);
  return expression;
}

/* (T) x, and (T){ ... } */
static vptr__expression *read_cast(vptr__parser *parser) {
  vptr__position position = vptr__parser_take(parser).position;
  vptr__type *type = vptr__declarator_type_id(parser);
  vptr__parser_expect(parser, ')', "behind the type of a cast");
  if (vptr__parser_kind(parser) == '{')
    return vptr__expression_behind(parser, vptr__expression_construct(parser, type, position));
  vptr__expression *expression = vptr__expression_new(parser->unit, VPTR__EXPRESSION_CAST, position);
  expression->cast = VPTR__CAST_C;
  expression->written_type = type;
  expression->operands[0] = vptr__expression_unary(parser);
  return expression;
}

static vptr__expression *read_sizeof(vptr__parser *parser, vptr__expression_kind kind) {
  vptr__expression *expression = vptr__expression_new(parser->unit, kind, vptr__parser_take(parser).position);
  if (vptr__parser_kind(parser) == '(' && vptr__name_is_type_id(parser, parser->at + 1)) {
    vptr__parser_take(parser);
    expression->written_type = vptr__declarator_type_id(parser);
    vptr__parser_expect(parser, ')', "behind the type");
  } else if (vptr__parser_kind(parser) == VPTR__TOKEN_ELLIPSIS) {
    vptr__parser_error(parser, expression->position, "sizeof... belongs to templates, which are not supported yet");
  } else {
    expression->operands[0] = vptr__expression_unary(parser);
  }
  return expression;
}

static vptr__expression *read_unary(vptr__parser *parser) {
  switch (vptr__parser_kind(parser)) {
  case '+':
  case '-':
  case '!':
  case '~':
  case '*':
  case '&':
  case VPTR__TOKEN_INCREMENT:
  case VPTR__TOKEN_DECREMENT:
    return read_prefix(parser);
  case VPTR__KEYWORD_SIZEOF:
    return read_sizeof(parser, VPTR__EXPRESSION_SIZEOF);
  case VPTR__KEYWORD_ALIGNOF:
    return read_sizeof(parser, VPTR__EXPRESSION_ALIGNOF);
  case VPTR__KEYWORD_EXTENSION:
    vptr__parser_take(parser);
    return vptr__expression_unary(parser);
  case '(':
    if (vptr__name_is_type_id(parser, parser->at + 1))
      return read_cast(parser);
    return vptr__expression_operand(parser);
  default:
    return vptr__expression_operand(parser);
  }
}

vptr__expression *vptr__expression_unary(vptr__parser *parser) {
  vptr__arena_enter(parser->arena);
  vptr__expression *expression = read_unary(parser);
  vptr__arena_leave(parser->arena);
  return expression;
}
