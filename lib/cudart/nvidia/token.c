/* SPDX-License-Identifier: MIT */
/*
 * token - cutting a PTX text into words, numbers, strings and marks (token.h).
 *
 * No data, no locks; nothing is allocated. Called by the files of lib/cudart/nvidia. The tool vptr-kernelc has this
 * file in it, too, for PTX in line (tools/kernelc/ptx.c).
 */
#include "nvidia/token.h"

#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

static bool begins_comment(const char *at, const char *end) {
  return end - at >= 2 && at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

/* Behind a comment; one that does not end takes all that follows. */
static const char *skip_comment(const char *at, const char *end) {
  if (at[1] == '/') {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline != NULL ? newline : end;
  }
  for (at += 2; end - at >= 2; at++)
    if (at[0] == '*' && at[1] == '/')
      return at + 2;
  return end;
}

static const char *skip_blanks(const char *at, const char *end) {
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '\f' || *at == 0))
      at++;
    if (!begins_comment(at, end))
      return at;
    at = skip_comment(at, end);
  }
}

/* Instructions have double colons in them: shared::cluster. */
static const char *skip_word(const char *at, const char *end) {
  while (at < end) {
    if (end - at >= 3 && at[0] == ':' && at[1] == ':' && is_of_word(at[2]))
      at += 2;
    else if (is_of_word(*at))
      at++;
    else
      break;
  }
  return at;
}

static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"' && *at != '\n'; at++)
    if (*at == '\\' && end - at >= 2)
      at++;
  return at < end ? at + 1 : end;
}

vptr__ptx_token vptr__ptx_next(const char **at, const char *end) {
  vptr__ptx_token token = { .kind = VPTR__PTX_END, .begin = skip_blanks(*at, end) };
  token.end = token.begin;
  if (token.begin < end) {
    char first = *token.begin;
    if (first == '"') {
      token.kind = VPTR__PTX_STRING;
      token.end = skip_string(token.begin, end);
    } else if (is_of_word(first)) {
      token.kind = is_digit(first) ? VPTR__PTX_NUMBER : VPTR__PTX_WORD;
      token.end = skip_word(token.begin, end);
    } else {
      token.kind = VPTR__PTX_MARK;
      token.end = token.begin + 1;
    }
  }
  *at = token.end;
  return token;
}

bool vptr__ptx_is(const vptr__ptx_token *token, const char *text) {
  size_t length = strlen(text);
  return (size_t)(token->end - token->begin) == length && memcmp(token->begin, text, length) == 0;
}

bool vptr__ptx_begins(const vptr__ptx_token *token, const char *text) {
  size_t length = strlen(text);
  return (size_t)(token->end - token->begin) >= length && memcmp(token->begin, text, length) == 0;
}

static int digit_of(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

bool vptr__ptx_integer(const vptr__ptx_token *token, uint64_t *number_out) {
  const char *at = token->begin, *end = token->end;
  uint64_t base = 10, number = 0;
  if (token->kind != VPTR__PTX_NUMBER)
    return false;
  if (end > at && end[-1] == 'U')
    end--;
  if (end - at > 1 && *at == '0') {
    base = at[1] == 'x' || at[1] == 'X' ? 16 : at[1] == 'b' || at[1] == 'B' ? 2 : 8;
    at += base == 8 ? 1 : 2;
  }
  if (at == end)
    return false;
  for (; at < end; at++) {
    uint64_t digit = (uint64_t)digit_of(*at);
    if (digit >= base || number > (UINT64_MAX - digit) / base)
      return false;
    number = number * base + digit;
  }
  *number_out = number;
  return true;
}
