/* SPDX-License-Identifier: MIT */
/*
 * declarator - types as OpenCL C writes them, inside out as C has it, with the space that each pointer points into.
 *
 * What a space qualifies is the pointee, so it is handed down to where that is written: `__global float *p`, `int
 * *__local *p`. A pointer that lies in global memory is a ulong (stored.c). References are pointers; bool is uchar (a
 * bool of OpenCL's has no size that one may rely on); long long is long.
 */
#include "translate/emit/emitter.h"

#include <string.h>

const char *vptr__emit_space_word(vptr__space space) {
  static const char *const words[] = { "", "__global ", "__local ", "__constant " };
  return words[space];
}

static const char *enum_word(const vptr__type *type) {
  static const char *const words[2][4] = { { "uchar", "ushort", "uint", "ulong" },
                                           { "char", "short", "int", "long" } };
  uint64_t size = vptr__type_size(type);
  int index = size == 1 ? 0 : size == 2 ? 1 : size == 8 ? 3 : 2;
  return words[vptr__type_is_signed(type)][index];
}

const char *vptr__emit_record_name(vptr__emitter *emitter, const vptr__declaration *record) {
  for (const vptr__record_plan *plan = emitter->plan->records; plan != NULL; plan = plan->next)
    if (plan->record == record)
      return vptr__emit_name(emitter, plan->name);
  return vptr__emit_declaration_name(emitter, record);
}

const char *vptr__emit_scalar(vptr__emitter *emitter, const vptr__type *type) {
  static const char *const words[VPTR__TYPE_COUNT] = {
    [VPTR__TYPE_VOID] = "void",
    [VPTR__TYPE_BOOL] = "uchar",
    [VPTR__TYPE_CHAR] = "char",
    [VPTR__TYPE_SIGNED_CHAR] = "char",
    [VPTR__TYPE_UNSIGNED_CHAR] = "uchar",
    [VPTR__TYPE_SHORT] = "short",
    [VPTR__TYPE_UNSIGNED_SHORT] = "ushort",
    [VPTR__TYPE_INT] = "int",
    [VPTR__TYPE_UNSIGNED] = "uint",
    [VPTR__TYPE_LONG] = "long",
    [VPTR__TYPE_UNSIGNED_LONG] = "ulong",
    [VPTR__TYPE_LONG_LONG] = "long",
    [VPTR__TYPE_UNSIGNED_LONG_LONG] = "ulong",
    [VPTR__TYPE_FLOAT] = "float",
    [VPTR__TYPE_DOUBLE] = "double",
    [VPTR__TYPE_NULLPTR] = "void *",
  };
  if (type->kind == VPTR__TYPE_DOUBLE)
    emitter->uses_double = true;
  if (type->kind == VPTR__TYPE_ENUM)
    return enum_word(type);
  if (type->kind == VPTR__TYPE_RECORD)
    return vptr__arena_format(emitter->arena, "%s %s", type->declaration->flags & VPTR__UNION ? "union" : "struct",
                              vptr__emit_record_name(emitter, type->declaration));
  if (words[type->kind] != NULL)
    return words[type->kind];
  vptr__source_report(emitter->source, VPTR__ERROR, 0, "a '%s' cannot be written in OpenCL C",
                      vptr__type_text(emitter->arena, type));
  return "int";
}

static const char *qualifier_words(unsigned qualifiers) {
  static const char *const words[8] = {
    "",          "const ",          "volatile ",          "const volatile ",
    "restrict ", "const restrict ", "volatile restrict ", "const volatile restrict "
  };
  return words[qualifiers & 7];
}

const char *vptr__emit_declarator(vptr__emitter *emitter, const vptr__type *type, const char *name,
                                  vptr__space space) {
  vptr__arena *arena = emitter->arena;
  const char *inner = name;
  for (;; type = type->base) {
    if (type->kind == VPTR__TYPE_POINTER && space == VPTR__SPACE_GLOBAL)
      return vptr__arena_format(arena, "__global %sulong%s%s",
                                qualifier_words(type->qualifiers & ~(unsigned)VPTR__RESTRICT),
                                *inner != '\0' ? " " : "", inner);
    if (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE) {
      unsigned qualifiers = type->kind == VPTR__TYPE_POINTER ? type->qualifiers : 0;
      inner = vptr__arena_format(arena, "*%s%s%s", vptr__emit_space_word(space), qualifier_words(qualifiers), inner);
      space = vptr__infer_space(emitter->instance, type);
      if (type->base->kind == VPTR__TYPE_ARRAY)
        inner = vptr__arena_format(arena, "(%s)", inner);
    } else if (type->kind == VPTR__TYPE_ARRAY) {
      inner = type->is_incomplete ? vptr__arena_format(arena, "%s[]", inner)
                                  : vptr__arena_format(arena, "%s[%llu]", inner, (unsigned long long)type->count);
    } else {
      return vptr__arena_format(arena, "%s%s%s%s%s", vptr__emit_space_word(space),
                                qualifier_words(type->qualifiers & ~(unsigned)VPTR__RESTRICT),
                                vptr__emit_scalar(emitter, type), *inner != '\0' ? " " : "", inner);
    }
  }
}

const char *vptr__emit_type_name(vptr__emitter *emitter, const vptr__type *type) {
  return vptr__emit_bare_declarator(emitter, type, "");
}

const char *vptr__emit_bare_declarator(vptr__emitter *emitter, const vptr__type *type, const char *name) {
  vptr__type bare = *type;
  bare.qualifiers = 0;
  return vptr__emit_declarator(emitter, &bare, name, VPTR__SPACE_PRIVATE);
}
