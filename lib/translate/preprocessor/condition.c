/* SPDX-License-Identifier: MIT */
/*
 * condition - the expressions of #if: 64 bits, signed or unsigned, with all operators that C++ has for them.
 *
 * What && || ?: do not evaluate may divide by zero; so each part is told whether it counts.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

#include "translate/lexer/literal.h"

typedef struct value {
  uint64_t bits;
  bool is_unsigned;
} value;

typedef struct reader {
  vptr__preprocessor *preprocessor;
  vptr__position position;
  vptr__token token; /* the next */
  bool has_failed;
} reader;

static void advance_reader(reader *reader) {
  reader->token = vptr__expand_next(reader->preprocessor);
  if (reader->token.kind == VPTR__TOKEN_NAME && reader->token.name->keyword != 0 &&
      reader->token.name->keyword < VPTR__TOKEN_KEYWORD_FIRST)
    reader->token.kind = reader->token.name->keyword; /* and, not, ... */
}

/* Once: what follows a mistake means nothing. */
static value fail_condition(reader *reader, const char *what) {
  if (!reader->has_failed)
    vptr__source_report(reader->preprocessor->source, VPTR__ERROR, reader->position, "#if: %s", what);
  reader->has_failed = true;
  return (value){ 0, false };
}

static value of_bool(bool holds) {
  return (value){ holds, false };
}

/* ---- operands -------------------------------------------------------------------------------------------- */

/* All integers have 64 bits here: 0x80000000, an unsigned number elsewhere, is a signed one unless it says u. */
static value read_number(reader *reader) {
  vptr__literal literal;
  const vptr__token *token = &reader->token;
  bool has_suffix =
      memchr(token->text, 'u', token->length) != NULL || memchr(token->text, 'U', token->length) != NULL;
  if (!vptr__literal_read(reader->preprocessor->source, &reader->token, &literal)) {
    reader->has_failed = true;
    return of_bool(false);
  }
  advance_reader(reader);
  if (literal.type == VPTR__LITERAL_FLOAT || literal.type == VPTR__LITERAL_DOUBLE)
    return fail_condition(reader, "floating numbers do not count here");
  return (value){ literal.integer,
                  literal.type != VPTR__LITERAL_CHAR && (has_suffix || literal.integer > INT64_MAX) };
}

/* defined NAME, defined(NAME): the name is not expanded. */
static value read_defined(reader *reader) {
  vptr__token name = vptr__expand_raw(reader->preprocessor);
  bool is_open = name.kind == '(';
  if (is_open)
    name = vptr__expand_raw(reader->preprocessor);
  if (name.kind != VPTR__TOKEN_NAME)
    return fail_condition(reader, "defined needs a name");
  if (is_open && vptr__expand_raw(reader->preprocessor).kind != ')')
    return fail_condition(reader, "defined(NAME has no closing )");
  advance_reader(reader);
  return of_bool(name.name->macro != NULL);
}

static value read_has_include(reader *reader) {
  bool exists = vptr__include_exists(reader->preprocessor);
  advance_reader(reader);
  return of_bool(exists);
}

static value read_name(reader *reader) {
  const vptr__name *name = reader->token.name;
  const vptr__macro *macro = name->macro;
  if (strcmp(name->text, "defined") == 0)
    return read_defined(reader);
  if (macro != NULL && macro->special == VPTR__SPECIAL_HAS_INCLUDE)
    return read_has_include(reader);
  advance_reader(reader);
  if (reader->token.kind == '(' && !reader->has_failed)
    return fail_condition(reader, vptr__arena_format(reader->preprocessor->arena,
                                                     "%.60s is no macro that takes arguments", name->text));
  return of_bool(strcmp(name->text, "true") == 0);
}

static value read_expression(reader *reader, int lowest, bool counts);
static value read_conditional(reader *reader, bool counts);

static value read_parenthesis(reader *reader, bool counts) {
  advance_reader(reader);
  value inner = read_conditional(reader, counts);
  if (reader->token.kind != ')')
    return fail_condition(reader, "a closing ) is missing");
  advance_reader(reader);
  return inner;
}

static value read_sign(reader *reader, bool counts) {
  int operator= reader->token.kind;
  advance_reader(reader);
  enum { UNARY = 100 };
  value operand = read_expression(reader, UNARY, counts);
  if (operator== '!')
    return of_bool(operand.bits == 0);
  if (operator== '-')
    operand.bits = -operand.bits;
  else if (operator== '~')
    operand.bits = ~operand.bits;
  return operand;
}

static value read_operand(reader *reader, bool counts) {
  switch (reader->token.kind) {
  case VPTR__TOKEN_NUMBER:
  case VPTR__TOKEN_CHARACTER:
    return read_number(reader);
  case VPTR__TOKEN_NAME:
    return read_name(reader);
  case '(':
    return read_parenthesis(reader, counts);
  case '!':
  case '-':
  case '~':
  case '+':
    return read_sign(reader, counts);
  case VPTR__TOKEN_END:
    return fail_condition(reader, "an operand is missing at its end");
  default:
    return fail_condition(reader, vptr__arena_format(reader->preprocessor->arena, "an operand must stand before %.*s",
                                                     reader->token.length > 40 ? 40 : (int)reader->token.length,
                                                     reader->token.text));
  }
}

/* ---- operators ------------------------------------------------------------------------------------------- */

static value divide_values(reader *reader, int operator, value left, value right, bool counts) {
  bool is_unsigned = left.is_unsigned;
  if (right.bits == 0)
    return counts ? fail_condition(reader, "a division by zero") : of_bool(false);
  if (is_unsigned)
    return (value){ operator== '/' ? left.bits / right.bits : left.bits % right.bits, true };
  if ((int64_t)right.bits == -1) /* the one quotient that may not fit */
    return (value){ operator== '/' ? -left.bits : 0, false };
  int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
  return (value){ (uint64_t)(operator== '/' ? a / b : a % b), false };
}

/* Counts of 64 and more, or below zero, are undefined in C: here they shift all bits out. */
static value shift_value(int operator, value left, value right) {
  bool is_left = operator== VPTR__TOKEN_SHIFT_LEFT;
  bool is_negative = !left.is_unsigned && (int64_t)left.bits < 0;
  uint64_t sign = is_negative && !is_left ? UINT64_MAX : 0;
  if (right.bits >= 64)
    return (value){ sign, left.is_unsigned };
  if (is_left)
    return (value){ left.bits << right.bits, left.is_unsigned };
  uint64_t filled = right.bits == 0 ? 0 : sign << (64 - right.bits);
  return (value){ left.bits >> right.bits | filled, left.is_unsigned };
}

static bool compare_values(int operator, value left, value right) {
  int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
  bool is_less = left.is_unsigned ? left.bits < right.bits : a < b;
  bool is_equal = left.bits == right.bits;
  switch (operator) {
  case '<':
    return is_less;
  case '>':
    return !is_less && !is_equal;
  case VPTR__TOKEN_LESS_EQUAL:
    return is_less || is_equal;
  case VPTR__TOKEN_GREATER_EQUAL:
    return !is_less;
  default:
    return is_equal == (operator== VPTR__TOKEN_EQUAL);
  }
}

static value apply_operator(reader *reader, int operator, value left, value right, bool counts) {
  if (operator== VPTR__TOKEN_SHIFT_LEFT || operator== VPTR__TOKEN_SHIFT_RIGHT)
    return shift_value(operator, left, right);
  left.is_unsigned = right.is_unsigned = left.is_unsigned || right.is_unsigned;
  switch (operator) {
  case '*':
    left.bits *= right.bits;
    return left;
  case '+':
    left.bits += right.bits;
    return left;
  case '-':
    left.bits -= right.bits;
    return left;
  case '&':
    left.bits &= right.bits;
    return left;
  case '^':
    left.bits ^= right.bits;
    return left;
  case '|':
    left.bits |= right.bits;
    return left;
  case '/':
  case '%':
    return divide_values(reader, operator, left, right, counts);
  default:
    return of_bool(compare_values(operator, left, right));
  }
}

/* Operators that bind at least as `lowest`. */
static value read_expression(reader *reader, int lowest, bool counts) {
  vptr__arena_enter(reader->preprocessor->arena);
  value left = read_operand(reader, counts);
  for (int level;
       !reader->has_failed && (level = vptr__token_precedence(reader->token.kind)) >= lowest && level > 0;) {
    int operator= reader->token.kind;
    advance_reader(reader);
    if (operator== VPTR__TOKEN_AND_AND) {
      bool right = read_expression(reader, level + 1, counts && left.bits != 0).bits != 0;
      left = of_bool(left.bits != 0 && right);
    } else if (operator== VPTR__TOKEN_OR_OR) {
      bool right = read_expression(reader, level + 1, counts && left.bits == 0).bits != 0;
      left = of_bool(left.bits != 0 || right);
    } else {
      value right = read_expression(reader, level + 1, counts);
      left = apply_operator(reader, operator, left, right, counts);
    }
  }
  vptr__arena_leave(reader->preprocessor->arena);
  return left;
}

static value read_conditional(reader *reader, bool counts) {
  vptr__arena_enter(reader->preprocessor->arena);
  value chosen = read_expression(reader, 1, counts);
  if (!reader->has_failed && reader->token.kind == '?') {
    bool holds = chosen.bits != 0;
    advance_reader(reader);
    value first = read_conditional(reader, counts && holds), second = of_bool(false);
    if (reader->token.kind != ':') {
      fail_condition(reader, "? needs a :");
    } else {
      advance_reader(reader);
      second = read_conditional(reader, counts && !holds);
    }
    chosen = (value){ holds ? first.bits : second.bits, first.is_unsigned || second.is_unsigned };
  }
  vptr__arena_leave(reader->preprocessor->arena);
  return chosen;
}

bool vptr__condition_read(vptr__preprocessor *preprocessor, vptr__position position) {
  reader reader = { .preprocessor = preprocessor, .position = position };
  advance_reader(&reader);
  if (reader.token.kind == VPTR__TOKEN_END) {
    fail_condition(&reader, "the condition is missing");
    return false;
  }
  value condition = read_conditional(&reader, true);
  if (!reader.has_failed && reader.token.kind != VPTR__TOKEN_END)
    fail_condition(&reader,
                   vptr__arena_format(preprocessor->arena, "an operator is missing before %.*s",
                                      reader.token.length > 40 ? 40 : (int)reader.token.length, reader.token.text));
  return !reader.has_failed && condition.bits != 0;
}
