/* SPDX-License-Identifier: MIT */
#include "translate/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char error_word[] = "error: ";

/* ---- reading --------------------------------------------------------------------------------------------- */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long size = -1;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0)
    size = ftell(file);
  if (size >= 0)
    text = calloc((size_t)size + 1, 1);
  if (text != NULL) {
    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  if (text == NULL)
    perror(path);
  if (file != NULL)
    fclose(file);
  return text;
}

/* Behind the prefix, or NULL if the line has another. */
static char *behind(char *line, const char *prefix) {
  size_t length = strlen(prefix);
  if (strncmp(line, prefix, length) != 0)
    return NULL;
  line += length;
  return line + strspn(line, " ");
}

static bool add_fragment(language_row *row, const char *fragment) {
  for (int i = 0; i < LANGUAGE_MOST_FRAGMENTS; i++)
    if (row->fragments[i] == NULL) {
      row->fragments[i] = fragment;
      return true;
    }
  return false;
}

static bool add_line(language_row *row, const char *line) {
  size_t length = strlen(row->snippet), more = strlen(line);
  if (length + more + 2 > sizeof row->snippet)
    return false;
  memcpy(row->snippet + length, line, more);
  row->snippet[length + more] = '\n';
  row->snippet[length + more + 1] = '\0';
  return true;
}

/* A line that belongs to a row. */
static bool read_inside(language_row *row, char *line) {
  char *rest;
  if ((rest = behind(line, "yes:")) != NULL || (rest = behind(line, "no:")) != NULL) {
    row->is_accepted = line[0] == 'y';
    row->note = rest;
    return true;
  }
  if ((rest = behind(line, "c++:")) != NULL) {
    row->cxx = rest;
    return true;
  }
  if ((rest = behind(line, ">")) != NULL)
    return add_fragment(row, rest);
  return line[0] == ' ' && add_line(row, line + 1);
}

static bool read_line(language *it, char *line, int number, const char **part) {
  char *rest = behind(line, "==");
  if (line[0] == '\0' || line[0] == ';')
    return true;
  if (rest != NULL) {
    *part = rest;
    return true;
  }
  rest = behind(line, "# ");
  if (rest == NULL)
    return it->count > 0 && read_inside(&it->rows[it->count - 1], line);
  if (it->count == LANGUAGE_MOST_ROWS || *part == NULL)
    return false;
  it->rows[it->count++] = (language_row){ .line = number, .part = *part, .construct = rest };
  return true;
}

language *language_read(const char *path) {
  language *it = calloc(1, sizeof *it);
  if (it == NULL || (it->text = read_file(path)) == NULL) {
    free(it);
    return NULL;
  }
  const char *part = NULL;
  char *line = it->text;
  for (int number = 1; line != NULL; number++) {
    char *next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    if (!read_line(it, line, number, &part)) {
      fprintf(stderr, "%s:%d: cannot be read: %s\n", path, number, line);
      language_free(it);
      return NULL;
    }
    line = next;
  }
  return it;
}

void language_free(language *it) {
  free(it->text);
  free(it);
}

/* ---- translating ----------------------------------------------------------------------------------------- */

static bool find_nothing(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                         const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out;
  (void)path_out;
  return false;
}

vptr__translation language_translate(const char *text) {
  const vptr__reader reader = { .open = find_nothing };
  const vptr__translate_options options = { 0 };
  vptr__translation translation = { 0 };
  if (!vptr__translate("row.cu", text, strlen(text), &reader, &options, &translation))
    abort(); /* there is no memory */
  return translation;
}

const char *language_message(const vptr__translation *translation, int *length_out) {
  const char *message = strstr(translation->log, error_word);
  if (message == NULL) {
    *length_out = 0;
    return "";
  }
  message += strlen(error_word);
  *length_out = (int)strcspn(message, "\n");
  return message;
}
