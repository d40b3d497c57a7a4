/* SPDX-License-Identifier: MIT */
/*
 * initializer - lists of values: arguments, braces, and the construction of a type from them.
 */
#include "translate/syntax/state.h"

/* .name = value, [index] = value */
static vptr__expression *read_designated(vptr__parser *parser) {
  vptr__name *name = NULL;
  vptr__expression *designator = NULL;
  if (vptr__parser_accept(parser, '.')) {
    if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
      vptr__parser_unexpected(parser, "the name of a member");
    name = vptr__parser_take(parser).name;
  } else {
    vptr__parser_take(parser);
    designator = vptr__expression_conditional(parser);
    vptr__parser_expect(parser, ']', "behind the index");
  }
  if (vptr__parser_kind(parser) == '.' || vptr__parser_kind(parser) == '[')
    vptr__parser_error(parser, vptr__parser_position(parser), "one designator for each value; nest braces instead");
  vptr__parser_expect(parser, '=', "behind the designator");
  vptr__expression *value =
      vptr__parser_kind(parser) == '{' ? vptr__expression_braces(parser) : vptr__expression_assignment(parser);
  value->field_name = name;
  value->designator = designator;
  return value;
}

/* [1] = 2 in braces; else [ begins a lambda. */
static bool is_designated(const vptr__parser *parser) {
  if (vptr__parser_kind(parser) == '.')
    return true;
  if (vptr__parser_kind(parser) != '[')
    return false;
  size_t behind = vptr__skip_balanced(parser, parser->at);
  return parser->tokens[behind].kind == '=' || parser->tokens[behind].kind == '.' ||
         parser->tokens[behind].kind == '[';
}

static vptr__expression *read_item(vptr__parser *parser, bool is_braced) {
  if (is_braced && is_designated(parser))
    return read_designated(parser);
  if (vptr__parser_kind(parser) == '{')
    return vptr__expression_braces(parser);
  return vptr__expression_assignment(parser);
}

vptr__expression *vptr__expression_list(vptr__parser *parser, int close) {
  vptr__expression *first = NULL, **link = &first;
  while (vptr__parser_kind(parser) != close && vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    *link = read_item(parser, close == '}');
    link = &(*link)->next;
    if (!vptr__parser_accept(parser, ','))
      break;
    if (close == ')' && vptr__parser_kind(parser) == ')')
      vptr__parser_unexpected(parser, "an expression");
  }
  vptr__parser_expect(parser, close, "behind the values");
  return first;
}

vptr__expression *vptr__expression_braces(vptr__parser *parser) {
  vptr__arena_enter(parser->arena);
  vptr__expression *list =
      vptr__expression_new(parser->unit, VPTR__EXPRESSION_INIT_LIST, vptr__parser_take(parser).position);
  list->arguments = vptr__expression_list(parser, '}');
  vptr__arena_leave(parser->arena);
  return list;
}

static bool is_scalar(const vptr__type *type) {
  return type->kind != VPTR__TYPE_RECORD && type->kind != VPTR__TYPE_ARRAY && type->kind != VPTR__TYPE_DECLTYPE &&
         type->kind != VPTR__TYPE_AUTO;
}

/* At ( or {. */
vptr__expression *vptr__expression_construct(vptr__parser *parser, vptr__type *type, vptr__position position) {
  int open = vptr__parser_take(parser).kind;
  vptr__expression *arguments = vptr__expression_list(parser, open == '{' ? '}' : ')');
  bool is_single = arguments != NULL && arguments->next == NULL && arguments->kind != VPTR__EXPRESSION_INIT_LIST &&
                   arguments->field_name == NULL && arguments->designator == NULL;
  bool is_cast = is_single && is_scalar(type);
  vptr__expression *expression =
      vptr__expression_new(parser->unit, is_cast ? VPTR__EXPRESSION_CAST : VPTR__EXPRESSION_CONSTRUCT, position);
  expression->written_type = type;
  expression->op = open;
  if (is_cast) {
    expression->cast = VPTR__CAST_FUNCTIONAL;
    expression->operands[0] = arguments;
  } else {
    expression->arguments = arguments;
  }
  if (!parser->is_panicking && type->kind == VPTR__TYPE_AUTO)
    vptr__parser_error(parser, position, "auto(...) is not supported; write the type");
  return expression;
}
