/* SPDX-License-Identifier: MIT */
/*
 * token - what the lexer makes of text, and the preprocessor hands to the parser.
 */
#ifndef VPTR_TRANSLATE_LEXER_TOKEN_H
#define VPTR_TRANSLATE_LEXER_TOKEN_H

#include "translate/source/source.h"

/* Punctuators of one byte are that byte: '+', '{'. */
typedef enum vptr__token_kind {
  VPTR__TOKEN_END = 0,
  VPTR__TOKEN_NAME = 256, VPTR__TOKEN_NUMBER, VPTR__TOKEN_STRING, VPTR__TOKEN_CHARACTER,
  VPTR__TOKEN_OTHER, /* a byte that begins nothing: an error if it reaches the parser */
  /* punctuators of more bytes */
  VPTR__TOKEN_ARROW, VPTR__TOKEN_INCREMENT, VPTR__TOKEN_DECREMENT, VPTR__TOKEN_SHIFT_LEFT, VPTR__TOKEN_SHIFT_RIGHT,
  VPTR__TOKEN_LESS_EQUAL, VPTR__TOKEN_GREATER_EQUAL, VPTR__TOKEN_EQUAL, VPTR__TOKEN_NOT_EQUAL, VPTR__TOKEN_AND_AND,
  VPTR__TOKEN_OR_OR, VPTR__TOKEN_ELLIPSIS, VPTR__TOKEN_ADD_ASSIGN, VPTR__TOKEN_SUB_ASSIGN, VPTR__TOKEN_MUL_ASSIGN,
  VPTR__TOKEN_DIV_ASSIGN, VPTR__TOKEN_MOD_ASSIGN, VPTR__TOKEN_AND_ASSIGN, VPTR__TOKEN_OR_ASSIGN,
  VPTR__TOKEN_XOR_ASSIGN, VPTR__TOKEN_SHIFT_LEFT_ASSIGN, VPTR__TOKEN_SHIFT_RIGHT_ASSIGN, VPTR__TOKEN_SCOPE,
  VPTR__TOKEN_HASH_HASH, VPTR__TOKEN_LAUNCH_BEGIN, /* <<<; >>> is >> and > */
  VPTR__TOKEN_PRAGMA_UNROLL, /* `#pragma unroll`: text is what stands behind it, macros expanded, "" for nothing */
  /* keywords: lexer/keyword.c names them; VPTR__TOKEN_KEYWORD_FIRST + n */
  VPTR__TOKEN_KEYWORD_FIRST = 512
} vptr__token_kind;

enum {
  VPTR__TOKEN_AT_LINE_START = 1, VPTR__TOKEN_AFTER_SPACE = 2, VPTR__TOKEN_NO_EXPAND = 4,
  VPTR__TOKEN_PACKED = 8 /* under a #pragma pack that would change layouts */
};

typedef struct vptr__token {
  uint16_t kind;
  uint8_t flags;
  vptr__position position; /* where it is written; of what a macro gave: where the macro is used */
  vptr__name *name;        /* of NAME and keywords */
  const char *text;        /* spelling; not terminated */
  uint32_t length;
} vptr__token;

/* How tightly an operator of two operands binds, from 1 (||) to 10 (*), for conditions of the preprocessor and for
 * expressions; 0: the token is none. Assignments and commas are not among them. */
int vptr__token_precedence(int kind);

#endif
