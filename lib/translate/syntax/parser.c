/* SPDX-License-Identifier: MIT */
/*
 * parser - see parser.h. The tokens are read into one array first: state.h says why.
 */
#include "translate/syntax/parser.h"

#include <string.h>

#include "translate/syntax/state.h"

static void read_tokens(vptr__parser *parser, vptr__preprocessor *preprocessor) {
  size_t capacity = 1024, count = 0;
  vptr__token *tokens = vptr__parser_new(parser, capacity * sizeof *tokens);
  for (;;) {
    tokens[count] = vptr__preprocessor_next(preprocessor);
    if (tokens[count].kind == VPTR__TOKEN_END)
      break;
    if (++count < capacity)
      continue;
    vptr__token *larger = vptr__parser_new(parser, 2 * capacity * sizeof *larger);
    memcpy(larger, tokens, capacity * sizeof *tokens);
    capacity *= 2;
    tokens = larger;
  }
  parser->tokens = tokens;
  parser->count = count;
}

/* The text's own tokens are all read by then: these stand in their place for a while. */
void vptr__parser_include(vptr__parser *parser, const char *built_in) {
  const vptr__parser outer = *parser;
  if (!vptr__preprocessor_push_built_in(parser->preprocessor, built_in))
    return;
  read_tokens(parser, parser->preprocessor);
  parser->at = 0;
  parser->scope = parser->global;
  parser->is_extern_c = false;
  vptr__namespace_read(parser, false);
  parser->tokens = outer.tokens;
  parser->count = outer.count;
  parser->at = outer.at;
  parser->scope = outer.scope;
  parser->is_extern_c = outer.is_extern_c;
}

vptr__unit *vptr__parser_run(vptr__source *source, vptr__preprocessor *preprocessor, bool default_device) {
  vptr__arena *arena = vptr__source_arena(source);
  vptr__unit *unit = VPTR__ARENA_NEW(arena, vptr__unit);
  unit->source = source;
  vptr__parser *parser = VPTR__ARENA_NEW(arena, vptr__parser);
  *parser = (vptr__parser){
    .unit = unit, .source = source, .arena = arena, .default_device = default_device, .preprocessor = preprocessor
  };
  read_tokens(parser, preprocessor);
  parser->scope = parser->global = vptr__scope_new(parser, VPTR__SCOPE_NAMESPACE, NULL);
  vptr__built_in_declare(parser);
  vptr__namespace_read(parser, false);
  return unit;
}
