/* SPDX-License-Identifier: MIT */
/* expression - types and expressions as text: see printer.h. Recursion is counted as everywhere. */
#include "translate/dump/printer.h"

#include <string.h>

#include "translate/lexer/keyword.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

/* ---- types ----------------------------------------------------------------------------------------------- */

static void print_parameters(vptr__printer *printer, const vptr__type *function) {
  vptr__printer_format(printer, "fn(");
  for (const vptr__declaration *parameter = function->parameters; parameter != NULL; parameter = parameter->next) {
    vptr__printer_type(printer, parameter->type);
    vptr__printer_format(printer, " %s", vptr__printer_name(parameter->name));
    if (parameter->initializer != NULL) {
      vptr__printer_format(printer, " = ");
      vptr__printer_expression(printer, parameter->initializer);
    }
    vptr__printer_format(printer, parameter->next == NULL ? "" : ", ");
  }
  vptr__printer_format(printer, "%s) ", function->is_variadic ? " ..." : "");
}

static const char *word_of(vptr__type_kind kind) {
  static const char *const words[VPTR__TYPE_COUNT] = {
    "void",     "bool", "char",  "schar",    "uchar",     "short",  "ushort", "int",
    "unsigned", "long", "ulong", "longlong", "ulonglong", "float",  "double", "nullptr_t",
    "auto",     "*",    "&",     "[]",       "fn",        "struct", "enum",   "decltype",
  };
  return words[kind];
}

void vptr__printer_type(vptr__printer *printer, const vptr__type *type) {
  if (type == NULL) {
    vptr__printer_format(printer, "?");
    return;
  }
  vptr__arena_enter(printer->out.arena);
  vptr__printer_format(printer, "%s%s", type->qualifiers & VPTR__CONST ? "const " : "",
                       type->qualifiers & VPTR__VOLATILE ? "volatile " : "");
  vptr__printer_format(printer, "%s", type->qualifiers & VPTR__RESTRICT ? "restrict " : "");
  if (type->kind == VPTR__TYPE_FUNCTION)
    print_parameters(printer, type);
  else if (type->kind == VPTR__TYPE_ARRAY)
    vptr__printer_format(printer, "[");
  else if (type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ENUM)
    vptr__printer_format(printer, "%s", vptr__printer_name(type->declaration->name));
  else
    vptr__printer_format(printer, "%s", word_of(type->kind));
  if (type->length != NULL)
    vptr__printer_expression(printer, type->length);
  if (type->kind == VPTR__TYPE_ARRAY)
    vptr__printer_format(printer, "]");
  if (type->base != NULL && type->kind != VPTR__TYPE_ENUM)
    vptr__printer_type(printer, type->base);
  vptr__arena_leave(printer->out.arena);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static void print_list(vptr__printer *printer, const vptr__expression *list) {
  for (; list != NULL; list = list->next) {
    vptr__printer_format(printer, " ");
    if (list->field_name != NULL)
      vptr__printer_format(printer, ".%s=", list->field_name->text);
    if (list->designator != NULL) {
      vptr__printer_format(printer, "[");
      vptr__printer_expression(printer, list->designator);
      vptr__printer_format(printer, "]=");
    }
    vptr__printer_expression(printer, list);
  }
}

static void print_string(vptr__printer *printer, const vptr__expression *string) {
  vptr__printer_format(printer, "\"");
  for (uint32_t i = 0; i < string->length; ++i) {
    unsigned char byte = (unsigned char)string->text[i];
    if (byte < ' ' || byte > '~' || byte == '"')
      vptr__printer_format(printer, "\\%02x", byte);
    else
      vptr__writer_bytes(&printer->out, string->text + i, 1);
  }
  vptr__printer_format(printer, "\"");
}

static const char *cast_word(vptr__cast cast) {
  static const char *const words[] = { "cast", "functional", "static", "reinterpret", "const", "implicit", "decay" };
  return words[cast];
}

/* What stands behind the opening parenthesis, up to the operands. */
static void print_head(vptr__printer *printer, const vptr__expression *expression) {
  switch (expression->kind) {
  case VPTR__EXPRESSION_CALL:
    vptr__printer_format(printer, "call");
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    vptr__printer_format(printer, "builtin %s", expression->builtin->name);
    break;
  case VPTR__EXPRESSION_MEMBER:
    vptr__printer_format(printer, "%s%s", expression->is_arrow ? "->" : ".", vptr__printer_name(expression->name));
    break;
  case VPTR__EXPRESSION_INDEX:
    vptr__printer_format(printer, "[]");
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    vptr__printer_format(printer, "?:");
    break;
  case VPTR__EXPRESSION_CAST:
    vptr__printer_format(printer, "%s", cast_word(expression->cast));
    break;
  case VPTR__EXPRESSION_CONSTRUCT:
    vptr__printer_format(printer, "make%c", expression->op == '{' ? '{' : '(');
    break;
  case VPTR__EXPRESSION_SIZEOF:
    vptr__printer_format(printer, "sizeof");
    break;
  case VPTR__EXPRESSION_ALIGNOF:
    vptr__printer_format(printer, "alignof");
    break;
  case VPTR__EXPRESSION_OFFSETOF:
    vptr__printer_format(printer, "offsetof");
    break;
  case VPTR__EXPRESSION_INIT_LIST:
    vptr__printer_format(printer, "list");
    break;
  case VPTR__EXPRESSION_LOAD:
    vptr__printer_format(printer, "load");
    break;
  default:
    vptr__printer_format(printer, "%s%s", expression->is_postfix ? "post" : "",
                         vptr__token_kind_text(expression->op));
  }
}

/* What it has become is the type that is told; as it was written it says no more. */
static void print_found_type(vptr__printer *printer, const vptr__expression *expression) {
  const char *text = vptr__type_text(printer->out.arena, expression->type);
  vptr__printer_format(printer, "{%s%s%s}", text,
                       !expression->is_lvalue          ? ""
                       : text[strlen(text) - 1] == '*' ? ""
                                                       : " ",
                       expression->is_lvalue ? "&" : "");
}

static void print_node(vptr__printer *printer, const vptr__expression *expression) {
  bool is_typed = (printer->form & VPTR__PRINT_TYPES) && expression->type != NULL;
  vptr__printer_format(printer, "(");
  print_head(printer, expression);
  if (is_typed)
    print_found_type(printer, expression);
  else if (expression->written_type != NULL) {
    vptr__printer_format(printer, " ");
    vptr__printer_type(printer, expression->written_type);
  }
  for (int i = expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL; i < 3; ++i)
    if (expression->operands[i] != NULL) {
      vptr__printer_format(printer, " ");
      vptr__printer_expression(printer, expression->operands[i]);
    }
  print_list(printer, expression->arguments);
  vptr__printer_format(printer, ")");
}

/* Of functions that have been chosen among those of a name: where it is. */
static void print_name(vptr__printer *printer, const vptr__expression *name) {
  const vptr__declaration *declaration = name->declaration;
  if (name->scope != NULL)
    vptr__printer_format(printer, "%s::", name->scope);
  vptr__printer_format(printer, "%s%s", name->name == NULL ? "" : name->name->text, declaration == NULL ? "?" : "");
  if ((printer->form & VPTR__PRINT_TYPES) && declaration != NULL && declaration->kind == VPTR__DECLARATION_FUNCTION)
    vptr__printer_format(printer, "@%s", vptr__printer_place(printer, declaration->position));
}

void vptr__printer_expression(vptr__printer *printer, const vptr__expression *expression) {
  vptr__arena_enter(printer->out.arena);
  switch (expression->kind) {
  case VPTR__EXPRESSION_INTEGER:
    vptr__printer_format(printer, "%lld", (long long)expression->integer);
    if (expression->type->kind != VPTR__TYPE_INT)
      vptr__printer_format(printer, ":%s", word_of(expression->type->kind));
    break;
  case VPTR__EXPRESSION_FLOATING:
    if (expression->text != NULL)
      vptr__printer_format(printer, "%.*s", (int)expression->length, expression->text);
    else
      vptr__printer_format(printer, "%.17g", expression->floating);
    break;
  case VPTR__EXPRESSION_STRING:
    print_string(printer, expression);
    break;
  case VPTR__EXPRESSION_BOOL:
    vptr__printer_format(printer, expression->integer ? "true" : "false");
    break;
  case VPTR__EXPRESSION_NULLPTR:
    vptr__printer_format(printer, "nullptr");
    break;
  case VPTR__EXPRESSION_NAME:
    print_name(printer, expression);
    break;
  default:
    print_node(printer, expression);
  }
  vptr__arena_leave(printer->out.arena);
}
