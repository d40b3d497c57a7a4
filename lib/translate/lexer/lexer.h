/* SPDX-License-Identifier: MIT */
/*
 * lexer - cuts one text into tokens.
 *
 * Comments and white space become flags of the token behind them; a backslash at the end of a line joins it with the
 * next wherever it stands, but in raw strings. The lexer complains about nothing, since the text may be in a group that
 * a condition leaves out: what is no token (an unterminated string, a stray byte) comes as VPTR__TOKEN_OTHER, and
 * whoever needs it says so.
 *
 * Names are interned; other tokens point into the text, or, if a joined line runs through them, at a cleaned copy.
 */
#ifndef VPTR_TRANSLATE_LEXER_LEXER_H
#define VPTR_TRANSLATE_LEXER_LEXER_H

#include "translate/lexer/token.h"

typedef struct vptr__lexer {
  vptr__source *source;
  const char *text, *cursor, *end; /* *end is 0 */
  vptr__position begin;            /* position of text[0] */
  uint8_t flags;                   /* of the next token, as far as they are known */
  bool in_directive;               /* the end of the line is the end: VPTR__TOKEN_END, until this is switched off */
  bool has_open_comment;           /* the text ended inside of a comment */
} vptr__lexer;

void vptr__lexer_init(vptr__lexer *lexer, vptr__source *source, const char *text, size_t length, vptr__position begin);

/* VPTR__TOKEN_END for ever at the end. */
vptr__token vptr__lexer_next(vptr__lexer *lexer);

/* <name> or "name" as #include has it, without escapes: kind '<' or '"', text is what stands between. False, and
 * nothing is read: neither is next. */
bool vptr__lexer_header_name(vptr__lexer *lexer, vptr__token *token_out);

/* On to the end of the line (the line's end itself stays). */
void vptr__lexer_skip_line(vptr__lexer *lexer);

#endif
