/* SPDX-License-Identifier: MIT */
/*
 * language - the rows of doc/cuda-language.txt: a construct each, whether kernels may use it, and a snippet that shows
 * it.
 *
 * The text's own head says how it is written. What is read here is used twice: language_table prints the document, and
 * test_language holds each row against the translator.
 */
#ifndef VPTR_TESTS_TRANSLATE_LANGUAGE_H
#define VPTR_TESTS_TRANSLATE_LANGUAGE_H

#include <stdbool.h>

#include "translate/translate.h"

enum { LANGUAGE_MOST_ROWS = 200, LANGUAGE_MOST_FRAGMENTS = 4, LANGUAGE_SNIPPET_BYTES = 2048 };

typedef struct language_row {
  int line; /* of the text, where it begins */
  const char *part, *construct;
  bool is_accepted;
  const char *note; /* "" without */
  const char *cxx;  /* by clang: "yes", or the words of a refusal; NULL: as is_accepted says */
  const char *fragments[LANGUAGE_MOST_FRAGMENTS + 1]; /* in the OpenCL C; NULL behind the last */
  char snippet[LANGUAGE_SNIPPET_BYTES];
} language_row;

typedef struct language {
  char *text; /* the file, cut into strings */
  language_row rows[LANGUAGE_MOST_ROWS];
  int count;
} language;

/* NULL: said why on stderr. Free it by language_free(). */
language *language_read(const char *path);
void language_free(language *language);

/* Translates a text, which is called "row.cu" in messages; given back by vptr__translate_free(). */
vptr__translation language_translate(const char *text);

/* The first error's words, without its place; "" without an error. In the translation. The place of its end is told. */
const char *language_message(const vptr__translation *translation, int *length_out);

#endif
