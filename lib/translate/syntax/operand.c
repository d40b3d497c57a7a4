/* SPDX-License-Identifier: MIT */
/*
 * operand - names, literals, parentheses, casts by name, and what stands behind an operand: calls, indexes, members.
 */
#include <string.h>

#include "translate/lexer/literal.h"
#include "translate/syntax/state.h"

static vptr__expression *make_expression(vptr__parser *parser, vptr__expression_kind kind, vptr__position position) {
  return vptr__expression_new(parser->unit, kind, position);
}

/* A number: what takes it sees nothing strange before the error is looked at. */
vptr__expression *vptr__expression_error(vptr__parser *parser) {
  vptr__expression *expression = make_expression(parser, VPTR__EXPRESSION_INTEGER, vptr__parser_position(parser));
  expression->type = vptr__type_new(parser->unit, VPTR__TYPE_INT);
  return expression;
}

static vptr__expression *refuse_operand(vptr__parser *parser, const char *text) {
  vptr__parser_error(parser, vptr__parser_position(parser), "%s", text);
  return vptr__expression_error(parser);
}

/* ---- literals -------------------------------------------------------------------------------------------- */

static vptr__type_kind kind_of_literal(vptr__literal_type type) {
  static const vptr__type_kind kinds[] = {
    [VPTR__LITERAL_INT] = VPTR__TYPE_INT,
    [VPTR__LITERAL_UNSIGNED] = VPTR__TYPE_UNSIGNED,
    [VPTR__LITERAL_LONG] = VPTR__TYPE_LONG,
    [VPTR__LITERAL_UNSIGNED_LONG] = VPTR__TYPE_UNSIGNED_LONG,
    [VPTR__LITERAL_LONG_LONG] = VPTR__TYPE_LONG_LONG,
    [VPTR__LITERAL_UNSIGNED_LONG_LONG] = VPTR__TYPE_UNSIGNED_LONG_LONG,
    [VPTR__LITERAL_FLOAT] = VPTR__TYPE_FLOAT,
    [VPTR__LITERAL_DOUBLE] = VPTR__TYPE_DOUBLE,
    [VPTR__LITERAL_CHAR] = VPTR__TYPE_CHAR,
  };
  return kinds[type];
}

static vptr__expression *read_number(vptr__parser *parser) {
  vptr__literal literal;
  vptr__token token = vptr__parser_take(parser);
  if (!vptr__literal_read(parser->source, &token, &literal))
    return vptr__expression_error(parser);
  bool is_floating = literal.type == VPTR__LITERAL_FLOAT || literal.type == VPTR__LITERAL_DOUBLE;
  vptr__expression *expression =
      make_expression(parser, is_floating ? VPTR__EXPRESSION_FLOATING : VPTR__EXPRESSION_INTEGER, token.position);
  expression->type = vptr__type_new(parser->unit, kind_of_literal(literal.type));
  expression->integer = is_floating ? 0 : literal.integer;
  expression->floating = is_floating ? literal.floating : 0;
  expression->text = vptr__arena_copy(parser->arena, token.text, token.length);
  expression->length = token.length;
  return expression;
}

static vptr__expression *make_string(vptr__parser *parser, const char *text, uint32_t length,
                                     vptr__position position) {
  vptr__expression *expression = make_expression(parser, VPTR__EXPRESSION_STRING, position);
  expression->text = text;
  expression->length = length;
  expression->type = vptr__type_new(parser->unit, VPTR__TYPE_ARRAY);
  expression->type->count = (uint64_t)length + 1;
  expression->type->base = vptr__type_new(parser->unit, VPTR__TYPE_CHAR);
  expression->type->base->qualifiers = VPTR__CONST;
  return expression;
}

static vptr__expression *read_string(vptr__parser *parser) {
  uint32_t length = 0;
  vptr__position position = vptr__parser_position(parser);
  const char *text = vptr__parser_string(parser, &length);
  return make_string(parser, text, length, position);
}

static vptr__expression *read_constant(vptr__parser *parser) {
  vptr__token token = vptr__parser_take(parser);
  bool is_null = token.kind == VPTR__KEYWORD_NULLPTR;
  vptr__expression *expression =
      make_expression(parser, is_null ? VPTR__EXPRESSION_NULLPTR : VPTR__EXPRESSION_BOOL, token.position);
  expression->integer = token.kind == VPTR__KEYWORD_TRUE;
  expression->type = vptr__type_new(parser->unit, is_null ? VPTR__TYPE_NULLPTR : VPTR__TYPE_BOOL);
  return expression;
}

/* ---- names ----------------------------------------------------------------------------------------------- */

/* f<int>; but i < int(x) compares. */
static bool is_template(vptr__parser *parser, const vptr__written_name *written) {
  if (written->declaration != NULL && written->declaration->kind != VPTR__DECLARATION_FUNCTION)
    return false;
  return parser->tokens[written->end].kind == '<' && vptr__name_is_type(parser, written->end + 1);
}

static bool is_function_name(const vptr__token *token) {
  return vptr__parser_is_text(token, "__func__") || vptr__parser_is_text(token, "__FUNCTION__") ||
         vptr__parser_is_text(token, "__PRETTY_FUNCTION__");
}

/* offsetof(T, a.b[2]): the member is read as one of an object without a name. */
static vptr__expression *read_offsetof(vptr__parser *parser) {
  vptr__expression *expression =
      make_expression(parser, VPTR__EXPRESSION_OFFSETOF, vptr__parser_take(parser).position);
  vptr__parser_expect(parser, '(', "behind offsetof");
  expression->written_type = vptr__declarator_type_id(parser);
  vptr__parser_expect(parser, ',', "behind the type of offsetof");
  vptr__expression *place = make_expression(parser, VPTR__EXPRESSION_NAME, vptr__parser_position(parser));
  do {
    vptr__expression *member = make_expression(parser, VPTR__EXPRESSION_MEMBER, vptr__parser_position(parser));
    if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
      vptr__parser_unexpected(parser, "a member");
    member->name = vptr__parser_take(parser).name;
    member->operands[0] = place;
    place = member;
    while (vptr__parser_kind(parser) == '[') {
      vptr__expression *index = make_expression(parser, VPTR__EXPRESSION_INDEX, vptr__parser_take(parser).position);
      index->operands[0] = place;
      index->operands[1] = vptr__expression_read(parser);
      vptr__parser_expect(parser, ']', "behind the index");
      place = index;
    }
  } while (vptr__parser_accept(parser, '.'));
  vptr__parser_expect(parser, ')', "behind the member of offsetof");
  expression->operands[0] = place;
  return expression;
}

static vptr__expression *read_name(vptr__parser *parser) {
  const vptr__token *token = vptr__parser_token(parser);
  vptr__written_name written = vptr__name_look(parser, parser->at);
  vptr__declaration *declaration = written.declaration;
  if (written.name == NULL)
    return refuse_operand(parser, "expected a name behind ::");
  vptr__expression *texel = declaration == NULL ? vptr__texture_call(parser) : NULL;
  if (texel != NULL)
    return texel;
  if (declaration != NULL && declaration->reference != NULL && declaration->reference->dimensions != 0)
    return refuse_operand(parser,
                          "a texture or surface reference is named where one reads or writes by it alone: as in "
                          "tex2D(image, x, y)");
  if (declaration == NULL && parser->function_name != NULL && is_function_name(token)) {
    vptr__parser_take(parser);
    return make_string(parser, parser->function_name, (uint32_t)strlen(parser->function_name), token->position);
  }
  if (declaration == NULL &&
      (vptr__parser_is_text(token, "__builtin_offsetof") || vptr__parser_is_text(token, "offsetof")))
    return read_offsetof(parser);
  if (declaration != NULL && (declaration->flags & VPTR__BUILT_IN))
    vptr__built_in_complete(parser, declaration);
  else if (declaration != NULL && declaration->type == NULL && declaration->kind != VPTR__DECLARATION_FUNCTION)
    vptr__name_refuse_host(parser, &written);
  else if (is_template(parser, &written))
    vptr__parser_error(parser, written.position,
                       "'%s<...>' is a template: these are not supported yet; write the function "
                       "for the type, or its name without <...>",
                       written.name->text);
  vptr__expression *expression = make_expression(parser, VPTR__EXPRESSION_NAME, written.position);
  expression->name = written.name;
  expression->declaration = declaration;
  expression->scope = written.scope;
  if (!parser->is_panicking)
    parser->at = written.end;
  return expression;
}

/* T(a), T{a, b} */
static vptr__expression *read_functional(vptr__parser *parser) {
  vptr__specifiers specifiers;
  vptr__position position = vptr__parser_position(parser);
  vptr__specifiers_read(parser, &specifiers);
  if (vptr__parser_kind(parser) != '(' && vptr__parser_kind(parser) != '{')
    vptr__parser_unexpected(parser, "( behind a type");
  return vptr__expression_construct(parser, specifiers.type, position);
}

/* ---- parentheses and casts by name ----------------------------------------------------------------------- */

static vptr__expression *read_parentheses(vptr__parser *parser) {
  if (vptr__parser_kind_at(parser, 1) == '{')
    return refuse_operand(parser, "statements in an expression are not supported; write a __device__ function");
  vptr__parser_take(parser);
  vptr__expression *expression = vptr__expression_read(parser);
  vptr__parser_expect(parser, ')', "behind the expression");
  expression->is_parenthesized = true;
  return expression;
}

static vptr__expression *read_named_cast(vptr__parser *parser, vptr__cast cast) {
  vptr__expression *expression = make_expression(parser, VPTR__EXPRESSION_CAST, vptr__parser_take(parser).position);
  expression->cast = cast;
  vptr__parser_expect(parser, '<', "behind the cast");
  expression->written_type = vptr__declarator_type_id(parser);
  vptr__parser_expect(parser, '>', "behind the type of the cast");
  vptr__parser_expect(parser, '(', "before what is cast");
  expression->operands[0] = vptr__expression_read(parser);
  vptr__parser_expect(parser, ')', "behind what is cast");
  return expression;
}

static const char *refusal_of(int kind) {
  switch (kind) {
  case VPTR__KEYWORD_DYNAMIC_CAST:
  case VPTR__KEYWORD_TYPEID:
    return "types are not known at run time on a device; keep an enum beside the value";
  case VPTR__KEYWORD_THIS:
    return "there is no this in device code, since structs have no functions yet; pass the struct as an argument";
  case VPTR__KEYWORD_NEW:
  case VPTR__KEYWORD_DELETE:
    return "new and delete are not supported in kernels; allocate by cudaMalloc() before the launch and pass the "
           "pointer";
  case VPTR__KEYWORD_THROW:
    return "exceptions do not exist in device code; write an error code to memory, or use assert()";
  case VPTR__KEYWORD_ASM:
    return "asm is not supported; use CUDA's functions";
  case '[':
    return "lambdas are not supported yet; write a __device__ function";
  case VPTR__KEYWORD_OPERATOR:
    return "an operator function is called by its operator here";
  default:
    return NULL;
  }
}

vptr__expression *vptr__expression_primary(vptr__parser *parser) {
  int kind = vptr__parser_kind(parser);
  switch (kind) {
  case VPTR__TOKEN_NUMBER:
  case VPTR__TOKEN_CHARACTER:
    return read_number(parser);
  case VPTR__TOKEN_STRING:
    return read_string(parser);
  case VPTR__KEYWORD_TRUE:
  case VPTR__KEYWORD_FALSE:
  case VPTR__KEYWORD_NULLPTR:
    return read_constant(parser);
  case '(':
    return read_parentheses(parser);
  case VPTR__KEYWORD_STATIC_CAST:
    return read_named_cast(parser, VPTR__CAST_STATIC);
  case VPTR__KEYWORD_REINTERPRET_CAST:
    return read_named_cast(parser, VPTR__CAST_REINTERPRET);
  case VPTR__KEYWORD_CONST_CAST:
    return read_named_cast(parser, VPTR__CAST_CONST);
  default:
    break;
  }
  if (refusal_of(kind) != NULL)
    return refuse_operand(parser, refusal_of(kind));
  if (vptr__name_is_type(parser, parser->at))
    return read_functional(parser);
  if (kind == VPTR__TOKEN_NAME || kind == VPTR__TOKEN_SCOPE)
    return read_name(parser);
  vptr__parser_unexpected(parser, "an expression");
  return vptr__expression_error(parser);
}

/* ---- behind an operand ----------------------------------------------------------------------------------- */

static vptr__expression *read_call(vptr__parser *parser, vptr__expression *function) {
  vptr__expression *call = make_expression(parser, VPTR__EXPRESSION_CALL, function->position);
  vptr__parser_take(parser);
  call->operands[0] = function;
  call->arguments = vptr__expression_list(parser, ')');
  return call;
}

static vptr__expression *read_index(vptr__parser *parser, vptr__expression *array) {
  vptr__expression *index = make_expression(parser, VPTR__EXPRESSION_INDEX, vptr__parser_take(parser).position);
  index->operands[0] = array;
  index->operands[1] = vptr__expression_read(parser);
  vptr__parser_expect(parser, ']', "behind the index");
  return index;
}

static vptr__expression *read_member(vptr__parser *parser, vptr__expression *record) {
  vptr__token token = vptr__parser_take(parser);
  vptr__expression *member = make_expression(parser, VPTR__EXPRESSION_MEMBER, vptr__parser_position(parser));
  member->is_arrow = token.kind == VPTR__TOKEN_ARROW;
  member->operands[0] = record;
  if (vptr__parser_kind(parser) == '*')
    return refuse_operand(parser, "pointers to members are not supported");
  if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
    vptr__parser_unexpected(parser, "the name of a member");
  member->name = vptr__parser_take(parser).name;
  return member;
}

static vptr__expression *read_postfix(vptr__parser *parser, vptr__expression *operand) {
  vptr__token token = vptr__parser_take(parser);
  vptr__expression *expression = make_expression(parser, VPTR__EXPRESSION_UNARY, token.position);
  expression->op = token.kind;
  expression->is_postfix = true;
  expression->declaration = vptr__name_operator_functions(parser, token.kind);
  expression->operands[0] = operand;
  return expression;
}

vptr__expression *vptr__expression_operand(vptr__parser *parser) {
  return vptr__expression_behind(parser, vptr__expression_primary(parser));
}

vptr__expression *vptr__expression_behind(vptr__parser *parser, vptr__expression *operand) {
  for (;;) {
    switch (vptr__parser_kind(parser)) {
    case '(':
      operand = read_call(parser, operand);
      break;
    case '[':
      operand = read_index(parser, operand);
      break;
    case '.':
    case VPTR__TOKEN_ARROW:
      operand = read_member(parser, operand);
      break;
    case VPTR__TOKEN_INCREMENT:
    case VPTR__TOKEN_DECREMENT:
      operand = read_postfix(parser, operand);
      break;
    case VPTR__TOKEN_LAUNCH_BEGIN:
      operand = vptr__launch_read(parser, operand);
      break;
    default:
      return operand;
    }
  }
}
