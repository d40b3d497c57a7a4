/* SPDX-License-Identifier: MIT */
/*
 * input - the texts that are being read, each included by the one below it.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

/* Texts that include themselves double at each level: depth alone would not end them. */
enum { DEEPEST = 200, MOST_TEXTS = 1 << 16 };

void vptr__input_push(vptr__preprocessor *preprocessor, vptr__source_file *file, const char *path) {
  if (preprocessor->input_depth >= DEEPEST) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, file->included_at,
                        "#include nests more than %d deep: does \"%s\" include itself?", DEEPEST, file->name);
    return;
  }
  if (++preprocessor->inputs_begun > MOST_TEXTS)
    longjmp(*preprocessor->arena->out, VPTR__ARENA_TOO_LARGE);
  vptr__input *input = VPTR__ARENA_NEW(preprocessor->arena, vptr__input);
  vptr__lexer_init(&input->lexer, preprocessor->source, file->text, file->length, file->begin);
  input->file = file;
  input->path = path;
  input->below = preprocessor->inputs;
  preprocessor->inputs = input;
  preprocessor->input_depth++;
}

static void pop_input(vptr__preprocessor *preprocessor) {
  vptr__input *input = preprocessor->inputs;
  for (vptr__condition *open = input->conditions; open != NULL; open = open->outer)
    vptr__source_report(preprocessor->source, VPTR__ERROR, open->position, "this condition has no #endif");
  if (input->lexer.has_open_comment)
    vptr__source_report(preprocessor->source, VPTR__ERROR, input->file->begin + input->file->length,
                        "the text ends inside of a comment: */ is missing");
  preprocessor->last = input->file->begin + input->file->length;
  preprocessor->inputs = input->below;
  preprocessor->input_depth--;
}

vptr__token vptr__input_next(vptr__preprocessor *preprocessor) {
  while (preprocessor->inputs != NULL) {
    vptr__lexer *lexer = &preprocessor->inputs->lexer;
    vptr__token token = vptr__lexer_next(lexer);
    if (lexer->in_directive)
      return token;
    if (token.kind == '#' && (token.flags & VPTR__TOKEN_AT_LINE_START)) {
      if (vptr__directive_run(preprocessor, token.position, &token))
        return token;
    } else if (token.kind != VPTR__TOKEN_END || preprocessor->collecting > 0) {
      return token;
    } else {
      pop_input(preprocessor);
    }
  }
  return (vptr__token){
    .kind = VPTR__TOKEN_END, .flags = VPTR__TOKEN_AT_LINE_START, .position = preprocessor->last, .text = ""
  };
}

void vptr__input_run(vptr__preprocessor *preprocessor, const char *name, const char *text) {
  vptr__source_file *file = vptr__source_add(preprocessor->source, name, text, strlen(text), 0);
  file->is_ours = true;
  vptr__input_push(preprocessor, file, NULL);
  preprocessor->collecting++; /* so that reading stops at its end */
  while (vptr__input_next(preprocessor).kind != VPTR__TOKEN_END)
    ;
  preprocessor->collecting--;
  pop_input(preprocessor);
}
