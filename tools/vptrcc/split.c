/* SPDX-License-Identifier: MIT */
/* split - see split.h. */
#include "split.h"

#include <stdarg.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------------------- */

void cc_split_complain(cc_split *split, uint32_t token, const char *format, ...) {
  cc_place place = cc_text_place(&split->text, split->text.tokens[token].offset);
  va_list arguments;
  va_start(arguments, format);
  const char *what = vptr__arena_format_list(split->arena, format, arguments);
  va_end(arguments);
  cc_buffer_print(&split->messages, "%.*s:%u:%u: error: %s\n", (int)place.file_length - 2, place.file + 1, place.line,
                  place.column, what);
}

const char *cc_split_spell(const cc_split *split, uint32_t first, uint32_t last) {
  const cc_text *text = &split->text;
  cc_buffer out;
  cc_buffer_init(&out, split->arena);
  for (uint32_t i = first; i <= last && i < text->count; i++) {
    if (cc_word(text, i) != 0)
      continue;
    cc_buffer_add(&out, text->text + text->tokens[i].offset, text->tokens[i].length);
    if (i < last && !cc_touches(text, i))
      cc_buffer_add(&out, " ", 1);
  }
  return out.text;
}

static const char *marker_for(const cc_split *split, uint32_t offset, bool is_quiet) {
  cc_place place = cc_text_place(&split->text, offset);
  return vptr__arena_format(split->arena, "\n# %u %.*s%s\n%*s", place.line, (int)place.file_length, place.file,
                            is_quiet || place.is_system ? " 3" : "", (int)place.column - 1, "");
}

const char *cc_split_quiet(const cc_split *split, uint32_t token) {
  return marker_for(split, split->text.tokens[token].offset, true);
}

const char *cc_split_loud(const cc_split *split, uint32_t token) {
  const cc_token *it = &split->text.tokens[token];
  return marker_for(split, it->offset + it->length, false);
}

/* ---- tokens that stay ------------------------------------------------------------------------------------ */

static void drop_token(cc_split *split, uint32_t token) {
  cc_edits_add(&split->edits, split->text.tokens[token].offset, split->text.tokens[token].length, NULL);
}

/* __noinline__ cannot be a macro: system headers say __attribute__((__noinline__)). */
static void mend_noinline(cc_split *split, uint32_t token) {
  const cc_text *text = &split->text;
  char before = token > 0 ? cc_mark(text, token - 1) : (char)0;
  if (before == '(' || before == ',' || (token > 0 && cc_is(text, token - 1, "::")))
    return;
  cc_edits_add(&split->edits, text->tokens[token].offset, text->tokens[token].length, "__attribute__((noinline))");
}

/* `__global__ void k(int *);` in a function's body: without the word C++ knows it for what it is, the declaration of a
 * function of the namespace around. */
static bool is_local_declaration(const cc_text *text, uint32_t word) {
  uint32_t end = word + 1;
  bool has_parameters = false;
  for (; end < text->count && cc_mark(text, end) != ';'; end++) {
    char mark = cc_mark(text, end);
    if (mark == '{' || mark == '}' || mark == '=' || mark == ')' || mark == ']')
      return false;
    if (mark == '(' || mark == '[') {
      has_parameters |= mark == '(' && end > word + 2 && cc_is_name(text, end - 1);
      end = text->tokens[end].match;
    }
  }
  return end < text->count && has_parameters;
}

/* What is no body that goes: words vanish, launches are rewritten. In heads every word is accounted for; in bodies
 * those may stand that mark lambdas and local declarations. */
static void rewrite_tokens(cc_split *split, uint32_t first, uint32_t end, bool is_head) {
  const cc_text *text = &split->text;
  for (uint32_t i = first; i < end;) {
    unsigned word = cc_word(text, i);
    if (word != 0) {
      drop_token(split, i);
      bool is_wrong = !is_head && (word & (CC_GLOBAL | CC_CONSTANT | CC_MANAGED)) != 0;
      if (is_wrong && (word != CC_GLOBAL || !is_local_declaration(text, i)))
        cc_split_complain(split, i,
                          "'%.*s' stands where vptrcc expects none: define kernels and variables of the device at "
                          "namespace level, each in a declaration of its own",
                          (int)text->tokens[i].length, text->text + text->tokens[i].offset);
    } else if (cc_is(text, i, "__noinline__")) {
      mend_noinline(split, i);
    } else if (cc_is_launch(text, i)) {
      i = cc_split_launch(split, i);
      continue;
    }
    i++;
  }
}

static void drop_unroll_pragmas(cc_split *split) {
  const char *begin = split->text.text, *at = begin;
  while ((at = strstr(at, "#pragma ")) != NULL) {
    const char *what = at + strlen("#pragma ");
    const char *end = strchr(what, '\n');
    bool is_line = at == begin || at[-1] == '\n';
    if (is_line && end != NULL && (strncmp(what, "unroll", 6) == 0 || strncmp(what, "nounroll", 8) == 0))
      cc_edits_add(&split->edits, (uint32_t)(at - begin), (uint32_t)(end - at), NULL);
    at = what;
  }
}

/* ---- declarations ---------------------------------------------------------------------------------------- */

static void split_function(cc_split *split, const cc_declaration *it) {
  bool is_device_only = (it->words & CC_DEVICE) != 0 && (it->words & CC_HOST) == 0;
  bool has_body = it->body != 0;
  if ((it->words & (CC_CONSTANT | CC_MANAGED | CC_SHARED)) != 0)
    cc_split_complain(split, it->first, "a function is no variable of the device: take the word away");
  else if ((it->words & CC_GLOBAL) != 0 && it->scope->is_class && !it->is_friend)
    cc_split_complain(split, it->first, "a kernel cannot be a member of a class: make it a function of a namespace");
  else if ((it->words & CC_GLOBAL) != 0 && has_body)
    cc_split_kernel(split, it);
  else if (is_device_only && has_body && !it->is_constexpr)
    cc_split_device_function(split, it);
}

static bool is_deleted(const cc_declaration *it) {
  return it->kind == CC_FUNCTION && it->body != 0 &&
         ((it->words & CC_GLOBAL) != 0 || ((it->words & (CC_DEVICE | CC_HOST)) == CC_DEVICE && !it->is_constexpr));
}

static void split_one(cc_split *split, const cc_declaration *it) {
  bool is_variable = it->kind == CC_VARIABLE || (it->kind == CC_CLASS && it->words != 0);
  if (it->kind == CC_FUNCTION && it->words != 0)
    split_function(split, it);
  else if (is_variable && (it->words & CC_GLOBAL) != 0)
    cc_split_complain(split, it->first, "'__global__' is for functions: a variable of the device is '__device__'");
  else if (it->kind == CC_CLASS && (it->words & (CC_DEVICE | CC_CONSTANT | CC_MANAGED)) != 0 &&
           cc_mark(&split->text, split->text.tokens[it->body].match + 1) != ';')
    cc_split_complain(split, it->first,
                      "a variable of the device with its type in one declaration: declare the type first");
  else if (it->kind == CC_VARIABLE && (it->words & (CC_DEVICE | CC_CONSTANT | CC_MANAGED | CC_REFERENCE)) != 0 &&
           (it->words & CC_SHARED) == 0 && !it->scope->is_class && !(it->is_extern && !it->has_initializer))
    cc_split_variables(split, it);
}

static void split_declaration(void *context, const cc_declaration *it) {
  cc_split *split = context;
  rewrite_tokens(split, split->next, it->first, false);
  if (it->words != 0)
    split_one(split, it);
  bool has_members = it->kind != CC_FUNCTION && it->body != 0;
  uint32_t head_end = it->head_end < it->last ? it->head_end : it->last;
  rewrite_tokens(split, it->first, head_end, true);
  if (has_members)
    split->next = it->body + 1;
  else if (is_deleted(it))
    split->next = it->last + 1;
  else
    split->next = head_end;
}

bool cc_split_text(cc_split *split, vptr__arena *arena, const char *bytes, size_t length) {
  *split = (cc_split){ .arena = arena, .edits = { .arena = arena } };
  cc_buffer_init(&split->out, arena);
  cc_buffer_init(&split->messages, arena);
  uint32_t wrong = 0;
  if (!cc_text_cut(&split->text, arena, bytes, length, &wrong)) {
    cc_split_complain(split, wrong, "this bracket has no partner");
    return false;
  }
  drop_unroll_pragmas(split);
  cc_declarations(&split->text, arena, split_declaration, split);
  rewrite_tokens(split, split->next, split->text.count, false);
  cc_edits_apply(&split->edits, &split->text, &split->out);
  return split->messages.length == 0;
}
