/* SPDX-License-Identifier: MIT */
/* edit - see edit.h. */
#include "edit.h"

#include <stdlib.h>
#include <string.h>

void cc_edits_add(cc_edits *edits, uint32_t offset, uint32_t length, const char *insert) {
  if (edits->count == edits->capacity) {
    edits->capacity = edits->capacity * 2 + 64;
    cc_edit *items = vptr__arena_allocate(edits->arena, edits->capacity * sizeof *items);
    if (edits->count > 0)
      memcpy(items, edits->items, edits->count * sizeof *items);
    edits->items = items;
  }
  edits->items[edits->count] = (cc_edit){ offset, length, edits->count, insert };
  edits->count++;
}

static int compare_edits(const void *left, const void *right) {
  const cc_edit *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return a->serial < b->serial ? -1 : 1;
}

/* Line ends, and lines that are markers; no pragma survives. */
static void add_blanked(cc_buffer *out, const char *text, uint32_t length, bool at_line_start) {
  for (uint32_t i = 0; i < length;) {
    const char *end = memchr(text + i, '\n', length - i);
    uint32_t next = end != NULL ? (uint32_t)(end - text) + 1 : length;
    bool is_marker = at_line_start && next - i > 3 && text[i] == '#' && text[i + 1] == ' ' && text[i + 2] >= '0' &&
                     text[i + 2] <= '9';
    if (is_marker)
      cc_buffer_add(out, text + i, next - i);
    else if (end != NULL)
      cc_buffer_add(out, "\n", 1);
    at_line_start = true;
    i = next;
  }
}

void cc_edits_apply(cc_edits *edits, const cc_text *text, cc_buffer *out) {
  if (edits->count > 1)
    qsort(edits->items, edits->count, sizeof *edits->items, compare_edits);
  uint32_t at = 0;
  for (uint32_t i = 0; i < edits->count; i++) {
    const cc_edit *edit = &edits->items[i];
    if (edit->offset > at) {
      cc_buffer_add(out, text->text + at, edit->offset - at);
      at = edit->offset;
    }
    if (edit->insert != NULL)
      cc_buffer_add(out, edit->insert, strlen(edit->insert));
    if (edit->offset + edit->length > at) {
      add_blanked(out, text->text + at, edit->offset + edit->length - at, at == 0 || text->text[at - 1] == '\n');
      at = edit->offset + edit->length;
    }
  }
  cc_buffer_add(out, text->text + at, text->length - at);
}
