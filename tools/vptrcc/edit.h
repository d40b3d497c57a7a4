/* SPDX-License-Identifier: MIT */
/*
 * edit - changes to a text, collected first and made at once.
 *
 * What is taken out leaves its line ends and line markers behind, so that all that stays keeps its line.
 */
#ifndef VPTRCC_EDIT_H
#define VPTRCC_EDIT_H

#include "buffer.h"
#include "tokens.h"

typedef struct cc_edit {
  uint32_t offset, length; /* what is taken out */
  uint32_t serial;
  const char *insert;      /* before it; NULL: nothing */
} cc_edit;

typedef struct cc_edits {
  vptr__arena *arena;
  cc_edit *items;
  uint32_t count, capacity;
} cc_edits;

/* Edits at one place go in the order in which they were added. */
void cc_edits_add(cc_edits *edits, uint32_t offset, uint32_t length, const char *insert);
void cc_edits_apply(cc_edits *edits, const cc_text *text, cc_buffer *out);

#endif
