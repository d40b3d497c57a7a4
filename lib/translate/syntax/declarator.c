/* SPDX-License-Identifier: MIT */
/*
 * declarator - the name that is declared, and what stands around it: *, &, [n], (parameters), parentheses.
 *
 * A declarator is read from the inside out: what stands behind the parentheses belongs to the type before what stands
 * in them. With all tokens at hand, the part behind is read first, and then the inside.
 */
#include "translate/syntax/state.h"

enum { MOST_DERIVATIONS = 64 }; /* of one declarator: types are walked by recursion later */

static vptr__type *read_suffixes(vptr__parser *parser, vptr__type *base, vptr__declarator *out);

static vptr__type *derive_type(vptr__parser *parser, vptr__type_kind kind, vptr__type *base) {
  vptr__type *type = vptr__type_new(parser->unit, kind);
  type->base = base;
  return type;
}

static void pointer_qualifiers(vptr__parser *parser, vptr__type *type) {
  vptr__specifiers ignored = { 0 };
  for (;;) {
    if (vptr__parser_accept(parser, VPTR__KEYWORD_CONST))
      type->qualifiers |= VPTR__CONST;
    else if (vptr__parser_accept(parser, VPTR__KEYWORD_VOLATILE))
      type->qualifiers |= VPTR__VOLATILE;
    else if (vptr__parser_accept(parser, VPTR__KEYWORD_RESTRICT))
      type->qualifiers |= VPTR__RESTRICT;
    else if (vptr__parser_kind(parser) == VPTR__KEYWORD_ATTRIBUTE)
      vptr__specifiers_attributes(parser, &ignored);
    else
      return;
  }
}

static vptr__type *read_prefixes(vptr__parser *parser, vptr__type *base) {
  for (int count = 0;; ++count) {
    vptr__position position = vptr__parser_position(parser);
    if (count == MOST_DERIVATIONS)
      vptr__parser_error(parser, position, "a type of more than %d parts is not supported", MOST_DERIVATIONS);
    if (vptr__parser_kind(parser) == VPTR__TOKEN_AND_AND)
      vptr__parser_error(parser, position, "rvalue references are not supported in device code; use & or a value");
    if (vptr__parser_accept(parser, '*'))
      base = derive_type(parser, VPTR__TYPE_POINTER, base);
    else if (vptr__parser_accept(parser, '&'))
      base = derive_type(parser, VPTR__TYPE_REFERENCE, base);
    else
      return base;
    if (base->base->kind == VPTR__TYPE_REFERENCE)
      vptr__parser_error(parser, position, "there are no pointers and references to references");
    pointer_qualifiers(parser, base);
  }
}

/* Arrays and functions become pointers. */
static vptr__type *as_parameter(vptr__parser *parser, vptr__type *type) {
  if (type->kind == VPTR__TYPE_FUNCTION)
    return derive_type(parser, VPTR__TYPE_POINTER, type);
  if (type->kind != VPTR__TYPE_ARRAY)
    return type;
  vptr__type *pointer = derive_type(parser, VPTR__TYPE_POINTER, type->base);
  pointer->qualifiers = type->qualifiers;
  pointer->alias = type->alias;
  return pointer;
}

static vptr__declaration *read_parameter(vptr__parser *parser) {
  enum { FOREIGN = VPTR__GLOBAL | VPTR__SHARED | VPTR__CONSTANT | VPTR__MANAGED | VPTR__EXTERN | VPTR__STATIC };
  vptr__specifiers specifiers;
  vptr__declarator declarator;
  vptr__specifiers_read(parser, &specifiers);
  if (specifiers.is_typedef || (specifiers.flags & FOREIGN))
    vptr__parser_error(parser, specifiers.position, "a parameter has a type and a name; leave the other words out");
  vptr__declarator_read(parser, specifiers.type, VPTR__DECLARATOR_NAMED | VPTR__DECLARATOR_ABSTRACT, &declarator);
  vptr__specifiers_attributes(parser, &specifiers);
  vptr__declaration *parameter =
      vptr__declaration_new(parser, VPTR__DECLARATION_PARAMETER, declarator.name, declarator.position);
  parameter->type = as_parameter(parser, declarator.type);
  parameter->align = specifiers.align;
  if (parameter->type->kind == VPTR__TYPE_VOID && !parser->is_panicking)
    vptr__parser_error(parser, declarator.position, "a parameter cannot be void");
  if (vptr__parser_accept(parser, '='))
    parameter->initializer = vptr__expression_assignment(parser);
  vptr__scope_declare(parser, parameter);
  return parameter;
}

static bool is_void_alone(const vptr__parser *parser) {
  return vptr__parser_kind(parser) == VPTR__KEYWORD_VOID && vptr__parser_kind_at(parser, 1) == ')';
}

static void read_parameters(vptr__parser *parser, vptr__type *function) {
  vptr__declaration **link = &function->parameters;
  vptr__scope_enter(parser, vptr__scope_new(parser, VPTR__SCOPE_BLOCK, NULL));
  if (is_void_alone(parser))
    vptr__parser_take(parser);
  while (vptr__parser_kind(parser) != ')' && vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    if (vptr__parser_accept(parser, VPTR__TOKEN_ELLIPSIS)) {
      function->is_variadic = true;
      break;
    }
    *link = read_parameter(parser);
    link = &(*link)->next;
    if (!vptr__parser_accept(parser, ',') && vptr__parser_kind(parser) != VPTR__TOKEN_ELLIPSIS)
      break;
  }
  vptr__scope_leave(parser);
  vptr__parser_expect(parser, ')', "behind the parameters");
}

/* const, noexcept, -> T, attributes */
static void function_qualifiers(vptr__parser *parser, vptr__type *function) {
  vptr__specifiers ignored = { 0 };
  if (vptr__parser_accept(parser, VPTR__KEYWORD_NOEXCEPT) && vptr__parser_kind(parser) == '(')
    parser->at = vptr__skip_balanced(parser, parser->at);
  if (vptr__parser_kind(parser) == VPTR__KEYWORD_THROW && vptr__parser_kind_at(parser, 1) == '(')
    parser->at = vptr__skip_balanced(parser, parser->at + 1);
  vptr__specifiers_attributes(parser, &ignored);
  if (vptr__parser_kind(parser) != VPTR__TOKEN_ARROW)
    return;
  vptr__position position = vptr__parser_take(parser).position;
  if (function->base->kind != VPTR__TYPE_AUTO)
    vptr__parser_error(parser, position, "a type behind -> needs auto before the name");
  function->base = vptr__declarator_type_id(parser);
}

static vptr__type *read_function(vptr__parser *parser, vptr__type *base, vptr__declarator *out) {
  vptr__position position = vptr__parser_take(parser).position;
  vptr__type *function = vptr__type_new(parser->unit, VPTR__TYPE_FUNCTION);
  read_parameters(parser, function);
  if (out != NULL && out->prototype == NULL)
    out->prototype = function->parameters;
  function->base = base;
  function_qualifiers(parser, function);
  if (base->kind == VPTR__TYPE_ARRAY || base->kind == VPTR__TYPE_FUNCTION)
    vptr__parser_error(parser, position,
                       "a function cannot return an array or a function; return a pointer or a struct");
  return function;
}

static vptr__type *read_array(vptr__parser *parser, vptr__type *base, vptr__declarator *out) {
  vptr__position position = vptr__parser_take(parser).position;
  vptr__expression *length = NULL;
  while (vptr__parser_accept(parser, VPTR__KEYWORD_CONST) || vptr__parser_accept(parser, VPTR__KEYWORD_RESTRICT) ||
         vptr__parser_accept(parser, VPTR__KEYWORD_STATIC))
    ; /* C's parameters: float a[static 4] */
  if (vptr__parser_kind(parser) != ']')
    length = vptr__expression_read(parser);
  vptr__parser_expect(parser, ']', "behind the length of the array");
  vptr__type *element = read_suffixes(parser, base, out);
  if (element->kind == VPTR__TYPE_FUNCTION || element->kind == VPTR__TYPE_REFERENCE ||
      element->kind == VPTR__TYPE_VOID)
    vptr__parser_error(parser, position, "there are no arrays of functions, references or void");
  vptr__type *array = derive_type(parser, VPTR__TYPE_ARRAY, element);
  array->length = length;
  array->is_incomplete = length == NULL;
  return array;
}

/* f(Unknown x), f(Unknown *x): better an error about the type */
static bool is_unknown_type(vptr__parser *parser) {
  vptr__written_name written = vptr__name_look(parser, parser->at + 1);
  if (written.name == NULL)
    return false;
  int behind = vptr__parser_kind_at(parser, written.end - parser->at);
  return behind == VPTR__TOKEN_NAME || (written.declaration == NULL && (behind == '*' || behind == '&'));
}

bool vptr__declarator_is_parameters(vptr__parser *parser) {
  int next = vptr__parser_kind_at(parser, 1);
  if (next == ')' || next == VPTR__TOKEN_ELLIPSIS || vptr__name_is_specifier(next))
    return true;
  if (vptr__name_is_parameter(parser, parser->at + 1))
    return true;
  return is_unknown_type(parser);
}

static vptr__type *read_suffixes(vptr__parser *parser, vptr__type *base, vptr__declarator *out) {
  vptr__arena_enter(parser->arena);
  if (vptr__parser_kind(parser) == '[' && vptr__parser_kind_at(parser, 1) != '[')
    base = read_array(parser, base, out);
  else if (vptr__parser_kind(parser) == '(' && vptr__declarator_is_parameters(parser))
    base = read_function(parser, base, out);
  vptr__arena_leave(parser->arena);
  return base;
}

/* At ( before a name was seen: (*p), (&r)[4], (x); else parameters of an abstract function. */
static bool is_nested(vptr__parser *parser, unsigned allowed) {
  int next = vptr__parser_kind_at(parser, 1);
  if (next == '*' || next == '&' || next == VPTR__TOKEN_AND_AND || next == '(' || next == VPTR__KEYWORD_ATTRIBUTE)
    return true;
  if (!(allowed & VPTR__DECLARATOR_NAMED))
    return false;
  return next == VPTR__TOKEN_NAME && !vptr__name_is_type(parser, parser->at + 1);
}

static void read_name(vptr__parser *parser, vptr__declarator *out) {
  out->position = vptr__parser_position(parser);
  if (vptr__parser_kind(parser) == VPTR__KEYWORD_OPERATOR) {
    out->name = vptr__name_operator(parser);
    return;
  }
  if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME && vptr__parser_kind(parser) != VPTR__TOKEN_SCOPE)
    return;
  if (vptr__parser_kind(parser) == VPTR__TOKEN_SCOPE || vptr__parser_kind_at(parser, 1) == VPTR__TOKEN_SCOPE) {
    vptr__parser_error(parser, out->position,
                       "something in a namespace or class is defined inside of it here; "
                       "write namespace name { ... } around it");
    return;
  }
  out->name = vptr__parser_take(parser).name;
}

static vptr__type *read_nested(vptr__parser *parser, vptr__type *base, unsigned allowed, vptr__declarator *out);

static vptr__type *read_declarator(vptr__parser *parser, vptr__type *base, unsigned allowed, vptr__declarator *out) {
  base = read_prefixes(parser, base);
  if (vptr__parser_kind(parser) == '(' && is_nested(parser, allowed))
    return read_nested(parser, base, allowed, out);
  if (allowed & VPTR__DECLARATOR_NAMED)
    read_name(parser, out);
  return read_suffixes(parser, base, out);
}

static vptr__type *read_nested(vptr__parser *parser, vptr__type *base, unsigned allowed, vptr__declarator *out) {
  vptr__arena_enter(parser->arena);
  size_t inside = parser->at + 1;
  parser->at = vptr__skip_balanced(parser, parser->at);
  base = read_suffixes(parser, base, NULL);
  size_t behind = parser->at;
  if (!parser->is_panicking) {
    parser->at = inside;
    base = read_declarator(parser, base, allowed, out);
    if (vptr__parser_expect(parser, ')', "in the declaration"))
      parser->at = behind;
  }
  vptr__arena_leave(parser->arena);
  return base;
}

void vptr__declarator_read(vptr__parser *parser, vptr__type *base, unsigned allowed, vptr__declarator *out) {
  *out = (vptr__declarator){ .position = vptr__parser_position(parser) };
  out->type = read_declarator(parser, base, allowed, out);
  if (out->name == NULL && !(allowed & VPTR__DECLARATOR_ABSTRACT))
    vptr__parser_unexpected(parser, "a name");
}

vptr__type *vptr__declarator_type_id(vptr__parser *parser) {
  vptr__specifiers specifiers;
  vptr__declarator declarator;
  vptr__specifiers_read(parser, &specifiers);
  if (specifiers.flags != 0 || specifiers.is_typedef || specifiers.align != NULL)
    vptr__parser_error(parser, specifiers.position, "only a type can stand here");
  vptr__declarator_read(parser, specifiers.type, VPTR__DECLARATOR_ABSTRACT, &declarator);
  return declarator.type;
}
