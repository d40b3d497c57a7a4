/* SPDX-License-Identifier: MIT */
/*
 * found - accesses of global memory that look up where it lies, for allocations of several buffers that lie apart.
 *
 * Where the options ask for it, a load, a store and an atomic operation go to vptr_reach(T *, address)
 * (emit/prelude/reach.cl), which is the address in the usual form of a kernel. The address is that of the number that
 * is accessed, `&p->part.values[i]`, and not p: a record may lie across a seam, and what a pointer is moved by leads
 * across many. So a record that may lie so is put together of pieces that cannot (emit/prelude/found.cl). The module's
 * own variables have one buffer each, and no look-up.
 */
#include "translate/emit/emitter.h"

#include "translate/lexer/token.h"

/* ---- which accesses --------------------------------------------------------------------------------------- */

/* Part of a variable, which no pointer led to. */
static bool is_of_variable(const vptr__expression *lvalue) {
  for (;;) {
    const vptr__expression *operand = lvalue->operands[0];
    if (lvalue->kind == VPTR__EXPRESSION_NAME)
      return lvalue->declaration->type->kind != VPTR__TYPE_REFERENCE;
    if (lvalue->kind == VPTR__EXPRESSION_INDEX && operand->kind == VPTR__EXPRESSION_CAST &&
        operand->cast == VPTR__CAST_DECAY)
      lvalue = operand->operands[0];
    else if ((lvalue->kind == VPTR__EXPRESSION_MEMBER && !lvalue->is_arrow) || lvalue->kind == VPTR__EXPRESSION_CAST)
      lvalue = operand;
    else
      return false;
  }
}

/* What assigns writes its own target, and has its value. */
static bool is_assignment(const vptr__expression *lvalue) {
  return lvalue->kind == VPTR__EXPRESSION_ASSIGN ||
         (lvalue->kind == VPTR__EXPRESSION_UNARY &&
          (lvalue->op == VPTR__TOKEN_INCREMENT || lvalue->op == VPTR__TOKEN_DECREMENT));
}

bool vptr__emit_is_found(vptr__emitter *emitter, const vptr__expression *lvalue) {
  return emitter->options->finds_buffers && lvalue->is_lvalue && !is_assignment(lvalue) && !is_of_variable(lvalue) &&
         vptr__infer_lvalue(emitter->instance, lvalue) == VPTR__SPACE_GLOBAL;
}

/* Of a size that windows are a multiple of, so that it lies in one; else in pieces. */
static bool may_cross(const vptr__type *type) {
  return type->kind == VPTR__TYPE_RECORD && vptr__type_alignment(type) < vptr__type_size(type);
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void need_reach(vptr__emitter *emitter, const char *piece) {
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_TRANSLATION;
  vptr__emit_need(emitter, "translation", NULL);
  vptr__emit_need(emitter, "reach", NULL);
  if (piece != NULL)
    vptr__emit_need(emitter, piece, NULL);
}

static const char *pointer_to(vptr__emitter *emitter, const vptr__type *type) {
  return vptr__emit_declarator(emitter, type, "*", VPTR__SPACE_GLOBAL);
}

static void write_found(vptr__emitter *emitter, const vptr__expression *lvalue) {
  need_reach(emitter, NULL);
  vptr__writer_format(emitter->out, "(*vptr_reach(%s, ", pointer_to(emitter, lvalue->type));
  vptr__emit_address(emitter, lvalue, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "))");
}

void vptr__emit_access(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least) {
  if (vptr__emit_is_found(emitter, lvalue))
    write_found(emitter, lvalue);
  else
    vptr__emit_place(emitter, lvalue, least);
}

/* In words where each begins at one, else in bytes. */
static const char *unit_of(const vptr__type *type) {
  return vptr__type_alignment(type) >= 4 ? "words" : "bytes";
}

/* What the other operand is written behind is left open. */
static void begin_record(vptr__emitter *emitter, const char *verb, const vptr__expression *lvalue) {
  need_reach(emitter, "found");
  vptr__writer_format(emitter->out, "vptr_%s_%s(%s, %s, ", verb, unit_of(lvalue->type),
                      pointer_to(emitter, lvalue->type), vptr__emit_temporary(emitter, lvalue->type));
  vptr__emit_address(emitter, lvalue, VPTR__LEVEL_ASSIGN);
}

bool vptr__emit_found_load(vptr__emitter *emitter, const vptr__expression *lvalue) {
  if (!vptr__emit_is_found(emitter, lvalue))
    return false;
  if (may_cross(lvalue->type)) {
    begin_record(emitter, "gather", lvalue);
    vptr__writer_text(emitter->out, ")");
  } else {
    write_found(emitter, lvalue);
  }
  return true;
}

bool vptr__emit_found_record(vptr__emitter *emitter, const vptr__expression *assign) {
  const vptr__expression *target = assign->operands[0];
  if (!vptr__emit_is_found(emitter, target) || !may_cross(target->type))
    return false;
  begin_record(emitter, "scatter", target);
  vptr__writer_text(emitter->out, ", (");
  vptr__emit_expression(emitter, assign->operands[1], VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "))");
  return true;
}

bool vptr__emit_found_pointer(vptr__emitter *emitter, const vptr__expression *pointer) {
  if (!emitter->options->finds_buffers || pointer->type->kind != VPTR__TYPE_POINTER ||
      vptr__infer_pointee(emitter->instance, pointer) != VPTR__SPACE_GLOBAL)
    return false;
  need_reach(emitter, NULL);
  vptr__writer_format(emitter->out, "vptr_reach(%s, ", vptr__emit_type_name(emitter, pointer->type));
  vptr__emit_expression(emitter, pointer, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
  return true;
}

void vptr__emit_need_bytes(vptr__emitter *emitter) {
  need_reach(emitter, "found");
}
