/* SPDX-License-Identifier: MIT */
/*
 * name - what the OpenCL functions are called: readable, since people read drivers' messages and profiles.
 *
 * `scale` of namespace a::b is a__b__scale, a kernel's has vptr_k_ before it, the second instance of the same name
 * __2 behind it. A driver may make a file name of a kernel's (PoCL does), and those of templates run to hundreds of
 * bytes: of a long name the entry has the beginning.
 */
#include <string.h>

#include "translate/infer/name.h"
#include "translate/infer/solver.h"

typedef struct operator_word {
  const char *text, *word;
} operator_word;

static const operator_word operator_words[] = {
  { "+=", "add_assign" },
  { "-=", "subtract_assign" },
  { "*=", "multiply_assign" },
  { "/=", "divide_assign" },
  { "%=", "modulo_assign" },
  { "==", "equal" },
  { "!=", "not_equal" },
  { "<=", "less_equal" },
  { ">=", "greater_equal" },
  { "<<", "shift_left" },
  { ">>", "shift_right" },
  { "&&", "and_and" },
  { "||", "or_or" },
  { "++", "increment" },
  { "--", "decrement" },
  { "[]", "index" },
  { "()", "call" },
  { "+", "add" },
  { "-", "subtract" },
  { "*", "multiply" },
  { "/", "divide" },
  { "%", "modulo" },
  { "<", "less" },
  { ">", "greater" },
  { "=", "assign" },
  { "&", "and" },
  { "|", "or" },
  { "^", "xor" },
  { "!", "not" },
  { "~", "complement" },
};

static bool is_identifier_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* `operator+` as operator_add, `a::b` as a__b. */
static const char *make_identifier(vptr__arena *arena, const char *text) {
  static const char word[] = "operator";
  if (strncmp(text, word, sizeof word - 1) == 0) {
    const char *rest = text + sizeof word - 1;
    while (*rest == ' ')
      rest++;
    for (size_t i = 0; i < sizeof operator_words / sizeof *operator_words; i++)
      if (strcmp(rest, operator_words[i].text) == 0)
        return vptr__arena_format(arena, "operator_%s", operator_words[i].word);
  }
  char *name = vptr__arena_copy(arena, text, strlen(text));
  for (char *byte = name; *byte != 0; byte++)
    if (!is_identifier_byte(*byte))
      *byte = '_';
  return name;
}

/* With each name goes the number that is tried next where it is wanted again: thousands of kernels may have a shared
 * variable of one name. */
const char *vptr__name_unique(vptr__source *source, vptr__map *taken, const char *name) {
  vptr__arena *arena = vptr__source_arena(source);
  const char *unique = name;
  int *next = NULL;
  for (;;) {
    vptr__name *interned = vptr__source_intern(source, unique, strlen(unique));
    void **slot = vptr__map_put(arena, taken, (uintptr_t)interned);
    if (*slot == NULL) {
      int *first = vptr__arena_allocate(arena, sizeof *first);
      *first = 2;
      *slot = first;
      return unique;
    }
    if (next == NULL)
      next = *slot;
    unique = vptr__arena_format(arena, "%s__%d", name, (*next)++);
  }
}

const char *vptr__name_qualified(vptr__arena *arena, const vptr__declaration *declaration, const char *unnamed) {
  const char *name = declaration->name != NULL ? make_identifier(arena, declaration->name->text) : unnamed;
  if (declaration->scope == NULL || *declaration->scope == 0)
    return name;
  return vptr__arena_format(arena, "%s__%s", make_identifier(arena, declaration->scope), name);
}

const char *vptr__instance_name(vptr__solver *solver, const vptr__declaration *function, bool is_kernel) {
  enum { MOST_OF_ENTRY = 120 };
  const char *name = vptr__name_qualified(solver->arena, function, "function");
  if (is_kernel)
    name = vptr__arena_format(solver->arena, "vptr_k_%.*s", MOST_OF_ENTRY, name);
  return vptr__name_unique(solver->unit->source, &solver->names, name);
}
