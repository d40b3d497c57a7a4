/* SPDX-License-Identifier: MIT */
/* declaration - see declaration.h. */
#include "declaration.h"

#include <string.h>

typedef struct scanner {
  const cc_text *text;
  vptr__arena *arena;
  cc_see *see;
  void *context;
} scanner;

/* One declaration while it is read. */
typedef struct head {
  cc_declaration *it;
  bool has_class_key, has_enum_key, has_using, is_in_initializers, is_done;
} head;

static const struct {
  const char *spelling;
  unsigned word;
} words[] = {
  { "__global__", CC_GLOBAL },     { "__device__", CC_DEVICE },   { "__host__", CC_HOST },
  { "__constant__", CC_CONSTANT }, { "__managed__", CC_MANAGED }, { "__shared__", CC_SHARED },
};

unsigned cc_word(const cc_text *text, uint32_t token) {
  const cc_token *it = &text->tokens[token];
  if (it->kind != CC_NAME || it->length < 8 || text->text[it->offset] != '_')
    return 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (cc_is(text, token, words[i].spelling))
      return words[i].word;
  return 0;
}

static bool is_one_of(const cc_text *text, uint32_t token, const char *const *spellings) {
  for (; *spellings != NULL; spellings++)
    if (cc_is(text, token, *spellings))
      return true;
  return false;
}

/* Names whose parentheses belong to them, and hold no parameters. */
static bool takes_parentheses(const cc_text *text, uint32_t token) {
  static const char *const spellings[] = { "__attribute__", "__attribute", "alignas",  "_Alignas", "decltype",
                                           "__decltype",    "noexcept",    "throw",    "typeof",   "__typeof__",
                                           "__typeof",      "explicit",    "requires", "__asm__",  "asm",
                                           "__declspec",    NULL };
  return cc_mark(text, token + 1) == '(' && is_one_of(text, token, spellings);
}

/* ---- one head -------------------------------------------------------------------------------------------- */

static void end_head(head *head, uint32_t i) {
  if (head->it->head_end == 0)
    head->it->head_end = i;
}

static uint32_t finish_declaration(head *head, uint32_t last) {
  end_head(head, last);
  head->it->last = last;
  head->is_done = true;
  return last + 1;
}

/* On to the ';', over brackets. */
static uint32_t finish_at_semicolon(const cc_text *text, head *head, uint32_t i) {
  end_head(head, i);
  for (; i < text->count; i++) {
    char c = cc_mark(text, i);
    if (c == '(' || c == '[' || c == '{')
      i = text->tokens[i].match;
    else if (c == ';' || c == '}')
      break;
  }
  return finish_declaration(head, i);
}

static void note_keyword(const cc_text *text, head *head, uint32_t i) {
  cc_declaration *it = head->it;
  it->words |= cc_word(text, i);
  it->is_constexpr |= cc_is(text, i, "constexpr") || cc_is(text, i, "consteval");
  it->is_extern |= cc_is(text, i, "extern");
  it->is_static |= cc_is(text, i, "static");
  it->is_inline |= cc_is(text, i, "inline") || cc_is(text, i, "__inline__") || cc_is(text, i, "__inline");
  it->is_friend |= cc_is(text, i, "friend");
  head->has_using |= cc_is(text, i, "using") || cc_is(text, i, "typedef");
  if (it->parameters == 0 && it->body == 0) {
    head->has_class_key |= cc_is(text, i, "struct") || cc_is(text, i, "class") || cc_is(text, i, "union");
    head->has_enum_key |= cc_is(text, i, "enum");
  }
}

/* operator+, operator(), operator<< <T>, operator float: on to the parameters. */
static uint32_t read_operator(const cc_text *text, head *head, uint32_t i) {
  i++;
  if (cc_mark(text, i) == '(' && cc_mark(text, i + 1) == ')')
    i += 2;
  while (i < text->count && cc_mark(text, i) != '(' && cc_mark(text, i) != ';')
    i++;
  if (cc_mark(text, i) != '(')
    return i;
  head->it->parameters = i;
  return text->tokens[i].match + 1;
}

static uint32_t read_name(const cc_text *text, head *head, uint32_t i) {
  cc_declaration *it = head->it;
  if (cc_is(text, i, "template") && cc_mark(text, i + 1) == '<') {
    uint32_t after = cc_skip_angle(text, i + 1);
    it->is_template = true;
    it->is_specialized |= after == i + 3;
    return after;
  }
  if (cc_is(text, i, "operator") && it->parameters == 0)
    return read_operator(text, head, i);
  if (takes_parentheses(text, i))
    return text->tokens[i + 1].match + 1;
  if (cc_is(text, i, "extern") && text->tokens[i + 1].kind == CC_STRING)
    it->is_c = cc_is(text, i + 1, "\"C\"");
  note_keyword(text, head, i);
  return i + 1;
}

/* `x(1.f)` is a variable: no parameter begins with a literal. So is `(*x)(int)`, a pointer. */
static uint32_t read_parenthesis(const cc_text *text, head *head, uint32_t i) {
  char next = cc_mark(text, i + 1);
  cc_token_kind kind = (cc_token_kind)text->tokens[i + 1].kind;
  if (next != '*' && next != '&' && kind != CC_NUMBER && kind != CC_STRING && head->it->parameters == 0 &&
      head->it->body == 0)
    head->it->parameters = i;
  return text->tokens[i].match + 1;
}

static uint32_t read_brace(const cc_text *text, head *head, uint32_t i) {
  cc_declaration *it = head->it;
  uint32_t after = text->tokens[i].match + 1;
  if (it->parameters != 0) {
    bool is_member = head->is_in_initializers && (cc_is_name(text, i - 1) || cc_mark(text, i - 1) == '>');
    if (is_member)
      return after;
    end_head(head, i);
    it->body = i;
    return finish_declaration(head, after - 1);
  }
  if (head->has_class_key && it->body == 0) {
    end_head(head, i);
    it->body = i;
  } else if (!head->has_enum_key) {
    end_head(head, i);
    it->has_initializer = true;
  }
  return after;
}

static uint32_t read_punctuator(const cc_text *text, head *head, uint32_t i) {
  cc_declaration *it = head->it;
  switch (cc_mark(text, i)) {
  case ';':
    return finish_declaration(head, i);
  case '}': /* not ours: the text is stranger than we thought */
    return finish_declaration(head, i > it->first ? i - 1 : i);
  case '(':
    return read_parenthesis(text, head, i);
  case '[':
    return text->tokens[i].match + 1;
  case '{':
    return read_brace(text, head, i);
  case '<':
    return i > 0 && cc_is_name(text, i - 1) ? cc_skip_angle(text, i) : i + 1;
  case '=':
    it->has_initializer = it->parameters == 0;
    return finish_at_semicolon(text, head, i);
  case ':':
    if (it->parameters != 0 && it->body == 0) {
      head->is_in_initializers = true;
      end_head(head, i);
    }
    return i + 1;
  default:
    return i + 1;
  }
}

/* `texture<float, 2> image;` or `static surface<void, 2> sheet(...);`, which says no word of CUDA's. Whether the
 * translator takes it for a reference of CUDA's is asked where it is registered. */
static bool is_reference(const cc_text *text, const cc_declaration *it) {
  uint32_t at = it->first;
  while (cc_is(text, at, "static") || cc_is(text, at, "extern"))
    at++;
  return it->words == 0 && it->body == 0 && !it->scope->is_class && cc_mark(text, at + 1) == '<' &&
         (cc_is(text, at, "texture") || cc_is(text, at, "surface"));
}

static cc_declaration_kind kind_of(const head *head) {
  if (head->has_using)
    return CC_OTHER;
  if (head->it->parameters != 0)
    return CC_FUNCTION;
  if (head->has_class_key && head->it->body != 0)
    return CC_CLASS;
  return head->has_enum_key ? CC_ENUM : CC_VARIABLE;
}

static uint32_t read_declaration(scanner *scanner, const cc_scope *scope, uint32_t i, cc_declaration *it) {
  const cc_text *text = scanner->text;
  *it = (cc_declaration){ .scope = scope, .first = i, .is_c = scope->is_c };
  head head = { .it = it };
  while (!head.is_done && i < text->count)
    i = cc_is_name(text, i) ? read_name(text, &head, i) : read_punctuator(text, &head, i);
  if (!head.is_done)
    finish_declaration(&head, text->count - 1);
  it->kind = kind_of(&head);
  if (is_reference(text, it)) {
    it->kind = CC_VARIABLE;
    it->words = CC_REFERENCE;
  }
  return it->last + 1;
}

/* ---- scopes ---------------------------------------------------------------------------------------------- */

static void scan_declarations(scanner *scanner, const cc_scope *scope, uint32_t i, uint32_t end);

static cc_scope *make_scope(scanner *scanner, const cc_scope *outer, const char *opening) {
  cc_scope *scope = VPTR__ARENA_NEW(scanner->arena, cc_scope);
  *scope = *outer;
  scope->opening = vptr__arena_format(scanner->arena, "%s%s { ", outer->opening, opening);
  scope->depth++;
  return scope;
}

static const cc_scope *scope_in(scanner *scanner, const cc_scope *outer, const char *name, size_t length) {
  cc_scope *scope =
      make_scope(scanner, outer, vptr__arena_format(scanner->arena, "namespace %.*s", (int)length, name));
  scope->is_hidden |= length == 0;
  if (length > 0) {
    const char *part = vptr__arena_copy(scanner->arena, name, length);
    scope->path = vptr__arena_format(scanner->arena, "%s%s%s", outer->path, *outer->path != 0 ? "::" : "", part);
    scope->qualifier = vptr__arena_format(scanner->arena, "%s%s::", outer->qualifier, part);
  }
  return scope;
}

/* The '{' of `namespace a::b {` behind `i`, and its scope; 0: an alias. */
static uint32_t read_namespace(scanner *scanner, uint32_t i, const cc_scope *outer, const cc_scope **scope_out) {
  const cc_text *text = scanner->text;
  bool has_name = false;
  *scope_out = outer;
  for (; i < text->count && cc_mark(text, i) != ';' && cc_mark(text, i) != '='; i++) {
    if (cc_mark(text, i) == '{') {
      if (!has_name)
        *scope_out = scope_in(scanner, outer, "", 0);
      return i;
    }
    if (cc_mark(text, i) == '[' || cc_mark(text, i) == '(') {
      i = text->tokens[i].match;
    } else if (cc_is_name(text, i) && !cc_is(text, i, "inline") && !takes_parentheses(text, i)) {
      *scope_out = scope_in(scanner, *scope_out, text->text + text->tokens[i].offset, text->tokens[i].length);
      has_name = true;
    }
  }
  return 0;
}

/* Where the scope that begins at token `i` has its '{', or 0: it begins none. */
static uint32_t open_scope(scanner *scanner, const cc_scope *outer, uint32_t i, const cc_scope **scope_out) {
  const cc_text *text = scanner->text;
  if (outer->is_class)
    return 0;
  if (cc_is(text, i, "inline") && cc_is(text, i + 1, "namespace"))
    i++;
  if (cc_is(text, i, "namespace"))
    return read_namespace(scanner, i + 1, outer, scope_out);
  if (!cc_is(text, i, "extern") || text->tokens[i + 1].kind != CC_STRING || cc_mark(text, i + 2) != '{')
    return 0;
  cc_scope *scope = make_scope(scanner, outer, "extern \"C\"");
  scope->is_c = cc_is(text, i + 1, "\"C\"");
  *scope_out = scope;
  return i + 2;
}

static void see_class(scanner *scanner, const cc_declaration *it) {
  cc_scope *scope = VPTR__ARENA_NEW(scanner->arena, cc_scope);
  *scope = *it->scope;
  scope->is_class = true;
  scope->is_c = false;
  scan_declarations(scanner, scope, it->body + 1, scanner->text->tokens[it->body].match);
}

static bool is_access_label(const cc_text *text, uint32_t i) {
  static const char *const labels[] = { "public", "private", "protected", NULL };
  return cc_is_name(text, i) && cc_mark(text, i + 1) == ':' && is_one_of(text, i, labels);
}

static uint32_t scan_one(scanner *scanner, const cc_scope *scope, uint32_t i) {
  const cc_text *text = scanner->text;
  const cc_scope *inner = NULL;
  uint32_t brace = open_scope(scanner, scope, i, &inner);
  if (brace != 0) {
    scan_declarations(scanner, inner, brace + 1, text->tokens[brace].match);
    return text->tokens[brace].match + 1;
  }
  if (scope->is_class && is_access_label(text, i))
    return i + 2;
  cc_declaration it;
  i = read_declaration(scanner, scope, i, &it);
  scanner->see(scanner->context, &it);
  if (it.kind != CC_FUNCTION && it.body != 0)
    see_class(scanner, &it);
  return i;
}

static void scan_declarations(scanner *scanner, const cc_scope *scope, uint32_t i, uint32_t end) {
  vptr__arena_enter(scanner->arena);
  while (i < end)
    i = scan_one(scanner, scope, i);
  vptr__arena_leave(scanner->arena);
}

void cc_declarations(const cc_text *text, vptr__arena *arena, cc_see *see, void *context) {
  static const cc_scope global = { .path = "", .qualifier = "::", .opening = "" };
  scanner scanner = { text, arena, see, context };
  scan_declarations(&scanner, &global, 0, text->count);
}
