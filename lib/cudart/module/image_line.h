/* SPDX-License-Identifier: MIT */
/*
 * image_line - one line of those in front of a module's text (image.h), and the pairs of key and value in it.
 *
 * A line is a view into the text, which nothing changes here. No locks. Used by image.c.
 */
#ifndef VPTR_MODULE_IMAGE_LINE_H
#define VPTR_MODULE_IMAGE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef struct vptr__image_line {
  const char *begin, *end; /* behind the mark; without the end of the line */
  unsigned number;
} vptr__image_line;

/* Cuts the next line off; false: it is none of a module's. */
bool vptr__image_line_next(const char **at, const char *end, vptr__image_line *line_out);

/* Whether the line begins with a word. */
bool vptr__image_line_is(const vptr__image_line *at, const char *word);

/* The value of key, from *value_out to the returned end; NULL if there is none. */
const char *vptr__image_line_find(const vptr__image_line *at, const char *key, const char **value_out);

/* A decimal number up to most; fallback where the key is missing; false if it is no number. */
bool vptr__image_line_decimal(const vptr__image_line *at, const char *key, uint64_t fallback, uint64_t most,
                              uint64_t *number_out);

/* Whether key is there and has this value. */
bool vptr__image_line_has(const vptr__image_line *at, const char *key, const char *expected);

/* Of a hexadecimal digit; -1: it is none. */
int vptr__image_hex_value(char c);

/* Says what is wrong with the line; INVALID_ARGUMENT. */
vptr_status vptr__image_line_refuse(const vptr__image_line *at, const char *what);

#endif
