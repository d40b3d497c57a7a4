/* SPDX-License-Identifier: MIT */
/*
 * launch - k<<<g, b, s, st>>>(arguments), made into an expression that C++ knows.
 *
 * The configuration goes before the callee: (::vptr_cuda_configure(g, b, s, st) ? (void)0 : k(arguments)). If it is
 * refused, the kernel's arguments are not evaluated, as with nvcc. The callee is found backwards from `<<<`: names,
 * template arguments, members, calls and indices, as far as they make one postfix expression.
 */
#include "split.h"

#include <string.h>

bool cc_is_launch(const cc_text *text, uint32_t begin) {
  return begin > 0 && cc_mark(text, begin) == '<' && cc_mark(text, begin + 1) == '<' &&
         cc_mark(text, begin + 2) == '<' && cc_touches(text, begin) && !cc_is(text, begin - 1, "operator");
}

/* ---- the callee ------------------------------------------------------------------------------------------ */

/* The '<' whose list ends at the '>' at `i`; CC_NO_MATCH: there is none. */
static uint32_t angle_before(const cc_text *text, uint32_t i) {
  int depth = 0;
  for (;; i--) {
    char c = cc_mark(text, i);
    if (c == ')' || c == ']' || c == '}')
      i = text->tokens[i].match;
    else if (c == '>')
      depth++;
    else if (c == '<' && --depth == 0)
      return i;
    if (i == 0 || c == ';' || c == '{' || c == '(')
      return CC_NO_MATCH;
  }
}

static bool ends_expression(const cc_text *text, uint32_t i) {
  static const char *const keywords[] = { "return", "else", "do", "case", "co_return", "co_yield", "throw", NULL };
  if (cc_mark(text, i) == ')' || cc_mark(text, i) == ']')
    return true;
  if (!cc_is_name(text, i))
    return false;
  for (const char *const *keyword = keywords; *keyword != NULL; keyword++)
    if (cc_is(text, i, *keyword))
      return false;
  return true;
}

static bool opens_statement(const cc_text *text, uint32_t i) {
  return cc_is(text, i, "if") || cc_is(text, i, "while") || cc_is(text, i, "for") || cc_is(text, i, "switch") ||
         cc_is(text, i, "constexpr");
}

/* Begin of the name that ends at `i`, with what qualifies it. */
static uint32_t name_begin(const cc_text *text, uint32_t i) {
  while (i > 0 && cc_is(text, i - 1, "::")) {
    uint32_t before = i - 1;
    if (before == 0)
      return before;
    if (cc_mark(text, before - 1) == '>') {
      uint32_t angle = angle_before(text, before - 1);
      if (angle == CC_NO_MATCH || angle == 0)
        return before;
      i = angle - 1;
    } else if (cc_is_name(text, before - 1) && ends_expression(text, before - 1)) {
      i = before - 1;
    } else {
      return before;
    }
  }
  return i > 0 && cc_is(text, i - 1, "template") ? i - 1 : i;
}

/* Begin of the postfix expression that ends at `i`. */
static uint32_t callee_begin(const cc_text *text, uint32_t i) {
  for (;;) {
    char c = cc_mark(text, i);
    if (c == '>') {
      uint32_t angle = angle_before(text, i);
      if (angle == CC_NO_MATCH || angle == 0)
        return CC_NO_MATCH;
      i = angle - 1;
      continue;
    }
    if (c == ')' || c == ']') {
      i = text->tokens[i].match;
      bool is_suffix = i > 0 && (c == ']' || !opens_statement(text, i - 1)) &&
                       (ends_expression(text, i - 1) || cc_mark(text, i - 1) == '>');
      /* `if (x) (k)<<<` begins at (k) */
      bool is_behind_statement = i > 0 && cc_mark(text, i - 1) == ')' && text->tokens[i - 1].match > 0 &&
                                 opens_statement(text, text->tokens[i - 1].match - 1);
      if (is_suffix && !is_behind_statement) {
        i--;
        continue;
      }
    } else if (cc_is_name(text, i)) {
      i = name_begin(text, i);
    } else {
      return CC_NO_MATCH;
    }
    if (i < 2 || (cc_mark(text, i - 1) != '.' && !cc_is(text, i - 1, "->")))
      return i;
    i -= 2;
  }
}

/* ---- the configuration ----------------------------------------------------------------------------------- */

/* The last '>' of the three that end it: those right before a '('. */
static uint32_t configuration_end(const cc_text *text, uint32_t i) {
  for (; i < text->count; i++) {
    char c = cc_mark(text, i);
    if (c == '(' || c == '[' || c == '{')
      i = text->tokens[i].match;
    else if (c == ';' || c == ')' || c == ']' || c == '}')
      break;
    else if (c == '>' && cc_mark(text, i + 1) == '(' && cc_mark(text, i - 1) == '>' && cc_mark(text, i - 2) == '>')
      return i;
  }
  return CC_NO_MATCH;
}

/* Tokens of a launch: from `callee` to the last '>'. */
typedef struct extent {
  uint32_t callee, begin, end, close;
} extent;

static bool find_extent(cc_split *split, uint32_t begin, extent *it) {
  const cc_text *text = &split->text;
  *it =
      (extent){ .begin = begin, .end = configuration_end(text, begin + 3), .callee = callee_begin(text, begin - 1) };
  if (it->end == CC_NO_MATCH || it->end < begin + 6 || it->callee == CC_NO_MATCH) {
    cc_split_complain(split, begin,
                      "vptrcc cannot make out this launch: it expects kernel<<<grid, block>>>(arguments)");
    return false;
  }
  it->close = text->tokens[it->end + 1].match;
  return true;
}

static void open_condition(cc_split *split, const extent *it) {
  const char *configuration = cc_split_spell(split, it->begin + 3, it->end - 3);
  cc_edits_add(&split->edits, split->text.tokens[it->callee].offset, 0,
               vptr__arena_format(split->arena, "(::vptr_cuda_configure(%s) ? (void)0 : ", configuration));
}

static uint32_t offset_behind(const cc_split *split, uint32_t token) {
  return split->text.tokens[token].offset + split->text.tokens[token].length;
}

static void replace(cc_split *split, uint32_t first, uint32_t last, const char *insert) {
  uint32_t from = split->text.tokens[first].offset;
  cc_edits_add(&split->edits, from, offset_behind(split, last) - from, insert);
}

uint32_t cc_split_launch(cc_split *split, uint32_t begin) {
  extent it;
  if (!find_extent(split, begin, &it))
    return begin + 3;
  open_condition(split, &it);
  replace(split, it.begin, it.end, NULL);
  cc_edits_add(&split->edits, offset_behind(split, it.close), 0, ")");
  return it.end + 1;
}

uint32_t cc_split_no_launch(cc_split *split, uint32_t begin) {
  extent it;
  if (!find_extent(split, begin, &it))
    return begin + 3;
  open_condition(split, &it);
  replace(split, it.callee, it.end, "::vptr_cuda_ignore");
  cc_edits_add(&split->edits, offset_behind(split, it.close), 0, ")");
  return it.end + 1;
}
