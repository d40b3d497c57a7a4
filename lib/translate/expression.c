/* SPDX-License-Identifier: MIT */
/*
 * expression - see expression.h.
 *
 * A name expression is C++, but without templates it can only be a qualified name with or without &. So it is compared
 * with the declarations' own qualified names, white space and a leading :: left out.
 */
#include "translate/expression.h"

#include <ctype.h>
#include <string.h>

#include "translate/emit/emit.h"

static bool is_word(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '$';
}

/* The name without & in front, parentheses around it, and white space: but for one blank that keeps two words apart. */
static char *normalize_name(vptr__arena *arena, const char *name) {
  static const char white[] = " \t\r\n";
  char *text = vptr__arena_allocate(arena, strlen(name) + 1), *end = text;
  for (; *name != 0; name++)
    if (strchr(white, *name) == NULL)
      *end++ = *name;
    else if (end != text && is_word(end[-1]) && is_word(name[strspn(name, white)]))
      *end++ = ' ';
  while (*text == '&' || (*text == '(' && end[-1] == ')')) {
    if (*text == '(')
      *--end = 0;
    text++;
  }
  return strncmp(text, "::", 2) == 0 ? text + 2 : text;
}

static const char *qualified_name(vptr__arena *arena, const vptr__declaration *declaration) {
  if (declaration->scope == NULL || *declaration->scope == 0)
    return declaration->name->text;
  return vptr__arena_format(arena, "%s::%s", declaration->scope, declaration->name->text);
}

static bool is_nameable(const vptr__declaration *declaration) {
  if (declaration->name == NULL)
    return false;
  if (declaration->kind == VPTR__DECLARATION_FUNCTION)
    return (declaration->flags & VPTR__GLOBAL) != 0;
  return declaration->kind == VPTR__DECLARATION_VARIABLE &&
         (declaration->flags & (VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED)) != 0;
}

/* Redeclarations have one lowered name, overloads have two. NULL: none, or more than one; said. */
static const char *find_lowered_name(vptr__unit *unit, const char *name) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  const char *wanted = normalize_name(arena, name), *found = NULL;
  for (const vptr__declaration *each = unit->declarations; each != NULL; each = each->next) {
    if (!is_nameable(each) || strcmp(qualified_name(arena, each), wanted) != 0)
      continue;
    const char *candidate = vptr__emit_lowered_name(arena, each);
    if (found != NULL && strcmp(found, candidate) != 0) {
      vptr__source_report(unit->source, VPTR__ERROR, each->position,
                          "name expression \"%s\" means more than one kernel: give them names of their own", name);
      return NULL;
    }
    found = candidate;
  }
  if (found == NULL)
    vptr__source_report(unit->source, VPTR__ERROR, 0,
                        "name expression \"%s\" is no __global__ function or variable of the device here", name);
  return found;
}

/* As lib/cudart/module reads values: what is no plain character is %XX. */
static const char *encode_name(vptr__arena *arena, const char *value) {
  char *text = vptr__arena_allocate(arena, 3 * strlen(value) + 1), *end = text;
  for (; *value != 0; value++) {
    unsigned char byte = (unsigned char)*value;
    if (byte > ' ' && byte < 127 && byte != '%') {
      *end++ = *value;
    } else {
      *end++ = '%';
      *end++ = "0123456789abcdef"[byte >> 4];
      *end++ = "0123456789abcdef"[byte & 15];
    }
  }
  return text;
}

const char *vptr__expression_add(vptr__unit *unit, const char *const *names, const char *module) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  const char *rest = strchr(module, '\n'), *lines = "";
  bool is_whole = rest != NULL;
  for (; *names != NULL; names++) {
    const char *name = find_lowered_name(unit, *names);
    is_whole &= name != NULL;
    if (name != NULL)
      lines = vptr__arena_format(arena, "%s//vptr expression name=%s lowered=%s\n", lines, encode_name(arena, *names),
                                 encode_name(arena, name));
  }
  if (!is_whole)
    return NULL;
  return vptr__arena_format(arena, "%.*s\n%s%s", (int)(rest - module), module, lines, rest + 1);
}
