/* SPDX-License-Identifier: MIT */
/*
 * built_in - the variables that a kernel has without declaring them.
 *
 * They are declared before the text, and may be shadowed by it as any name. Their types come from the built-in header,
 * which is a text as others are: so they get them when they are first used.
 */
#include <string.h>

#include "translate/syntax/state.h"

static const struct {
  const char *name, *type; /* NULL: int */
  vptr__built_in built_in;
} table[] = {
  { "threadIdx", "uint3", VPTR__THREAD_IDX }, { "blockIdx", "uint3", VPTR__BLOCK_IDX },
  { "blockDim", "dim3", VPTR__BLOCK_DIM },    { "gridDim", "dim3", VPTR__GRID_DIM },
  { "warpSize", NULL, VPTR__WARP_SIZE },
};

static vptr__name *intern_text(vptr__parser *parser, const char *text) {
  return vptr__source_intern(parser->source, text, strlen(text));
}

void vptr__built_in_declare(vptr__parser *parser) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    vptr__declaration *declaration =
        vptr__declaration_new(parser, VPTR__DECLARATION_VARIABLE, intern_text(parser, table[i].name), 0);
    declaration->flags = VPTR__BUILT_IN;
    declaration->built_in = table[i].built_in;
    vptr__scope_bind(parser, declaration);
  }
}

/* The header's own record, whatever the text has made of its name since. */
static vptr__type *record_type(vptr__parser *parser, const char *name) {
  const vptr__declaration *record = vptr__scope_member(parser->global, intern_text(parser, name));
  while (record != NULL && record->kind == VPTR__DECLARATION_TYPEDEF && record->type->declaration != NULL)
    record = record->type->declaration;
  if (record == NULL || record->kind != VPTR__DECLARATION_RECORD)
    return NULL;
  return vptr__type_again(parser->unit, record->type);
}

void vptr__built_in_complete(vptr__parser *parser, vptr__declaration *declaration) {
  if (declaration->type != NULL)
    return;
  const char *name = table[declaration->built_in].type;
  declaration->type = name == NULL ? vptr__type_new(parser->unit, VPTR__TYPE_INT) : record_type(parser, name);
  if (declaration->type == NULL)
    vptr__parser_error(parser, vptr__parser_position(parser), "'%s' needs the type %s; include cuda_runtime.h",
                       declaration->name->text, name);
  else
    declaration->type->qualifiers |= VPTR__CONST;
}
