/* SPDX-License-Identifier: MIT */
/* token - see token.h. */
#include "translate/lexer/token.h"

int vptr__token_precedence(int kind) {
  switch (kind) {
  case '*':
  case '/':
  case '%':
    return 10;
  case '+':
  case '-':
    return 9;
  case VPTR__TOKEN_SHIFT_LEFT:
  case VPTR__TOKEN_SHIFT_RIGHT:
    return 8;
  case '<':
  case '>':
  case VPTR__TOKEN_LESS_EQUAL:
  case VPTR__TOKEN_GREATER_EQUAL:
    return 7;
  case VPTR__TOKEN_EQUAL:
  case VPTR__TOKEN_NOT_EQUAL:
    return 6;
  case '&':
    return 5;
  case '^':
    return 4;
  case '|':
    return 3;
  case VPTR__TOKEN_AND_AND:
    return 2;
  case VPTR__TOKEN_OR_OR:
    return 1;
  default:
    return 0;
  }
}
