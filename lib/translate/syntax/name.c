/* SPDX-License-Identifier: MIT */
/*
 * name - names as they are written (x, a::b::x, ::x, operator+), and what the grammar needs to know about them: whether
 * a type stands here.
 *
 * C cannot be parsed without knowing which names are types. These questions look ahead and read nothing.
 */
#include <string.h>

#include "translate/syntax/state.h"

static const vptr__token *token_at(const vptr__parser *parser, size_t index) {
  return &parser->tokens[parser->is_panicking || index > parser->count ? parser->count : index];
}

static int kind_at(const vptr__parser *parser, size_t index) {
  return token_at(parser, index)->kind;
}

static vptr__declaration *enumerator_of(const vptr__declaration *enumeration, const vptr__name *name) {
  vptr__declaration *enumerator = enumeration->enumerators;
  while (enumerator != NULL && enumerator->name != name)
    enumerator = enumerator->next;
  return enumerator;
}

/* Behind typedefs: what can have names inside. */
static const vptr__declaration *skip_typedefs(const vptr__declaration *declaration) {
  while (declaration->kind == VPTR__DECLARATION_TYPEDEF && declaration->type != NULL &&
         declaration->type->declaration != NULL)
    declaration = declaration->type->declaration;
  return declaration;
}

/* The first part of a::b: a namespace, or a class or enumeration. */
typedef struct prefix {
  vptr__scope *namespace;
  const vptr__declaration *container;
} prefix;

static vptr__declaration *member_of(const prefix *inside, const vptr__name *name) {
  if (inside->namespace != NULL) {
    vptr__declaration *found = vptr__scope_member(inside->namespace, name);
    for (const vptr__used_scope *used = inside->namespace->used; used != NULL && found == NULL; used = used->next)
      found = vptr__scope_member(used->scope, name);
    return found;
  }
  if (inside->container == NULL)
    return NULL;
  if (inside->container->kind == VPTR__DECLARATION_ENUM)
    return enumerator_of(inside->container, name);
  return inside->container->members == NULL ? NULL : vptr__scope_member(inside->container->members, name);
}

static prefix step_into(vptr__parser *parser, const prefix *inside, bool is_first, const vptr__name *name) {
  prefix next = { NULL, NULL };
  if (is_first || inside->namespace != NULL)
    next.namespace = vptr__scope_namespace(parser, inside->namespace, name);
  if (next.namespace != NULL)
    return next;
  const vptr__declaration *found = is_first ? vptr__scope_find(parser, name) : member_of(inside, name);
  if (found != NULL && vptr__declaration_is_type(found))
    next.container = skip_typedefs(found);
  return next;
}

static const char *join_scope(vptr__parser *parser, const char *scope, const vptr__name *name) {
  if (scope == NULL || *scope == '\0')
    return name->text;
  return vptr__arena_format(parser->arena, "%s::%s", scope, name->text);
}

vptr__written_name vptr__name_look(vptr__parser *parser, size_t index) {
  vptr__written_name written = { .scope = NULL };
  prefix inside = { NULL, NULL };
  bool is_first = true;
  if (kind_at(parser, index) == VPTR__TOKEN_SCOPE && kind_at(parser, index + 1) == VPTR__TOKEN_NAME) {
    written.scope = "";
    inside.namespace = parser->global;
    is_first = false;
    ++index;
  }
  while (kind_at(parser, index) == VPTR__TOKEN_NAME && kind_at(parser, index + 1) == VPTR__TOKEN_SCOPE &&
         kind_at(parser, index + 2) == VPTR__TOKEN_NAME) {
    vptr__name *name = token_at(parser, index)->name;
    inside = step_into(parser, &inside, is_first, name);
    written.scope = join_scope(parser, written.scope, name);
    is_first = false;
    index += 2;
  }
  written.position = token_at(parser, index)->position;
  written.end = index + 1;
  if (kind_at(parser, index) != VPTR__TOKEN_NAME)
    return written;
  written.name = token_at(parser, index)->name;
  written.parent = inside.namespace;
  written.declaration = is_first ? vptr__scope_find(parser, written.name) : member_of(&inside, written.name);
  return written;
}

static vptr__name *operator_name(vptr__parser *parser, const char *sign) {
  const char *text = vptr__arena_format(parser->arena, "operator%s", sign);
  return vptr__source_intern(parser->source, text, strlen(text));
}

vptr__declaration *vptr__name_operator_functions(vptr__parser *parser, int op) {
  const vptr__name *name = operator_name(parser, vptr__token_kind_text(op));
  const vptr__binding *binding = name->declaration;
  return binding == NULL ? NULL : binding->declaration;
}

vptr__name *vptr__name_operator(vptr__parser *parser) {
  vptr__position position = vptr__parser_take(parser).position;
  int kind = vptr__parser_kind(parser);
  if ((kind > ' ' && kind < 127 && strchr("+-*/%^&|~!=<>,", kind) != NULL) ||
      (kind >= VPTR__TOKEN_INCREMENT && kind <= VPTR__TOKEN_SHIFT_RIGHT_ASSIGN && kind != VPTR__TOKEN_ELLIPSIS)) {
    vptr__parser_take(parser);
    return operator_name(parser, vptr__token_kind_text(kind));
  }
  vptr__parser_error(parser, position,
                     "this kind of operator function must be a member of a class, or allocates memory; "
                     "write an ordinary function instead");
  return NULL;
}

/* A name of which nothing is known but that it could not be read as device code. Where that is for another such name,
 * the reason is that one's: what stands between the two would say it again and again. */
void vptr__name_refuse_host(vptr__parser *parser, const vptr__written_name *written) {
  const vptr__declaration *declaration = written->declaration, *cause = declaration->cause;
  const char *reason = cause != NULL ? cause->message : declaration->message;
  const char *through = cause == NULL
                            ? ""
                            : vptr__arena_format(parser->arena, ", since it uses '%s' (%s)", cause->name->text,
                                                 vptr__parser_where(parser, cause->position));
  bool is_first = parser->attempts > 0 ? parser->reason == NULL : parser->first_error == NULL;
  if (is_first && !parser->is_panicking)
    parser->cause = cause != NULL ? cause : declaration;
  vptr__parser_error(parser, written->position, "'%s' (%s) %s%s%s%s", written->name->text,
                     vptr__parser_where(parser, declaration->position),
                     declaration->flags & VPTR__DEVICE ? "cannot be used in device code" : "belongs to the host",
                     through, reason == NULL ? "" : "; as device code: ", reason == NULL ? "" : reason);
}

static bool is_type_word(int kind) {
  switch (kind) {
  case VPTR__KEYWORD_VOID:
  case VPTR__KEYWORD_BOOL:
  case VPTR__KEYWORD_CHAR:
  case VPTR__KEYWORD_CHAR16_T:
  case VPTR__KEYWORD_CHAR32_T:
  case VPTR__KEYWORD_WCHAR_T:
  case VPTR__KEYWORD_SHORT:
  case VPTR__KEYWORD_INT:
  case VPTR__KEYWORD_LONG:
  case VPTR__KEYWORD_SIGNED:
  case VPTR__KEYWORD_UNSIGNED:
  case VPTR__KEYWORD_FLOAT:
  case VPTR__KEYWORD_DOUBLE:
  case VPTR__KEYWORD_INT128:
  case VPTR__KEYWORD_AUTO:
  case VPTR__KEYWORD_CONST:
  case VPTR__KEYWORD_VOLATILE:
  case VPTR__KEYWORD_TYPENAME:
    return true;
  default:
    return false;
  }
}

static bool is_elaborate(int kind) {
  return kind == VPTR__KEYWORD_STRUCT || kind == VPTR__KEYWORD_CLASS || kind == VPTR__KEYWORD_UNION ||
         kind == VPTR__KEYWORD_ENUM || kind == VPTR__KEYWORD_DECLTYPE || kind == VPTR__KEYWORD_TYPEOF;
}

/* Words that begin a declaration and are no types. */
bool vptr__name_is_specifier(int kind) {
  switch (kind) {
  case VPTR__KEYWORD_TYPEDEF:
  case VPTR__KEYWORD_STATIC:
  case VPTR__KEYWORD_EXTERN:
  case VPTR__KEYWORD_INLINE:
  case VPTR__KEYWORD_CONSTEXPR:
  case VPTR__KEYWORD_REGISTER:
  case VPTR__KEYWORD_THREAD_LOCAL:
  case VPTR__KEYWORD_MUTABLE:
  case VPTR__KEYWORD_VIRTUAL:
  case VPTR__KEYWORD_EXPLICIT:
  case VPTR__KEYWORD_FRIEND:
  case VPTR__KEYWORD_RESTRICT:
  case VPTR__KEYWORD_ATTRIBUTE:
  case VPTR__KEYWORD_ALIGNAS:
  case VPTR__KEYWORD_ALIGN:
    return true;
  default:
    return kind >= VPTR__KEYWORD_GLOBAL && kind < VPTR__KEYWORD_ALIGN;
  }
}

bool vptr__name_is_type(vptr__parser *parser, size_t index) {
  int kind = kind_at(parser, index);
  if (is_type_word(kind) || is_elaborate(kind))
    return true;
  if (kind != VPTR__TOKEN_NAME && kind != VPTR__TOKEN_SCOPE)
    return false;
  vptr__written_name written = vptr__name_look(parser, index);
  return written.declaration != NULL && vptr__declaration_is_type(written.declaration);
}

/* Behind a type of words and one name. */
static size_t behind_type(vptr__parser *parser, size_t index) {
  while (is_type_word(kind_at(parser, index)) || kind_at(parser, index) == VPTR__KEYWORD_EXTENSION)
    ++index;
  if (kind_at(parser, index) == VPTR__TOKEN_NAME || kind_at(parser, index) == VPTR__TOKEN_SCOPE) {
    vptr__written_name written = vptr__name_look(parser, index);
    if (written.declaration != NULL && vptr__declaration_is_type(written.declaration))
      index = written.end;
  }
  while (is_type_word(kind_at(parser, index)))
    ++index;
  return index;
}

static bool is_star(int kind) {
  return kind == '*' || kind == '&' || kind == VPTR__TOKEN_AND_AND;
}

/* T(x); and T(x) = 1; declare x, as in C++. */
static bool is_name_in_parentheses(const vptr__parser *parser, size_t index) {
  if (kind_at(parser, index + 1) != VPTR__TOKEN_NAME || kind_at(parser, index + 2) != ')')
    return false;
  int behind = kind_at(parser, index + 3);
  return behind == ';' || behind == '=' || behind == '[';
}

bool vptr__name_is_declaration(vptr__parser *parser) {
  size_t index = parser->at;
  int kind = kind_at(parser, index);
  if (vptr__name_is_specifier(kind) || (kind == '[' && kind_at(parser, index + 1) == '['))
    return true;
  if (kind == VPTR__KEYWORD_EXTENSION)
    return vptr__name_is_specifier(kind_at(parser, index + 1)) || vptr__name_is_type(parser, index + 1);
  if (!vptr__name_is_type(parser, index))
    return false;
  if (is_elaborate(kind))
    return true;
  index = behind_type(parser, index);
  if (kind_at(parser, index) == '(') /* T(x) is a value, T (*p) a declaration */
    return is_star(kind_at(parser, index + 1)) || kind_at(parser, index + 1) == '(' ||
           is_name_in_parentheses(parser, index);
  return kind_at(parser, index) != '{';
}

bool vptr__name_is_type_id(vptr__parser *parser, size_t index) {
  if (!vptr__name_is_type(parser, index))
    return false;
  if (is_elaborate(kind_at(parser, index)))
    return true;
  index = behind_type(parser, index);
  if (kind_at(parser, index) != '(')
    return kind_at(parser, index) != '{';
  /* (T(x)) and (T(*p)) are values; (T (*)(int)) and (T ()) are types */
  if (is_star(kind_at(parser, index + 1))) {
    int behind = kind_at(parser, index + 2);
    return is_star(behind) || behind == ')' || behind == '[' || behind == VPTR__KEYWORD_CONST;
  }
  return false;
}

/* T (*p)[4] and T (&r)[3] begin parameters: as T x(T (*p)), which could be a value too, is a function in C++. */
bool vptr__name_is_parameter(vptr__parser *parser, size_t index) {
  if (vptr__name_is_type_id(parser, index))
    return true;
  if (!vptr__name_is_type(parser, index))
    return false;
  index = behind_type(parser, index);
  if (kind_at(parser, index) != '(' || !is_star(kind_at(parser, index + 1)))
    return false;
  while (is_star(kind_at(parser, ++index)) || kind_at(parser, index) == VPTR__KEYWORD_CONST ||
         kind_at(parser, index) == VPTR__KEYWORD_RESTRICT)
    ;
  return kind_at(parser, index) == VPTR__TOKEN_NAME && kind_at(parser, index + 1) == ')';
}
