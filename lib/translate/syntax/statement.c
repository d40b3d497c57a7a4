/* SPDX-License-Identifier: MIT */
/*
 * statement - what stands in a function's body.
 *
 * Here the parser recovers: a statement that cannot be read is left behind its `;` or its braces, so that one run finds
 * more errors than one.
 */
#include "translate/syntax/state.h"

static vptr__statement *make_statement(vptr__parser *parser, vptr__statement_kind kind, vptr__position position) {
  vptr__statement *statement = vptr__parser_new(parser, sizeof *statement);
  statement->kind = kind;
  statement->position = position;
  return statement;
}

static void open_scope(vptr__parser *parser) {
  vptr__scope_enter(parser, vptr__scope_new(parser, VPTR__SCOPE_BLOCK, NULL));
}

/* Behind the broken statement that began at `begin`: past its ; or braces, not past the block's }. A ; in parentheses
 * ends it too, since the ) may be what is missing; but for has two. */
static size_t end_of(const vptr__parser *parser, size_t begin) {
  bool is_for = parser->tokens[begin].kind == VPTR__KEYWORD_FOR;
  int depth = 0;
  size_t at = begin;
  while (at < parser->count) {
    int kind = parser->tokens[at].kind;
    if (kind == '}')
      return at;
    at = kind == '{' ? vptr__skip_balanced(parser, at) : at + 1;
    depth += (kind == '(') - (kind == ')');
    bool is_end = (kind == '{' && depth <= 0) || (kind == ';' && depth <= (is_for ? 0 : depth));
    if (is_end && at > parser->at)
      return at;
  }
  return at;
}

static void recover_statement(vptr__parser *parser, size_t begin) {
  vptr__parser_calm(parser);
  if (parser->is_panicking)
    return;
  size_t end = end_of(parser, begin);
  parser->at = end > parser->at ? end : parser->at;
  vptr__parser_accept(parser, VPTR__KEYWORD_ELSE);
}

/* ---- conditions ------------------------------------------------------------------------------------------ */

/* The condition of if, while, switch, and the ) behind it. if and switch may have a statement before it. */
static void read_condition(vptr__parser *parser, vptr__statement *statement, bool may_begin) {
  bool is_declaration = vptr__name_is_declaration(parser);
  if (may_begin && is_declaration) {
    /* which of both it is shows behind the first declarator: a ; or the ) */
    size_t at = parser->at;
    while (at < parser->count && parser->tokens[at].kind != ';' && parser->tokens[at].kind != ')')
      at = parser->tokens[at].kind == '(' || parser->tokens[at].kind == '[' || parser->tokens[at].kind == '{'
               ? vptr__skip_balanced(parser, at)
               : at + 1;
    if (parser->tokens[at].kind == ';') {
      statement->first = make_statement(parser, VPTR__STATEMENT_DECLARATION, vptr__parser_position(parser));
      statement->first->declarations = vptr__declaration_local(parser);
      is_declaration = vptr__name_is_declaration(parser);
    }
  }
  if (is_declaration)
    statement->declarations = vptr__declaration_condition(parser);
  else if (!may_begin || !vptr__parser_accept(parser, ';'))
    statement->expression = vptr__expression_read(parser);
  if (may_begin && statement->first == NULL && statement->expression != NULL && vptr__parser_accept(parser, ';')) {
    statement->first = make_statement(parser, VPTR__STATEMENT_EXPRESSION, statement->expression->position);
    statement->first->expression = statement->expression;
    statement->expression = NULL;
  }
  if (statement->expression == NULL && statement->declarations == NULL) {
    if (vptr__name_is_declaration(parser))
      statement->declarations = vptr__declaration_condition(parser);
    else
      statement->expression = vptr__expression_read(parser);
  }
  vptr__parser_expect(parser, ')', "behind the condition");
}

/* ---- statements with statements inside ------------------------------------------------------------------- */

static vptr__statement *read_body(vptr__parser *parser) {
  open_scope(parser);
  vptr__statement *body = vptr__statement_read(parser);
  vptr__scope_leave(parser);
  return body;
}

static vptr__statement *read_if(vptr__parser *parser) {
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_IF, vptr__parser_take(parser).position);
  open_scope(parser);
  vptr__parser_accept(parser, VPTR__KEYWORD_CONSTEXPR); /* without templates both branches must be right anyway */
  vptr__parser_expect(parser, '(', "behind if");
  read_condition(parser, statement, true);
  statement->body = read_body(parser);
  if (vptr__parser_accept(parser, VPTR__KEYWORD_ELSE))
    statement->otherwise = read_body(parser);
  vptr__scope_leave(parser);
  return statement;
}

static vptr__statement *read_while(vptr__parser *parser, vptr__statement_kind kind) {
  vptr__statement *statement = make_statement(parser, kind, vptr__parser_take(parser).position);
  bool is_switch = kind == VPTR__STATEMENT_SWITCH;
  open_scope(parser);
  vptr__parser_expect(parser, '(', is_switch ? "behind switch" : "behind while");
  read_condition(parser, statement, is_switch);
  statement->body = read_body(parser);
  vptr__scope_leave(parser);
  return statement;
}

static vptr__statement *read_do(vptr__parser *parser) {
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_DO, vptr__parser_take(parser).position);
  statement->body = read_body(parser);
  vptr__parser_expect(parser, VPTR__KEYWORD_WHILE, "behind the body of do");
  vptr__parser_expect(parser, '(', "behind while");
  statement->expression = vptr__expression_read(parser);
  vptr__parser_expect(parser, ')', "behind the condition");
  vptr__parser_expect(parser, ';', "behind do ... while");
  return statement;
}

/* The first part of for, with its ; */
static vptr__statement *read_for_begin(vptr__parser *parser) {
  vptr__position position = vptr__parser_position(parser);
  if (vptr__parser_accept(parser, ';'))
    return NULL;
  bool is_declaration = vptr__name_is_declaration(parser);
  vptr__statement *first =
      make_statement(parser, is_declaration ? VPTR__STATEMENT_DECLARATION : VPTR__STATEMENT_EXPRESSION, position);
  if (is_declaration) {
    first->declarations = vptr__declaration_local(parser);
  } else {
    first->expression = vptr__expression_read(parser);
    vptr__parser_expect(parser, ';', "behind the first part of for");
  }
  return first;
}

/* for (T x : range), also auto & and auto && */
static bool is_range(const vptr__parser *parser) {
  size_t questions = 0;
  for (size_t at = parser->at; at < parser->count;) {
    int kind = parser->tokens[at].kind;
    if (kind == ';' || kind == ')')
      return false;
    questions += kind == '?';
    if (kind == ':' && questions-- == 0)
      return true;
    at = kind == '(' || kind == '[' || kind == '{' ? vptr__skip_balanced(parser, at) : at + 1;
  }
  return false;
}

static vptr__statement *read_for(vptr__parser *parser) {
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_FOR, vptr__parser_take(parser).position);
  open_scope(parser);
  vptr__parser_expect(parser, '(', "behind for");
  if (!parser->is_panicking && is_range(parser))
    vptr__parser_error(parser, statement->position, "for over a range is not supported; count with an index");
  statement->first = read_for_begin(parser);
  if (vptr__parser_kind(parser) != ';')
    statement->expression = vptr__expression_read(parser);
  vptr__parser_expect(parser, ';', "behind the condition of for");
  if (vptr__parser_kind(parser) != ')')
    statement->step = vptr__expression_read(parser);
  vptr__parser_expect(parser, ')', "behind the parts of for");
  statement->body = read_body(parser);
  vptr__scope_leave(parser);
  return statement;
}

static vptr__statement *read_block(vptr__parser *parser) {
  open_scope(parser);
  vptr__statement *block = vptr__statement_block(parser);
  vptr__scope_leave(parser);
  return block;
}

/* ---- labels and jumps ------------------------------------------------------------------------------------ */

/* What a label stands before: nothing, if the block ends there. */
static vptr__statement *read_labelled(vptr__parser *parser) {
  if (vptr__parser_kind(parser) == '}')
    return make_statement(parser, VPTR__STATEMENT_EMPTY, vptr__parser_position(parser));
  return vptr__statement_read(parser);
}

static vptr__statement *read_case(vptr__parser *parser) {
  vptr__token token = vptr__parser_take(parser);
  bool is_default = token.kind == VPTR__KEYWORD_DEFAULT;
  vptr__statement *statement =
      make_statement(parser, is_default ? VPTR__STATEMENT_DEFAULT : VPTR__STATEMENT_CASE, token.position);
  if (!is_default)
    statement->expression = vptr__expression_conditional(parser);
  if (vptr__parser_kind(parser) == VPTR__TOKEN_ELLIPSIS)
    vptr__parser_error(parser, vptr__parser_position(parser),
                       "ranges of cases are not C++; write a case for each value");
  vptr__parser_expect(parser, ':', is_default ? "behind default" : "behind the value of case");
  statement->body = read_labelled(parser);
  return statement;
}

static vptr__statement *read_label(vptr__parser *parser) {
  vptr__specifiers ignored = { 0 };
  vptr__token token = vptr__parser_take(parser);
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_LABEL, token.position);
  statement->label = token.name;
  vptr__parser_take(parser);
  vptr__specifiers_attributes(parser, &ignored);
  statement->body = read_labelled(parser);
  return statement;
}

static vptr__statement *read_jump(vptr__parser *parser, vptr__statement_kind kind) {
  vptr__statement *statement = make_statement(parser, kind, vptr__parser_take(parser).position);
  if (kind == VPTR__STATEMENT_GOTO) {
    if (vptr__parser_kind(parser) == '*')
      vptr__parser_error(parser, statement->position, "goto needs a label's name; use switch");
    if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
      vptr__parser_unexpected(parser, "the label's name");
    statement->label = vptr__parser_take(parser).name;
  }
  if (kind == VPTR__STATEMENT_RETURN && vptr__parser_kind(parser) == '{')
    statement->expression = vptr__expression_braces(parser);
  else if (kind == VPTR__STATEMENT_RETURN && vptr__parser_kind(parser) != ';')
    statement->expression = vptr__expression_read(parser);
  vptr__parser_expect(parser, ';', "behind the statement");
  return statement;
}

/* ---- the rest -------------------------------------------------------------------------------------------- */

/* `Unknown x;`: an expression to the grammar, a mistake about a type to people. */
static bool is_unknown_type(vptr__parser *parser) {
  if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
    return false;
  vptr__written_name written = vptr__name_look(parser, parser->at);
  return written.name != NULL && (written.declaration == NULL || (written.declaration->flags & VPTR__HOST_ONLY)) &&
         parser->tokens[written.end].kind == VPTR__TOKEN_NAME;
}

static vptr__statement *read_plain(vptr__parser *parser) {
  vptr__position position = vptr__parser_position(parser);
  if (vptr__name_is_declaration(parser) || is_unknown_type(parser)) {
    vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_DECLARATION, position);
    statement->declarations = vptr__declaration_local(parser);
    return statement;
  }
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_EXPRESSION, position);
  statement->expression = vptr__expression_read(parser);
  vptr__parser_expect(parser, ';', "behind the statement");
  return statement;
}

static vptr__statement *read_static_assert(vptr__parser *parser) {
  vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_DECLARATION, vptr__parser_position(parser));
  statement->declarations = vptr__declaration_static_assert(parser);
  return statement;
}

/* using T = ...; using namespace a; using a::b; */
static vptr__statement *read_using(vptr__parser *parser) {
  vptr__position position = vptr__parser_position(parser);
  if (vptr__parser_kind_at(parser, 1) == VPTR__TOKEN_NAME && vptr__parser_kind_at(parser, 2) != VPTR__TOKEN_SCOPE) {
    vptr__statement *statement = make_statement(parser, VPTR__STATEMENT_DECLARATION, position);
    vptr__parser_take(parser);
    statement->declarations = vptr__declaration_alias(parser);
    return statement;
  }
  vptr__namespace_using(parser, false);
  return make_statement(parser, VPTR__STATEMENT_EMPTY, position);
}

static vptr__statement *read_unrolled(vptr__parser *parser) {
  vptr__token token = vptr__parser_take(parser);
  vptr__statement *statement = vptr__statement_read(parser);
  if (statement->kind == VPTR__STATEMENT_FOR || statement->kind == VPTR__STATEMENT_WHILE ||
      statement->kind == VPTR__STATEMENT_DO)
    statement->unroll = vptr__arena_copy(parser->arena, token.text, token.length);
  return statement;
}

static vptr__statement *refuse_statement(vptr__parser *parser, const char *text) {
  vptr__position position = vptr__parser_position(parser);
  vptr__parser_error(parser, position, "%s", text);
  return make_statement(parser, VPTR__STATEMENT_EMPTY, position);
}

static vptr__statement *read_any(vptr__parser *parser) {
  switch (vptr__parser_kind(parser)) {
  case '{':
    return read_block(parser);
  case ';':
    return make_statement(parser, VPTR__STATEMENT_EMPTY, vptr__parser_take(parser).position);
  case VPTR__KEYWORD_IF:
    return read_if(parser);
  case VPTR__KEYWORD_WHILE:
    return read_while(parser, VPTR__STATEMENT_WHILE);
  case VPTR__KEYWORD_SWITCH:
    return read_while(parser, VPTR__STATEMENT_SWITCH);
  case VPTR__KEYWORD_DO:
    return read_do(parser);
  case VPTR__KEYWORD_FOR:
    return read_for(parser);
  case VPTR__KEYWORD_CASE:
  case VPTR__KEYWORD_DEFAULT:
    return read_case(parser);
  case VPTR__KEYWORD_BREAK:
    return read_jump(parser, VPTR__STATEMENT_BREAK);
  case VPTR__KEYWORD_CONTINUE:
    return read_jump(parser, VPTR__STATEMENT_CONTINUE);
  case VPTR__KEYWORD_RETURN:
    return read_jump(parser, VPTR__STATEMENT_RETURN);
  case VPTR__KEYWORD_GOTO:
    return read_jump(parser, VPTR__STATEMENT_GOTO);
  case VPTR__KEYWORD_STATIC_ASSERT:
    return read_static_assert(parser);
  case VPTR__KEYWORD_USING:
    return read_using(parser);
  case VPTR__TOKEN_PRAGMA_UNROLL:
    return read_unrolled(parser);
  case VPTR__KEYWORD_TRY:
    return refuse_statement(parser,
                            "exceptions do not exist in device code; write an error code to memory, or use assert()");
  case VPTR__KEYWORD_NAMESPACE:
    return refuse_statement(parser, "write the whole name instead of a namespace's alias inside of a function");
  case VPTR__TOKEN_NAME:
    if (vptr__parser_kind_at(parser, 1) == ':')
      return read_label(parser);
    return read_plain(parser);
  default:
    return read_plain(parser);
  }
}

vptr__statement *vptr__statement_read(vptr__parser *parser) {
  vptr__arena_enter(parser->arena);
  vptr__specifiers ignored = { 0 };
  if (vptr__parser_kind(parser) == '[' && vptr__parser_kind_at(parser, 1) == '[')
    vptr__specifiers_attributes(parser, &ignored); /* [[fallthrough]]; [[maybe_unused]] int x; */
  vptr__statement *statement = read_any(parser);
  vptr__arena_leave(parser->arena);
  return statement;
}

vptr__statement *vptr__statement_block(vptr__parser *parser) {
  vptr__statement *block = make_statement(parser, VPTR__STATEMENT_BLOCK, vptr__parser_position(parser));
  vptr__statement **link = &block->first;
  vptr__parser_expect(parser, '{', "before the statements");
  while (vptr__parser_kind(parser) != '}' && vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    size_t begin = parser->at;
    *link = vptr__statement_read(parser);
    link = &(*link)->next;
    if (parser->is_panicking)
      recover_statement(parser, begin);
  }
  vptr__parser_expect(parser, '}', "behind the statements");
  return block;
}
