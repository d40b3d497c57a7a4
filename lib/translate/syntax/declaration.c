/* SPDX-License-Identifier: MIT */
/*
 * declaration - variables, functions, typedefs and static_assert, at namespace level and in blocks.
 *
 * Whose a function is decides how much of it is read: a body is the device's if the function says __global__ or
 * __device__ (or if the device is the default), and is skipped else.
 */
#include <string.h>

#include "translate/syntax/state.h"

vptr__declaration *vptr__declaration_new(vptr__parser *parser, vptr__declaration_kind kind, vptr__name *name,
                                         vptr__position position) {
  vptr__declaration *declaration = vptr__parser_new(parser, sizeof *declaration);
  declaration->kind = kind;
  declaration->name = name;
  declaration->position = position;
  const vptr__scope *scope = parser->scope;
  if (scope != NULL && scope->kind != VPTR__SCOPE_BLOCK)
    declaration->scope = scope->path;
  return declaration;
}

void vptr__declaration_append(vptr__parser *parser, vptr__declaration *declaration) {
  if (parser->unit->last == NULL)
    parser->unit->declarations = declaration;
  else
    parser->unit->last->next = declaration;
  parser->unit->last = declaration;
}

static bool is_outer(const vptr__parser *parser) {
  return parser->scope->kind == VPTR__SCOPE_NAMESPACE;
}

static bool is_device(const vptr__parser *parser, unsigned flags) {
  return (flags & (VPTR__GLOBAL | VPTR__DEVICE)) || (parser->default_device && !(flags & VPTR__HOST));
}

/* A host variable that kernels may not name: one that can change. */
static bool is_host_variable(const vptr__parser *parser, const vptr__declaration *variable) {
  enum { WORDS = VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__SHARED | VPTR__CONSTEXPR };
  const vptr__type *type = variable->type;
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return is_outer(parser) && !(variable->flags & WORDS) && !(type->qualifiers & VPTR__CONST);
}

static vptr__declaration *make_declaration(vptr__parser *parser, const vptr__specifiers *specifiers,
                                           const vptr__declarator *declarator) {
  vptr__declaration_kind kind = specifiers->is_typedef                          ? VPTR__DECLARATION_TYPEDEF
                                : declarator->type->kind == VPTR__TYPE_FUNCTION ? VPTR__DECLARATION_FUNCTION
                                                                                : VPTR__DECLARATION_VARIABLE;
  vptr__declaration *declaration = vptr__declaration_new(parser, kind, declarator->name, declarator->position);
  declaration->type = declarator->type;
  declaration->flags = specifiers->flags | (parser->is_extern_c ? VPTR__EXTERN_C : 0);
  declaration->align = specifiers->align;
  declaration->reference = kind == VPTR__DECLARATION_VARIABLE ? specifiers->reference : NULL;
  declaration->launch_bounds[0] = specifiers->launch_bounds[0];
  declaration->launch_bounds[1] = specifiers->launch_bounds[1];
  if (kind == VPTR__DECLARATION_FUNCTION && !is_device(parser, declaration->flags))
    declaration->flags |= VPTR__HOST_ONLY;
  if (kind == VPTR__DECLARATION_FUNCTION && is_device(parser, declaration->flags) &&
      !(declaration->flags & VPTR__GLOBAL))
    declaration->flags |= VPTR__DEVICE;
  if (kind == VPTR__DECLARATION_VARIABLE && (declaration->flags & VPTR__CONSTEXPR))
    vptr__specifiers_qualify(declaration->type, VPTR__CONST);
  if (kind == VPTR__DECLARATION_VARIABLE && is_host_variable(parser, declaration))
    declaration->flags |= parser->default_device ? VPTR__DEVICE : VPTR__HOST_ONLY;
  return declaration;
}

/* ---- initialisers ---------------------------------------------------------------------------------------- */

/* T x(a, b) */
static vptr__expression *read_direct(vptr__parser *parser, const vptr__declaration *variable) {
  vptr__position position = vptr__parser_take(parser).position;
  vptr__expression *arguments = vptr__expression_list(parser, ')');
  if (variable->type->kind == VPTR__TYPE_RECORD) {
    vptr__expression *construct = vptr__expression_new(parser->unit, VPTR__EXPRESSION_CONSTRUCT, position);
    construct->op = '(';
    construct->written_type = vptr__type_again(parser->unit, variable->type);
    construct->written_type->qualifiers = 0;
    construct->arguments = arguments;
    return construct;
  }
  if (!parser->is_panicking && (arguments == NULL || arguments->next != NULL))
    vptr__parser_error(parser, position, "a variable of this type is initialised by one value");
  return arguments;
}

static void read_initializer(vptr__parser *parser, vptr__declaration *variable) {
  if (vptr__parser_kind(parser) == '(')
    variable->initializer = read_direct(parser, variable);
  else if (vptr__parser_kind(parser) == '{')
    variable->initializer = vptr__expression_braces(parser);
  else if (vptr__parser_accept(parser, '='))
    variable->initializer =
        vptr__parser_kind(parser) == '{' ? vptr__expression_braces(parser) : vptr__expression_assignment(parser);
}

static void classify_variable(vptr__parser *parser, const vptr__declaration *variable) {
  vptr__type_kind kind = variable->type->kind;
  bool has_value = variable->initializer != NULL;
  if (kind == VPTR__TYPE_VOID)
    vptr__parser_error(parser, variable->position, "a variable cannot be void");
  if ((kind == VPTR__TYPE_AUTO || kind == VPTR__TYPE_REFERENCE) && !has_value && !(variable->flags & VPTR__EXTERN))
    vptr__parser_error(parser, variable->position, "'%s' needs an initialiser", variable->name->text);
  if ((variable->flags & VPTR__SHARED) && has_value)
    vptr__parser_error(parser, variable->position,
                       "a __shared__ variable has no initialiser; let a thread assign to "
                       "it, and call __syncthreads() before others read it");
  if (variable->flags & VPTR__GLOBAL)
    vptr__parser_error(parser, variable->position,
                       "__global__ is for functions; a variable of the device is __device__");
  if (variable->launch_bounds[0] != NULL)
    vptr__parser_error(parser, variable->position, "__launch_bounds__ is for __global__ functions");
}

static void classify_function(vptr__parser *parser, const vptr__declaration *function) {
  if (function->flags & (VPTR__SHARED | VPTR__CONSTANT | VPTR__MANAGED))
    vptr__parser_error(parser, function->position, "__shared__, __constant__ and __managed__ are for variables");
  if ((function->flags & VPTR__GLOBAL) && (function->flags & (VPTR__DEVICE | VPTR__HOST)))
    vptr__parser_error(parser, function->position, "a __global__ function is neither __device__ nor __host__");
  if (function->launch_bounds[0] != NULL && !(function->flags & VPTR__GLOBAL))
    vptr__parser_error(parser, function->position, "__launch_bounds__ is for __global__ functions");
  if ((function->flags & VPTR__GLOBAL) && function->type->base->kind != VPTR__TYPE_VOID)
    vptr__parser_error(parser, function->position,
                       "a __global__ function returns void; let it write its result to memory");
}

/* Its type is copied where it is used, and says nothing of the alignment that was asked for. */
void vptr__declaration_classify_alias(vptr__parser *parser, const vptr__declaration *alias) {
  if (alias->align != NULL)
    vptr__parser_error(parser, alias->position,
                       "a typedef has no alignment of its own here; write it behind struct, or with each variable");
}

/* typedef struct { ... } T; gives the struct the name that C++ knows it by. */
static void name_record(const vptr__declaration *alias) {
  vptr__declaration *tag = alias->type->declaration;
  vptr__type_kind kind = alias->type->kind;
  if (alias->kind == VPTR__DECLARATION_TYPEDEF && (kind == VPTR__TYPE_RECORD || kind == VPTR__TYPE_ENUM) &&
      tag->name == NULL)
    tag->name = alias->name;
}

/* One declarator and its initialiser. */
static vptr__declaration *read_one(vptr__parser *parser, vptr__specifiers *specifiers) {
  vptr__declarator declarator;
  vptr__declarator_read(parser, vptr__specifiers_type(parser, specifiers), VPTR__DECLARATOR_NAMED, &declarator);
  vptr__expression *align_of_all = specifiers->align;
  vptr__specifiers_attributes(parser, specifiers); /* behind a declarator: its own */
  vptr__declaration *declaration = make_declaration(parser, specifiers, &declarator);
  specifiers->align = align_of_all;
  if (parser->is_panicking)
    return declaration;
  if (declaration->kind == VPTR__DECLARATION_FUNCTION)
    classify_function(parser, declaration);
  else if (declaration->kind == VPTR__DECLARATION_TYPEDEF)
    vptr__declaration_classify_alias(parser, declaration);
  vptr__scope_declare(parser, declaration);
  name_record(declaration);
  if (declaration->kind == VPTR__DECLARATION_VARIABLE) {
    read_initializer(parser, declaration);
    classify_variable(parser, declaration);
  }
  return declaration;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

static void bind_parameters(vptr__parser *parser, const vptr__type *function) {
  for (vptr__declaration *parameter = function->parameters; parameter != NULL; parameter = parameter->next)
    vptr__scope_bind(parser, parameter);
}

static void read_body(vptr__parser *parser, vptr__declaration *function) {
  const char *outer_name = parser->function_name;
  parser->function_name = function->name->text;
  vptr__scope_enter(parser, vptr__scope_new(parser, VPTR__SCOPE_BLOCK, NULL));
  bind_parameters(parser, function->type);
  function->body = vptr__statement_block(parser);
  vptr__scope_leave(parser);
  parser->function_name = outer_name;
}

/* end: behind the whole, as skipping sees it. */
static void read_definition(vptr__parser *parser, vptr__declaration *function, size_t end) {
  if (function->flags & VPTR__HOST_ONLY) {
    parser->at = end;
    return;
  }
  if (vptr__parser_kind(parser) != '{')
    vptr__parser_unexpected(parser, "the function's body");
  else
    read_body(parser, function);
}

static bool is_definition(const vptr__parser *parser, const vptr__declaration *declaration) {
  int kind = vptr__parser_kind(parser);
  return declaration->kind == VPTR__DECLARATION_FUNCTION && kind != ';' && kind != ',' && kind != '=' &&
         kind != VPTR__TOKEN_END;
}

/* ---- whole declarations ---------------------------------------------------------------------------------- */

static void append_defined(vptr__parser *parser, const vptr__specifiers *specifiers) {
  for (vptr__declaration *defined = specifiers->defined, *next; defined != NULL; defined = next) {
    next = defined->next;
    defined->next = NULL;
    vptr__declaration_append(parser, defined);
  }
}

void vptr__declaration_outer(vptr__parser *parser, size_t end) {
  vptr__specifiers specifiers;
  vptr__specifiers_read(parser, &specifiers);
  append_defined(parser, &specifiers);
  if (vptr__parser_accept(parser, ';'))
    return;
  do {
    vptr__declaration *declaration = read_one(parser, &specifiers);
    if (parser->is_panicking)
      return;
    vptr__declaration_append(parser, declaration);
    if (is_definition(parser, declaration)) {
      read_definition(parser, declaration, end);
      return;
    }
  } while (vptr__parser_accept(parser, ','));
  if (vptr__parser_kind(parser) == '=' && !parser->is_panicking)
    vptr__parser_error(parser, vptr__parser_position(parser), "= default and = delete are for members of classes");
  vptr__parser_expect(parser, ';', "behind the declaration");
}

static void classify_local(vptr__parser *parser, const vptr__declaration *declaration) {
  const char *name = declaration->name == NULL ? "" : declaration->name->text;
  if (declaration->kind == VPTR__DECLARATION_FUNCTION)
    vptr__parser_error(parser, declaration->position,
                       "'%s' is declared as a function here; declare functions outside "
                       "of functions, and initialise variables by {}",
                       name);
  if (declaration->kind != VPTR__DECLARATION_VARIABLE)
    return;
  const vptr__type *type = declaration->type;
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  if ((declaration->flags & VPTR__STATIC) && !(declaration->flags & (VPTR__SHARED | VPTR__CONSTEXPR)) &&
      !(type->qualifiers & VPTR__CONST))
    vptr__parser_error(parser, declaration->position,
                       "a static variable in a kernel would be one for all threads; "
                       "write __shared__, or __device__ outside of the function");
  if (declaration->flags & (VPTR__CONSTANT | VPTR__MANAGED | VPTR__DEVICE))
    vptr__parser_error(parser, declaration->position, "'%s' must be declared outside of functions", name);
  if ((declaration->flags & VPTR__EXTERN) && !(declaration->flags & VPTR__SHARED))
    vptr__parser_error(parser, declaration->position,
                       "declare '%s' outside of functions: extern variables of a block "
                       "are __shared__",
                       name);
}

vptr__declaration *vptr__declaration_local(vptr__parser *parser) {
  vptr__specifiers specifiers;
  vptr__specifiers_read(parser, &specifiers);
  vptr__declaration *first = specifiers.defined, **link = &first;
  if (vptr__parser_accept(parser, ';'))
    return first;
  while (*link != NULL)
    link = &(*link)->next;
  do {
    vptr__declaration *declaration = *link = read_one(parser, &specifiers);
    link = &declaration->next;
    classify_local(parser, declaration);
    if (vptr__parser_kind(parser) == ':' && !parser->is_panicking)
      vptr__parser_error(parser, vptr__parser_position(parser),
                         "for over a range is not supported; count with an index");
  } while (vptr__parser_accept(parser, ','));
  vptr__parser_expect(parser, ';', "behind the declaration");
  return first;
}

/* if (float x = f()) */
vptr__declaration *vptr__declaration_condition(vptr__parser *parser) {
  vptr__specifiers specifiers;
  vptr__specifiers_read(parser, &specifiers);
  vptr__declaration *variable = read_one(parser, &specifiers);
  classify_local(parser, variable);
  if (!parser->is_panicking && variable->initializer == NULL)
    vptr__parser_error(parser, variable->position, "a variable that is a condition needs an initialiser");
  return variable;
}

vptr__declaration *vptr__declaration_static_assert(vptr__parser *parser) {
  vptr__position position = vptr__parser_take(parser).position;
  vptr__declaration *declaration = vptr__declaration_new(parser, VPTR__DECLARATION_STATIC_ASSERT, NULL, position);
  uint32_t length;
  vptr__parser_expect(parser, '(', "behind static_assert");
  declaration->initializer = vptr__expression_conditional(parser);
  declaration->message = "";
  if (vptr__parser_accept(parser, ',')) {
    if (vptr__parser_kind(parser) != VPTR__TOKEN_STRING)
      vptr__parser_unexpected(parser, "a string");
    declaration->message = vptr__parser_string(parser, &length);
  }
  vptr__parser_expect(parser, ')', "behind static_assert's condition");
  vptr__parser_expect(parser, ';', "behind static_assert");
  return declaration;
}

vptr__declaration *vptr__declaration_alias(vptr__parser *parser) {
  vptr__specifiers attributes = { 0 };
  vptr__token token = vptr__parser_take(parser);
  vptr__declaration *alias = vptr__declaration_new(parser, VPTR__DECLARATION_TYPEDEF, token.name, token.position);
  vptr__specifiers_attributes(parser, &attributes);
  vptr__parser_expect(parser, '=', "behind the new name");
  alias->type = vptr__declarator_type_id(parser);
  alias->align = attributes.align;
  vptr__declaration_classify_alias(parser, alias);
  vptr__parser_expect(parser, ';', "behind the type");
  if (!parser->is_panicking)
    vptr__scope_declare(parser, alias);
  return alias;
}
