/* SPDX-License-Identifier: MIT */
/*
 * literal - what numbers, characters and strings mean.
 *
 * Types follow C++17 on 64-bit Linux: `long` has 64 bits. Characters are signed bytes.
 */
#ifndef VPTR_TRANSLATE_LEXER_LITERAL_H
#define VPTR_TRANSLATE_LEXER_LITERAL_H

#include "translate/lexer/token.h"

typedef enum vptr__literal_type {
  VPTR__LITERAL_INT, VPTR__LITERAL_UNSIGNED, VPTR__LITERAL_LONG, VPTR__LITERAL_UNSIGNED_LONG,
  VPTR__LITERAL_LONG_LONG, VPTR__LITERAL_UNSIGNED_LONG_LONG, VPTR__LITERAL_FLOAT, VPTR__LITERAL_DOUBLE,
  VPTR__LITERAL_CHAR
} vptr__literal_type;

typedef struct vptr__literal {
  vptr__literal_type type;
  uint64_t integer;   /* of integers, and of characters: sign-extended */
  double floating;    /* of FLOAT and DOUBLE; of a FLOAT rounded once, to float */
} vptr__literal;

/* A NUMBER or CHARACTER token. False: it is none (too large, a suffix that nobody knows, a wide character); said. */
bool vptr__literal_read(vptr__source *source, const vptr__token *token, vptr__literal *literal_out);

/* A STRING token: its bytes, unescaped, a zero behind them, in the arena. NULL: it cannot be read (a wide string, an
 * unknown escape); said. */
const char *vptr__literal_string(vptr__source *source, const vptr__token *token, uint32_t *length_out);

#endif
