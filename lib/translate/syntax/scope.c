/* SPDX-License-Identifier: MIT */
/*
 * scope - what a name means where it stands.
 *
 * A name points to its innermost binding, a binding to the one that it shadows; a scope keeps a list of its own, so
 * that leaving it is undoing that list. A look-up costs nothing, and so does a scope without names. Namespaces bind
 * their names again when they are opened again.
 *
 * A function declared again in its scope is an overload or a redeclaration: `previous` leads to the older ones, and
 * types/ tells them apart. Operator functions are bound in all scopes around theirs too, as one chain: C++ finds them
 * by their operands' types wherever they are, and types/ chooses by these types anyway.
 */
#include <string.h>

#include "translate/syntax/state.h"

static vptr__binding *innermost_binding(const vptr__name *name) {
  return name->declaration;
}

static bool is_operator(const vptr__name *name) {
  static const char word[] = "operator";
  return name->length > sizeof word - 1 && memcmp(name->text, word, sizeof word - 1) == 0 &&
         strchr("+-*/%^&|~!=<>,([", name->text[sizeof word - 1]) != NULL;
}

static const char *path_of(vptr__parser *parser, const vptr__scope *outer, const vptr__name *name) {
  if (name == NULL)
    return outer == NULL ? NULL : outer->path;
  if (outer == NULL || outer->path == NULL)
    return name->text;
  return vptr__arena_format(parser->arena, "%s::%s", outer->path, name->text);
}

vptr__scope *vptr__scope_new(vptr__parser *parser, vptr__scope_kind kind, vptr__name *name) {
  vptr__scope *scope = vptr__parser_new(parser, sizeof *scope);
  *scope = (vptr__scope){ .kind = kind, .name = name, .outer = parser->scope };
  scope->path = kind == VPTR__SCOPE_BLOCK ? NULL : path_of(parser, parser->scope, name);
  return scope;
}

static void bind_name(vptr__parser *parser, vptr__scope *scope, vptr__name *name, vptr__declaration *declaration) {
  vptr__binding *binding = vptr__parser_new(parser, sizeof *binding);
  *binding = (vptr__binding){ name, declaration, scope, innermost_binding(name), scope->bindings, false };
  scope->bindings = name->declaration = binding;
}

void vptr__scope_bind(vptr__parser *parser, vptr__declaration *declaration) {
  if (declaration->name != NULL)
    bind_name(parser, parser->scope, declaration->name, declaration);
}

void vptr__scope_unbind_to(vptr__scope *scope, vptr__binding *bindings) {
  for (; scope->bindings != bindings; scope->bindings = scope->bindings->next)
    scope->bindings->name->declaration = scope->bindings->shadowed;
}

/* Oldest first, so that the newest is on top again. */
static void bind_again(vptr__scope *scope) {
  vptr__binding *reversed = NULL;
  for (vptr__binding *binding = scope->bindings, *next; binding != NULL; binding = next) {
    next = binding->next;
    binding->next = reversed;
    reversed = binding;
  }
  scope->bindings = NULL;
  for (vptr__binding *binding = reversed, *next; binding != NULL; binding = next) {
    next = binding->next;
    binding->next = scope->bindings;
    scope->bindings = binding;
    if (is_operator(binding->name))
      continue;
    binding->shadowed = innermost_binding(binding->name);
    binding->name->declaration = binding;
  }
}

void vptr__scope_enter(vptr__parser *parser, vptr__scope *scope) {
  parser->scope = scope;
  if (scope->kind == VPTR__SCOPE_NAMESPACE && scope->bindings != NULL)
    bind_again(scope);
}

/* What the scope around sees too. Oldest first again, by recursion's cheaper counterpart: an array of those that go. */
static void bind_outward(vptr__parser *parser, vptr__scope *scope) {
  size_t count = 0;
  for (vptr__binding *binding = scope->bindings; binding != NULL; binding = binding->next)
    count += !binding->is_outward && (scope->is_inline || is_operator(binding->name));
  vptr__binding **going = vptr__parser_new(parser, (count + 1) * sizeof(vptr__binding *));
  size_t at = count;
  for (vptr__binding *binding = scope->bindings; binding != NULL; binding = binding->next)
    if (!binding->is_outward && (scope->is_inline || is_operator(binding->name)))
      going[--at] = binding;
  for (size_t i = 0; i < count; ++i) {
    going[i]->is_outward = true;
    bind_name(parser, scope->outer, going[i]->name, going[i]->declaration);
  }
}

void vptr__scope_leave(vptr__parser *parser) {
  vptr__scope *scope = parser->scope;
  for (vptr__binding *binding = scope->bindings; binding != NULL; binding = binding->next)
    if (innermost_binding(binding->name) == binding)
      binding->name->declaration = binding->shadowed;
  if (scope->kind == VPTR__SCOPE_NAMESPACE)
    bind_outward(parser, scope);
  parser->scope = scope->outer;
}

bool vptr__declaration_is_type(const vptr__declaration *declaration) {
  return declaration->kind == VPTR__DECLARATION_TYPEDEF || declaration->kind == VPTR__DECLARATION_RECORD ||
         declaration->kind == VPTR__DECLARATION_ENUM;
}

static bool is_tag(const vptr__declaration *declaration) {
  return declaration->kind == VPTR__DECLARATION_RECORD || declaration->kind == VPTR__DECLARATION_ENUM;
}

/* In the scope that is open; a class and something else may share a name. */
vptr__declaration *vptr__scope_find_here(const vptr__parser *parser, const vptr__name *name, bool tags_only) {
  for (vptr__binding *binding = innermost_binding(name); binding != NULL && binding->scope == parser->scope;
       binding = binding->shadowed)
    if (!tags_only || is_tag(binding->declaration))
      return binding->declaration;
  return NULL;
}

vptr__declaration *vptr__scope_find_tag(const vptr__parser *parser, const vptr__name *name) {
  (void)parser;
  for (vptr__binding *binding = innermost_binding(name); binding != NULL; binding = binding->shadowed)
    if (is_tag(binding->declaration))
      return binding->declaration;
  return NULL;
}

vptr__declaration *vptr__scope_member(const vptr__scope *scope, const vptr__name *name) {
  for (const vptr__binding *binding = scope->bindings; binding != NULL; binding = binding->next)
    if (binding->name == name)
      return binding->declaration;
  return NULL;
}

static void report_ambiguous(vptr__parser *parser, const vptr__name *name, const char *first, const char *second) {
  vptr__parser_error(parser, vptr__parser_position(parser),
                     "'%s' may be the one of namespace '%s' or of '%s'; write which, as in %s::%s", name->text,
                     first == NULL ? "::" : first, second, second, name->text);
}

bool vptr__scope_is_same_type(const vptr__declaration *left, const vptr__declaration *right) {
  while (left->kind == VPTR__DECLARATION_TYPEDEF && left->type != NULL && left->type->alias != NULL)
    left = left->type->alias;
  while (right->kind == VPTR__DECLARATION_TYPEDEF && right->type != NULL && right->type->alias != NULL)
    right = right->type->alias;
  if (left == right)
    return true;
  if (left->kind != VPTR__DECLARATION_TYPEDEF || right->kind != VPTR__DECLARATION_TYPEDEF || left->type == NULL ||
      right->type == NULL || left->type->kind != right->type->kind ||
      left->type->qualifiers != right->type->qualifiers)
    return false;
  return left->type->base == NULL && right->type->base == NULL && left->type->length == NULL &&
         right->type->length == NULL && left->type->declaration == right->type->declaration;
}

/* By `using namespace`, up to the scope that has the name itself. A name that two have is said: no choice is made
 * silently. */
static vptr__declaration *find_used(vptr__parser *parser, const vptr__name *name, const vptr__binding *binding) {
  vptr__declaration *found = binding == NULL ? NULL : binding->declaration;
  const char *path = found == NULL ? NULL : found->scope;
  for (const vptr__scope *scope = parser->scope; scope != NULL; scope = scope->outer) {
    for (const vptr__used_scope *used = scope->used; used != NULL; used = used->next) {
      vptr__declaration *other = vptr__scope_member(used->scope, name);
      if (other != NULL && found != NULL && !vptr__scope_is_same_type(other, found))
        report_ambiguous(parser, name, path, used->scope->path);
      if (other != NULL && found == NULL) {
        found = other;
        path = used->scope->path;
      }
    }
    if (binding != NULL && scope == binding->scope)
      break;
  }
  return found;
}

vptr__declaration *vptr__scope_find(vptr__parser *parser, const vptr__name *name) {
  const vptr__binding *binding = innermost_binding(name);
  if (binding != NULL && binding->scope->kind != VPTR__SCOPE_NAMESPACE)
    return binding->declaration;
  return find_used(parser, name, binding);
}

static vptr__scope *child_of(const vptr__scope *scope, const vptr__name *name) {
  for (vptr__scope *child = scope->children; child != NULL; child = child->next)
    if (child->name == name)
      return child->target == NULL ? child : child->target;
  return NULL;
}

/* inside: NULL: looked for from here outwards. */
vptr__scope *vptr__scope_namespace(const vptr__parser *parser, const vptr__scope *inside, const vptr__name *name) {
  if (inside != NULL)
    return child_of(inside, name);
  for (const vptr__scope *scope = parser->scope; scope != NULL; scope = scope->outer) {
    vptr__scope *child = child_of(scope, name);
    for (const vptr__used_scope *used = scope->used; used != NULL && child == NULL; used = used->next)
      child = child_of(used->scope, name);
    if (child != NULL)
      return child;
  }
  return NULL;
}

/* Same kinds that may be declared many times: the rest of the judgement is types/'s. */
static bool may_repeat(const vptr__declaration *old, const vptr__declaration *new) {
  if ((old->flags | new->flags) & VPTR__HOST_ONLY)
    return true;
  if (is_tag(old) || is_tag(new))
    return !(is_tag(old) && is_tag(new));
  if (old->kind != new->kind)
    return false;
  if (old->kind == VPTR__DECLARATION_VARIABLE)
    return (old->flags | new->flags) & VPTR__EXTERN;
  return old->kind == VPTR__DECLARATION_FUNCTION || old->kind == VPTR__DECLARATION_TYPEDEF;
}

void vptr__scope_declare(vptr__parser *parser, vptr__declaration *declaration) {
  if (declaration->name == NULL)
    return;
  vptr__declaration *old = vptr__scope_find_here(parser, declaration->name, false);
  if (old == NULL && is_operator(declaration->name) && innermost_binding(declaration->name) != NULL)
    old = innermost_binding(declaration->name)->declaration;
  if (old != NULL && !may_repeat(old, declaration)) {
    vptr__parser_error(parser, declaration->position, "'%s' is declared twice: the first time at %s",
                       declaration->name->text, vptr__parser_where(parser, old->position));
    return;
  }
  if (old != NULL && old->kind == declaration->kind)
    declaration->previous = old;
  vptr__scope_bind(parser, declaration);
}
