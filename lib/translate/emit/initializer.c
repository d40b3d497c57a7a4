/* SPDX-License-Identifier: MIT */
/*
 * initializer - lists and values of records. C's lists mean what C++'s mean once conversions are visible: items in
 * order, designators, zeros for the rest; only `{}` is not C, and becomes `{ 0 }`.
 */
#include "translate/emit/emitter.h"

static bool is_copy(const vptr__expression *value) {
  const vptr__expression *only = value->arguments;
  return only != NULL && only->next == NULL && only->field_name == NULL && only->designator == NULL &&
         only->kind != VPTR__EXPRESSION_INIT_LIST && only->type != NULL && only->type->kind == VPTR__TYPE_RECORD &&
         value->type != NULL && vptr__type_same(only->type, value->type, false);
}

static bool is_list(const vptr__expression *value, const vptr__type *type) {
  if (value->kind == VPTR__EXPRESSION_INIT_LIST)
    return true;
  return value->kind == VPTR__EXPRESSION_CONSTRUCT && type != NULL &&
         (type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ARRAY) && !is_copy(value);
}

static void write_designator(vptr__emitter *emitter, const vptr__expression *item) {
  if (item->field_name != NULL)
    vptr__writer_format(emitter->out, ".%s = ", vptr__emit_name(emitter, item->field_name->text));
  if (item->designator != NULL) {
    vptr__writer_text(emitter->out, "[");
    vptr__emit_expression(emitter, item->designator, VPTR__LEVEL_COMMA);
    vptr__writer_text(emitter->out, "] = ");
  }
}

static void write_list(vptr__emitter *emitter, const vptr__expression *list, bool is_stored);

/* Of a list; is_stored: a pointer in it is one that is kept as the host knows it. */
static void write_item(vptr__emitter *emitter, const vptr__expression *item, bool is_stored) {
  vptr__arena_enter(emitter->arena);
  if (is_stored && is_list(item, item->type))
    write_list(emitter, item, true);
  else if (is_stored && item->type != NULL && item->type->kind == VPTR__TYPE_POINTER)
    vptr__emit_stored(emitter, item);
  else
    vptr__emit_initializer(emitter, item, item->type);
  vptr__arena_leave(emitter->arena);
}

/* is_stored: what it is a part of is in a record of that kind; an array has the pointers of its record, a record its
 * own. */
static void write_list(vptr__emitter *emitter, const vptr__expression *list, bool is_stored) {
  const vptr__type *type = list->type != NULL ? list->type : list->written_type;
  if (type->kind == VPTR__TYPE_RECORD)
    is_stored = (type->declaration->flags & VPTR__IN_MEMORY) != 0;
  vptr__writer_text(emitter->out, "{ ");
  if (list->arguments != NULL && list->declaration != NULL && list->declaration->name != NULL) /* a union's member */
    vptr__writer_format(emitter->out, ".%s = ", vptr__emit_declaration_name(emitter, list->declaration));
  if (list->arguments == NULL)
    vptr__writer_text(emitter->out, "0");
  for (const vptr__expression *item = list->arguments; item != NULL; item = item->next) {
    write_designator(emitter, item);
    write_item(emitter, item, is_stored);
    if (item->next != NULL)
      vptr__writer_text(emitter->out, ", ");
  }
  vptr__writer_text(emitter->out, " }");
}

void vptr__emit_initializer(vptr__emitter *emitter, const vptr__expression *initializer, const vptr__type *type) {
  vptr__arena_enter(emitter->arena);
  if (type != NULL && type->kind == VPTR__TYPE_REFERENCE)
    vptr__emit_reference(emitter, initializer, VPTR__LEVEL_ASSIGN);
  else if (is_list(initializer, type))
    write_list(emitter, initializer, false);
  else
    vptr__emit_expression(emitter, initializer, VPTR__LEVEL_ASSIGN);
  vptr__arena_leave(emitter->arena);
}

/* A value, not an initialiser: T{...} as an operand, an argument, what is returned. Nobody takes its address (see
 * place.c). */
void vptr__emit_construct(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  const vptr__type *type = expression->type != NULL ? expression->type : expression->written_type;
  if (is_copy(expression)) {
    vptr__emit_expression(emitter, expression->arguments, least);
    return;
  }
  if (type->kind != VPTR__TYPE_RECORD && type->kind != VPTR__TYPE_ARRAY) {
    if (expression->arguments != NULL)
      vptr__emit_expression(emitter, expression->arguments, least);
    else
      vptr__writer_format(emitter->out, "((%s)0)", vptr__emit_type_name(emitter, type));
    return;
  }
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_POSTFIX, least);
  vptr__writer_format(emitter->out, "(%s)", vptr__emit_type_name(emitter, type));
  write_list(emitter, expression, false);
  vptr__emit_close(emitter, opened);
}
