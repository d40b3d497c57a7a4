/* SPDX-License-Identifier: MIT */
/*
 * place - lvalues. C++ has more of them than C: assignments, ?: and commas may be one. Those are written by their
 * address, and references are addresses anyway.
 *
 * A value that has to lie somewhere (a reference to const is bound to it) gets a variable of the function: `(t =
 * value, &t)`. A compound literal would do in C, but clang takes its address in the wrong space.
 */
#include "translate/emit/emitter.h"

#include "translate/lexer/token.h"

const char *vptr__emit_temporary(vptr__emitter *emitter, const vptr__type *type) {
  const char *name = vptr__arena_format(emitter->arena, "vptr_t%d", ++emitter->temporary_count);
  vptr__writer_format(&emitter->temporaries, "  %s;\n", vptr__emit_bare_declarator(emitter, type, name));
  return name;
}

bool vptr__emit_is_stable(const vptr__expression *lvalue) {
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_NAME:
  case VPTR__EXPRESSION_INTEGER:
    return true;
  case VPTR__EXPRESSION_LOAD:
  case VPTR__EXPRESSION_CAST:
  case VPTR__EXPRESSION_MEMBER:
    return vptr__emit_is_stable(lvalue->operands[0]);
  case VPTR__EXPRESSION_INDEX:
    return vptr__emit_is_stable(lvalue->operands[0]) && vptr__emit_is_stable(lvalue->operands[1]);
  case VPTR__EXPRESSION_UNARY:
    return (lvalue->op == '*' || lvalue->op == '&' || lvalue->op == '-') && vptr__emit_is_stable(lvalue->operands[0]);
  default:
    return false;
  }
}

static bool is_step(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_UNARY && !expression->is_postfix &&
         (expression->op == VPTR__TOKEN_INCREMENT || expression->op == VPTR__TOKEN_DECREMENT);
}

static bool is_comma(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_BINARY && expression->op == ',';
}

static bool needs_address(const vptr__expression *lvalue) {
  return lvalue->is_lvalue && (lvalue->kind == VPTR__EXPRESSION_CONDITIONAL ||
                               lvalue->kind == VPTR__EXPRESSION_ASSIGN || is_step(lvalue) || is_comma(lvalue));
}

void vptr__emit_place(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least) {
  if (!needs_address(lvalue)) {
    vptr__emit_expression(emitter, lvalue, least);
    return;
  }
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
  vptr__writer_text(emitter->out, "*");
  vptr__emit_address(emitter, lvalue, VPTR__LEVEL_UNARY);
  vptr__emit_close(emitter, opened);
}

static void address_of_choice(vptr__emitter *emitter, const vptr__expression *choice) {
  vptr__writer_text(emitter->out, "(");
  vptr__emit_expression(emitter, choice->operands[0], VPTR__LEVEL_OR_OR);
  vptr__writer_text(emitter->out, " ? ");
  vptr__emit_address(emitter, choice->operands[1], VPTR__LEVEL_CONDITIONAL);
  vptr__writer_text(emitter->out, " : ");
  vptr__emit_address(emitter, choice->operands[2], VPTR__LEVEL_CONDITIONAL);
  vptr__writer_text(emitter->out, ")");
}

/* (a = b, &a): what is assigned to must not change by being named again. */
static void address_behind(vptr__emitter *emitter, const vptr__expression *done, const vptr__expression *lvalue) {
  if (done != lvalue && !is_comma(done) && !vptr__emit_is_stable(lvalue)) {
    vptr__source_report(emitter->source, VPTR__ERROR, done->position,
                        "what this assigns to is used again as an lvalue: write two statements");
    return;
  }
  vptr__writer_text(emitter->out, "(");
  vptr__emit_expression(emitter, is_comma(done) ? done->operands[0] : done, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ", ");
  vptr__emit_address(emitter, lvalue, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

static bool is_reference_name(const vptr__expression *lvalue) {
  return lvalue->kind == VPTR__EXPRESSION_NAME && lvalue->declaration->type->kind == VPTR__TYPE_REFERENCE;
}

/* A variable that the context has a pointer to. */
static bool is_of_context(vptr__emitter *emitter, const vptr__expression *lvalue) {
  if (lvalue->kind != VPTR__EXPRESSION_NAME || lvalue->declaration->kind != VPTR__DECLARATION_VARIABLE)
    return false;
  const vptr__context_member *member = vptr__emit_member_of(emitter, lvalue->declaration);
  return member != NULL && member->kind != VPTR__MEMBER_DYNAMIC_SHARED;
}

/* A call that gives a reference gives its address. */
static bool gives_address(const vptr__expression *lvalue) {
  return lvalue->kind == VPTR__EXPRESSION_CALL && lvalue->is_lvalue;
}

static void address_of_call(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__expression bare = *call;
  bare.is_lvalue = false; /* which leaves out the `*` */
  vptr__emit_call(emitter, &bare, VPTR__LEVEL_POSTFIX);
}

void vptr__emit_address(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least) {
  vptr__emit_classify_address(emitter, lvalue);
  if (is_reference_name(lvalue) && vptr__emit_member_of(emitter, lvalue->declaration) == NULL) {
    vptr__writer_text(emitter->out, vptr__emit_declaration_name(emitter, lvalue->declaration));
  } else if (is_of_context(emitter, lvalue)) {
    emitter->reach |= VPTR__REACHES_CONTEXT;
    vptr__writer_format(emitter->out, "vptr->m_%s", vptr__emit_member_of(emitter, lvalue->declaration)->name);
  } else if (lvalue->kind == VPTR__EXPRESSION_UNARY && lvalue->op == '*') {
    vptr__emit_expression(emitter, lvalue->operands[0], least);
  } else if (gives_address(lvalue)) {
    address_of_call(emitter, lvalue);
  } else if (needs_address(lvalue) && lvalue->kind == VPTR__EXPRESSION_CONDITIONAL) {
    address_of_choice(emitter, lvalue);
  } else if (needs_address(lvalue)) {
    address_behind(emitter, lvalue, lvalue->operands[is_comma(lvalue) ? 1 : 0]);
  } else if (lvalue->kind == VPTR__EXPRESSION_CAST && lvalue->is_lvalue) {
    vptr__emit_address(emitter, lvalue->operands[0], least);
  } else {
    bool opened = vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
    vptr__writer_text(emitter->out, "&");
    vptr__emit_expression(emitter, lvalue, VPTR__LEVEL_UNARY);
    vptr__emit_close(emitter, opened);
  }
}

void vptr__emit_reference(vptr__emitter *emitter, const vptr__expression *bound, vptr__level least) {
  if (bound->is_lvalue) {
    vptr__emit_address(emitter, bound, least);
    return;
  }
  const char *name = vptr__emit_temporary(emitter, bound->type);
  vptr__writer_format(emitter->out, "(%s = ", name);
  vptr__emit_expression(emitter, bound, VPTR__LEVEL_ASSIGN);
  vptr__writer_format(emitter->out, ", &%s)", name);
}
