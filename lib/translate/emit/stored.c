/* SPDX-License-Identifier: MIT */
/*
 * stored - pointers that lie in memory: what is there is the host's address, a ulong, and what is computed with is
 * the device's. infer/memory.c says which pointers those are.
 *
 * A load becomes vptr_in(), a store vptr_out(), which look into the translation table of the device's memory that the
 * launch brings (lib/vptr/mapper/translation_table.h). What is only moved from one such place to another stays what it
 * is, and so does what has an offset added: an allocation lies in one piece for both. NULL is NULL.
 *
 * Such a pointer in a struct of a thread's own, or in shared memory, has no address that a `T **` could hold: that
 * one would take it for the device's.
 */
#include "translate/emit/emitter.h"

#include "translate/lexer/token.h"

static const vptr__type *without_arrays(const vptr__type *type) {
  while (type != NULL && type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type;
}

static bool is_pointer(const vptr__type *type) {
  return type != NULL && type->kind == VPTR__TYPE_POINTER;
}

/* ---- which they are -------------------------------------------------------------------------------------- */

/* The record of `object.member` or `object->member`. */
static const vptr__declaration *record_of(const vptr__expression *member) {
  const vptr__type *object = member->operands[0]->type;
  if (is_pointer(object))
    object = object->base;
  return object != NULL && object->kind == VPTR__TYPE_RECORD ? object->declaration : NULL;
}

/* What the lvalue is a part of, or does something to; NULL: nothing that is asked instead. */
static const vptr__expression *whole_of(const vptr__expression *lvalue) {
  const vptr__expression *operand = lvalue->operands[0];
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_ASSIGN:
  case VPTR__EXPRESSION_CAST:
    return operand;
  case VPTR__EXPRESSION_UNARY:
    return lvalue->op == '*' ? NULL : operand;
  case VPTR__EXPRESSION_BINARY:
    return lvalue->operands[1];
  case VPTR__EXPRESSION_INDEX:
    return operand->kind == VPTR__EXPRESSION_CAST && operand->cast == VPTR__CAST_DECAY ? operand->operands[0] : NULL;
  default:
    return NULL;
  }
}

bool vptr__emit_is_stored(vptr__emitter *emitter, const vptr__expression *lvalue) {
  if (!is_pointer(without_arrays(lvalue->type)))
    return false;
  for (const vptr__expression *whole = lvalue; whole != NULL; whole = whole_of(lvalue))
    lvalue = whole;
  if (lvalue->kind == VPTR__EXPRESSION_MEMBER) {
    const vptr__declaration *record = record_of(lvalue);
    return record != NULL && (record->flags & VPTR__IN_MEMORY) != 0;
  }
  return lvalue->is_lvalue && vptr__infer_lvalue(emitter->instance, lvalue) == VPTR__SPACE_GLOBAL;
}

void vptr__emit_classify_address(vptr__emitter *emitter, const vptr__expression *lvalue) {
  if (vptr__emit_is_stored(emitter, lvalue) && vptr__infer_lvalue(emitter->instance, lvalue) != VPTR__SPACE_GLOBAL)
    vptr__source_report(
        emitter->source, VPTR__ERROR, lvalue->position,
        "the address of a pointer is taken that lies in a struct of the thread's own or in shared memory, and others "
        "of "
        "that struct lie in device memory, where pointers are the host's addresses: use a variable for the pointer");
}

/* ---- loads ----------------------------------------------------------------------------------------------- */

static void need_translation(vptr__emitter *emitter) {
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_TRANSLATION | VPTR__REACHES_POINTERS;
  vptr__emit_need(emitter, "translation", NULL);
}

/* The number itself, also of a value that is no lvalue: a member of what a function returned. */
static void write_number(vptr__emitter *emitter, const vptr__expression *stored, vptr__level least) {
  vptr__expression bare = *stored;
  bare.is_lvalue = true;
  vptr__emit_access(emitter, &bare, least);
}

void vptr__emit_meaning(vptr__emitter *emitter, const vptr__expression *stored) {
  need_translation(emitter);
  vptr__writer_format(emitter->out, "((%s)vptr_in(&vptr->m_translation, ",
                      vptr__emit_type_name(emitter, stored->type));
  write_number(emitter, stored, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "))");
}

static void load_choice(vptr__emitter *emitter, const vptr__expression *choice, vptr__level least) {
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_CONDITIONAL, least);
  vptr__emit_expression(emitter, choice->operands[0], VPTR__LEVEL_OR_OR);
  vptr__writer_text(emitter->out, " ? ");
  vptr__emit_load(emitter, choice->operands[1], VPTR__LEVEL_CONDITIONAL);
  vptr__writer_text(emitter->out, " : ");
  vptr__emit_load(emitter, choice->operands[2], VPTR__LEVEL_CONDITIONAL);
  vptr__emit_close(emitter, opened);
}

/* Either side of a choice may be such a pointer, and the other one none; likewise what is looked up. */
void vptr__emit_load(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least) {
  const bool differs = is_pointer(lvalue->type) || emitter->options->finds_buffers;
  if (differs && lvalue->kind == VPTR__EXPRESSION_CONDITIONAL)
    load_choice(emitter, lvalue, least);
  else if (is_pointer(lvalue->type) && vptr__emit_is_stored(emitter, lvalue))
    vptr__emit_meaning(emitter, lvalue);
  else if (!vptr__emit_found_load(emitter, lvalue))
    vptr__emit_expression(emitter, lvalue, least);
}

/* ---- kernel C -------------------------------------------------------------------------------------------- */

/* __vptr_pointer(bits). */
void vptr__emit_pointer_of_bits(vptr__emitter *emitter, const vptr__expression *call) {
  need_translation(emitter);
  vptr__writer_format(emitter->out, "((%s)vptr_in(&vptr->m_translation, ", vptr__emit_type_name(emitter, call->type));
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "))");
}

/* __vptr_bits(pointer). */
void vptr__emit_bits_of_pointer(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__writer_text(emitter->out, "(");
  vptr__emit_stored(emitter, call->arguments);
  vptr__writer_text(emitter->out, ")");
}

/* __vptr_reach(pointer): other memory than global is where it is. */
void vptr__emit_reach(vptr__emitter *emitter, const vptr__expression *call) {
  if (vptr__infer_space(emitter->instance, call->type) != VPTR__SPACE_GLOBAL) {
    vptr__writer_text(emitter->out, "(");
    vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_COMMA);
    vptr__writer_text(emitter->out, ")");
    return;
  }
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_TRANSLATION;
  vptr__emit_need(emitter, "translation", NULL);
  vptr__emit_need(emitter, "reach", NULL);
  vptr__writer_format(emitter->out, "vptr_reach(%s, ", vptr__emit_type_name(emitter, call->type));
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

/* __vptr_stream(least, greatest, holds). */
void vptr__emit_stream(vptr__emitter *emitter, const vptr__expression *call) {
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_TRANSLATION | VPTR__REACHES_STREAM;
  vptr__emit_need(emitter, "translation", NULL);
  vptr__emit_need(emitter, "reach", NULL);
  vptr__writer_text(emitter->out, "vptr_stream(&vptr->m_translation");
  for (const vptr__expression *each = call->arguments; each != NULL; each = each->next) {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, each, VPTR__LEVEL_ASSIGN);
  }
  vptr__writer_text(emitter->out, ")");
}

/* ---- stores ---------------------------------------------------------------------------------------------- */

/* The stored pointer whose value goes on as it is; NULL: it is another value. */
static const vptr__expression *moved_pointer(vptr__emitter *emitter, const vptr__expression *value) {
  while (value->kind == VPTR__EXPRESSION_CAST && is_pointer(value->type) && is_pointer(value->operands[0]->type))
    value = value->operands[0];
  bool is_load = value->kind == VPTR__EXPRESSION_LOAD && value->operands[0]->kind != VPTR__EXPRESSION_CONDITIONAL;
  return is_load && vptr__emit_is_stored(emitter, value->operands[0]) ? value->operands[0] : NULL;
}

static bool is_null(const vptr__expression *value) {
  while (value->kind == VPTR__EXPRESSION_CAST)
    value = value->operands[0];
  return value->kind == VPTR__EXPRESSION_NULLPTR || (value->kind == VPTR__EXPRESSION_INTEGER && value->integer == 0);
}

void vptr__emit_stored(vptr__emitter *emitter, const vptr__expression *value) {
  const vptr__expression *from = moved_pointer(emitter, value);
  if (is_null(value)) {
    vptr__writer_text(emitter->out, "0");
  } else if (from != NULL) {
    write_number(emitter, from, VPTR__LEVEL_ASSIGN);
  } else {
    need_translation(emitter);
    vptr__writer_text(emitter->out, "vptr_out(&vptr->m_translation, (ulong)");
    vptr__emit_expression(emitter, value, VPTR__LEVEL_UNARY);
    vptr__writer_text(emitter->out, ")");
  }
}

static unsigned long long step_bytes(const vptr__expression *pointer) {
  return (unsigned long long)vptr__type_size(pointer->type->base);
}

/* p += n, as numbers. */
void vptr__emit_stored_assign(vptr__emitter *emitter, const vptr__expression *assign, const char *op) {
  const vptr__expression *target = assign->operands[0];
  vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
  vptr__writer_format(emitter->out, " %s= ", op);
  if (*op == '\0') {
    vptr__emit_stored(emitter, assign->operands[1]);
    return;
  }
  vptr__writer_text(emitter->out, "(ulong)");
  vptr__emit_expression(emitter, assign->operands[1], VPTR__LEVEL_UNARY);
  vptr__writer_format(emitter->out, " * %lluul", step_bytes(target));
}

/* In front: an lvalue, whose value, if it is asked for, is loaded by who asks. Behind: the value before. */
void vptr__emit_stored_step(vptr__emitter *emitter, const vptr__expression *step) {
  static const char *const names[] = { "private", "global", "local", "constant" };
  const vptr__expression *target = step->operands[0];
  const char *sign = step->op == VPTR__TOKEN_INCREMENT ? "" : "-";
  if (!step->is_postfix) {
    vptr__writer_text(emitter->out, "(");
    vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
    vptr__writer_format(emitter->out, " += %s%lluul)", sign, step_bytes(target));
    return;
  }
  const char *space = names[vptr__infer_lvalue(emitter->instance, target)];
  need_translation(emitter);
  vptr__emit_need(emitter, "pointer_step", space);
  vptr__writer_format(emitter->out, "((%s)vptr_in(&vptr->m_translation, vptr_pointer_step_%s(&",
                      vptr__emit_type_name(emitter, target->type), space);
  vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
  vptr__writer_format(emitter->out, ", %s%lluul)))", sign, step_bytes(target));
}
