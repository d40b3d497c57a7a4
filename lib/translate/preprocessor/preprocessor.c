/* SPDX-License-Identifier: MIT */
/*
 * preprocessor - see preprocessor.h; state.h shows how the parts hang together.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

#include "translate/lexer/keyword.h"

vptr__preprocessor *vptr__preprocessor_create(vptr__source *source, const vptr__reader *reader) {
  vptr__arena *arena = vptr__source_arena(source);
  vptr__preprocessor *preprocessor = VPTR__ARENA_NEW(arena, vptr__preprocessor);
  preprocessor->source = source;
  preprocessor->arena = arena;
  if (reader != NULL)
    preprocessor->reader = *reader;
  vptr__keyword_install(source);
  vptr__predefined_install(preprocessor);
  return preprocessor;
}

/* A value is one line, whatever the caller has. */
void vptr__preprocessor_define(vptr__preprocessor *preprocessor, const char *name, const char *value) {
  char *text = vptr__arena_format(preprocessor->arena, "#define %s %s", name, value != NULL ? value : "1");
  for (char *p = text; *p != 0; p++)
    if (*p == '\n')
      *p = ' ';
  vptr__input_run(preprocessor, "<command line>", text);
}

void vptr__preprocessor_undefine(vptr__preprocessor *preprocessor, const char *name) {
  char *text = vptr__arena_format(preprocessor->arena, "#undef %.*s", (int)strcspn(name, "\n"), name);
  vptr__input_run(preprocessor, "<command line>", text);
}

bool vptr__preprocessor_is_defined(const vptr__preprocessor *preprocessor, const char *name) {
  return vptr__source_intern(preprocessor->source, name, strlen(name))->macro != NULL;
}

static void run_define(vptr__preprocessor *preprocessor, const char *define) {
  const char *equals = strchr(define, '=');
  if (*define == '-')
    vptr__preprocessor_undefine(preprocessor, define + 1);
  else if (equals == NULL)
    vptr__preprocessor_define(preprocessor, define, NULL);
  else
    vptr__preprocessor_define(preprocessor, vptr__arena_copy(preprocessor->arena, define, (size_t)(equals - define)),
                              equals + 1);
}

void vptr__preprocessor_define_all(vptr__preprocessor *preprocessor, int arch, const char *const *defines) {
  vptr__preprocessor_define(preprocessor, "__CUDA_ARCH__", vptr__arena_format(preprocessor->arena, "%d", arch));
  for (const char *const *each = defines; each != NULL && *each != NULL; each++)
    run_define(preprocessor, *each);
}

void vptr__preprocessor_push(vptr__preprocessor *preprocessor, vptr__source_file *file) {
  vptr__input_push(preprocessor, file, NULL);
}

bool vptr__preprocessor_push_built_in(vptr__preprocessor *preprocessor, const char *name) {
  vptr__source_file *file = vptr__include_built_in(preprocessor, name, 0);
  if (file != NULL)
    vptr__input_push(preprocessor, file, file->name);
  return file != NULL;
}

/* Said here and not by the lexer: in a group that a condition leaves out, anything may stand. */
static void report_stray(vptr__preprocessor *preprocessor, const vptr__token *token) {
  unsigned char first = (unsigned char)token->text[0];
  int shown = token->length > 40 ? 40 : (int)token->length;
  if (first == '\'' || token->length > 1)
    vptr__source_report(preprocessor->source, VPTR__ERROR, token->position,
                        first >= 0x80 ? "%.*s stands outside of strings and comments, where only ASCII may"
                                      : "%.*s: the closing quote is missing",
                        shown, token->text);
  else if (first == '"')
    vptr__source_report(preprocessor->source, VPTR__ERROR, token->position, "the string's closing quote is missing");
  else
    vptr__source_report(preprocessor->source, VPTR__ERROR, token->position,
                        "a stray byte (0x%02x), which begins nothing in C++: remove it", first);
}

vptr__token vptr__preprocessor_next(vptr__preprocessor *preprocessor) {
  vptr__token token = vptr__expand_next(preprocessor);
  while (token.kind == VPTR__TOKEN_OTHER) {
    report_stray(preprocessor, &token);
    token = vptr__expand_next(preprocessor);
  }
  if (token.kind == VPTR__TOKEN_NAME && token.name->keyword != 0)
    token.kind = token.name->keyword;
  if (preprocessor->is_packed)
    token.flags |= VPTR__TOKEN_PACKED;
  return token;
}

const char *vptr__preprocessor_included(const vptr__preprocessor *preprocessor, int index) {
  return index >= 0 && index < preprocessor->included_count ? preprocessor->included[index] : NULL;
}

const vptr__absent *vptr__preprocessor_absent(const vptr__preprocessor *preprocessor) {
  return preprocessor->absent;
}
