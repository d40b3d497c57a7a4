/* SPDX-License-Identifier: MIT */
/*
 * mangle - names of functions and variables as the Itanium C++ ABI has them: what programs find kernels by.
 *
 * Types and namespaces that come again are written S_, S0_, S1_...: `seen` holds what came, each in full, so that
 * one text is one type.
 */
#include "translate/emit/emit.h"

#include <string.h>

#include "translate/emit/writer.h"

typedef struct seen_type {
  const char *full;
  struct seen_type *next; /* newer */
} seen_type;

typedef struct mangler {
  vptr__arena *arena;
  vptr__writer out;
  seen_type *first, *last;
} mangler;

static void add_seen_type(mangler *mangle, const char *full) {
  seen_type *seen = VPTR__ARENA_NEW(mangle->arena, seen_type);
  seen->full = full;
  *(mangle->last != NULL ? &mangle->last->next : &mangle->first) = seen;
  mangle->last = seen;
}

/* Writes S<n>_ if that was there before. */
static bool write_seen(mangler *mangle, const char *full) {
  static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  int index = 0;
  for (const seen_type *seen = mangle->first; seen != NULL; seen = seen->next, index++) {
    if (strcmp(seen->full, full) != 0)
      continue;
    if (index == 0)
      vptr__writer_text(&mangle->out, "S_");
    else if (index <= 36)
      vptr__writer_format(&mangle->out, "S%c_", digits[index - 1]);
    else
      vptr__writer_format(&mangle->out, "S%c%c_", digits[(index - 1) / 36], digits[(index - 1) % 36]);
    return true;
  }
  return false;
}

static const char *source_name(mangler *mangle, const char *name, size_t length) {
  return vptr__arena_format(mangle->arena, "%zu%.*s", length, (int)length, name);
}

/* The namespaces a::b as prefixes, each seen once; gives back their full text. */
static const char *write_scope(mangler *mangle, const char *scope) {
  const char *full = "";
  size_t written = mangle->out.length;
  while (*scope != '\0') {
    size_t length = strcspn(scope, ":");
    const char *part = source_name(mangle, scope, length);
    full = vptr__arena_format(mangle->arena, "%s%s", full, part);
    size_t here = mangle->out.length;
    if (write_seen(mangle, full)) { /* stands for all before it too */
      vptr__writer reference = mangle->out;
      const char *text = vptr__arena_copy(mangle->arena, reference.text + here, reference.length - here);
      mangle->out.length = written;
      vptr__writer_text(&mangle->out, text);
    } else {
      vptr__writer_text(&mangle->out, part);
      add_seen_type(mangle, full);
    }
    scope += length;
    scope += strspn(scope, ":");
  }
  return full;
}

static bool has_scope(const vptr__declaration *declaration) {
  return declaration->scope != NULL && *declaration->scope != '\0';
}

static const char *scope_full(mangler *mangle, const char *scope) {
  const char *full = "";
  while (*scope != '\0') {
    size_t length = strcspn(scope, ":");
    full = vptr__arena_format(mangle->arena, "%s%s", full, source_name(mangle, scope, length));
    scope += length;
    scope += strspn(scope, ":");
  }
  return full;
}

static const char *named_full(mangler *mangle, const vptr__declaration *declaration) {
  const char *name = declaration->name != NULL ? declaration->name->text : "";
  const char *own = source_name(mangle, name, strlen(name));
  return has_scope(declaration)
             ? vptr__arena_format(mangle->arena, "%s%s", scope_full(mangle, declaration->scope), own)
             : own;
}

static char letter_of(const vptr__type *type) {
  static const char letters[VPTR__TYPE_COUNT] = {
    [VPTR__TYPE_VOID] = 'v',
    [VPTR__TYPE_BOOL] = 'b',
    [VPTR__TYPE_CHAR] = 'c',
    [VPTR__TYPE_SIGNED_CHAR] = 'a',
    [VPTR__TYPE_UNSIGNED_CHAR] = 'h',
    [VPTR__TYPE_SHORT] = 's',
    [VPTR__TYPE_UNSIGNED_SHORT] = 't',
    [VPTR__TYPE_INT] = 'i',
    [VPTR__TYPE_UNSIGNED] = 'j',
    [VPTR__TYPE_LONG] = 'l',
    [VPTR__TYPE_UNSIGNED_LONG] = 'm',
    [VPTR__TYPE_LONG_LONG] = 'x',
    [VPTR__TYPE_UNSIGNED_LONG_LONG] = 'y',
    [VPTR__TYPE_FLOAT] = 'f',
    [VPTR__TYPE_DOUBLE] = 'd',
  };
  return letters[type->kind];
}

static const char *qualifier_letters(unsigned qualifiers) {
  static const char *const letters[8] = { "", "K", "V", "VK", "r", "rK", "rV", "rVK" };
  return letters[qualifiers & 7];
}

static const char *full_type(mangler *mangle, const vptr__type *type, bool with_qualifiers);

static const char *full_function(mangler *mangle, const vptr__type *type) {
  const char *text = vptr__arena_format(mangle->arena, "F%s", full_type(mangle, type->base, true));
  for (const vptr__declaration *each = type->parameters; each != NULL; each = each->next)
    text = vptr__arena_format(mangle->arena, "%s%s", text, full_type(mangle, each->type, false));
  return vptr__arena_format(mangle->arena, "%s%sE", text, type->parameters == NULL ? "v" : "");
}

/* A type in full, without references to what came before. */
static const char *full_type(mangler *mangle, const vptr__type *type, bool with_qualifiers) {
  vptr__arena *arena = mangle->arena;
  vptr__arena_enter(arena);
  const char *text;
  if (with_qualifiers && type->qualifiers != 0)
    text = vptr__arena_format(arena, "%s%s", qualifier_letters(type->qualifiers), full_type(mangle, type, false));
  else if (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE)
    text = vptr__arena_format(arena, "%c%s", type->kind == VPTR__TYPE_POINTER ? 'P' : 'R',
                              full_type(mangle, type->base, true));
  else if (type->kind == VPTR__TYPE_ARRAY)
    text =
        vptr__arena_format(arena, "A%llu_%s", (unsigned long long)type->count, full_type(mangle, type->base, true));
  else if (type->kind == VPTR__TYPE_FUNCTION)
    text = full_function(mangle, type);
  else if (type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ENUM)
    text = named_full(mangle, type->declaration);
  else if (type->kind == VPTR__TYPE_NULLPTR)
    text = "Dn";
  else
    text = vptr__arena_format(arena, "%c", letter_of(type));
  vptr__arena_leave(arena);
  return text;
}

static void write_named(mangler *mangle, const vptr__declaration *declaration) {
  const char *name = declaration->name != NULL ? declaration->name->text : "";
  if (has_scope(declaration)) {
    vptr__writer_text(&mangle->out, "N");
    write_scope(mangle, declaration->scope);
    vptr__writer_format(&mangle->out, "%zu%sE", strlen(name), name);
  } else {
    vptr__writer_format(&mangle->out, "%zu%s", strlen(name), name);
  }
}

static void write_type(mangler *mangle, const vptr__type *type, bool with_qualifiers);

static void write_parameters(mangler *mangle, const vptr__type *function) {
  if (function->parameters == NULL)
    vptr__writer_text(&mangle->out, "v");
  for (const vptr__declaration *each = function->parameters; each != NULL; each = each->next)
    write_type(mangle, each->type, false);
}

static void write_type(mangler *mangle, const vptr__type *type, bool with_qualifiers) {
  unsigned qualifiers = with_qualifiers ? type->qualifiers : 0;
  if (qualifiers == 0 && letter_of(type) != '\0') {
    vptr__writer_format(&mangle->out, "%c", letter_of(type));
    return;
  }
  if (qualifiers == 0 && type->kind == VPTR__TYPE_NULLPTR) {
    vptr__writer_text(&mangle->out, "Dn");
    return;
  }
  const char *full = full_type(mangle, type, with_qualifiers);
  if (write_seen(mangle, full))
    return;
  vptr__arena_enter(mangle->arena);
  if (qualifiers != 0) {
    vptr__writer_text(&mangle->out, qualifier_letters(qualifiers));
    write_type(mangle, type, false);
  } else if (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE) {
    vptr__writer_text(&mangle->out, type->kind == VPTR__TYPE_POINTER ? "P" : "R");
    write_type(mangle, type->base, true);
  } else if (type->kind == VPTR__TYPE_ARRAY) {
    vptr__writer_format(&mangle->out, "A%llu_", (unsigned long long)type->count);
    write_type(mangle, type->base, true);
  } else if (type->kind == VPTR__TYPE_FUNCTION) {
    vptr__writer_text(&mangle->out, "F");
    write_type(mangle, type->base, true);
    write_parameters(mangle, type);
    vptr__writer_text(&mangle->out, "E");
  } else {
    write_named(mangle, type->declaration);
  }
  vptr__arena_leave(mangle->arena);
  add_seen_type(mangle, full);
}

/* _Z, the name (static ones with an L), and of functions what they take. */
static void write_function(mangler *mangle, const vptr__declaration *function) {
  const char *local = function->flags & VPTR__STATIC ? "L" : "", *name = function->name->text;
  vptr__writer_text(&mangle->out, "_Z");
  if (has_scope(function)) {
    vptr__writer_text(&mangle->out, "N");
    write_scope(mangle, function->scope);
    vptr__writer_format(&mangle->out, "%s%zu%sE", local, strlen(name), name);
  } else {
    vptr__writer_format(&mangle->out, "%s%zu%s", local, strlen(name), name);
  }
  write_parameters(mangle, function->type);
}

static void write_variable(mangler *mangle, const vptr__declaration *variable) {
  const char *local = variable->flags & VPTR__STATIC ? "L" : "", *name = variable->name->text;
  if (!has_scope(variable) && *local == '\0') {
    vptr__writer_text(&mangle->out, name);
    return;
  }
  vptr__writer_text(&mangle->out, has_scope(variable) ? "_ZN" : "_Z");
  if (has_scope(variable))
    write_scope(mangle, variable->scope);
  vptr__writer_format(&mangle->out, "%s%zu%s%s", local, strlen(name), name, has_scope(variable) ? "E" : "");
}

const char *vptr__emit_lowered_name(vptr__arena *arena, const vptr__declaration *declaration) {
  mangler mangle = { .arena = arena };
  vptr__writer_init(&mangle.out, arena);
  if (declaration->flags & VPTR__EXTERN_C)
    return declaration->name->text;
  if (declaration->kind == VPTR__DECLARATION_FUNCTION)
    write_function(&mangle, declaration);
  else
    write_variable(&mangle, declaration);
  return vptr__writer_result(&mangle.out);
}
