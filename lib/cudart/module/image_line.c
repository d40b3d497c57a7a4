/* SPDX-License-Identifier: MIT */
/*
 * image_line - reading one line in front of a module's text: its words, and its pairs of key and value (image_line.h).
 *
 * No data but a constant, and no locks. Called by image.c alone, when a module is loaded. Nothing blocks; what is
 * refused is told with the line's number and text.
 */
#include "module/image_line.h"

#include "base/error.h"

#include <ctype.h>
#include <string.h>

static const char prefix[] = "//vptr ";

vptr_status vptr__image_line_refuse(const vptr__image_line *at, const char *what) {
  ptrdiff_t length = at->end - at->begin;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "module, line %u: %s: %.*s", at->number, what,
                     length < 120 ? (int)length : 120, at->begin);
}

bool vptr__image_line_next(const char **at, const char *end, vptr__image_line *line_out) {
  const size_t length = sizeof prefix - 1;
  if ((size_t)(end - *at) < length || memcmp(*at, prefix, length) != 0)
    return false;
  const char *stop = memchr(*at, '\n', (size_t)(end - *at));
  line_out->begin = *at + length;
  line_out->end = stop != NULL ? stop : end;
  line_out->number++;
  *at = stop != NULL ? stop + 1 : end;
  return true;
}

bool vptr__image_line_is(const vptr__image_line *at, const char *word) {
  size_t length = strlen(word);
  return (size_t)(at->end - at->begin) >= length && memcmp(at->begin, word, length) == 0 &&
         (at->begin + length == at->end || at->begin[length] == ' ');
}

/* The value of key, from *value_out to the returned end; NULL if there is none. */
const char *vptr__image_line_find(const vptr__image_line *at, const char *key, const char **value_out) {
  size_t length = strlen(key);
  for (const char *p = at->begin; p < at->end;) {
    const char *stop = memchr(p, ' ', (size_t)(at->end - p));
    if (stop == NULL)
      stop = at->end;
    if ((size_t)(stop - p) > length && memcmp(p, key, length) == 0 && p[length] == '=') {
      *value_out = p + length + 1;
      return stop;
    }
    p = stop + 1;
  }
  return NULL;
}

/* A decimal number up to most; fallback where the key is missing; false if it is no number. */
bool vptr__image_line_decimal(const vptr__image_line *at, const char *key, uint64_t fallback, uint64_t most,
                              uint64_t *number_out) {
  const char *value;
  const char *end = vptr__image_line_find(at, key, &value);
  *number_out = fallback;
  if (end == NULL)
    return true;
  if (value == end)
    return false;
  uint64_t sum = 0;
  for (; value < end; value++) {
    if (*value < '0' || *value > '9' || sum > (most - (uint64_t)(*value - '0')) / 10)
      return false;
    sum = sum * 10 + (uint64_t)(*value - '0');
  }
  *number_out = sum;
  return true;
}

int vptr__image_hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool vptr__image_line_has(const vptr__image_line *at, const char *key, const char *expected) {
  const char *value;
  const char *end = vptr__image_line_find(at, key, &value);
  return end != NULL && (size_t)(end - value) == strlen(expected) && memcmp(value, expected, strlen(expected)) == 0;
}
