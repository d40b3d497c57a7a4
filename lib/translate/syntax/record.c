/* SPDX-License-Identifier: MIT */
/*
 * record - struct, union, and class as far as it is one of data.
 *
 * A record is one declaration from its first mention on: `struct S;` makes it, the braces complete it, and all types
 * point to it. Its scope keeps what is declared inside but is no field: types, constants.
 *
 * Functions inside are skipped: who only uses the data needs nothing of them. But a struct that says how it is made,
 * copied, left or virtual, or what its address is, cannot be understood without, and is refused.
 */
#include "translate/syntax/state.h"

static vptr__declaration *find_record(vptr__parser *parser, vptr__name *name, bool is_definition) {
  if (name == NULL)
    return NULL;
  /* `struct S;` and `struct S { }` declare here; `struct S x` finds what is around */
  if (is_definition)
    return vptr__scope_find_here(parser, name, true);
  return vptr__scope_find_tag(parser, name);
}

/* To the end of the list of what was defined in the specifiers. */
static void add_defined(vptr__specifiers *specifiers, vptr__declaration *declaration) {
  vptr__declaration **link = &specifiers->defined;
  while (*link != NULL)
    link = &(*link)->next;
  *link = declaration;
}

static vptr__declaration *declare_record(vptr__parser *parser, vptr__specifiers *specifiers, vptr__name *name,
                                         vptr__position position, bool is_union) {
  vptr__declaration *record = vptr__declaration_new(parser, VPTR__DECLARATION_RECORD, name, position);
  record->type = vptr__type_new(parser->unit, VPTR__TYPE_RECORD);
  record->type->declaration = record;
  record->flags = is_union ? VPTR__UNION : 0;
  vptr__scope_declare(parser, record);
  add_defined(specifiers, record);
  return record;
}

/* ---- members --------------------------------------------------------------------------------------------- */

static const char function_reason[] =
    "functions in structs and classes are not supported yet; write a function outside "
    "that takes the struct";

static void refuse_function(vptr__parser *parser, vptr__position position) {
  vptr__parser_error(parser, position, "%s", function_reason);
}

static void append_field(vptr__declaration ***link, vptr__declaration *field) {
  **link = field;
  *link = &field->next;
}

/* static const int n = 4; */
static void read_static(vptr__parser *parser, const vptr__specifiers *specifiers,
                        const vptr__declarator *declarator) {
  vptr__declaration *variable =
      vptr__declaration_new(parser, VPTR__DECLARATION_VARIABLE, declarator->name, declarator->position);
  variable->type = declarator->type;
  variable->flags = specifiers->flags | VPTR__MEMBER;
  if (specifiers->flags & VPTR__CONSTEXPR)
    vptr__specifiers_qualify(variable->type, VPTR__CONST);
  if (!vptr__parser_accept(parser, '=') || !(variable->type->qualifiers & VPTR__CONST))
    vptr__parser_error(parser, declarator->position,
                       "static members are constants with a value here; declare a "
                       "variable outside of the struct");
  variable->initializer = vptr__expression_assignment(parser);
  if (!parser->is_panicking)
    vptr__scope_declare(parser, variable);
}

static void classify_field(vptr__parser *parser, const vptr__specifiers *specifiers,
                           const vptr__declarator *declarator) {
  enum { WORDS = VPTR__SHARED | VPTR__CONSTANT | VPTR__MANAGED | VPTR__EXTERN };
  vptr__type_kind kind = declarator->type->kind;
  int behind = vptr__parser_kind(parser);
  if (kind == VPTR__TYPE_FUNCTION || (specifiers->flags & (VPTR__GLOBAL | VPTR__DEVICE | VPTR__HOST)))
    refuse_function(parser, declarator->position);
  else if (behind == '=' || behind == '{')
    vptr__parser_error(parser, vptr__parser_position(parser),
                       "members with values of their own are not supported yet; "
                       "set them where the struct is made");
  else if (specifiers->flags & WORDS)
    vptr__parser_error(parser, declarator->position, "a member lies where its struct lies; leave the CUDA word out");
  else if (kind == VPTR__TYPE_AUTO || kind == VPTR__TYPE_VOID)
    vptr__parser_error(parser, declarator->position, "a member needs a type of its own");
}

static void read_declarator(vptr__parser *parser, vptr__specifiers *specifiers, vptr__declaration ***link) {
  vptr__declarator declarator = { .position = vptr__parser_position(parser) };
  declarator.type = vptr__specifiers_type(parser, specifiers);
  if (vptr__parser_kind(parser) != ':')
    vptr__declarator_read(parser, declarator.type, VPTR__DECLARATOR_NAMED, &declarator);
  vptr__expression *align_of_all = specifiers->align;
  vptr__specifiers_attributes(parser, specifiers); /* behind a declarator: its own */
  vptr__expression *align = specifiers->align;
  specifiers->align = align_of_all;
  if (specifiers->is_typedef) {
    vptr__declaration *alias =
        vptr__declaration_new(parser, VPTR__DECLARATION_TYPEDEF, declarator.name, declarator.position);
    alias->type = declarator.type;
    alias->align = align;
    vptr__declaration_classify_alias(parser, alias);
    vptr__scope_declare(parser, alias);
    return;
  }
  if ((specifiers->flags & (VPTR__STATIC | VPTR__CONSTEXPR)) && declarator.type->kind != VPTR__TYPE_FUNCTION) {
    read_static(parser, specifiers, &declarator);
    return;
  }
  vptr__declaration *field =
      vptr__declaration_new(parser, VPTR__DECLARATION_FIELD, declarator.name, declarator.position);
  field->type = declarator.type;
  field->flags = specifiers->flags;
  field->align = align;
  if (vptr__parser_accept(parser, ':')) {
    field->is_bit_field = true;
    field->bit_width = vptr__expression_conditional(parser);
  }
  classify_field(parser, specifiers, &declarator);
  append_field(link, field);
}

/* struct { ... }; inside: its members are the outer one's too */
static void read_anonymous(vptr__parser *parser, const vptr__specifiers *specifiers, vptr__declaration ***link) {
  const vptr__declaration *record = specifiers->type->declaration;
  if (specifiers->type->kind != VPTR__TYPE_RECORD || record == NULL || record->name != NULL || specifiers->is_typedef)
    return;
  vptr__declaration *field = vptr__declaration_new(parser, VPTR__DECLARATION_FIELD, NULL, specifiers->position);
  field->type = specifiers->type;
  append_field(link, field);
}

/* Functions that the struct means something else without: at `at`, the token that names it. */
static bool is_essential(const vptr__parser *parser, const vptr__declaration *record, size_t begin, size_t at,
                         size_t end) {
  const vptr__token *token = &parser->tokens[at];
  for (size_t i = begin; i < at; ++i)
    if (parser->tokens[i].kind == VPTR__KEYWORD_VIRTUAL ||
        (parser->tokens[i].kind == VPTR__KEYWORD_FRIEND && parser->tokens[end - 1].kind == '}'))
      return true;
  if (token->kind == '~')
    return true;
  if (token->kind == VPTR__KEYWORD_OPERATOR)
    return token[1].kind == '=' || token[1].kind == '&' || token[1].kind == ',';
  return token->kind == VPTR__TOKEN_NAME && token->name == record->name && token[1].kind == '(';
}

/* = default, = delete */
static bool is_plain_again(const vptr__parser *parser, size_t end) {
  const vptr__token *last = &parser->tokens[end - 1];
  return last->kind == ';' && (last[-1].kind == VPTR__KEYWORD_DEFAULT || last[-1].kind == VPTR__KEYWORD_DELETE) &&
         last[-2].kind == '=';
}

/* The token at which a function among the members is known for what it is. */
static size_t naming_token(const vptr__parser *parser, size_t begin, size_t end) {
  size_t at = begin;
  while (at < end && parser->tokens[at].kind != VPTR__KEYWORD_OPERATOR && parser->tokens[at].kind != '~' &&
         !(parser->tokens[at].kind == VPTR__TOKEN_NAME && parser->tokens[at + 1].kind == '('))
    ++at;
  return at;
}

static void note_skipped(vptr__parser *parser, vptr__declaration *record, size_t begin, size_t end) {
  vptr__name *name = vptr__skip_function_name(parser, begin, end);
  if (name == NULL)
    return;
  vptr__declaration *function =
      vptr__declaration_new(parser, VPTR__DECLARATION_FUNCTION, name, parser->tokens[begin].position);
  function->flags = VPTR__HOST_ONLY | VPTR__DEVICE;
  function->message = function_reason;
  if (parser->tokens[naming_token(parser, begin, end)].kind != VPTR__KEYWORD_OPERATOR) {
    vptr__scope_bind(parser, function);
    return;
  }
  function->next = record->unread;
  record->unread = function;
}

/* False: something else stands here. */
static bool skip_function(vptr__parser *parser, vptr__declaration *record) {
  size_t begin = parser->at, end = vptr__skip_declaration(parser, begin);
  if (end <= begin + 2 || !vptr__skip_is_function(parser, begin, end))
    return false;
  size_t at = naming_token(parser, begin, end);
  if (is_essential(parser, record, begin, at, end) && !is_plain_again(parser, end)) {
    refuse_function(parser, parser->tokens[at < end ? at : begin].position);
    return true;
  }
  if (!is_plain_again(parser, end))
    note_skipped(parser, record, begin, end);
  parser->at = end;
  return true;
}

/* What stands before a member that cannot be: past CUDA's words, so that the error is about the member. */
static void refuse_member(vptr__parser *parser) {
  size_t before = parser->at;
  vptr__position position = vptr__parser_position(parser);
  while (vptr__name_is_specifier(vptr__parser_kind(parser)))
    vptr__parser_take(parser);
  int kind = vptr__parser_kind(parser);
  if (kind == VPTR__KEYWORD_TEMPLATE || kind == VPTR__KEYWORD_USING)
    vptr__parser_error(parser, position, "a struct of device code has data, types and constants as members only");
  if (!parser->is_panicking)
    parser->at = before;
}

static void read_member(vptr__parser *parser, vptr__declaration *record, vptr__declaration ***link) {
  int kind = vptr__parser_kind(parser);
  if (vptr__parser_accept(parser, ';'))
    return;
  if (kind == VPTR__KEYWORD_PUBLIC || kind == VPTR__KEYWORD_PRIVATE || kind == VPTR__KEYWORD_PROTECTED) {
    vptr__parser_take(parser);
    vptr__parser_expect(parser, ':', "here");
    return;
  }
  if (kind == VPTR__KEYWORD_STATIC_ASSERT) {
    vptr__declaration_append(parser, vptr__declaration_static_assert(parser)); /* checked as one beside the struct */
    return;
  }
  if (kind == VPTR__KEYWORD_USING && vptr__parser_kind_at(parser, 1) == VPTR__TOKEN_NAME &&
      vptr__parser_kind_at(parser, 2) == '=') {
    vptr__parser_take(parser);
    vptr__declaration_alias(parser);
    return;
  }
  if (skip_function(parser, record))
    return;
  refuse_member(parser);
  vptr__specifiers specifiers;
  vptr__specifiers_read(parser, &specifiers);
  if (vptr__parser_kind(parser) == ';')
    read_anonymous(parser, &specifiers, link);
  else
    do
      read_declarator(parser, &specifiers, link);
    while (vptr__parser_accept(parser, ','));
  vptr__parser_expect(parser, ';', "behind the member");
}

static void read_members(vptr__parser *parser, vptr__declaration *record) {
  vptr__arena_enter(parser->arena);
  vptr__scope *scope = vptr__scope_new(parser, VPTR__SCOPE_RECORD, record->name);
  vptr__declaration **link = &record->fields;
  vptr__scope_enter(parser, scope);
  record->members = scope;
  if (vptr__parser_token(parser)->flags & VPTR__TOKEN_PACKED)
    vptr__parser_error(parser, vptr__parser_position(parser),
                       "packed structs (#pragma pack) are not supported; order the members by size instead");
  vptr__parser_expect(parser, '{', "before the members");
  while (vptr__parser_kind(parser) != '}' && vptr__parser_kind(parser) != VPTR__TOKEN_END)
    read_member(parser, record, &link);
  vptr__parser_expect(parser, '}', "behind the members");
  vptr__scope_leave(parser);
  vptr__arena_leave(parser->arena);
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

static void complete_record(vptr__parser *parser, vptr__declaration *record, unsigned flags,
                            vptr__position position) {
  if (record->is_complete) {
    vptr__parser_error(parser, position, "'%s' is defined twice: the first time at %s",
                       record->name == NULL ? "struct" : record->name->text,
                       vptr__parser_where(parser, record->position));
    return;
  }
  record->position = position;
  record->flags = (record->flags & ~(unsigned)VPTR__HOST_ONLY) | flags;
  read_members(parser, record);
  record->is_complete = !parser->is_panicking;
  if (!record->is_complete)
    record->fields = NULL;
}

static vptr__type *host_type(vptr__parser *parser, vptr__declaration *record, vptr__position position) {
  vptr__written_name written = { .declaration = record, .name = record->name, .position = position };
  vptr__name_refuse_host(parser, &written);
  return vptr__type_new(parser->unit, VPTR__TYPE_INT);
}

/* A union stays one, and a struct a struct. */
static void classify_key(vptr__parser *parser, const vptr__declaration *record, bool is_union,
                         vptr__position position) {
  if (is_union != ((record->flags & VPTR__UNION) != 0))
    vptr__parser_error(parser, position, "'%s' is no %s: it is declared at %s", record->name->text,
                       is_union ? "union" : "struct", vptr__parser_where(parser, record->position));
}

vptr__type *vptr__record_read(vptr__parser *parser, vptr__specifiers *specifiers) {
  vptr__specifiers inner = { 0 };
  bool is_union = vptr__parser_take(parser).kind == VPTR__KEYWORD_UNION;
  vptr__specifiers_attributes(parser, &inner);
  vptr__written_name written = vptr__name_look(parser, parser->at);
  if (written.name != NULL)
    parser->at = written.end;
  if (vptr__parser_kind(parser) == VPTR__TOKEN_NAME && vptr__parser_is_text(vptr__parser_token(parser), "final"))
    vptr__parser_take(parser);
  int behind = vptr__parser_kind(parser);
  if (behind == ':')
    vptr__parser_error(parser, vptr__parser_position(parser),
                       "structs with bases are not supported; make the base a member");
  if (written.name == NULL && behind != '{')
    vptr__parser_unexpected(parser, "the struct's name or members");
  if (parser->is_panicking)
    return vptr__type_new(parser->unit, VPTR__TYPE_INT);
  vptr__declaration *record =
      written.scope == NULL ? find_record(parser, written.name, behind == '{' || behind == ';') : written.declaration;
  if (record != NULL && (record->flags & VPTR__HOST_ONLY) && behind != '{')
    return host_type(parser, record, written.position);
  if (record == NULL || record->kind != VPTR__DECLARATION_RECORD || record->type == NULL)
    record = declare_record(parser, specifiers, written.name, written.position, is_union);
  classify_key(parser, record, is_union, written.position);
  if (behind == '{' && !parser->is_panicking)
    complete_record(parser, record, 0, written.position);
  if (inner.align != NULL)
    record->align = inner.align;
  if (behind == '{' &&
      (vptr__parser_kind(parser) == VPTR__KEYWORD_ATTRIBUTE || vptr__parser_kind(parser) == VPTR__KEYWORD_ALIGN)) {
    vptr__specifiers_attributes(parser, &inner); /* struct { ... } __attribute__((aligned(16))) */
    record->align = inner.align;
  }
  return vptr__type_again(parser->unit, record->type);
}
