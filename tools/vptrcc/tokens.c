/* SPDX-License-Identifier: MIT */
/* tokens - see tokens.h. */
#include "tokens.h"

#include <string.h>

typedef struct cutter {
  cc_text *text;
  vptr__arena *arena;
  const char *cursor, *end;
  uint32_t token_capacity, marker_capacity;
} cutter;

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static void *grow_items(vptr__arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  if (count + 1 < *capacity)
    return items;
  *capacity = *capacity * 2 + 256;
  void *more = vptr__arena_allocate(arena, *capacity * size);
  if (count > 0)
    memcpy(more, items, count * size);
  return more;
}

static void add_token(cutter *cutter, cc_token_kind kind, const char *begin) {
  cc_text *text = cutter->text;
  text->tokens = grow_items(cutter->arena, text->tokens, text->count, &cutter->token_capacity, sizeof *text->tokens);
  text->tokens[text->count++] =
      (cc_token){ (uint32_t)(begin - text->text), (uint32_t)(cutter->cursor - begin), CC_NO_MATCH, (uint8_t)kind };
}

/* ---- lines of the preprocessor --------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

static const char *skip_string(const char *at, const char *end) {
  char quote = *at++;
  while (at < end && *at != quote && *at != '\n')
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : end;
}

static void add_marker(cutter *cutter, const char *at, const char *line_end) {
  cc_text *text = cutter->text;
  cc_marker marker = { .offset = (uint32_t)(line_end - text->text) };
  for (; at < line_end && is_digit(*at); at++)
    marker.line = marker.line * 10 + (uint32_t)(*at - '0');
  at = skip_blanks(at, line_end);
  if (at == line_end || *at != '"')
    return;
  marker.file = at;
  at = skip_string(at, line_end);
  marker.file_length = (uint32_t)(at - marker.file);
  for (; at < line_end; at++)
    if (*at == '3')
      marker.is_system = true;
  text->markers =
      grow_items(cutter->arena, text->markers, text->marker_count, &cutter->marker_capacity, sizeof *text->markers);
  text->markers[text->marker_count++] = marker;
}

static void cut_line(cutter *cutter) {
  const char *line_end = memchr(cutter->cursor, '\n', (size_t)(cutter->end - cutter->cursor));
  line_end = line_end != NULL ? line_end + 1 : cutter->end;
  const char *at = skip_blanks(cutter->cursor + 1, line_end);
  if (line_end - at > 4 && memcmp(at, "line", 4) == 0)
    at = skip_blanks(at + 4, line_end);
  if (at < line_end && is_digit(*at))
    add_marker(cutter, at, line_end);
  cutter->cursor = line_end;
}

/* ---- tokens ---------------------------------------------------------------------------------------------- */

/* R"mark( ... )mark", the cursor at the quote. */
static void cut_raw_string(cutter *cutter, const char *begin) {
  const char *mark = cutter->cursor + 1, *open = memchr(mark, '(', (size_t)(cutter->end - mark));
  const char *at = open;
  size_t length = open != NULL ? (size_t)(open - mark) : 0;
  while (at != NULL && (at = memchr(at + 1, ')', (size_t)(cutter->end - at - 1))) != NULL)
    if ((size_t)(cutter->end - at) > length + 1 && memcmp(at + 1, mark, length) == 0 && at[1 + length] == '"')
      break;
  cutter->cursor = at != NULL ? at + length + 2 : cutter->end;
  add_token(cutter, CC_STRING, begin);
}

static void cut_name(cutter *cutter) {
  const char *begin = cutter->cursor;
  while (cutter->cursor < cutter->end && (is_letter(*cutter->cursor) || is_digit(*cutter->cursor)))
    cutter->cursor++;
  size_t length = (size_t)(cutter->cursor - begin);
  if (cutter->cursor < cutter->end && *cutter->cursor == '"' && length <= 3 && cutter->cursor[-1] == 'R')
    cut_raw_string(cutter, begin);
  else
    add_token(cutter, CC_NAME, begin);
}

static bool is_in_number(const char *at, const char *end) {
  if (is_letter(*at) || is_digit(*at) || *at == '.')
    return true;
  if (*at == '\'')
    return at + 1 < end && (is_letter(at[1]) || is_digit(at[1]));
  return (*at == '+' || *at == '-') && memchr("eEpP", at[-1], 4) != NULL;
}

static void cut_number(cutter *cutter) {
  const char *begin = cutter->cursor++;
  while (cutter->cursor < cutter->end && is_in_number(cutter->cursor, cutter->end))
    cutter->cursor++;
  add_token(cutter, CC_NUMBER, begin);
}

static void cut_punctuator(cutter *cutter) {
  const char *begin = cutter->cursor++;
  if (cutter->cursor < cutter->end &&
      ((*begin == ':' && *cutter->cursor == ':') || (*begin == '-' && *cutter->cursor == '>')))
    cutter->cursor++;
  add_token(cutter, CC_PUNCTUATOR, begin);
}

static void cut_token(cutter *cutter) {
  const char *begin = cutter->cursor;
  char c = *begin;
  if (is_letter(c)) {
    cut_name(cutter);
  } else if (is_digit(c) || (c == '.' && begin + 1 < cutter->end && is_digit(begin[1]))) {
    cut_number(cutter);
  } else if (c == '"' || c == '\'') {
    cutter->cursor = skip_string(begin, cutter->end);
    add_token(cutter, CC_STRING, begin);
  } else {
    cut_punctuator(cutter);
  }
}

static void cut_all(cutter *cutter) {
  bool at_line_start = true;
  while (cutter->cursor < cutter->end) {
    char c = *cutter->cursor;
    if (c == '#' && at_line_start) {
      cut_line(cutter);
      continue;
    }
    at_line_start = c == '\n' || (at_line_start && (c == ' ' || c == '\t'));
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
      cutter->cursor++;
    else
      cut_token(cutter);
  }
  add_token(cutter, CC_END, cutter->end);
  cutter->text->count--;
}

static bool match_brackets(cc_text *text, vptr__arena *arena, uint32_t *wrong_out) {
  uint32_t *open = vptr__arena_allocate(arena, (text->count + 1) * sizeof *open), depth = 0;
  for (uint32_t i = 0; i < text->count; i++) {
    char c = cc_mark(text, i);
    if (c == '(' || c == '[' || c == '{') {
      open[depth++] = i;
    } else if (c == ')' || c == ']' || c == '}') {
      char wanted = (char)(c == ')' ? '(' : c == ']' ? '[' : '{');
      *wrong_out = i;
      if (depth == 0 || cc_mark(text, open[depth - 1]) != wanted)
        return false;
      text->tokens[i].match = open[--depth];
      text->tokens[open[depth]].match = i;
    }
  }
  *wrong_out = depth > 0 ? open[depth - 1] : 0;
  return depth == 0;
}

bool cc_text_cut(cc_text *text, vptr__arena *arena, const char *bytes, size_t length, uint32_t *wrong_out) {
  *text = (cc_text){ .text = bytes, .length = (uint32_t)length };
  cutter cutter = { .text = text, .arena = arena, .cursor = bytes, .end = bytes + length };
  cut_all(&cutter);
  return match_brackets(text, arena, wrong_out);
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

static const cc_marker *marker_before(const cc_text *text, uint32_t offset) {
  uint32_t low = 0, high = text->marker_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (text->markers[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &text->markers[low - 1] : NULL;
}

cc_place cc_text_place(const cc_text *text, uint32_t offset) {
  const cc_marker *marker = marker_before(text, offset);
  cc_place place = { .file = "\"?\"", .file_length = 3, .line = 1 };
  if (marker != NULL)
    place = (cc_place){ marker->file, marker->file_length, marker->line, 0, marker->is_system };
  uint32_t line_begin = marker != NULL ? marker->offset : 0;
  for (uint32_t at = line_begin; at < offset; at++)
    if (text->text[at] == '\n') {
      place.line++;
      line_begin = at + 1;
    }
  place.column = offset - line_begin + 1;
  return place;
}

char cc_mark(const cc_text *text, uint32_t token) {
  const cc_token *it = &text->tokens[token];
  return it->kind == CC_PUNCTUATOR && it->length == 1 ? text->text[it->offset] : (char)0;
}

bool cc_is(const cc_text *text, uint32_t token, const char *spelling) {
  const cc_token *it = &text->tokens[token];
  return it->length == strlen(spelling) && memcmp(text->text + it->offset, spelling, it->length) == 0;
}

bool cc_is_name(const cc_text *text, uint32_t token) {
  return text->tokens[token].kind == CC_NAME;
}

bool cc_touches(const cc_text *text, uint32_t token) {
  const cc_token *it = &text->tokens[token];
  return it->offset + it->length == it[1].offset;
}

uint32_t cc_skip_angle(const cc_text *text, uint32_t token) {
  int depth = 0;
  for (uint32_t i = token; i < text->count; i++) {
    char c = cc_mark(text, i);
    if (c == ';' || c == '}' || c == ')' || c == ']')
      break;
    if (c == '(' || c == '[' || c == '{')
      i = text->tokens[i].match;
    else if (c == '<' && i > token && cc_touches(text, i) &&
             (cc_mark(text, i + 1) == '=' || cc_mark(text, i + 1) == '<'))
      i++; /* a comparison or a shift */
    else if (c == '<')
      depth++;
    else if (c == '>' && --depth == 0)
      return i + 1;
  }
  return token + 1;
}
