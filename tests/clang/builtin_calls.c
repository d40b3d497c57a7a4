/* SPDX-License-Identifier: MIT */
/*
 * builtin_calls - prints a CUDA program that calls every row of the translator's tables of CUDA's functions, with
 * arguments of exactly the row's types, and holds what each call gives against the row's result.
 *
 * The headers for clang must have all of them: a row that they lack, or have for other types alone, is an error at a
 * function named after it.
 *
 * A letter that stands for more than one type is tried with several: `a` with double and three integers, Q with an
 * int, a double and a vector, or with one of 16 bytes where it is to that.
 */
#include <stdio.h>
#include <string.h>

#include "translate/types/builtin.h"

static const struct {
  char letter;
  const char *name;
} types[] = {
  { 'v', "void" },      { 'b', "bool" },
  { 'c', "char" },      { 's', "short" },
  { 'i', "int" },       { 'j', "unsigned int" },
  { 'l', "long" },      { 'm', "unsigned long" },
  { 'x', "long long" }, { 'y', "unsigned long long" },
  { 'f', "float" },     { 'd', "double" },
  { 'z', "size_t" },
};

static const char *const arithmetic[] = { "double", "int", "unsigned int", "long long", NULL };
static const char *const pointees[] = { "int", "double", "float4", NULL };
static const char *const locked[] = { "float4", "longlong2", NULL };
static const char *const nothing[] = { "int", NULL };

/* Reads one type; `chosen` is what `a` and T are. NULL: a letter that this program does not know. */
static const char *type_read(const char **letters, const char *chosen, char *text, size_t size) {
  char letter = *(*letters)++, inner[64];
  if (letter == 'P' || letter == 'C') {
    if (type_read(letters, chosen, inner, sizeof inner) == NULL)
      return NULL;
    snprintf(text, size, letter == 'P' ? "%s *" : "const %s *", inner);
    return text;
  }
  if (letter == 'Q') {
    snprintf(text, size, "%s *", chosen);
    return text;
  }
  if (letter == 'a' || letter == 'T') {
    snprintf(text, size, "%s", chosen);
    return text;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].letter == letter) {
      snprintf(text, size, "%s", types[i].name);
      return text;
    }
  return NULL;
}

/* What the translator's own lowered form calls is no function of CUDA's. */
static int row_is_internal(const vptr__builtin *row) {
  return strncmp(row->name, "__vptr_", 7) == 0;
}

/* CUDA's clock_t is a long, and clang's header has an int. */
static int result_is_held(const vptr__builtin *row) {
  return strcmp(row->name, "clock") != 0;
}

static int call_print(const vptr__builtin *row, int number, const char *chosen) {
  const char *letters = row->signature;
  char result[64], type[64], arguments[256] = "";
  int count = 0;
  if (type_read(&letters, chosen, result, sizeof result) == NULL)
    return -1;
  printf("__device__ void row_%d_%s(", number, row->name);
  while (*letters != '\0' && *letters != '*') {
    size_t used = strlen(arguments);
    if (type_read(&letters, chosen, type, sizeof type) == NULL)
      return -1;
    snprintf(arguments + used, sizeof arguments - used, "%sx%d", count == 0 ? "" : ", ", count);
    printf("%s%s x%d", count == 0 ? "" : ", ", type, count);
    count++;
  }
  printf(") {\n");
  if (result_is_held(row))
    printf("  static_assert(same<decltype(%s(%s)), %s>::value, \"%s: %s\");\n", row->name, arguments, result,
           row->name, row->signature);
  printf("  (void)%s(%s);\n}\n", row->name, arguments);
  return 0;
}

int main(void) {
  int number = 0, calls = 0;
  puts("template <class A, class B> struct same { static const bool value = false; };\n"
       "template <class A> struct same<A, A> { static const bool value = true; };");
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++) {
      if (row_is_internal(row))
        continue;
      number++;
      const char *const *chosen = nothing;
      if (strchr(row->signature, 'a') != NULL)
        chosen = arithmetic;
      if (strchr(row->signature, 'Q') != NULL)
        chosen = (row->flags & VPTR__BUILTIN_LOCKED) != 0 ? locked : pointees;
      for (; *chosen != NULL; chosen++, calls++)
        if (call_print(row, calls, *chosen) != 0) {
          fprintf(stderr, "%s: a letter of %s is not known here\n", row->name, row->signature);
          return 1;
        }
    }
  printf("// %d rows, %d calls\n", number, calls);
  return 0;
}
