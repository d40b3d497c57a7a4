/* SPDX-License-Identifier: MIT */
/*
 * language_table - prints doc/cuda-language.md from doc/cuda-language.txt, the translator's own messages, and its table
 * of CUDA's functions.
 *
 *     make update-language       writes the document again
 *
 * tests/project/language.sh compares.
 */
#include "translate/language.h"
#include "translate/types/builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "# The language of kernels\n"
    "\n"
    "Made by `make update-language` from `doc/cuda-language.txt`, which has a snippet for each row, and from the\n"
    "translator's table of functions; do not edit. A test tries every snippet: what is *supported* here is accepted "
    "and\n"
    "builds, what is *refused* is refused in these words. The first column is what vptrcc's own front end does, the "
    "second\n"
    "what happens to the same snippet by clang, which `vptrcc --front-end=auto` asks where the own one refuses\n"
    "([vptrcc.md](vptrcc.md)); its words are those of clang 19. [kernels.md](kernels.md) explains.\n"
    "\n"
    "What is not in these tables is refused with `file:line:column: error:`, or it is a bug.\n";

static const char functions_head[] =
    "\n## Functions, one by one\n"
    "\n"
    "A name with `std::` before it means the same. *Arithmetic* is any number, which is taken as `double`, as C++'s\n"
    "overloads do; *any* is a scalar or a struct. *Becomes*: a function of OpenCL's, or *written out*: a few lines\n"
    "of OpenCL C that do what CUDA's does, since OpenCL has none or means something else by the name.\n";

/* Of vptr__builtin_tables, in their order. */
static const char *const titles[] = { "Mathematics",        "Integers",    "Atomics",
                                      "Threads and memory", "Conversions", "Arithmetic with a direction of rounding",
                                      "Special functions" };

/* ---- constructs ------------------------------------------------------------------------------------------ */

/* In a span of code; a bar would end the cell all the same. */
static void print_message(const char *text, int length) {
  printf("``");
  for (int i = 0; i < length; i++)
    printf(text[i] == '|' ? "\\|" : "%c", text[i]);
  printf("``");
}

static void print_cxx(const language_row *row) {
  if (row->cxx == NULL || strcmp(row->cxx, "yes") == 0) {
    printf("%s", row->cxx != NULL || row->is_accepted ? "supported" : "?");
    return;
  }
  printf("refused: ");
  print_message(row->cxx, (int)strlen(row->cxx));
}

/* A refused row has to say what clang does with it. */
static bool print_row(const language_row *row) {
  int length;
  vptr__translation translation = language_translate(row->snippet);
  const char *message = language_message(&translation, &length);
  bool is_right = row->is_accepted == (translation.module != NULL) &&
                  (row->is_accepted || (row->cxx != NULL && *row->cxx != '\0'));
  printf("| %s | %s | ", row->construct, row->is_accepted ? "supported" : "refused");
  print_cxx(row);
  printf(" | %s", row->note);
  if (!row->is_accepted) {
    printf(row->note[0] != '\0' ? ". " : "");
    print_message(message, length);
  }
  puts(" |");
  if (!is_right)
    fprintf(stderr, "cuda-language.txt:%d: not as it says: %s\n%s", row->line, row->construct, translation.log);
  vptr__translate_free(&translation);
  return is_right;
}

static bool print_rows(const language *rows) {
  const char *part = "";
  bool are_right = true;
  for (int i = 0; i < rows->count; i++) {
    if (strcmp(part, rows->rows[i].part) != 0)
      printf("\n## %s\n\n| construct | own | by clang | how, or what instead |\n|---|---|---|---|\n",
             rows->rows[i].part);
    part = rows->rows[i].part;
    are_right &= print_row(&rows->rows[i]);
  }
  return are_right;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

static const char *word_of(char letter) {
  static const char *const words[] = {
    ['v'] = "void",     ['b'] = "bool",   ['c'] = "char",          ['s'] = "short",      ['i'] = "int",
    ['j'] = "unsigned", ['l'] = "long",   ['m'] = "unsigned long", ['x'] = "long long",  ['y'] = "unsigned long long",
    ['f'] = "float",    ['d'] = "double", ['z'] = "size_t",        ['a'] = "arithmetic", ['Q'] = "any *",
    ['T'] = "any",      ['*'] = "...",
  };
  return (unsigned char)letter < sizeof words / sizeof *words && words[(unsigned char)letter] != NULL
             ? words[(unsigned char)letter]
             : "?";
}

/* One type; what is behind it is returned. */
static const char *print_type(const char *signature) {
  const char *star = "";
  if (*signature == 'C')
    printf("const ");
  if (*signature == 'P' || *signature == 'C') {
    signature++;
    star = " *";
  }
  printf("%s%s", word_of(*signature), star);
  return signature + 1;
}

static void print_signature(const char *signature) {
  const char *separator = "";
  putchar('`');
  signature = print_type(signature);
  printf(" (");
  while (*signature != '\0') {
    printf("%s", separator);
    separator = ", ";
    signature = print_type(signature);
  }
  printf(")`");
}

static bool is_same_name(const vptr__builtin *row, const vptr__builtin *other) {
  return other->name != NULL && strcmp(row->name, other->name) == 0;
}

static void print_becomes(const vptr__builtin *row) {
  bool is_opencl = row->unit == NULL && (row->flags & VPTR__BUILTIN_SPECIAL) == 0;
  if (is_opencl)
    printf("`%s()`", row->lowered);
  else
    printf("written out");
}

/* All rows of one name; the first behind them is returned. */
static const vptr__builtin *print_function(const vptr__builtin *row) {
  const vptr__builtin *first = row;
  printf("| %s | ", row->name);
  print_signature(row->signature);
  while (is_same_name(first, ++row)) {
    printf(", ");
    print_signature(row->signature);
  }
  printf(" | ");
  print_becomes(first);
  for (const vptr__builtin *other = first + 1; other != row; other++)
    if ((other->unit == NULL) != (first->unit == NULL)) {
      printf(", ");
      print_becomes(other);
      break;
    }
  puts(" |");
  return row;
}

/* What tools/kernelc writes and no program: one form each. */
static bool is_kernel_c(const vptr__builtin *row) {
  return strncmp(row->name, "__vptr_", strlen("__vptr_")) == 0;
}

static bool has_functions(const vptr__builtin *row) {
  while (row->name != NULL && is_kernel_c(row))
    row++;
  return row->name != NULL;
}

static void print_functions(void) {
  printf("%s", functions_head);
  for (size_t i = 0; vptr__builtin_tables[i] != NULL; i++) {
    if (!has_functions(vptr__builtin_tables[i]))
      continue;
    if (i == sizeof titles / sizeof *titles) {
      fprintf(stderr, "language_table.c: a table of functions has no title\n");
      exit(EXIT_FAILURE);
    }
    printf("\n### %s\n\n| function | forms | becomes |\n|---|---|---|\n", titles[i]);
    const vptr__builtin *row = vptr__builtin_tables[i];
    while (row->name != NULL)
      row = is_kernel_c(row) ? row + 1 : print_function(row);
  }
}

int main(int argc, char **argv) {
  language *rows = argc == 2 ? language_read(argv[1]) : NULL;
  if (rows == NULL) {
    fprintf(stderr, "usage: language_table cuda-language.txt\n");
    return 2;
  }
  printf("%s", head);
  bool are_right = print_rows(rows);
  print_functions();
  language_free(rows);
  return are_right ? 0 : 1;
}
