/* SPDX-License-Identifier: MIT */
/*
 * substitute - a macro's body with its arguments in place: #, ##, __VA_ARGS__, __VA_OPT__.
 *
 * An argument is expanded once, when it is first wanted so; beside # and ## it is taken as written. An empty argument
 * beside ## leaves a placemarker, so that what stands around it is not joined by mistake.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

void vptr__token_list_add(vptr__arena *arena, vptr__token_list *list, const vptr__token *token) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
    vptr__token *items = vptr__arena_allocate(arena, capacity * sizeof *items);
    if (list->count > 0)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = *token;
}

/* ---- spelling -------------------------------------------------------------------------------------------- */

const char *vptr__substitute_spell(vptr__preprocessor *preprocessor, const vptr__token *tokens, uint32_t count,
                                   uint32_t *length_out) {
  size_t length = 1;
  for (uint32_t i = 0; i < count; i++)
    length += tokens[i].length + 1;
  char *text = vptr__arena_allocate(preprocessor->arena, length), *end = text;
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0 && (tokens[i].flags & (VPTR__TOKEN_AFTER_SPACE | VPTR__TOKEN_AT_LINE_START)))
      *end++ = ' ';
    memcpy(end, tokens[i].text, tokens[i].length);
    end += tokens[i].length;
  }
  *length_out = (uint32_t)(end - text);
  return text;
}

/* Quotes and backslashes that stand in strings and characters are escaped, others are not. */
static vptr__token_list escape_strings(vptr__preprocessor *preprocessor, const vptr__token_list *raw) {
  vptr__token_list list = { 0 };
  for (uint32_t i = 0; i < raw->count; i++) {
    vptr__token token = raw->items[i];
    bool is_quoted = token.kind == VPTR__TOKEN_STRING || token.kind == VPTR__TOKEN_CHARACTER;
    if (is_quoted) {
      char *text = vptr__arena_allocate(preprocessor->arena, 2 * (size_t)token.length + 1), *end = text;
      for (uint32_t at = 0; at < token.length; at++) {
        if (token.text[at] == '"' || token.text[at] == '\\')
          *end++ = '\\';
        *end++ = token.text[at];
      }
      token.text = text;
      token.length = (uint32_t)(end - text);
    }
    vptr__token_list_add(preprocessor->arena, &list, &token);
  }
  return list;
}

vptr__token vptr__token_make(vptr__preprocessor *preprocessor, const char *text, size_t length,
                             vptr__position position) {
  vptr__lexer lexer;
  vptr__lexer_init(&lexer, preprocessor->source, text, length, 0);
  lexer.in_directive = true;
  vptr__token token = vptr__lexer_next(&lexer);
  if (lexer.cursor != lexer.end)
    token.kind = VPTR__TOKEN_END;
  token.flags = 0;
  token.position = position;
  return token;
}

static vptr__token stringify_argument(vptr__preprocessor *preprocessor, const vptr__argument *argument,
                                      const vptr__token *at, vptr__position position) {
  vptr__token_list list = escape_strings(preprocessor, &argument->raw);
  uint32_t length;
  const char *spelled = vptr__substitute_spell(preprocessor, list.items, list.count, &length);
  char *text = vptr__arena_allocate(preprocessor->arena, (size_t)length + 3);
  text[0] = text[length + 1] = '"';
  memcpy(text + 1, spelled, length);
  vptr__token string = vptr__token_make(preprocessor, text, (size_t)length + 2, at->position);
  if (string.kind != VPTR__TOKEN_STRING) { /* a stray \ or quote was in it */
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "# makes %.80s, which is no string", text);
    string = vptr__token_make(preprocessor, "\"\"", 2, at->position);
  }
  string.flags = at->flags;
  return string;
}

/* ---- joining --------------------------------------------------------------------------------------------- */

/* Joins the last token of `out` with `right`. */
static void join_tokens(vptr__preprocessor *preprocessor, vptr__token_list *out, const vptr__token *right,
                        vptr__position position) {
  vptr__token *left = &out->items[out->count - 1];
  if (right->kind == VPTR__TOKEN_PLACEMARKER)
    return;
  if (left->kind == VPTR__TOKEN_PLACEMARKER) {
    uint8_t flags = left->flags;
    *left = *right;
    left->flags = flags | (right->flags & VPTR__TOKEN_NO_EXPAND);
    return;
  }
  char *text = vptr__arena_allocate(preprocessor->arena, (size_t)left->length + right->length + 1);
  memcpy(text, left->text, left->length);
  memcpy(text + left->length, right->text, right->length);
  vptr__token token = vptr__token_make(preprocessor, text, (size_t)left->length + right->length, position);
  if (token.kind == VPTR__TOKEN_END || token.kind == VPTR__TOKEN_OTHER) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "## makes %.80s, which is not one token", text);
    return;
  }
  token.flags = left->flags & ~VPTR__TOKEN_NO_EXPAND;
  *left = token;
}

/* ---- the body -------------------------------------------------------------------------------------------- */

typedef struct work {
  vptr__preprocessor *preprocessor;
  const vptr__macro *macro;
  vptr__argument *arguments;
  vptr__position position; /* of the use */
  vptr__token_list *out;
} work;

static const vptr__token_list *expand_argument(work *work, vptr__argument *argument) {
  vptr__preprocessor *preprocessor = work->preprocessor;
  if (argument->is_expanded)
    return &argument->expanded;
  vptr__arena_enter(preprocessor->arena);
  argument->is_expanded = true;
  vptr__context *barrier = vptr__expand_push(preprocessor, NULL, argument->raw.items, argument->raw.count);
  barrier->is_barrier = true;
  for (vptr__token token; (token = vptr__expand_next(preprocessor)).kind != VPTR__TOKEN_END;)
    vptr__token_list_add(preprocessor->arena, &argument->expanded, &token);
  vptr__expand_drop_to(preprocessor, barrier->below);
  vptr__arena_leave(preprocessor->arena);
  return &argument->expanded;
}

static void append_token(work *work, const vptr__token *token, bool *is_joined) {
  if (*is_joined && work->out->count > 0)
    join_tokens(work->preprocessor, work->out, token, work->position);
  else
    vptr__token_list_add(work->preprocessor->arena, work->out, token);
  *is_joined = false;
}

/* The first token stands where the parameter stood. */
static void add_list(work *work, const vptr__token_list *list, const vptr__token *at, bool keeps_place,
                     bool *is_joined) {
  for (uint32_t i = 0; i < list->count; i++) {
    vptr__token token = list->items[i];
    if (i == 0)
      token.flags = (uint8_t)((token.flags & VPTR__TOKEN_NO_EXPAND) | (at->flags & VPTR__TOKEN_AFTER_SPACE));
    append_token(work, &token, is_joined);
  }
  if (list->count == 0 && keeps_place) {
    vptr__token nothing = {
      .kind = VPTR__TOKEN_PLACEMARKER, .flags = at->flags, .position = at->position, .text = ""
    };
    append_token(work, &nothing, is_joined);
  }
}

static bool is_paste(const work *work, uint32_t i, uint32_t end) {
  return i < end && work->macro->has_paste && work->macro->body[i].kind == VPTR__TOKEN_HASH_HASH;
}

static bool is_rest(const work *work, const vptr__token *token) {
  return token->kind == VPTR__TOKEN_PARAMETER && work->macro->is_variadic &&
         token->length == work->macro->parameter_count - 1;
}

/* GNU's `, ## __VA_ARGS__`: with nothing for the rest the comma goes too, else nothing is joined. */
static bool comma_and_rest(work *work, uint32_t i, uint32_t end) {
  const vptr__token *body = work->macro->body;
  if (i + 2 >= end || body[i].kind != ',' || !is_paste(work, i + 1, end) || !is_rest(work, &body[i + 2]))
    return false;
  vptr__argument *rest = &work->arguments[body[i + 2].length];
  bool is_joined = false;
  if (rest->raw.count > 0) {
    append_token(work, &body[i], &is_joined);
    add_list(work, expand_argument(work, rest), &body[i + 2], false, &is_joined);
  }
  return true;
}

static bool is_opt(const work *work, uint32_t i, uint32_t end) {
  const vptr__token *token = &work->macro->body[i];
  return work->macro->is_variadic && i + 1 < end && token->kind == VPTR__TOKEN_NAME && token->length == 10 &&
         memcmp(token->text, "__VA_OPT__", 10) == 0 && token[1].kind == '(';
}

/* Where the parenthesis at i is closed; end: nowhere. */
static uint32_t find_closing(const work *work, uint32_t i, uint32_t end) {
  int depth = 0;
  for (; i < end; i++) {
    depth += (work->macro->body[i].kind == '(') - (work->macro->body[i].kind == ')');
    if (depth == 0)
      return i;
  }
  return end;
}

static void substitute_range(work *work, uint32_t begin, uint32_t end);

/* What the parentheses give is joined with what stands around them as a parameter would be. How many tokens of the body
 * are done. */
static uint32_t substitute_opt(work *work, uint32_t i, uint32_t end, bool *is_joined) {
  uint32_t close = find_closing(work, i + 1, end), next = close < end ? close + 1 : end;
  vptr__token_list inner = { 0 }, *outer = work->out;
  if (expand_argument(work, &work->arguments[work->macro->parameter_count - 1])->count > 0) {
    vptr__arena_enter(work->preprocessor->arena);
    work->out = &inner;
    substitute_range(work, i + 2, close);
    work->out = outer;
    vptr__arena_leave(work->preprocessor->arena);
  }
  add_list(work, &inner, &work->macro->body[i], *is_joined || is_paste(work, next, end), is_joined);
  return next - i;
}

static uint32_t substitute_token(work *work, uint32_t i, uint32_t end, bool *is_joined) {
  const vptr__token *token = &work->macro->body[i];
  if (comma_and_rest(work, i, end))
    return 3;
  if (is_opt(work, i, end))
    return substitute_opt(work, i, end, is_joined);
  if (token->kind == '#' && work->macro->is_function && i + 1 < end && token[1].kind == VPTR__TOKEN_PARAMETER) {
    vptr__token string =
        stringify_argument(work->preprocessor, &work->arguments[token[1].length], token, work->position);
    append_token(work, &string, is_joined);
    return 2;
  }
  if (token->kind != VPTR__TOKEN_PARAMETER) {
    append_token(work, token, is_joined);
    return 1;
  }
  vptr__argument *argument = &work->arguments[token->length];
  if (*is_joined || is_paste(work, i + 1, end))
    add_list(work, &argument->raw, token, true, is_joined);
  else
    add_list(work, expand_argument(work, argument), token, false, is_joined);
  return 1;
}

static void substitute_range(work *work, uint32_t begin, uint32_t end) {
  bool is_joined = false;
  for (uint32_t i = begin; i < end;) {
    if (is_paste(work, i, end)) {
      is_joined = true;
      i++;
    } else {
      i += substitute_token(work, i, end, &is_joined);
    }
  }
}

void vptr__substitute(vptr__preprocessor *preprocessor, vptr__macro *macro, vptr__argument *arguments,
                      vptr__position position, vptr__token_list *out) {
  work work = { preprocessor, macro, arguments, position, out };
  substitute_range(&work, 0, macro->length);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->count; i++)
    if (out->items[i].kind != VPTR__TOKEN_PLACEMARKER)
      out->items[kept++] = out->items[i];
  out->count = kept;
}
