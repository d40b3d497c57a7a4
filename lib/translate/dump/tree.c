/* SPDX-License-Identifier: MIT */
/*
 * tree - see tree.h. The text grows in one buffer of the arena; recursion is counted as everywhere.
 */
#include "translate/dump/tree.h"

#include <string.h>
#include <strings.h>

#include "translate/types/types.h"

static void print_declaration(vptr__printer *printer, const vptr__declaration *declaration);
static void print_statement(vptr__printer *printer, const vptr__statement *statement);

static bool is_typed(const vptr__printer *printer) {
  return (printer->form & VPTR__PRINT_TYPES) != 0;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

const char *vptr__printer_statement_word(vptr__statement_kind kind) {
  static const char *const words[] = {
    "empty",  "do",   "declare", "block", "if",       "while",  "do-while", "for",
    "switch", "case", "default", "break", "continue", "return", "goto",     "label"
  };
  return words[kind];
}

static void print_indented(vptr__printer *printer, const char *what, const vptr__statement *statement) {
  if (statement == NULL)
    return;
  ++printer->indent;
  if (*what != '\0') {
    vptr__printer_line(printer, 0);
    vptr__printer_format(printer, "%s", what);
    ++printer->indent;
  }
  print_statement(printer, statement);
  printer->indent -= *what != '\0' ? 2 : 1;
}

static void print_statements(vptr__printer *printer, const vptr__statement *statement) {
  for (; statement != NULL; statement = statement->next)
    print_indented(printer, "", statement);
}

static void print_statement(vptr__printer *printer, const vptr__statement *statement) {
  vptr__arena_enter(printer->out.arena);
  vptr__printer_line(printer, statement->position);
  vptr__printer_format(printer, "%s", vptr__printer_statement_word(statement->kind));
  if (statement->label != NULL)
    vptr__printer_format(printer, " %s", statement->label->text);
  if (statement->unroll != NULL)
    vptr__printer_format(printer, " unroll(%s)", statement->unroll);
  if (is_typed(printer) && statement->kind == VPTR__STATEMENT_CASE) {
    vptr__printer_format(printer, " %lld", (long long)statement->value);
  } else if (statement->expression != NULL) {
    vptr__printer_format(printer, " ");
    vptr__printer_expression(printer, statement->expression);
  }
  if (statement->step != NULL) {
    vptr__printer_format(printer, " step ");
    vptr__printer_expression(printer, statement->step);
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
  vptr__arena_leave(printer->out.arena);
}

/* ---- declarations ---------------------------------------------------------------------------------------- */

static void print_flags(vptr__printer *printer, unsigned flags) {
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
      vptr__printer_format(printer, " %s", words[i].word);
}

static void print_given(vptr__printer *printer, const char *word, const vptr__expression *value) {
  if (value == NULL)
    return;
  vptr__printer_format(printer, "%s", word);
  vptr__printer_expression(printer, value);
}

static void print_bounds(vptr__printer *printer, const vptr__declaration *declaration) {
  for (int i = 0; i < 2; ++i) {
    const char *word = i == 0 ? " bounds " : ", ";
    if (is_typed(printer) && declaration->bounds[i] != 0)
      vptr__printer_format(printer, "%s%llu", word, (unsigned long long)declaration->bounds[i]);
    else
      print_given(printer, word, declaration->launch_bounds[i]);
  }
  print_given(printer, " align ", declaration->align);
}

static void print_inner(vptr__printer *printer, const vptr__declaration *list) {
  ++printer->indent;
  for (; list != NULL; list = list->next)
    print_declaration(printer, list);
  --printer->indent;
}

static bool has_type(const vptr__declaration *declaration) {
  return declaration->kind != VPTR__DECLARATION_RECORD && declaration->kind != VPTR__DECLARATION_ENUM &&
         declaration->kind != VPTR__DECLARATION_ENUMERATOR && declaration->kind != VPTR__DECLARATION_STATIC_ASSERT;
}

/* The parameters of a function whose types are known come as lines of their own. */
static void print_type_found(vptr__printer *printer, const vptr__declaration *declaration) {
  vptr__arena *arena = printer->out.arena;
  bool is_function = declaration->kind == VPTR__DECLARATION_FUNCTION;
  vptr__printer_format(printer, is_function ? " returns %s" : " : %s",
                       vptr__type_text(arena, is_function ? declaration->type->base : declaration->type));
}

/* What types/ knows besides. */
static void print_layout(vptr__printer *printer, const vptr__declaration *declaration) {
  unsigned long long size = declaration->size, alignment = declaration->alignment, offset = declaration->offset;
  if (declaration->kind == VPTR__DECLARATION_FIELD)
    vptr__printer_format(printer, " at %llu", offset);
  else if (declaration->kind == VPTR__DECLARATION_ENUMERATOR)
    vptr__printer_format(printer, " is %lld", (long long)declaration->value);
  else if (declaration->kind == VPTR__DECLARATION_RECORD || (declaration->flags & VPTR__AT_NAMESPACE))
    vptr__printer_format(printer, " size %llu alignment %llu", size, alignment);
}

static void print_head(vptr__printer *printer, const vptr__declaration *declaration) {
  static const char *const words[] = { "var",   "parameter", "function",   "typedef", "record",
                                       "field", "enum",      "enumerator", "assert" };
  vptr__printer_line(printer, declaration->position);
  vptr__printer_format(printer, "%s ", words[declaration->kind]);
  if (declaration->scope != NULL && declaration->kind != VPTR__DECLARATION_FIELD)
    vptr__printer_format(printer, "%s::", declaration->scope);
  vptr__printer_format(printer, "%s", vptr__printer_name(declaration->name));
  print_flags(printer, declaration->flags);
  print_bounds(printer, declaration);
  if (has_type(declaration) && is_typed(printer) && declaration->type != NULL) {
    print_type_found(printer, declaration);
  } else if (has_type(declaration)) {
    vptr__printer_format(printer, " : ");
    vptr__printer_type(printer, declaration->type);
  }
  if (is_typed(printer))
    print_layout(printer, declaration);
}

static void print_declaration(vptr__printer *printer, const vptr__declaration *declaration) {
  bool is_value_known = is_typed(printer) && declaration->kind == VPTR__DECLARATION_ENUMERATOR;
  vptr__arena_enter(printer->out.arena);
  print_head(printer, declaration);
  print_given(printer, " bits ", declaration->bit_width);
  print_given(printer, " = ", is_value_known ? NULL : declaration->initializer);
  if (is_typed(printer) && declaration->kind == VPTR__DECLARATION_FUNCTION)
    print_inner(printer, declaration->type->parameters);
  print_inner(printer, declaration->fields);
  print_inner(printer, declaration->enumerators);
  if (declaration->body != NULL)
    print_statements(printer, declaration->body->first);
  vptr__arena_leave(printer->out.arena);
}

/* ---- which of them ------------------------------------------------------------------------------------------- */

static bool has_own_name(const vptr__name *name) {
  return name != NULL && strncasecmp(name->text, "vptr_", 5) == 0;
}

/* What vptr-kernelc puts in front of every kernel C; a program's names are mangled there. */
static bool is_of_prelude(const vptr__declaration *declaration) {
  static const char numbers[] = "u8 u16 u32 u64";
  if (declaration->kind == VPTR__DECLARATION_TYPEDEF && declaration->name != NULL)
    return strstr(numbers, declaration->name->text) != NULL;
  if (declaration->kind == VPTR__DECLARATION_ENUM && declaration->enumerators != NULL)
    return has_own_name(declaration->enumerators->name);
  return (declaration->flags & VPTR__GLOBAL) == 0 && has_own_name(declaration->name);
}

static bool is_wanted(const vptr__unit *unit, const vptr__declaration *declaration, unsigned form) {
  if (declaration->position != 0 && vptr__source_file_at(unit->source, declaration->position)->is_ours)
    return false;
  if (form & VPTR__PRINT_TYPES)
    return (declaration->flags & VPTR__USED) != 0;
  return !(form & VPTR__PRINT_PROGRAM) || !is_of_prelude(declaration);
}

const char *vptr__tree_text(const vptr__unit *unit, unsigned form) {
  vptr__printer printer;
  vptr__printer_init(&printer, unit->source, form);
  for (const vptr__declaration *each = unit->declarations; each != NULL; each = each->next)
    if (is_wanted(unit, each, form))
      print_declaration(&printer, each);
  return vptr__writer_result(&printer.out);
}

const char *vptr__tree_expression_text(const vptr__unit *unit, const vptr__expression *expression) {
  vptr__printer printer;
  vptr__printer_init(&printer, unit->source, VPTR__PRINT_TYPES);
  vptr__printer_expression(&printer, expression);
  return vptr__writer_result(&printer.out);
}
