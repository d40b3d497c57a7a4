/* SPDX-License-Identifier: MIT */
/*
 * environment_table - writes a document anew with its list of environment variables as lib/vptr/base/option_table.c has
 * it.
 *
 *     environment_table readme|manual DOCUMENT
 *
 * The list stands between the first variable's line and the first line behind it that begins no entry: an empty line in
 * README, `.El` in vptr(7). Everything else of the document is copied. Exits with 1 where the document has no such
 * list.
 */
#include "base/option_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 118, INDENT = 24, LINE_SIZE = 4096 };

/* ---- README ---------------------------------------------------------------------------------------------- */

/* Words from a column on; returns the column behind the last. */
static int put_words(const char *text, int column) {
  while (*text != '\0') {
    int length = (int)strcspn(text, " ");
    if (column > INDENT && column + 1 + length > WIDTH) {
      printf("\n%*s", INDENT, "");
      column = INDENT;
    } else if (column > INDENT) {
      putchar(' ');
      column++;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  return column;
}

static void put_readme_entry(const vptr__option_entry *entry) {
  char fallback[LINE_SIZE];
  snprintf(fallback, sizeof fallback, "[%s]", entry->fallback);
  printf("    %-*s", INDENT - 4, entry->name);
  if (strlen(entry->name) >= INDENT - 4)
    printf("\n%*s", INDENT, "");
  put_words(fallback, put_words(entry->help, INDENT));
  putchar('\n');
}

/* ---- vptr(7) --------------------------------------------------------------------------------------------- */

/* A sentence ends a line in manual pages. A line must not begin with a dot, and a minus is `\-`. */
static void put_roff(const char *text) {
  bool marked = false;
  for (; *text != '\0'; text++) {
    if (*text == '`') {
      fputs(marked ? "\\fP" : "\\fB", stdout);
      marked = !marked;
    } else if (*text == '-' && isdigit((unsigned char)text[1])) {
      fputs("\\-", stdout);
    } else if (*text == ' ' && (text[-1] == '.' || text[-1] == ';')) {
      putchar('\n');
    } else {
      putchar(*text);
    }
  }
}

static void put_manual_entry(const vptr__option_entry *entry) {
  printf(".It Ev %s\n%c", entry->name, toupper((unsigned char)entry->help[0]));
  put_roff(entry->help + 1);
  fputs(".\n", stdout);
  if (entry->more != NULL) {
    put_roff(entry->more);
    putchar('\n');
  }
  fputs("Default: ", stdout);
  put_roff(entry->fallback);
  fputs(".\n", stdout);
}

/* ---- the document ---------------------------------------------------------------------------------------- */

typedef struct document_form {
  const char *name, *entry, *end;
  void (*put_entry)(const vptr__option_entry *entry);
} document_form;

static const document_form forms[] = {
  { "readme", "    VPTR_VERBOSE  ", "\n", put_readme_entry },
  { "manual", ".It Ev VPTR_VERBOSE\n", ".El\n", put_manual_entry },
};

static void put_entries(const document_form *form) {
  for (int i = 0; i < VPTR__OPTION_COUNT; i++)
    form->put_entry(&vptr__option_table[i]);
}

/* Returns whether the document has a list, from its beginning to its end. */
static bool rewrite(FILE *document, const document_form *form) {
  char line[LINE_SIZE];
  bool found = false, inside = false;
  while (fgets(line, sizeof line, document) != NULL) {
    if (!found && strncmp(line, form->entry, strlen(form->entry)) == 0) {
      put_entries(form);
      found = inside = true;
    } else if (inside && strcmp(line, form->end) == 0) {
      inside = false;
    }
    if (!inside)
      fputs(line, stdout);
  }
  return found && !inside;
}

int main(int argc, char **argv) {
  const document_form *form = NULL;
  for (size_t i = 0; argc == 3 && i < sizeof forms / sizeof forms[0]; i++)
    if (strcmp(argv[1], forms[i].name) == 0)
      form = &forms[i];
  FILE *document = form != NULL ? fopen(argv[2], "r") : NULL;
  if (document == NULL) {
    fprintf(stderr, "usage: environment_table readme|manual DOCUMENT\n");
    return 2;
  }
  bool done = rewrite(document, form);
  fclose(document);
  if (!done)
    fprintf(stderr, "%s has no list of environment variables that begins with '%s'\n", argv[2], form->entry);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
