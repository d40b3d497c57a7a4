/* SPDX-License-Identifier: MIT */
/*
 * declaration - reading one variable or parameter of a PTX text (declaration.h).
 *
 * No data but constants, no locks; nothing is allocated. Called by survey.c and writer.c.
 */
#include "nvidia/declaration.h"

#include <string.h>

enum { LARGEST_ALIGN = 4096 };

typedef struct parse {
  const char *at, *end;
  vptr__ptx_token token; /* the next one */
  bool has_space;        /* .global and so on was said */
} parse;

static void step(parse *it) {
  it->token = vptr__ptx_next(&it->at, it->end);
}

static bool take_token(parse *it, const char *text) {
  if (!vptr__ptx_is(&it->token, text))
    return false;
  step(it);
  return true;
}

/* Bytes of .u32; 0: it is no type. */
static unsigned width_of(const vptr__ptx_token *token) {
  static const struct {
    const char *name;
    unsigned width;
  } types[] = { { ".b8", 1 },    { ".u8", 1 },   { ".s8", 1 },  { ".b16", 2 }, { ".u16", 2 }, { ".s16", 2 },
                { ".f16", 2 },   { ".bf16", 2 }, { ".b32", 4 }, { ".u32", 4 }, { ".s32", 4 }, { ".f32", 4 },
                { ".f16x2", 4 }, { ".b64", 8 },  { ".u64", 8 }, { ".s64", 8 }, { ".f64", 8 }, { ".b128", 16 } };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (vptr__ptx_is(token, types[i].name))
      return types[i].width;
  return 0;
}

static bool take_space(parse *it, vptr__ptx_declaration *out) {
  if (take_token(it, ".shared"))
    out->is_shared = true;
  else if (take_token(it, ".const"))
    out->is_constant = true;
  else if (!take_token(it, ".global") && !take_token(it, ".param"))
    return false;
  it->has_space = true;
  return true;
}

static bool take_attribute(parse *it, vptr__ptx_declaration *out) {
  if (!take_token(it, ".attribute"))
    return false;
  while (it->token.kind != VPTR__PTX_END && !vptr__ptx_is(&it->token, ")")) {
    out->is_managed |= vptr__ptx_is(&it->token, ".managed");
    step(it);
  }
  step(it);
  return true;
}

static bool take_align(parse *it, vptr__ptx_declaration *out) {
  if (!take_token(it, ".align"))
    return false;
  if (!vptr__ptx_integer(&it->token, &out->align) || out->align == 0 || (out->align & (out->align - 1)) != 0 ||
      out->align > LARGEST_ALIGN)
    out->is_strange = true;
  out->raised = it->token.begin;
  out->raised_end = it->token.end;
  step(it);
  return true;
}

/* Where no alignment is said there is no number to write another one for. */
static void raise_align(vptr__ptx_declaration *out) {
  bool is_raised = out->is_shared && !out->is_extern && !out->is_strange && out->raised != NULL &&
                   out->size >= VPTR__PTX_SHARED_ALIGNMENT && out->align < VPTR__PTX_SHARED_ALIGNMENT;
  if (is_raised)
    out->align = VPTR__PTX_SHARED_ALIGNMENT;
  else
    out->raised = out->raised_end = NULL;
}

static bool take_vector(parse *it, unsigned *vector) {
  static const char *const names[] = { ".v2", ".v4", ".v8" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (take_token(it, names[i])) {
      *vector = 2u << i;
      return true;
    }
  return false;
}

static bool take_linkage(parse *it, vptr__ptx_declaration *out) {
  if (take_token(it, ".extern")) {
    out->is_extern = true;
    return true;
  }
  return take_token(it, ".visible") || take_token(it, ".weak") || take_token(it, ".common");
}

/* All before the name. .ptr of a parameter may have a space and an alignment of what it points to. */
static void read_specifiers(parse *it, vptr__ptx_declaration *out, unsigned *vector) {
  bool is_pointer = false;
  vptr__ptx_declaration pointed = { .size = 0 };
  while (it->token.kind == VPTR__PTX_WORD && *it->token.begin == '.') {
    unsigned width = width_of(&it->token);
    vptr__ptx_declaration *to = is_pointer ? &pointed : out;
    if (take_linkage(it, out) || take_space(it, to) || take_attribute(it, out) || take_align(it, to) ||
        take_vector(it, vector))
      continue;
    if (width > 0)
      out->width = width;
    else if (vptr__ptx_is(&it->token, ".ptr"))
      is_pointer = true;
    else if (!is_pointer)
      out->is_strange = true;
    step(it);
  }
}

/* What the brackets multiply to; [] is no size. */
static void read_extents(parse *it, vptr__ptx_declaration *out) {
  while (take_token(it, "[")) {
    uint64_t extent = 0;
    if (vptr__ptx_integer(&it->token, &extent))
      step(it);
    if (extent > 0 && out->size > (uint64_t)INT64_MAX / extent)
      out->is_strange = true;
    else
      out->size *= extent;
    if (!take_token(it, "]"))
      out->is_strange = true;
  }
}

static void read_value(parse *it, vptr__ptx_declaration *out) {
  if (!vptr__ptx_is(&it->token, "="))
    return;
  out->value = it->token.end;
  do
    step(it);
  while (it->token.kind != VPTR__PTX_END && !vptr__ptx_is(&it->token, ";"));
  out->value_end = it->token.begin;
}

bool vptr__ptx_declaration_read(const char *begin, const char *end, vptr__ptx_declaration *declaration_out) {
  parse it = { .at = begin, .end = end };
  unsigned vector = 1;
  *declaration_out = (vptr__ptx_declaration){ .size = 0 };
  step(&it);
  read_specifiers(&it, declaration_out, &vector);
  if (!it.has_space || it.token.kind != VPTR__PTX_WORD)
    return false;
  declaration_out->name = it.token;
  step(&it);
  declaration_out->is_strange |= declaration_out->width == 0;
  declaration_out->size = (uint64_t)declaration_out->width * vector;
  if (declaration_out->align == 0)
    declaration_out->align = declaration_out->size > 0 ? declaration_out->size : 1;
  read_extents(&it, declaration_out);
  read_value(&it, declaration_out);
  declaration_out->is_strange |= declaration_out->size == 0 && !declaration_out->is_shared;
  declaration_out->is_strange |= it.token.kind != VPTR__PTX_END && !vptr__ptx_is(&it.token, ";");
  raise_align(declaration_out);
  return true;
}
