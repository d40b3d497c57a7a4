/* SPDX-License-Identifier: MIT */
/*
 * tokens - a preprocessed C++ text, cut up as far as the splitter needs it.
 *
 * The translator's lexer is not used: this one keeps line markers apart, knows where each bracket ends, and never
 * joins '<' or '>' with a neighbour, since `>>>` may end a launch, three templates, or a template and two shifts.
 * Only `::` and `->` are one token.
 */
#ifndef VPTRCC_TOKENS_H
#define VPTRCC_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "translate/source/arena.h"

typedef enum cc_token_kind { CC_END, CC_NAME, CC_NUMBER, CC_STRING, CC_PUNCTUATOR } cc_token_kind;

#define CC_NO_MATCH UINT32_MAX

typedef struct cc_token {
  uint32_t offset, length;
  uint32_t match;          /* of ( [ { and their ends: the other one; else CC_NO_MATCH */
  uint8_t kind;
} cc_token;

/* `# line "file" flags`: what holds from `offset`, the beginning of a line, on. */
typedef struct cc_marker {
  uint32_t offset;
  uint32_t line;
  const char *file;        /* with its quotes and escapes */
  uint32_t file_length;
  bool is_system;          /* flag 3 */
} cc_marker;

typedef struct cc_text {
  const char *text;
  uint32_t length;
  cc_token *tokens;        /* count of them, then a CC_END */
  uint32_t count;
  cc_marker *markers;
  uint32_t marker_count;
} cc_text;

typedef struct cc_place {
  const char *file;        /* quoted, not terminated */
  uint32_t file_length, line, column;
  bool is_system;
} cc_place;

/* False: a bracket has no partner, at *wrong_out. */
bool cc_text_cut(cc_text *text, vptr__arena *arena, const char *bytes, size_t length, uint32_t *wrong_out);
cc_place cc_text_place(const cc_text *text, uint32_t offset);

/* The byte of a punctuator that is one byte, else 0. */
char cc_mark(const cc_text *text, uint32_t token);
bool cc_is(const cc_text *text, uint32_t token, const char *spelling);
bool cc_is_name(const cc_text *text, uint32_t token);
bool cc_touches(const cc_text *text, uint32_t token); /* nothing between it and the next */

/* Behind the '>' that ends the template list beginning at '<'; the token behind '<' if that is no such list. */
uint32_t cc_skip_angle(const cc_text *text, uint32_t token);

#endif
