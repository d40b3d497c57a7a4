/* SPDX-License-Identifier: MIT */
/*
 * namespace - what stands at namespace level, and whose it is: see parser.h.
 *
 * What has CUDA's words in its head is read as the device's, and the errors in a kernel or a variable are said. All
 * else is an attempt: it may be something that kernels need, or the host's, in all of C++.
 *
 * Nothing else is refused before a kernel reaches it, since headers have more in them than a program uses. What fails
 * keeps its name and the reason; of a device function whose head could be read the errors are held, and of one whose
 * head could not, or that is a template, there is a function without a type: overload resolution sees that it does not
 * know all.
 */
#include <string.h>

#include "translate/syntax/state.h"

/* ---- what could not be read ------------------------------------------------------------------------------ */

static void declare_skipped(vptr__parser *parser, size_t begin, size_t end, const char *reason) {
  const vptr__token *token = vptr__skip_name(parser, begin, end);
  if (token == NULL || token->name == NULL)
    return;
  int kind = parser->tokens[begin].kind;
  bool is_type = kind == VPTR__KEYWORD_STRUCT || kind == VPTR__KEYWORD_CLASS || kind == VPTR__KEYWORD_UNION ||
                 kind == VPTR__KEYWORD_ENUM || kind == VPTR__KEYWORD_USING || kind == VPTR__KEYWORD_TYPEDEF;
  vptr__declaration *old = vptr__scope_find_here(parser, token->name, false);
  if (old != NULL && old->kind == VPTR__DECLARATION_FUNCTION && !is_type)
    return; /* an overload that kernels cannot call */
  vptr__declaration *declaration = vptr__declaration_new(
      parser, is_type ? VPTR__DECLARATION_RECORD : VPTR__DECLARATION_VARIABLE, token->name, token->position);
  declaration->flags = VPTR__HOST_ONLY | (vptr__skip_has_words(parser, begin, end, false) ? VPTR__DEVICE : 0);
  declaration->message = reason;
  declaration->cause = parser->cause;
  if (old != NULL && old->kind == VPTR__DECLARATION_RECORD && is_type) {
    old->flags |= declaration->flags; /* announced before: pointers to it may exist */
    old->message = reason;
    old->cause = declaration->cause;
    return;
  }
  vptr__scope_bind(parser, declaration);
}

/* A function for the device, of which nothing is known but what it is called. */
static void remember_function(vptr__parser *parser, size_t begin, size_t end, const char *reason) {
  vptr__name *name = vptr__skip_function_name(parser, begin, end);
  if (name == NULL)
    return;
  bool is_template = parser->tokens[begin].kind == VPTR__KEYWORD_TEMPLATE;
  vptr__declaration *function =
      vptr__declaration_new(parser, VPTR__DECLARATION_FUNCTION, name, parser->tokens[begin].position);
  function->flags = VPTR__HOST_ONLY | VPTR__DEVICE | (is_template ? VPTR__TEMPLATE : 0);
  function->message = reason;
  function->cause = parser->cause;
  vptr__scope_declare(parser, function);
  function->next = parser->unit->unread;
  parser->unit->unread = function;
}

static bool is_class(int kind) {
  return kind == VPTR__KEYWORD_STRUCT || kind == VPTR__KEYWORD_CLASS || kind == VPTR__KEYWORD_UNION;
}

/* `typedef struct {`, too */
static bool may_have_members(const vptr__parser *parser, size_t begin) {
  return is_class(parser->tokens[begin].kind) ||
         (parser->tokens[begin].kind == VPTR__KEYWORD_TYPEDEF && is_class(parser->tokens[begin + 1].kind));
}

static void read_attempt(vptr__parser *parser, size_t end) {
  size_t begin = parser->at;
  vptr__attempt attempt = vptr__attempt_begin(parser);
  vptr__declaration_outer(parser, end);
  if (vptr__attempt_end(parser, attempt))
    return;
  declare_skipped(parser, begin, end, parser->reason);
  parser->at = end;
}

/* ---- one declaration ------------------------------------------------------------------------------------- */

static void read_texture(vptr__parser *parser, size_t end) {
  size_t begin = parser->at;
  vptr__texture_prepare(parser);
  vptr__attempt attempt = vptr__attempt_begin(parser);
  vptr__texture_declare(parser);
  if (vptr__attempt_end(parser, attempt))
    return;
  declare_skipped(parser, begin, end, parser->reason);
  parser->at = end;
}

static const char template_reason[] =
    "templates are not supported yet; write the function or struct for each type, or make it by a macro";

/* A kernel is there to be launched. */
static void read_template(vptr__parser *parser, size_t end) {
  size_t begin = parser->at;
  parser->cause = NULL;
  if (vptr__skip_has_kernel(parser, begin, end)) {
    vptr__parser_error(parser, vptr__parser_position(parser), "%s", template_reason);
    vptr__parser_calm(parser);
  }
  if (vptr__skip_is_function(parser, begin, end) && vptr__skip_has_words(parser, begin, end, true))
    remember_function(parser, begin, end, template_reason);
  else
    declare_skipped(parser, begin, end, template_reason);
  parser->at = end;
}

static bool has_body(const vptr__parser *parser, size_t begin, size_t end) {
  return end > begin && parser->tokens[end - 1].kind == '}';
}

static void read_aloud(vptr__parser *parser, size_t end) {
  size_t begin = parser->at;
  vptr__declaration_outer(parser, end);
  if (!parser->is_panicking)
    return;
  /* a body with brackets amiss ends where the reading of it ended; else behind what skipping found */
  vptr__parser_calm(parser);
  if (parser->at < end || !has_body(parser, begin, end))
    parser->at = end;
}

/* Errors in a function are said when a kernel reaches it, and those in a kernel in any case; both by types/, so that
 * they do not hide what is wrong elsewhere. */
static void read_function(vptr__parser *parser, size_t end) {
  size_t begin = parser->at;
  bool has_kernel = vptr__skip_has_kernel(parser, begin, end);
  vptr__declaration *last = parser->unit->last;
  parser->first_error = NULL;
  parser->cause = NULL;
  vptr__source_hold(parser->source);
  read_aloud(parser, end);
  vptr__held *held = vptr__source_release(parser->source);
  if (held == NULL)
    return;
  vptr__declaration *read = last == NULL ? parser->unit->declarations : last->next;
  while (read != NULL && read->kind != VPTR__DECLARATION_FUNCTION)
    read = read->next;
  if (read != NULL)
    read->held = held;
  else if (has_kernel)
    vptr__source_report_held(parser->source, held);
  else
    remember_function(parser, begin, end, parser->first_error);
}

static void read_certain(vptr__parser *parser, size_t end) {
  if (vptr__skip_is_function(parser, parser->at, end))
    read_function(parser, end);
  else
    read_aloud(parser, end);
}

static void read_declaration(vptr__parser *parser) {
  size_t begin = parser->at, end = vptr__skip_declaration(parser, begin);
  if (end == begin)
    end = begin + 1;
  if (vptr__parser_kind(parser) == VPTR__KEYWORD_TEMPLATE)
    read_template(parser, end);
  else if (vptr__texture_is_reference(parser))
    read_texture(parser, end);
  else if (vptr__skip_has_words(parser, begin, end, true))
    read_certain(parser, end);
  else if (parser->default_device && !may_have_members(parser, begin))
    read_certain(parser, end);
  else
    read_attempt(parser, end);
}

/* ---- namespaces ------------------------------------------------------------------------------------------ */

static vptr__scope *open_namespace(vptr__parser *parser, vptr__name *name, bool is_inline) {
  for (vptr__scope *child = parser->scope->children; child != NULL; child = child->next)
    if (child->name == name && child->target == NULL)
      return child;
  vptr__scope *scope = vptr__scope_new(parser, VPTR__SCOPE_NAMESPACE, name);
  scope->is_inline = is_inline || name == NULL;
  scope->next = parser->scope->children;
  parser->scope->children = scope;
  return scope;
}

/* namespace fs = std::filesystem; */
static void read_alias(vptr__parser *parser, vptr__name *name) {
  vptr__scope *target = NULL;
  vptr__parser_take(parser);
  vptr__parser_accept(parser, VPTR__TOKEN_SCOPE);
  do {
    target = vptr__scope_namespace(parser, target, vptr__parser_token(parser)->name);
    if (!vptr__parser_accept(parser, VPTR__TOKEN_NAME))
      break;
  } while (vptr__parser_accept(parser, VPTR__TOKEN_SCOPE) && target != NULL);
  parser->at = vptr__skip_declaration(parser, parser->at);
  if (target == NULL)
    return; /* the host's */
  vptr__scope *alias = vptr__scope_new(parser, VPTR__SCOPE_NAMESPACE, name);
  alias->target = target;
  alias->next = parser->scope->children;
  parser->scope->children = alias;
}

/* namespace a::b { ... }: depth of what was entered */
static int enter_path(vptr__parser *parser, bool is_inline) {
  int depth = 0;
  do {
    vptr__parser_accept(parser, VPTR__KEYWORD_INLINE);
    vptr__name *name = vptr__parser_kind(parser) == VPTR__TOKEN_NAME ? vptr__parser_take(parser).name : NULL;
    vptr__arena_enter(parser->arena);
    vptr__scope_enter(parser, open_namespace(parser, name, is_inline));
    ++depth;
  } while (vptr__parser_accept(parser, VPTR__TOKEN_SCOPE));
  return depth;
}

static void read_namespace(vptr__parser *parser, bool is_inline) {
  vptr__specifiers ignored = { 0 };
  vptr__parser_take(parser);
  vptr__specifiers_attributes(parser, &ignored);
  if (vptr__parser_kind(parser) == VPTR__TOKEN_NAME && vptr__parser_kind_at(parser, 1) == '=') {
    read_alias(parser, vptr__parser_take(parser).name);
    return;
  }
  int depth = enter_path(parser, is_inline);
  vptr__specifiers_attributes(parser, &ignored);
  if (vptr__parser_expect(parser, '{', "behind the namespace's name"))
    vptr__namespace_read(parser, true);
  for (; depth > 0; --depth) {
    vptr__scope_leave(parser);
    vptr__arena_leave(parser->arena);
  }
}

/* extern "C" int a[2]; only declares, unlike what is between braces: another may define. */
static void mark_extern(vptr__declaration *declaration) {
  for (; declaration != NULL; declaration = declaration->next)
    if (declaration->kind == VPTR__DECLARATION_VARIABLE && declaration->initializer == NULL)
      declaration->flags |= VPTR__EXTERN | VPTR__LINKAGE;
}

static void read_linkage(vptr__parser *parser) {
  bool outer = parser->is_extern_c;
  vptr__parser_take(parser);
  parser->is_extern_c = vptr__parser_is_text(vptr__parser_token(parser), "\"C\"");
  vptr__parser_take(parser);
  vptr__arena_enter(parser->arena);
  if (vptr__parser_accept(parser, '{'))
    vptr__namespace_read(parser, true);
  else if (vptr__parser_kind(parser) != VPTR__TOKEN_END && vptr__parser_kind(parser) != '}') {
    const vptr__declaration *last = parser->unit->last;
    read_declaration(parser);
    mark_extern(last != NULL ? last->next : parser->unit->declarations);
  }
  vptr__arena_leave(parser->arena);
  parser->is_extern_c = outer;
}

/* ---- using ----------------------------------------------------------------------------------------------- */

static vptr__scope *read_scope(vptr__parser *parser) {
  vptr__scope *scope = NULL;
  if (vptr__parser_accept(parser, VPTR__TOKEN_SCOPE))
    scope = parser->global;
  do {
    vptr__token token = vptr__parser_take(parser);
    scope = token.kind == VPTR__TOKEN_NAME ? vptr__scope_namespace(parser, scope, token.name) : NULL;
  } while (scope != NULL && vptr__parser_accept(parser, VPTR__TOKEN_SCOPE));
  return scope;
}

/* A namespace that is not known is the host's, or std: its functions for kernels are found by their names alone. */
static void use_namespace(vptr__parser *parser) {
  vptr__parser_take(parser);
  vptr__scope *scope = read_scope(parser);
  for (const vptr__used_scope *used = parser->scope->used; used != NULL; used = used->next)
    if (used->scope == scope)
      return;
  if (scope == NULL)
    return;
  vptr__used_scope *used = vptr__parser_new(parser, sizeof *used);
  *used = (vptr__used_scope){ scope, parser->scope->used };
  parser->scope->used = used;
}

static void use_name(vptr__parser *parser) {
  vptr__parser_accept(parser, VPTR__KEYWORD_TYPENAME);
  vptr__written_name written = vptr__name_look(parser, parser->at);
  if (written.name == NULL || written.declaration == NULL)
    return;
  vptr__declaration *old = vptr__scope_find_here(parser, written.name, false);
  if (old != NULL && (old == written.declaration || vptr__scope_is_same_type(old, written.declaration)))
    return;
  if (old != NULL) {
    vptr__parser_error(parser, written.position, "'%s' has another meaning here (%s); write %s::%s where it is used",
                       written.name->text, vptr__parser_where(parser, old->position), written.scope,
                       written.name->text);
    return;
  }
  vptr__scope_bind(parser, written.declaration);
}

/* To the ; in any case. */
void vptr__namespace_using(vptr__parser *parser, bool is_outer) {
  size_t end = vptr__skip_declaration(parser, parser->at);
  vptr__parser_take(parser);
  if (vptr__parser_kind(parser) == VPTR__KEYWORD_NAMESPACE)
    use_namespace(parser);
  else
    use_name(parser);
  if (is_outer)
    vptr__parser_calm(parser);
  if (!parser->is_panicking)
    parser->at = end;
}

static void read_using(vptr__parser *parser) {
  bool is_alias = vptr__parser_kind_at(parser, 1) == VPTR__TOKEN_NAME &&
                  vptr__parser_kind_at(parser, 2) != VPTR__TOKEN_SCOPE && vptr__parser_kind_at(parser, 2) != ';' &&
                  vptr__parser_kind_at(parser, 2) != ',';
  if (!is_alias) {
    vptr__namespace_using(parser, true);
    return;
  }
  size_t begin = parser->at, end = vptr__skip_declaration(parser, begin);
  vptr__attempt attempt = vptr__attempt_begin(parser);
  vptr__parser_take(parser);
  vptr__declaration *alias = vptr__declaration_alias(parser);
  if (vptr__attempt_end(parser, attempt)) {
    vptr__declaration_append(parser, alias);
    return;
  }
  declare_skipped(parser, begin, end, parser->reason);
  parser->at = end;
}

/* ---- the level itself ------------------------------------------------------------------------------------ */

static void read_static_assert(vptr__parser *parser) {
  size_t end = vptr__skip_declaration(parser, parser->at);
  vptr__attempt attempt = vptr__attempt_begin(parser);
  vptr__declaration *declaration = vptr__declaration_static_assert(parser);
  if (vptr__attempt_end(parser, attempt))
    vptr__declaration_append(parser, declaration);
  else
    parser->at = end;
}

static void read_one(vptr__parser *parser) {
  switch (vptr__parser_kind(parser)) {
  case ';':
  case VPTR__TOKEN_PRAGMA_UNROLL:
    vptr__parser_take(parser);
    break;
  case VPTR__KEYWORD_NAMESPACE:
    read_namespace(parser, false);
    break;
  case VPTR__KEYWORD_USING:
    read_using(parser);
    break;
  case VPTR__KEYWORD_STATIC_ASSERT:
    read_static_assert(parser);
    break;
  case VPTR__KEYWORD_INLINE:
    if (vptr__parser_kind_at(parser, 1) != VPTR__KEYWORD_NAMESPACE) {
      read_declaration(parser);
      break;
    }
    vptr__parser_take(parser);
    read_namespace(parser, true);
    break;
  case VPTR__KEYWORD_EXTERN:
    if (vptr__parser_kind_at(parser, 1) == VPTR__TOKEN_STRING)
      read_linkage(parser);
    else
      read_declaration(parser);
    break;
  default:
    read_declaration(parser);
  }
}

/* is_nested: up to a } that is read as well. */
void vptr__namespace_read(vptr__parser *parser, bool is_nested) {
  for (;;) {
    vptr__parser_calm(parser);
    int kind = vptr__parser_kind(parser);
    if (kind == VPTR__TOKEN_END)
      break;
    if (kind == '}' && is_nested)
      break;
    if (kind == '}' || kind == ')' || kind == ']') {
      vptr__parser_error(parser, vptr__parser_position(parser), "'%c' closes nothing", kind);
      vptr__parser_calm(parser);
      vptr__parser_take(parser);
    } else {
      read_one(parser);
    }
  }
  if (is_nested)
    vptr__parser_expect(parser, '}', "at the end of the namespace");
}
