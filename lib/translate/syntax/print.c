/* SPDX-License-Identifier: MIT */
/*
 * print - see print.h.
 *
 * The text grows in one buffer of the arena; recursion is counted as everywhere.
 */
#include "translate/syntax/print.h"

#include <stdarg.h>
#include <string.h>

#include "translate/lexer/keyword.h"

typedef struct printer {
  vptr__arena *arena;
  char *text;
  size_t length, capacity;
  int indent;
} printer;

static void print_expression(printer *printer, const vptr__expression *expression);
static void print_declaration(printer *printer, const vptr__declaration *declaration);
static void print_statement(printer *printer, const vptr__statement *statement);

static void append_bytes(printer *printer, const char *text, size_t length) {
  if (printer->capacity - printer->length <= length) {
    size_t capacity = 2 * printer->capacity + length + 256;
    char *larger = vptr__arena_allocate(printer->arena, capacity);
    if (printer->length > 0)
      memcpy(larger, printer->text, printer->length);
    printer->text = larger;
    printer->capacity = capacity;
  }
  memcpy(printer->text + printer->length, text, length);
  printer->length += length;
  printer->text[printer->length] = '\0';
}

static void append_format(printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append_format(printer *printer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = vptr__arena_format_list(printer->arena, format, arguments);
  va_end(arguments);
  append_bytes(printer, text, strlen(text));
}

static void start_line(printer *printer) {
  append_format(printer, "%s%*s", printer->length == 0 ? "" : "\n", 2 * printer->indent, "");
}

static const char *name_of(const vptr__name *name) {
  return name == NULL ? "_" : name->text;
}

/* ---- types ----------------------------------------------------------------------------------------------- */

static void print_type(printer *printer, const vptr__type *type);

static void print_parameters(printer *printer, const vptr__type *function) {
  append_format(printer, "fn(");
  for (const vptr__declaration *parameter = function->parameters; parameter != NULL; parameter = parameter->next) {
    print_type(printer, parameter->type);
    append_format(printer, " %s", name_of(parameter->name));
    if (parameter->initializer != NULL) {
      append_format(printer, " = ");
      print_expression(printer, parameter->initializer);
    }
    append_format(printer, parameter->next == NULL ? "" : ", ");
  }
  append_format(printer, "%s) ", function->is_variadic ? " ..." : "");
}

static const char *word_of(vptr__type_kind kind) {
  static const char *const words[VPTR__TYPE_COUNT] = {
    "void",     "bool", "char",  "schar",    "uchar",     "short",  "ushort", "int",
    "unsigned", "long", "ulong", "longlong", "ulonglong", "float",  "double", "nullptr_t",
    "auto",     "*",    "&",     "[]",       "fn",        "struct", "enum",   "decltype",
  };
  return words[kind];
}

static void print_type(printer *printer, const vptr__type *type) {
  if (type == NULL) {
    append_format(printer, "?");
    return;
  }
  vptr__arena_enter(printer->arena);
  append_format(printer, "%s%s", type->qualifiers & VPTR__CONST ? "const " : "",
                type->qualifiers & VPTR__VOLATILE ? "volatile " : "");
  append_format(printer, "%s", type->qualifiers & VPTR__RESTRICT ? "restrict " : "");
  if (type->kind == VPTR__TYPE_FUNCTION)
    print_parameters(printer, type);
  else if (type->kind == VPTR__TYPE_ARRAY)
    append_format(printer, "[");
  else if (type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ENUM)
    append_format(printer, "%s", name_of(type->declaration->name));
  else
    append_format(printer, "%s", word_of(type->kind));
  if (type->length != NULL)
    print_expression(printer, type->length);
  if (type->kind == VPTR__TYPE_ARRAY)
    append_format(printer, "]");
  if (type->base != NULL && type->kind != VPTR__TYPE_ENUM)
    print_type(printer, type->base);
  vptr__arena_leave(printer->arena);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static void print_list(printer *printer, const vptr__expression *list) {
  for (; list != NULL; list = list->next) {
    append_format(printer, " ");
    if (list->field_name != NULL)
      append_format(printer, ".%s=", list->field_name->text);
    if (list->designator != NULL) {
      append_format(printer, "[");
      print_expression(printer, list->designator);
      append_format(printer, "]=");
    }
    print_expression(printer, list);
  }
}

static void print_string(printer *printer, const vptr__expression *string) {
  append_format(printer, "\"");
  for (uint32_t i = 0; i < string->length; ++i) {
    unsigned char byte = (unsigned char)string->text[i];
    if (byte < ' ' || byte > '~' || byte == '"')
      append_format(printer, "\\%02x", byte);
    else
      append_bytes(printer, string->text + i, 1);
  }
  append_format(printer, "\"");
}

static const char *cast_word(vptr__cast cast) {
  static const char *const words[] = { "cast", "functional", "static", "reinterpret", "const", "implicit", "decay" };
  return words[cast];
}

/* What stands behind the opening parenthesis, up to the operands. */
static void print_head(printer *printer, const vptr__expression *expression) {
  switch (expression->kind) {
  case VPTR__EXPRESSION_CALL:
    append_format(printer, "call");
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    append_format(printer, "builtin");
    break;
  case VPTR__EXPRESSION_MEMBER:
    append_format(printer, "%s%s", expression->is_arrow ? "->" : ".", name_of(expression->name));
    break;
  case VPTR__EXPRESSION_INDEX:
    append_format(printer, "[]");
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    append_format(printer, "?:");
    break;
  case VPTR__EXPRESSION_CAST:
    append_format(printer, "%s ", cast_word(expression->cast));
    break;
  case VPTR__EXPRESSION_CONSTRUCT:
    append_format(printer, "make%c ", expression->op == '{' ? '{' : '(');
    break;
  case VPTR__EXPRESSION_SIZEOF:
    append_format(printer, "sizeof ");
    break;
  case VPTR__EXPRESSION_ALIGNOF:
    append_format(printer, "alignof ");
    break;
  case VPTR__EXPRESSION_OFFSETOF:
    append_format(printer, "offsetof ");
    break;
  case VPTR__EXPRESSION_INIT_LIST:
    append_format(printer, "list");
    break;
  case VPTR__EXPRESSION_LOAD:
    append_format(printer, "load");
    break;
  default:
    append_format(printer, "%s%s", expression->is_postfix ? "post" : "", vptr__token_kind_text(expression->op));
  }
}

static void print_node(printer *printer, const vptr__expression *expression) {
  append_format(printer, "(");
  print_head(printer, expression);
  if (expression->written_type != NULL)
    print_type(printer, expression->written_type);
  for (int i = 0; i < 3; ++i)
    if (expression->operands[i] != NULL) {
      append_format(printer, " ");
      print_expression(printer, expression->operands[i]);
    }
  print_list(printer, expression->arguments);
  append_format(printer, ")");
}

static void print_name(printer *printer, const vptr__expression *name) {
  if (name->scope != NULL)
    append_format(printer, "%s::", name->scope);
  append_format(printer, "%s%s", name->name == NULL ? "" : name->name->text, name->declaration == NULL ? "?" : "");
}

static void print_expression(printer *printer, const vptr__expression *expression) {
  vptr__arena_enter(printer->arena);
  switch (expression->kind) {
  case VPTR__EXPRESSION_INTEGER:
    append_format(printer, "%lld", (long long)expression->integer);
    if (expression->type->kind != VPTR__TYPE_INT)
      append_format(printer, ":%s", word_of(expression->type->kind));
    break;
  case VPTR__EXPRESSION_FLOATING:
    append_format(printer, "%.*s", (int)expression->length, expression->text);
    break;
  case VPTR__EXPRESSION_STRING:
    print_string(printer, expression);
    break;
  case VPTR__EXPRESSION_BOOL:
    append_format(printer, expression->integer ? "true" : "false");
    break;
  case VPTR__EXPRESSION_NULLPTR:
    append_format(printer, "nullptr");
    break;
  case VPTR__EXPRESSION_NAME:
    print_name(printer, expression);
    break;
  default:
    print_node(printer, expression);
  }
  vptr__arena_leave(printer->arena);
}

/* ---- statements ------------------------------------------------------------------------------------------ */

static const char *statement_word(vptr__statement_kind kind) {
  static const char *const words[] = {
    "empty",  "do",   "declare", "block", "if",       "while",  "do-while", "for",
    "switch", "case", "default", "break", "continue", "return", "goto",     "label"
  };
  return words[kind];
}

static void print_indented(printer *printer, const char *what, const vptr__statement *statement) {
  if (statement == NULL)
    return;
  ++printer->indent;
  if (*what != '\0') {
    start_line(printer);
    append_format(printer, "%s", what);
    ++printer->indent;
  }
  print_statement(printer, statement);
  printer->indent -= *what != '\0' ? 2 : 1;
}

static void print_statements(printer *printer, const vptr__statement *statement) {
  for (; statement != NULL; statement = statement->next)
    print_indented(printer, "", statement);
}

static void print_statement(printer *printer, const vptr__statement *statement) {
  vptr__arena_enter(printer->arena);
  start_line(printer);
  append_format(printer, "%s", statement_word(statement->kind));
  if (statement->label != NULL)
    append_format(printer, " %s", statement->label->text);
  if (statement->unroll != NULL)
    append_format(printer, " unroll(%s)", statement->unroll);
  if (statement->expression != NULL) {
    append_format(printer, " ");
    print_expression(printer, statement->expression);
  }
  if (statement->step != NULL) {
    append_format(printer, " step ");
    print_expression(printer, statement->step);
  }
  ++printer->indent;
  for (const vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
    print_declaration(printer, each);
  --printer->indent;
  if (statement->kind == VPTR__STATEMENT_BLOCK)
    print_statements(printer, statement->first);
  else
    print_indented(printer, "first", statement->first);
  print_indented(printer, "", statement->body);
  print_indented(printer, "else", statement->otherwise);
  vptr__arena_leave(printer->arena);
}

/* ---- declarations ---------------------------------------------------------------------------------------- */

static void print_flags(printer *printer, unsigned flags) {
  static const struct {
    unsigned flag;
    const char *word;
  } words[] = {
    { VPTR__GLOBAL, "global" },       { VPTR__DEVICE, "device" },     { VPTR__HOST, "host" },
    { VPTR__SHARED, "shared" },       { VPTR__CONSTANT, "constant" }, { VPTR__MANAGED, "managed" },
    { VPTR__EXTERN, "extern" },       { VPTR__STATIC, "static" },     { VPTR__INLINE, "inline" },
    { VPTR__CONSTEXPR, "constexpr" }, { VPTR__NOINLINE, "noinline" }, { VPTR__EXTERN_C, "C" },
    { VPTR__UNION, "union" },         { VPTR__ENUM_CLASS, "class" },  { VPTR__HOST_ONLY, "host-only" },
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (flags & words[i].flag)
      append_format(printer, " %s", words[i].word);
}

static void print_bounds(printer *printer, const vptr__declaration *declaration) {
  for (int i = 0; i < 2; ++i)
    if (declaration->launch_bounds[i] != NULL) {
      append_format(printer, i == 0 ? " bounds " : ", ");
      print_expression(printer, declaration->launch_bounds[i]);
    }
  if (declaration->align != NULL) {
    append_format(printer, " align ");
    print_expression(printer, declaration->align);
  }
}

static void print_inner(printer *printer, const vptr__declaration *list) {
  ++printer->indent;
  for (; list != NULL; list = list->next)
    print_declaration(printer, list);
  --printer->indent;
}

static void print_declaration(printer *printer, const vptr__declaration *declaration) {
  static const char *const words[] = { "var",   "parameter", "function",   "typedef", "record",
                                       "field", "enum",      "enumerator", "assert" };
  vptr__arena_enter(printer->arena);
  start_line(printer);
  append_format(printer, "%s ", words[declaration->kind]);
  if (declaration->scope != NULL && declaration->kind != VPTR__DECLARATION_FIELD)
    append_format(printer, "%s::", declaration->scope);
  append_format(printer, "%s", name_of(declaration->name));
  print_flags(printer, declaration->flags);
  print_bounds(printer, declaration);
  if (declaration->kind != VPTR__DECLARATION_RECORD && declaration->kind != VPTR__DECLARATION_ENUM &&
      declaration->kind != VPTR__DECLARATION_ENUMERATOR && declaration->kind != VPTR__DECLARATION_STATIC_ASSERT) {
    append_format(printer, " : ");
    print_type(printer, declaration->type);
  }
  if (declaration->bit_width != NULL) {
    append_format(printer, " bits ");
    print_expression(printer, declaration->bit_width);
  }
  if (declaration->initializer != NULL) {
    append_format(printer, " = ");
    print_expression(printer, declaration->initializer);
  }
  print_inner(printer, declaration->fields);
  print_inner(printer, declaration->enumerators);
  if (declaration->body != NULL)
    print_statements(printer, declaration->body->first);
  vptr__arena_leave(printer->arena);
}

const char *vptr__unit_print(const vptr__unit *unit) {
  printer printer = { .arena = vptr__source_arena(unit->source) };
  append_bytes(&printer, "", 0);
  for (const vptr__declaration *each = unit->declarations; each != NULL; each = each->next)
    if (each->position == 0 || !vptr__source_file_at(unit->source, each->position)->is_ours)
      print_declaration(&printer, each);
  return printer.text;
}

const char *vptr__expression_print(const vptr__unit *unit, const vptr__expression *expression) {
  printer printer = { .arena = vptr__source_arena(unit->source) };
  append_bytes(&printer, "", 0);
  print_expression(&printer, expression);
  return printer.text;
}
