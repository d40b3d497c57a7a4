/* SPDX-License-Identifier: MIT */
/* declarator - see declarator.h. */
#include "declarator.h"

#include <string.h>

typedef struct reader {
  const cc_text *text;
  vptr__arena *arena;
  cc_declarators found;
  uint32_t capacity;
} reader;

static bool is_keyword(const cc_text *text, uint32_t token) {
  static const char *const words[] = {
    "const",      "volatile", "unsigned",     "signed",        "int",          "char",     "short",   "long",
    "float",      "double",   "bool",         "void",          "auto",         "struct",   "class",   "union",
    "enum",       "typename", "__restrict__", "__restrict",    "restrict",     "static",   "extern",  "inline",
    "register",   "template", "constexpr",    "char16_t",      "char32_t",     "wchar_t",  "mutable", "thread_local",
    "__inline__", "__const",  "__signed__",   "__extension__", "__volatile__", "__int128", NULL,
  };
  for (const char *const *word = words; *word != NULL; word++)
    if (cc_is(text, token, *word))
      return true;
  return cc_word(text, token) != 0;
}

static bool is_attribute(const cc_text *text, uint32_t token) {
  return cc_mark(text, token + 1) == '(' &&
         (cc_is(text, token, "__attribute__") || cc_is(text, token, "alignas") || cc_is(text, token, "decltype"));
}

/* Behind what stands at `i` as one thing: a bracketed group, a template's arguments, a name, a mark. */
static uint32_t skip_item(const cc_text *text, uint32_t i) {
  char c = cc_mark(text, i);
  if (c == '(' || c == '[' || c == '{')
    return text->tokens[i].match + 1;
  if (c == '<' && i > 0 && cc_is_name(text, i - 1))
    return cc_skip_angle(text, i);
  return is_attribute(text, i) ? text->tokens[i + 1].match + 1 : i + 1;
}

/* What a declarator consists of, up to its first '=', '{', '[' or ':' (of a bit-field). */
typedef struct sighting {
  uint32_t names;          /* names that are no keywords, each a::b counted once */
  uint32_t words;          /* keywords that are types */
  uint32_t name, name_end; /* the last of the names */
  uint32_t end;            /* where a name could be written */
  bool is_last;            /* the name ends the declarator */
  bool is_pack;
} sighting;

static bool is_type_word(const cc_text *text, uint32_t token) {
  return is_keyword(text, token) && !cc_is(text, token, "const") && !cc_is(text, token, "volatile") &&
         !cc_is(text, token, "struct") && !cc_is(text, token, "union") && !cc_is(text, token, "enum") &&
         !cc_is(text, token, "static") && !cc_is(text, token, "extern") && cc_word(text, token) == 0 &&
         !cc_is(text, token, "__restrict__") && !cc_is(text, token, "typename");
}

static uint32_t see_name(const cc_text *text, sighting *seen, uint32_t i, uint32_t end) {
  bool is_joined = i > 0 && cc_is(text, i - 1, "::");
  if (!is_joined) {
    seen->names++;
    seen->name = i;
  }
  uint32_t after = i + 1;
  if (after < end && cc_mark(text, after) == '<')
    after = cc_skip_angle(text, after);
  seen->is_last = after == i + 1;
  seen->name_end = after;
  seen->end = after;
  return after < end && cc_is(text, after, "::") ? after + 1 : after;
}

/* `(*name)` and its kin. */
static bool see_pointer(const cc_text *text, sighting *seen, uint32_t open) {
  uint32_t i = open + 1, close = text->tokens[open].match;
  if (cc_mark(text, i) != '*' && cc_mark(text, i) != '&')
    return false;
  while (i < close && (cc_mark(text, i) == '*' || cc_mark(text, i) == '&' || is_keyword(text, i)))
    i++;
  seen->names = cc_is_name(text, i) ? 2 : 1;
  seen->is_last = cc_is_name(text, i);
  seen->name = i;
  seen->name_end = seen->is_last ? i + 1 : i;
  seen->end = i;
  return true;
}

static sighting scan_declarator(const cc_text *text, uint32_t first, uint32_t end) {
  sighting seen = { .name = CC_NO_MATCH, .end = first };
  for (uint32_t i = first; i < end;) {
    char c = cc_mark(text, i);
    if (c == '[' && cc_mark(text, i + 1) == '[') {
      i = skip_item(text, i);
    } else if (c == '=' || c == '[' || c == '{' || (c == '(' && see_pointer(text, &seen, i))) {
      break;
    } else if (c == '(' && seen.name != CC_NO_MATCH && seen.is_last) {
      break; /* an initialiser */
    } else if (cc_is_name(text, i) && !is_keyword(text, i) && !is_attribute(text, i)) {
      i = see_name(text, &seen, i, end);
    } else {
      seen.words += cc_is_name(text, i) && is_type_word(text, i) ? 1 : 0;
      if (c != '(' && !is_attribute(text, i)) {
        seen.is_last = seen.is_last && cc_is_name(text, i);
        seen.end = i + 1;
      }
      seen.is_pack |= c == '.';
      i = skip_item(text, i);
    }
  }
  return seen;
}

static uint32_t value_begin(const cc_text *text, uint32_t i, uint32_t end) {
  while (i < end && cc_mark(text, i) != '=')
    i = skip_item(text, i);
  return i < end ? i : end;
}

static void add_declarator(reader *reader, uint32_t first, uint32_t end, bool needs_no_type) {
  cc_declarators *found = &reader->found;
  if (found->count == reader->capacity) {
    reader->capacity = reader->capacity * 2 + 8;
    cc_declarator *items = vptr__arena_allocate(reader->arena, reader->capacity * sizeof *items);
    if (found->count > 0)
      memcpy(items, found->items, found->count * sizeof *items);
    found->items = items;
  }
  sighting seen = scan_declarator(reader->text, first, end);
  bool has_name = seen.name != CC_NO_MATCH && seen.is_last && (needs_no_type || seen.names + seen.words > 1);
  found->items[found->count++] = (cc_declarator){
    .first = first,
    .last = value_begin(reader->text, first, end) - 1,
    .name = has_name ? seen.name : CC_NO_MATCH,
    .name_end = has_name ? seen.name_end : seen.end,
    .is_pack = seen.is_pack,
  };
}

cc_declarators cc_parameters(const cc_text *text, vptr__arena *arena, uint32_t open, uint32_t close) {
  reader reader = { .text = text, .arena = arena };
  bool is_template = cc_mark(text, open) == '<';
  uint32_t first = open + 1;
  if (first == close || (first + 1 == close && cc_is(text, first, "void")))
    return reader.found;
  for (uint32_t i = first; i <= close;) {
    if (i < close && cc_mark(text, i) != ',') {
      uint32_t after = skip_item(text, i);
      i = after > close ? close : after;
      continue;
    }
    add_declarator(&reader, first, i, false);
    first = ++i;
  }
  if (is_template) /* `class T`: the key is no type */
    for (uint32_t i = 0; i < reader.found.count; i++) {
      sighting seen = scan_declarator(text, reader.found.items[i].first, reader.found.items[i].last + 1);
      reader.found.items[i].name = seen.is_last ? seen.name : CC_NO_MATCH;
    }
  return reader.found;
}

cc_declarators cc_variables(const cc_text *text, vptr__arena *arena, const cc_declaration *declaration) {
  reader reader = { .text = text, .arena = arena };
  uint32_t first = declaration->first;
  bool has_value = false;
  for (uint32_t i = first; i <= declaration->last;) {
    char c = cc_mark(text, i);
    if (c == ',' || c == ';') {
      add_declarator(&reader, first, i, first != declaration->first);
      first = ++i;
      has_value = false;
    } else {
      has_value |= c == '=';
      i = has_value && c == '<' ? i + 1 : skip_item(text, i);
    }
  }
  return reader.found;
}
