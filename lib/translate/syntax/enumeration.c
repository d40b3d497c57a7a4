/* SPDX-License-Identifier: MIT */
/*
 * enumeration - enum and enum class. Enumerators of a plain one are names of the scope around, too.
 */
#include "translate/syntax/state.h"

static void add_defined(vptr__specifiers *specifiers, vptr__declaration *declaration) {
  vptr__declaration **link = &specifiers->defined;
  while (*link != NULL)
    link = &(*link)->next;
  *link = declaration;
}

static vptr__declaration *read_enumerator(vptr__parser *parser, vptr__declaration *enumeration) {
  vptr__specifiers ignored = { 0 };
  if (vptr__parser_kind(parser) != VPTR__TOKEN_NAME)
    vptr__parser_unexpected(parser, "the name of an enumerator");
  vptr__token token = vptr__parser_take(parser);
  vptr__declaration *enumerator =
      vptr__declaration_new(parser, VPTR__DECLARATION_ENUMERATOR, token.name, token.position);
  enumerator->type = vptr__type_again(parser->unit, enumeration->type);
  vptr__specifiers_attributes(parser, &ignored);
  if (vptr__parser_accept(parser, '='))
    enumerator->initializer = vptr__expression_conditional(parser);
  if (!parser->is_panicking)
    vptr__scope_declare(parser, enumerator);
  return enumerator;
}

/* The enumerators of a class see each other by their short names as long as it is open. */
static void read_enumerators(vptr__parser *parser, vptr__declaration *enumeration) {
  bool is_class = enumeration->flags & VPTR__ENUM_CLASS;
  vptr__declaration **link = &enumeration->enumerators;
  if (is_class)
    vptr__scope_enter(parser, vptr__scope_new(parser, VPTR__SCOPE_RECORD, enumeration->name));
  vptr__parser_expect(parser, '{', "before the enumerators");
  while (vptr__parser_kind(parser) != '}' && vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    *link = read_enumerator(parser, enumeration);
    link = &(*link)->next;
    if (!vptr__parser_accept(parser, ','))
      break;
  }
  vptr__parser_expect(parser, '}', "behind the enumerators");
  if (is_class)
    vptr__scope_leave(parser);
  enumeration->is_complete = !parser->is_panicking;
}

static vptr__type *read_base(vptr__parser *parser) {
  if (!vptr__parser_accept(parser, ':'))
    return NULL;
  vptr__specifiers specifiers;
  vptr__specifiers_read(parser, &specifiers);
  return specifiers.type;
}

static vptr__declaration *declare_enumeration(vptr__parser *parser, vptr__specifiers *specifiers, vptr__name *name,
                                              vptr__position position) {
  vptr__declaration *enumeration = vptr__declaration_new(parser, VPTR__DECLARATION_ENUM, name, position);
  enumeration->type = vptr__type_new(parser->unit, VPTR__TYPE_ENUM);
  enumeration->type->declaration = enumeration;
  vptr__scope_declare(parser, enumeration);
  add_defined(specifiers, enumeration);
  return enumeration;
}

static vptr__declaration *find_enumeration(vptr__parser *parser, const vptr__written_name *written, bool is_here) {
  if (written->name == NULL)
    return NULL;
  vptr__declaration *found = written->scope != NULL ? written->declaration
                             : is_here              ? vptr__scope_find_here(parser, written->name, true)
                                                    : vptr__scope_find_tag(parser, written->name);
  if (found != NULL && (found->kind != VPTR__DECLARATION_ENUM || found->type == NULL))
    return NULL;
  return found;
}

vptr__type *vptr__enumeration_read(vptr__parser *parser, vptr__specifiers *specifiers) {
  vptr__specifiers inner = { 0 };
  vptr__parser_take(parser);
  bool is_class =
      vptr__parser_accept(parser, VPTR__KEYWORD_CLASS) || vptr__parser_accept(parser, VPTR__KEYWORD_STRUCT);
  vptr__specifiers_attributes(parser, &inner);
  vptr__written_name written = vptr__name_look(parser, parser->at);
  if (written.name != NULL)
    parser->at = written.end;
  vptr__type *base = read_base(parser);
  int behind = vptr__parser_kind(parser);
  vptr__declaration *enumeration = find_enumeration(parser, &written, behind == '{' || behind == ';');
  if (enumeration == NULL && behind != '{' && !is_class && base == NULL)
    vptr__parser_unexpected(parser, "the enumerators");
  if (parser->is_panicking)
    return vptr__type_new(parser->unit, VPTR__TYPE_INT);
  if (enumeration == NULL)
    enumeration = declare_enumeration(parser, specifiers, written.name, written.position);
  if (is_class)
    enumeration->flags |= VPTR__ENUM_CLASS;
  if (base != NULL)
    enumeration->type->base = base;
  if (behind == '{' && enumeration->is_complete)
    vptr__parser_error(parser, written.position, "the enumeration is defined twice: the first time at %s",
                       vptr__parser_where(parser, enumeration->position));
  if (behind == '{' && !parser->is_panicking)
    read_enumerators(parser, enumeration);
  return vptr__type_again(parser->unit, enumeration->type);
}
