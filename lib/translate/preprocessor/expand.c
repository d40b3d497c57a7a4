/* SPDX-License-Identifier: MIT */
/*
 * expand - macros are replaced where they are used, and what they gave is read again.
 *
 * A macro is not available while its own expansion is being read; its name, met then, stays a name for ever. That is a
 * flag of the macro while its context is on the stack, and a flag of the token afterwards.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

/* A few lines of macros can ask for 2^60 tokens. */
enum { MOST_TOKENS = 1 << 24 };

static void count_token(vptr__preprocessor *preprocessor) {
  if (++preprocessor->tokens_expanded > MOST_TOKENS)
    longjmp(*preprocessor->arena->out, VPTR__ARENA_TOO_LARGE);
}

/* ---- contexts -------------------------------------------------------------------------------------------- */

vptr__context *vptr__expand_push(vptr__preprocessor *preprocessor, vptr__macro *macro, const vptr__token *tokens,
                                 uint32_t length) {
  vptr__context *context = preprocessor->spare_contexts;
  if (context != NULL)
    preprocessor->spare_contexts = context->below;
  else
    context = VPTR__ARENA_NEW(preprocessor->arena, vptr__context);
  *context = (vptr__context){ .macro = macro, .cursor = tokens, .end = tokens, .is_first = true };
  if (length > 0) /* tokens is NULL where there are none */
    context->end += length;
  context->below = preprocessor->contexts;
  if (macro != NULL)
    macro->is_disabled = true;
  preprocessor->contexts = context;
  return context;
}

static void pop_context(vptr__preprocessor *preprocessor) {
  vptr__context *context = preprocessor->contexts;
  if (context->macro != NULL)
    context->macro->is_disabled = false;
  preprocessor->contexts = context->below;
  context->below = preprocessor->spare_contexts;
  preprocessor->spare_contexts = context;
}

void vptr__expand_drop_to(vptr__preprocessor *preprocessor, const vptr__context *below) {
  while (preprocessor->contexts != below)
    pop_context(preprocessor);
}

static vptr__token read_context(vptr__preprocessor *preprocessor, vptr__context *context) {
  count_token(preprocessor);
  vptr__token token = *context->cursor++;
  if (context->position != 0) {
    token.position = context->position;
    if (context->is_first)
      token.flags = (uint8_t)((token.flags & VPTR__TOKEN_NO_EXPAND) | context->first_flags);
  }
  context->is_first = false;
  return token;
}

static vptr__token read_any(vptr__preprocessor *preprocessor) {
  for (vptr__context *context; (context = preprocessor->contexts) != NULL; pop_context(preprocessor)) {
    if (context->cursor < context->end)
      return read_context(preprocessor, context);
    if (context->is_barrier)
      return (vptr__token){ .kind = VPTR__TOKEN_END, .position = preprocessor->last, .text = "" };
  }
  return vptr__input_next(preprocessor);
}

vptr__token vptr__expand_raw(vptr__preprocessor *preprocessor) {
  vptr__token token = read_any(preprocessor);
  if (token.kind == VPTR__TOKEN_NAME && token.name->macro != NULL && ((vptr__macro *)token.name->macro)->is_disabled)
    token.flags |= VPTR__TOKEN_NO_EXPAND;
  return token;
}

static void unread_token(vptr__preprocessor *preprocessor, const vptr__token *token) {
  vptr__token *copy = VPTR__ARENA_NEW(preprocessor->arena, vptr__token);
  *copy = *token;
  vptr__expand_push(preprocessor, NULL, copy, 1);
}

/* ---- arguments ------------------------------------------------------------------------------------------- */

/* Whether ( is next, which is then read. Else the name is no call, and what is next stays. */
static bool read_open(vptr__preprocessor *preprocessor) {
  preprocessor->collecting++;
  vptr__token token = vptr__expand_raw(preprocessor);
  preprocessor->collecting--;
  if (token.kind != '(' && token.kind != VPTR__TOKEN_END)
    unread_token(preprocessor, &token);
  return token.kind == '(';
}

/* One argument, up to the comma or parenthesis that ends it, which is returned: END if there is none. */
static int read_argument(vptr__preprocessor *preprocessor, bool takes_commas, vptr__token_list *raw) {
  for (int depth = 0;;) {
    vptr__token token = vptr__expand_raw(preprocessor);
    if (token.kind == VPTR__TOKEN_END || (depth == 0 && (token.kind == ')' || (token.kind == ',' && !takes_commas))))
      return token.kind;
    depth += (token.kind == '(') - (token.kind == ')');
    if (token.flags & VPTR__TOKEN_AT_LINE_START)
      token.flags = (uint8_t)((token.flags & ~VPTR__TOKEN_AT_LINE_START) | VPTR__TOKEN_AFTER_SPACE);
    vptr__token_list_add(preprocessor->arena, raw, &token);
  }
}

static void report_count(vptr__preprocessor *preprocessor, const vptr__macro *macro, uint32_t given,
                         vptr__position position) {
  vptr__source_report(preprocessor->source, VPTR__ERROR, position, "macro %s takes %s%u argument%s, and gets %u",
                      macro->name->text, macro->is_variadic ? "at least " : "",
                      macro->parameter_count - macro->is_variadic,
                      macro->parameter_count - macro->is_variadic == 1 ? "" : "s", given);
}

/* Behind the opening parenthesis. False: they do not fit; said, and the call vanishes. */
static bool read_arguments(vptr__preprocessor *preprocessor, const vptr__macro *macro, vptr__argument *arguments,
                           vptr__position position) {
  uint32_t given = 0;
  for (int ended_by = ','; ended_by == ','; given++) {
    bool is_rest = macro->is_variadic && given + 1 == macro->parameter_count;
    vptr__argument spare = { 0 };
    vptr__argument *argument = given < macro->parameter_count ? &arguments[given] : &spare;
    ended_by = read_argument(preprocessor, is_rest, &argument->raw);
    if (ended_by == VPTR__TOKEN_END) {
      vptr__source_report(preprocessor->source, VPTR__ERROR, position, "the arguments of macro %s have no closing )",
                          macro->name->text);
      return false;
    }
    if (ended_by == ')' && given == 0 && macro->parameter_count == 0 && spare.raw.count == 0)
      return true;
  }
  if (given == macro->parameter_count || (macro->is_variadic && given + 1 == macro->parameter_count))
    return true;
  report_count(preprocessor, macro, given, position);
  return false;
}

/* ---- macros ---------------------------------------------------------------------------------------------- */

static void push_expansion(vptr__preprocessor *preprocessor, vptr__macro *macro, const vptr__token *tokens,
                           uint32_t length, const vptr__token *use) {
  vptr__context *context = vptr__expand_push(preprocessor, macro, tokens, length);
  context->position = use->position;
  context->first_flags = use->flags & (VPTR__TOKEN_AT_LINE_START | VPTR__TOKEN_AFTER_SPACE);
}

static void expand_object(vptr__preprocessor *preprocessor, vptr__macro *macro, const vptr__token *use) {
  if (!macro->has_paste) {
    push_expansion(preprocessor, macro, macro->body, macro->length, use);
    return;
  }
  vptr__token_list out = { 0 };
  vptr__substitute(preprocessor, macro, NULL, use->position, &out);
  push_expansion(preprocessor, macro, out.items, out.count, use);
}

static void expand_call(vptr__preprocessor *preprocessor, vptr__macro *macro, const vptr__token *use) {
  vptr__arena_enter(preprocessor->arena);
  vptr__argument *arguments = vptr__arena_allocate(preprocessor->arena, macro->parameter_count * sizeof *arguments);
  preprocessor->collecting++;
  bool fits = read_arguments(preprocessor, macro, arguments, use->position);
  preprocessor->collecting--;
  if (fits) {
    vptr__token_list out = { 0 };
    vptr__substitute(preprocessor, macro, arguments, use->position, &out);
    push_expansion(preprocessor, macro, out.items, out.count, use);
  }
  vptr__arena_leave(preprocessor->arena);
}

/* True: *token is what the parser gets; false: there is more to read. */
static bool expand_special(vptr__preprocessor *preprocessor, const vptr__macro *macro, vptr__token *token) {
  if (macro->special == VPTR__SPECIAL_HAS_INCLUDE)
    return true; /* condition.c's */
  if (macro->special == VPTR__SPECIAL_PRAGMA)
    return vptr__pragma_operator(preprocessor, token, token);
  *token = vptr__predefined_token(preprocessor, macro, token);
  return true;
}

vptr__token vptr__expand_next(vptr__preprocessor *preprocessor) {
  for (;;) {
    vptr__token token = vptr__expand_raw(preprocessor);
    if (token.kind != VPTR__TOKEN_NAME || token.name->macro == NULL || (token.flags & VPTR__TOKEN_NO_EXPAND))
      return token;
    vptr__macro *macro = token.name->macro;
    count_token(preprocessor);
    if (macro->special != VPTR__SPECIAL_NONE) {
      if (expand_special(preprocessor, macro, &token))
        return token;
    } else if (!macro->is_function) {
      expand_object(preprocessor, macro, &token);
    } else if (read_open(preprocessor)) {
      expand_call(preprocessor, macro, &token);
    } else {
      return token;
    }
  }
}
