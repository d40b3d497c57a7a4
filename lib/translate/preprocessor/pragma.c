/* SPDX-License-Identifier: MIT */
/*
 * pragma - #pragma and _Pragma: the few that mean something to kernels. The others are for other compilers.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

#include "translate/lexer/literal.h"

static bool is_pragma_word(const vptr__token *token, const char *word) {
  return token->kind == VPTR__TOKEN_NAME && strcmp(token->name->text, word) == 0;
}

/* The count behind `unroll`, for which macros count, as a token. */
static vptr__token read_unroll(vptr__preprocessor *preprocessor, vptr__position position) {
  vptr__token_list list = { 0 };
  for (vptr__token token; (token = vptr__expand_next(preprocessor)).kind != VPTR__TOKEN_END;)
    vptr__token_list_add(preprocessor->arena, &list, &token);
  vptr__token unroll = { .kind = VPTR__TOKEN_PRAGMA_UNROLL,
                         .flags = VPTR__TOKEN_AT_LINE_START,
                         .position = position };
  unroll.text = vptr__substitute_spell(preprocessor, list.items, list.count, &unroll.length);
  return unroll;
}

/* push_macro("NAME") and pop_macro("NAME"). */
static void keep_macro(vptr__preprocessor *preprocessor, vptr__position position, bool is_push) {
  vptr__token open = vptr__expand_raw(preprocessor), string = vptr__expand_raw(preprocessor);
  if (open.kind != '(' || string.kind != VPTR__TOKEN_STRING || string.text[0] != '"') {
    vptr__source_report(preprocessor->source, VPTR__ERROR, position,
                        "#pragma push_macro and pop_macro need (\"NAME\")");
    return;
  }
  vptr__name *name = vptr__source_intern(preprocessor->source, string.text + 1, string.length - 2);
  vptr__kept_macro **place = &preprocessor->kept_macros;
  if (is_push) {
    vptr__kept_macro *kept = VPTR__ARENA_NEW(preprocessor->arena, vptr__kept_macro);
    *kept = (vptr__kept_macro){ name, name->macro, *place };
    *place = kept;
    return;
  }
  while (*place != NULL && (*place)->name != name)
    place = &(*place)->next;
  if (*place != NULL) {
    name->macro = (*place)->macro;
    *place = (*place)->next;
  }
}

/* (), (n), (push), (push, n), (pop), perhaps with a name: whether members are packed closer than they align by
 * themselves, of which 16 is the most. */
static void read_pack(vptr__preprocessor *preprocessor) {
  vptr__token token = vptr__expand_next(preprocessor);
  bool keeps = false;
  uint32_t count = 0;
  for (; token.kind != VPTR__TOKEN_END; token = vptr__expand_next(preprocessor)) {
    if (is_pragma_word(&token, "push"))
      preprocessor->packed_before = preprocessor->packed_before << 1 | preprocessor->is_packed;
    if (is_pragma_word(&token, "pop")) {
      preprocessor->is_packed = preprocessor->packed_before & 1;
      preprocessor->packed_before >>= 1;
    }
    keeps |= is_pragma_word(&token, "push") || is_pragma_word(&token, "pop");
    if (token.kind == VPTR__TOKEN_NUMBER)
      count = token.length == 1 ? (uint32_t)(token.text[0] - '0') : 16;
  }
  if (count > 0 || !keeps)
    preprocessor->is_packed = count > 0 && count < 16;
}

bool vptr__pragma_run(vptr__preprocessor *preprocessor, vptr__position position, vptr__token *token_out) {
  vptr__token word = vptr__expand_raw(preprocessor);
  if (is_pragma_word(&word, "GCC") || is_pragma_word(&word, "clang")) /* GCC unroll 4 */
    word = vptr__expand_raw(preprocessor);
  if (is_pragma_word(&word, "once") && preprocessor->inputs != NULL)
    vptr__include_once(preprocessor);
  else if (is_pragma_word(&word, "push_macro") || is_pragma_word(&word, "pop_macro"))
    keep_macro(preprocessor, position, is_pragma_word(&word, "push_macro"));
  else if (is_pragma_word(&word, "pack"))
    read_pack(preprocessor);
  if (is_pragma_word(&word, "nounroll"))
    *token_out = (vptr__token){ .kind = VPTR__TOKEN_PRAGMA_UNROLL, .position = position, .text = "1", .length = 1 };
  else if (is_pragma_word(&word, "unroll"))
    *token_out = read_unroll(preprocessor, position);
  return is_pragma_word(&word, "nounroll") || is_pragma_word(&word, "unroll");
}

static vptr__token_list lex_text(vptr__preprocessor *preprocessor, const char *text, uint32_t length) {
  vptr__lexer lexer;
  vptr__token_list list = { 0 };
  vptr__lexer_init(&lexer, preprocessor->source, text, length, 0);
  lexer.in_directive = true;
  for (vptr__token token; (token = vptr__lexer_next(&lexer)).kind != VPTR__TOKEN_END;)
    vptr__token_list_add(preprocessor->arena, &list, &token);
  return list;
}

bool vptr__pragma_operator(vptr__preprocessor *preprocessor, const vptr__token *use, vptr__token *token_out) {
  vptr__position position = use->position;
  preprocessor->collecting++; /* a text's end ends this too */
  vptr__token open = vptr__expand_raw(preprocessor), string = open, close = open;
  if (open.kind == '(')
    string = vptr__expand_next(preprocessor); /* C++ wants a string here; compilers let macros make it */
  if (string.kind == VPTR__TOKEN_STRING)
    close = vptr__expand_next(preprocessor);
  preprocessor->collecting--;
  uint32_t length = 0;
  const char *text = close.kind == ')' ? vptr__literal_string(preprocessor->source, &string, &length) : NULL;
  if (text == NULL) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "_Pragma needs (\"...\")");
    return false;
  }
  vptr__token_list list = lex_text(preprocessor, text, length);
  vptr__context *barrier = vptr__expand_push(preprocessor, NULL, list.items, list.count);
  barrier->is_barrier = true;
  bool is_token = vptr__pragma_run(preprocessor, position, token_out);
  vptr__expand_drop_to(preprocessor, barrier->below);
  return is_token;
}
