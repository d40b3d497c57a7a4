/* SPDX-License-Identifier: MIT */
/*
 * macro - what #define and #undef do.
 *
 * A parameter's name in the body becomes its index when the macro is defined, so that uses need not look for it.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

enum { MOST_PARAMETERS = 1 << 12 };

static vptr__token next_token(vptr__preprocessor *preprocessor) {
  return vptr__lexer_next(&preprocessor->inputs->lexer);
}

static void refuse_macro(vptr__preprocessor *preprocessor, const vptr__token *token, const char *what) {
  vptr__source_report(preprocessor->source, VPTR__ERROR, token->position, "%s", what);
}

vptr__name *vptr__macro_name(vptr__preprocessor *preprocessor, const char *directive) {
  vptr__token token = next_token(preprocessor);
  if (token.kind != VPTR__TOKEN_NAME) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, token.position, "#%s needs the name of a macro",
                        directive);
    return NULL;
  }
  return token.name;
}

/* Names that #define and #undef may not touch. */
static bool is_reserved(vptr__preprocessor *preprocessor, const vptr__name *name, vptr__position position) {
  const vptr__macro *macro = name->macro;
  bool is_defined = strcmp(name->text, "defined") == 0 || strcmp(name->text, "__VA_ARGS__") == 0;
  bool is_operator = name->keyword != 0 && name->keyword < VPTR__TOKEN_KEYWORD_FIRST;
  if (!is_defined && !is_operator && (macro == NULL || macro->special == VPTR__SPECIAL_NONE))
    return false;
  vptr__source_report(preprocessor->source, VPTR__ERROR, position, "%s cannot be defined or undefined", name->text);
  return true;
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

static bool has_parameter(const vptr__macro *macro, const vptr__name *name) {
  for (uint32_t i = 0; i < macro->parameter_count; i++)
    if (macro->parameters[i] == name)
      return true;
  return false;
}

/* Room for all: they are counted before, in a copy of the lexer. */
static uint32_t count_parameters(const vptr__preprocessor *preprocessor) {
  vptr__lexer ahead = preprocessor->inputs->lexer;
  uint32_t commas = 0;
  for (vptr__token token; (token = vptr__lexer_next(&ahead)).kind != ')' && token.kind != VPTR__TOKEN_END;)
    commas += token.kind == ',';
  return commas + 1;
}

static vptr__name *rest_name(vptr__preprocessor *preprocessor) {
  return vptr__source_intern(preprocessor->source, "__VA_ARGS__", 11);
}

/* One parameter and what follows it: a name, a name and ..., or ... alone. False: it is none; said. */
static bool read_parameter(vptr__preprocessor *preprocessor, vptr__macro *macro, vptr__token token,
                           vptr__token *after_out) {
  bool is_rest = token.kind == VPTR__TOKEN_ELLIPSIS;
  vptr__name *name = is_rest ? rest_name(preprocessor) : token.name;
  if (!is_rest && token.kind != VPTR__TOKEN_NAME) {
    refuse_macro(preprocessor, &token, "a macro's parameters are names, and ... as the last");
    return false;
  }
  if (has_parameter(macro, name) || (!is_rest && name == rest_name(preprocessor))) {
    refuse_macro(preprocessor, &token, "this name cannot be a parameter here: choose another");
    return false;
  }
  macro->parameters[macro->parameter_count++] = name;
  *after_out = next_token(preprocessor);
  if (!is_rest && after_out->kind == VPTR__TOKEN_ELLIPSIS) {
    is_rest = true;
    *after_out = next_token(preprocessor);
  }
  macro->is_variadic = is_rest;
  if (after_out->kind == ')' || (after_out->kind == ',' && !is_rest))
    return true;
  refuse_macro(preprocessor, after_out,
               is_rest ? "... ends a macro's parameters: ) must follow"
                       : "a macro's parameters are set apart by commas and end with )");
  return false;
}

/* Behind the opening parenthesis. */
static bool read_parameters(vptr__preprocessor *preprocessor, vptr__macro *macro) {
  uint32_t most = count_parameters(preprocessor);
  vptr__token token = next_token(preprocessor);
  if (most > MOST_PARAMETERS) {
    refuse_macro(preprocessor, &token, "a macro with more than 4096 parameters");
    return false;
  }
  macro->is_function = true;
  if (token.kind == ')')
    return true;
  macro->parameters = vptr__arena_allocate(preprocessor->arena, most * sizeof *macro->parameters);
  for (vptr__token after; read_parameter(preprocessor, macro, token, &after); token = next_token(preprocessor))
    if (after.kind == ')')
      return true;
  return false;
}

/* ---- the body -------------------------------------------------------------------------------------------- */

static void resolve_parameter(const vptr__macro *macro, vptr__token *token) {
  for (uint32_t i = 0; token->kind == VPTR__TOKEN_NAME && i < macro->parameter_count; i++)
    if (macro->parameters[i] == token->name) {
      token->kind = VPTR__TOKEN_PARAMETER;
      token->length = i;
    }
}

static bool check_body(vptr__preprocessor *preprocessor, const vptr__macro *macro) {
  for (uint32_t i = 0; i < macro->length; i++) {
    const vptr__token *token = &macro->body[i];
    if (token->kind == VPTR__TOKEN_HASH_HASH && (i == 0 || i + 1 == macro->length)) {
      refuse_macro(preprocessor, token, "## joins two tokens: it cannot begin or end a macro");
      return false;
    }
    bool is_opt = i + 1 < macro->length && token[1].kind == VPTR__TOKEN_NAME && token[1].length == 10 &&
                  memcmp(token[1].text, "__VA_OPT__", 10) == 0;
    if (token->kind == '#' && macro->is_function &&
        (i + 1 == macro->length || token[1].kind != VPTR__TOKEN_PARAMETER)) {
      refuse_macro(preprocessor, token,
                   is_opt ? "#__VA_OPT__ is not supported: use # on a parameter"
                          : "in a macro with parameters, # must stand before one of them");
      return false;
    }
  }
  return true;
}

static bool read_body(vptr__preprocessor *preprocessor, vptr__macro *macro, vptr__token token) {
  vptr__token_list list = { 0 };
  for (; token.kind != VPTR__TOKEN_END; token = next_token(preprocessor)) {
    macro->has_paste |= token.kind == VPTR__TOKEN_HASH_HASH;
    resolve_parameter(macro, &token);
    vptr__token_list_add(preprocessor->arena, &list, &token);
  }
  if (list.count > 0)
    list.items[0].flags = 0;
  macro->body = list.items;
  macro->length = list.count;
  return check_body(preprocessor, macro);
}

static bool is_same(const vptr__macro *left, const vptr__macro *right) {
  if (left->is_function != right->is_function || left->is_variadic != right->is_variadic ||
      left->parameter_count != right->parameter_count || left->length != right->length)
    return false;
  for (uint32_t i = 0; i < left->parameter_count; i++)
    if (left->parameters[i] != right->parameters[i])
      return false;
  for (uint32_t i = 0; i < left->length; i++) {
    const vptr__token *a = &left->body[i], *b = &right->body[i];
    if (a->kind != b->kind || a->length != b->length || a->flags != b->flags ||
        (a->kind != VPTR__TOKEN_PARAMETER && memcmp(a->text, b->text, a->length) != 0))
      return false;
  }
  return true;
}

/* A second meaning is an error in C++ and a warning in practice: compilers go on with the new one. */
static void bind_macro(vptr__preprocessor *preprocessor, vptr__macro *macro, vptr__position position) {
  const vptr__macro *before = macro->name->macro;
  if (before != NULL && !is_same(before, macro) && !vptr__source_file_at(preprocessor->source, position)->is_ours)
    vptr__source_report(preprocessor->source, VPTR__WARNING, position,
                        "macro %s gets a second meaning; #undef it first", macro->name->text);
  macro->name->macro = macro;
}

void vptr__macro_define(vptr__preprocessor *preprocessor) {
  vptr__name *name = vptr__macro_name(preprocessor, "define");
  if (name == NULL)
    return;
  vptr__token token = next_token(preprocessor);
  vptr__position position = token.position;
  if (is_reserved(preprocessor, name, position))
    return;
  vptr__macro *macro = VPTR__ARENA_NEW(preprocessor->arena, vptr__macro);
  macro->name = name;
  if (token.kind == '(' && (token.flags & VPTR__TOKEN_AFTER_SPACE) == 0) {
    if (!read_parameters(preprocessor, macro))
      return;
    token = next_token(preprocessor);
  }
  if (read_body(preprocessor, macro, token))
    bind_macro(preprocessor, macro, position);
}

void vptr__macro_undefine(vptr__preprocessor *preprocessor, vptr__position position) {
  vptr__name *name = vptr__macro_name(preprocessor, "undef");
  if (name != NULL && !is_reserved(preprocessor, name, position))
    name->macro = NULL;
}
