/* SPDX-License-Identifier: MIT */
/*
 * statement - walking over a PTX text, statement by statement (statement.h).
 *
 * No data and no locks: a walk is its caller's, and points into the text; nothing is allocated. Called by survey.c,
 * reference.c and writer.c.
 */
#include "nvidia/statement.h"

#include <string.h>

vptr__ptx_walk vptr__ptx_walk_begin(const char *text, size_t length) {
  return (vptr__ptx_walk){ .kind = VPTR__PTX_LAST, .begin = text, .end = text, .at = text, .stop = text + length };
}

static const char *end_of_line(const char *at, const char *stop) {
  const char *newline = memchr(at, '\n', (size_t)(stop - at));
  return newline != NULL ? newline : stop;
}

static bool is_line(const vptr__ptx_token *token) {
  return vptr__ptx_is(token, ".version") || vptr__ptx_is(token, ".target") || vptr__ptx_is(token, ".address_size");
}

static bool is_debug_line(const vptr__ptx_token *token, const char *stop) {
  return vptr__ptx_is(token, ".file") || vptr__ptx_is(token, ".loc") ||
         (vptr__ptx_is(token, "@") && token->end < stop && *token->end == '@');
}

static bool is_function(const vptr__ptx_token *token) {
  return vptr__ptx_is(token, ".entry") || vptr__ptx_is(token, ".func");
}

/* Behind the brace that ends a section. */
static bool end_section(vptr__ptx_walk *walk) {
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&walk->at, walk->stop);
    if (token.kind == VPTR__PTX_END)
      return false;
    if (vptr__ptx_is(&token, "}"))
      return true;
  }
}

/* To the semicolon; a function's header ends before its body. */
static vptr__ptx_statement_kind end_plain(vptr__ptx_walk *walk, vptr__ptx_token token) {
  bool is_header = false;
  for (;;) {
    is_header |= walk->depth == 0 && is_function(&token);
    if (token.kind == VPTR__PTX_END)
      return VPTR__PTX_BROKEN;
    if (vptr__ptx_is(&token, ";"))
      return is_header ? VPTR__PTX_HEADER : VPTR__PTX_PLAIN;
    if (is_header && vptr__ptx_is(&token, "{")) {
      walk->at = token.begin;
      return VPTR__PTX_HEADER;
    }
    token = vptr__ptx_next(&walk->at, walk->stop);
  }
}

static bool ends_label(const vptr__ptx_walk *walk) {
  const char *at = walk->at;
  vptr__ptx_token next = vptr__ptx_next(&at, walk->stop);
  return vptr__ptx_is(&next, ":");
}

static vptr__ptx_statement_kind read_statement(vptr__ptx_walk *walk, const vptr__ptx_token *first) {
  if (first->kind == VPTR__PTX_END)
    return walk->depth == 0 ? VPTR__PTX_LAST : VPTR__PTX_BROKEN;
  if (is_line(first) || is_debug_line(first, walk->stop)) {
    walk->at = end_of_line(first->begin, walk->stop);
    return is_line(first) ? VPTR__PTX_LINE : VPTR__PTX_DEBUG;
  }
  if (vptr__ptx_is(first, ".section"))
    return end_section(walk) ? VPTR__PTX_DEBUG : VPTR__PTX_BROKEN;
  if (vptr__ptx_is(first, "{"))
    return VPTR__PTX_OPEN;
  if (vptr__ptx_is(first, "}"))
    return walk->depth > 0 ? VPTR__PTX_CLOSE : VPTR__PTX_BROKEN;
  if (first->kind == VPTR__PTX_WORD && ends_label(walk)) {
    (void)vptr__ptx_next(&walk->at, walk->stop);
    return VPTR__PTX_LABEL;
  }
  return end_plain(walk, *first);
}

bool vptr__ptx_walk_next(vptr__ptx_walk *walk) {
  walk->depth += walk->kind == VPTR__PTX_OPEN;
  vptr__ptx_token first = vptr__ptx_next(&walk->at, walk->stop);
  walk->begin = first.begin;
  walk->kind = read_statement(walk, &first);
  walk->end = walk->at;
  walk->depth -= walk->kind == VPTR__PTX_CLOSE;
  return walk->kind != VPTR__PTX_LAST && walk->kind != VPTR__PTX_BROKEN;
}
