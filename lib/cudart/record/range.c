/* SPDX-License-Identifier: MIT */
/*
 * range - reading the text of VPTR_RECORD_RANGE, and asking whether a kernel has its name (record/range.h). No data, no
 * locks: the range is its caller's. Called by recorder.c, once for the text and then for each launch; and by tests.
 */
#include "record/range.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "7", "3-5", "3-", "-5" */
static bool read_numbers(const char *text, vptr__record_range *range) {
  char *end = (char *)(uintptr_t)text;
  if (text[0] == '\0' || strspn(text, "0123456789-") != strlen(text))
    return false;
  range->first = 0;
  if (isdigit((unsigned char)*text))
    range->first = range->last = strtoull(text, &end, 10);
  if (*end == '\0')
    return true;
  end++;
  range->last = UINT64_MAX;
  if (*end != '\0')
    range->last = strtoull(end, &end, 10);
  return *end == '\0' && range->first <= range->last;
}

bool vptr__record_range_read(const char *text, vptr__record_range *range_out) {
  vptr__record_range range = { .name = "", .last = UINT64_MAX };
  const char *colon = text != NULL ? strrchr(text, ':') : NULL;
  if (text != NULL && read_numbers(colon != NULL ? colon + 1 : text, &range)) {
    if (colon == NULL)
      colon = text;
  } else if (text != NULL) {
    range = (vptr__record_range){ .name = "", .last = UINT64_MAX };
    colon = text + strlen(text);
    if (strspn(text, "0123456789-") == strlen(text))
      return false;
  }
  size_t length = text != NULL ? (size_t)(colon - text) : 0;
  if (length >= sizeof range.name)
    return false;
  if (length > 0)
    memcpy(range.name, text, length);
  *range_out = range;
  return true;
}

bool vptr__record_range_names(const vptr__record_range *range, const char *name, const char *lowered) {
  return range->name[0] == '\0' || strcmp(range->name, name) == 0 || strcmp(range->name, lowered) == 0;
}
