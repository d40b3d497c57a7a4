/* SPDX-License-Identifier: MIT */
/*
 * cursor - the place in the tokens, errors, and attempts that can be taken back.
 *
 * In panic the current token reads as END: see state.h.
 */
#include <stdarg.h>
#include <string.h>

#include "translate/lexer/literal.h"
#include "translate/syntax/state.h"

const vptr__token *vptr__parser_token(const vptr__parser *parser) {
  return &parser->tokens[parser->at];
}

int vptr__parser_kind(const vptr__parser *parser) {
  return parser->is_panicking ? VPTR__TOKEN_END : parser->tokens[parser->at].kind;
}

int vptr__parser_kind_at(const vptr__parser *parser, size_t ahead) {
  if (parser->is_panicking || ahead > parser->count - parser->at)
    return VPTR__TOKEN_END;
  return parser->tokens[parser->at + ahead].kind;
}

vptr__position vptr__parser_position(const vptr__parser *parser) {
  return parser->tokens[parser->at].position;
}

vptr__token vptr__parser_take(vptr__parser *parser) {
  vptr__token token = parser->tokens[parser->at];
  if (parser->is_panicking)
    token.kind = VPTR__TOKEN_END;
  else if (parser->at < parser->count)
    parser->at++;
  return token;
}

bool vptr__parser_accept(vptr__parser *parser, int kind) {
  if (vptr__parser_kind(parser) != kind || kind == VPTR__TOKEN_END)
    return false;
  parser->at++;
  return true;
}

bool vptr__parser_is_text(const vptr__token *token, const char *text) {
  return strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}

void *vptr__parser_new(vptr__parser *parser, size_t size) {
  return vptr__arena_allocate(parser->arena, size);
}

const char *vptr__parser_where(vptr__parser *parser, vptr__position position) {
  vptr__place place = vptr__source_place(parser->source, position);
  if (place.file == NULL)
    return "<built in>";
  return vptr__arena_format(parser->arena, "%s:%u", place.file, place.line);
}

void vptr__parser_error(vptr__parser *parser, vptr__position position, const char *format, ...) {
  if (parser->is_panicking)
    return;
  parser->is_panicking = true;
  va_list arguments;
  va_start(arguments, format);
  const char *text = vptr__arena_format_list(parser->arena, format, arguments);
  va_end(arguments);
  if (parser->attempts > 0 && parser->reason == NULL)
    parser->reason = text;
  if (parser->first_error == NULL)
    parser->first_error = text;
  vptr__source_report(parser->source, VPTR__ERROR, position, "%s", text);
}

/* The token as it is written, short. */
static const char *spell_token(vptr__parser *parser, const vptr__token *token) {
  enum { LONGEST = 40 };
  if (token->kind == VPTR__TOKEN_END)
    return "the end of the file";
  if (token->kind == VPTR__TOKEN_PRAGMA_UNROLL)
    return "'#pragma unroll'";
  int length = (int)(token->length < LONGEST ? token->length : LONGEST);
  return vptr__arena_format(parser->arena, "'%.*s'%s", length, token->text, length == LONGEST ? "..." : "");
}

void vptr__parser_unexpected(vptr__parser *parser, const char *wanted) {
  if (!parser->is_panicking)
    vptr__parser_error(parser, vptr__parser_position(parser), "expected %s before %s", wanted,
                       spell_token(parser, vptr__parser_token(parser)));
}

bool vptr__parser_expect(vptr__parser *parser, int kind, const char *where) {
  if (vptr__parser_accept(parser, kind))
    return true;
  if (!parser->is_panicking)
    vptr__parser_error(parser, vptr__parser_position(parser), "expected '%s' %s, but there is %s",
                       vptr__token_kind_text(kind), where, spell_token(parser, vptr__parser_token(parser)));
  return false;
}

bool vptr__parser_at_launch_end(const vptr__parser *parser) {
  return vptr__parser_kind(parser) == VPTR__TOKEN_SHIFT_RIGHT && vptr__parser_kind_at(parser, 1) == '>';
}

void vptr__parser_calm(vptr__parser *parser) {
  if (parser->attempts == 0)
    parser->is_panicking = false;
}

vptr__attempt vptr__attempt_begin(vptr__parser *parser) {
  vptr__attempt attempt = { parser->at, vptr__source_errors(parser->source), parser->scope->bindings,
                            parser->unit->last };
  if (parser->attempts++ == 0 || parser->reason == NULL)
    parser->cause = NULL;
  parser->reason = NULL;
  vptr__source_silence(parser->source);
  return attempt;
}

static void take_back(vptr__parser *parser, const vptr__attempt *attempt) {
  parser->at = attempt->at;
  vptr__scope_unbind_to(parser->scope, attempt->bindings);
  parser->unit->last = attempt->last;
  if (attempt->last == NULL)
    parser->unit->declarations = NULL;
  else
    attempt->last->next = NULL;
}

/* Other passes' errors count as well: a literal that cannot be read fails the attempt without a panic. */
bool vptr__attempt_end(vptr__parser *parser, vptr__attempt attempt) {
  bool is_good = !parser->is_panicking && vptr__source_errors(parser->source) == attempt.errors;
  vptr__source_unsilence(parser->source, attempt.errors);
  parser->attempts--;
  parser->is_panicking = false;
  if (!is_good)
    take_back(parser, &attempt);
  return is_good;
}

/* The bytes are gathered once: a string of many pieces costs its length, not its square. */
const char *vptr__parser_string(vptr__parser *parser, uint32_t *length_out) {
  size_t first = parser->at;
  uint64_t bound = 1;
  for (; vptr__parser_kind(parser) == VPTR__TOKEN_STRING; ++parser->at)
    bound += vptr__parser_token(parser)->length;
  char *joined = vptr__parser_new(parser, bound);
  uint32_t length = 0;
  for (size_t i = first; i < parser->at; ++i) {
    uint32_t piece = 0;
    const char *text = vptr__literal_string(parser->source, &parser->tokens[i], &piece);
    if (text == NULL)
      continue;
    memcpy(joined + length, text, piece); /* a piece has at most its spelling's bytes */
    length += piece;
  }
  *length_out = length;
  return joined;
}
