/* SPDX-License-Identifier: MIT */
/*
 * value - reading the content that a PTX text gives a variable, as bytes (value.h).
 *
 *     = 7      = -1      = 0f3F800000      = {1, 2, 3}      = {{1, 2}, {3, 4}}
 *
 * Lists in lists are taken one behind the other, which is right where none is short; so they have to have a number for
 * each element. No data, no locks; nothing is allocated. Called by reference.c, which asks, and by writer.c.
 */
#include "nvidia/value.h"

/* 0f3F800000 of 4 bytes, 0d3FF0000000000000 of 8. */
static bool read_float_bits(const vptr__ptx_token *token, unsigned width, uint64_t *number_out) {
  const char letter = width == 4 ? 'f' : 'd';
  const char *at = token->begin;
  uint64_t number = 0;
  if (token->end - at != 2 + 2 * (int)width || at[0] != '0' || (at[1] | 0x20) != letter)
    return false;
  for (at += 2; at < token->end; at++) {
    char c = *at;
    if (c >= '0' && c <= '9')
      number = number << 4 | (uint64_t)(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      number = number << 4 | (uint64_t)((c | 0x20) - 'a' + 10);
    else
      return false;
  }
  *number_out = number;
  return true;
}

static bool read_element(const vptr__ptx_token *token, const vptr__ptx_symbol *symbol, uint64_t *number_out) {
  if ((symbol->width == 4 || symbol->width == 8) && read_float_bits(token, symbol->width, number_out))
    return true;
  return symbol->width <= 8 && vptr__ptx_integer(token, number_out);
}

static void put_element(unsigned char *at, uint64_t number, unsigned width) {
  for (unsigned i = 0; i < width; i++)
    at[i] = (unsigned char)(number >> 8 * i);
}

bool vptr__ptx_value_read(const vptr__ptx_symbol *symbol, unsigned char *bytes) {
  const char *at = symbol->value;
  uint64_t offset = 0, number;
  bool is_negative = false;
  unsigned depth = 0, deepest = 0;
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, symbol->value_end);
    if (token.kind == VPTR__PTX_END)
      return depth == 0 && (deepest < 2 || offset == symbol->size);
    if (vptr__ptx_is(&token, "{")) {
      depth++;
      deepest = depth > deepest ? depth : deepest;
    } else if (vptr__ptx_is(&token, "}")) {
      depth--;
    } else if (vptr__ptx_is(&token, "-")) {
      is_negative = true;
    } else if (!vptr__ptx_is(&token, ",")) {
      if (!read_element(&token, symbol, &number) || symbol->size - offset < symbol->width)
        return false;
      if (bytes != NULL)
        put_element(bytes + offset, is_negative ? 0 - number : number, symbol->width);
      offset += symbol->width;
      is_negative = false;
    }
  }
}
