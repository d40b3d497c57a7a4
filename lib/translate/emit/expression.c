/* SPDX-License-Identifier: MIT */
/*
 * expression - expressions by their kind. Each is written into a place where only what binds at least as tightly as
 * `least` may stand, and puts itself in parentheses if it does not.
 */
#include "translate/emit/emitter.h"

#include "translate/lexer/token.h"
#include "translate/lower/loops.h"

#include <string.h>

bool vptr__emit_open(vptr__emitter *emitter, vptr__level level, vptr__level least) {
  if (level >= least)
    return false;
  vptr__writer_text(emitter->out, "(");
  return true;
}

void vptr__emit_close(vptr__emitter *emitter, bool opened) {
  if (opened)
    vptr__writer_text(emitter->out, ")");
}

const vptr__expression *vptr__emit_unloaded(const vptr__expression *expression) {
  while (expression->kind == VPTR__EXPRESSION_LOAD)
    expression = expression->operands[0];
  return expression;
}

bool vptr__emit_is_dynamic_shared(const vptr__declaration *variable) {
  return (variable->flags & VPTR__SHARED) && (variable->flags & VPTR__EXTERN);
}

vptr__context_member *vptr__emit_member_of(vptr__emitter *emitter, const vptr__declaration *variable) {
  const vptr__declaration *definition = variable->definition != NULL ? variable->definition : variable;
  if (vptr__emit_is_dynamic_shared(variable))
    return emitter->plan->dynamic;
  void **slot = vptr__map_find(&emitter->plan->members_by_variable, (uintptr_t)definition);
  return slot != NULL ? *slot : NULL;
}

const char *vptr__emit_index(vptr__emitter *emitter, vptr__built_in of, const char *member) {
  static const char *const stems[] = { "THREAD_IDX", "BLOCK_IDX", "BLOCK_DIM", "GRID_DIM" };
  static const char *const letters[] = { "", "i", "b", "g" };
  if (emitter->has_place)
    return vptr__arena_format(emitter->arena, "vptr_%s%s", letters[of], member);
  vptr__emit_need(emitter, "index", NULL);
  return vptr__arena_format(emitter->arena, "VPTR_%s_%s", stems[of], member);
}

static const char *built_in_member(vptr__emitter *emitter, const vptr__declaration *variable, const char *member) {
  return vptr__emit_index(emitter, variable->built_in, member);
}

/* Whole: a temporary, filled. */
static void built_in_whole(vptr__emitter *emitter, const vptr__expression *name) {
  const char *value = vptr__emit_temporary(emitter, name->type);
  vptr__writer_format(emitter->out, "(%s.x = %s, %s.y = %s, %s.z = %s, %s)", value,
                      built_in_member(emitter, name->declaration, "x"), value,
                      built_in_member(emitter, name->declaration, "y"), value,
                      built_in_member(emitter, name->declaration, "z"), value);
}

/* A variable of the module or of the block, behind a pointer of the context. */
static void context_variable(vptr__emitter *emitter, const vptr__expression *name,
                             const vptr__context_member *member) {
  emitter->reach |= VPTR__REACHES_CONTEXT;
  if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED) {
    vptr__type element = *name->declaration->type->base;
    vptr__writer_format(
        emitter->out, "((%s)vptr->m_dynamic)",
        vptr__emit_declarator(emitter, &element, element.kind == VPTR__TYPE_ARRAY ? "(*)" : "*", VPTR__SPACE_SHARED));
    return;
  }
  vptr__writer_format(emitter->out, "(*vptr->m_%s)", member->name);
}

/* A constant of the host's, of which kernels may know the value. */
static bool constant_of_host(vptr__emitter *emitter, const vptr__declaration *variable, vptr__level least) {
  if (variable->has_value && vptr__type_is_integer(variable->type)) {
    vptr__emit_integer(emitter, (uint64_t)variable->value, variable->type, least);
    return true;
  }
  if (!(variable->flags & VPTR__AT_NAMESPACE) || variable->initializer == NULL ||
      !vptr__type_is_arithmetic(variable->type))
    return false;
  const char *type = vptr__emit_type_name(emitter, variable->type);
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
  vptr__writer_format(emitter->out, "(%s)", type);
  vptr__emit_expression(emitter, variable->initializer, VPTR__LEVEL_UNARY);
  vptr__emit_close(emitter, opened);
  return true;
}

static void write_name(vptr__emitter *emitter, const vptr__expression *name, vptr__level least) {
  const vptr__declaration *declaration = name->declaration;
  if (declaration->kind == VPTR__DECLARATION_ENUMERATOR) {
    vptr__emit_integer(emitter, (uint64_t)declaration->value, name->type, least);
    return;
  }
  if (declaration->flags & VPTR__BUILT_IN) {
    if (declaration->built_in == VPTR__WARP_SIZE)
      vptr__writer_text(emitter->out, "32");
    else
      built_in_whole(emitter, name);
    return;
  }
  const vptr__context_member *member = vptr__emit_member_of(emitter, declaration);
  if (member != NULL) {
    context_variable(emitter, name, member);
    return;
  }
  bool is_local = declaration->kind == VPTR__DECLARATION_PARAMETER || !(declaration->flags & VPTR__AT_NAMESPACE);
  if (!is_local || declaration->scope != NULL) {
    if (!constant_of_host(emitter, declaration, least))
      vptr__source_report(
          emitter->source, VPTR__ERROR, name->position,
          "'%s' is the host's, and not a number known when translating: declare it __constant__ or __device__",
          declaration->name->text);
    return;
  }
  bool is_reference = declaration->type->kind == VPTR__TYPE_REFERENCE;
  vptr__writer_format(emitter->out, is_reference ? "(*%s)" : "%s", vptr__emit_declaration_name(emitter, declaration));
}

static bool is_built_in(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_NAME && expression->declaration != NULL &&
         (expression->declaration->flags & VPTR__BUILT_IN);
}

/* An anonymous member: its own members are written behind what it is a member of. */
static bool is_anonymous(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_MEMBER && expression->declaration->name == NULL &&
         expression->declaration->type->kind == VPTR__TYPE_RECORD;
}

static void write_member(vptr__emitter *emitter, const vptr__expression *expression) {
  const vptr__expression *object = expression->operands[0];
  const char *name = is_anonymous(expression) ? "" : vptr__emit_declaration_name(emitter, expression->declaration);
  bool is_reference = expression->declaration->type->kind == VPTR__TYPE_REFERENCE;
  if (is_built_in(vptr__emit_unloaded(object))) {
    vptr__writer_text(emitter->out, built_in_member(emitter, vptr__emit_unloaded(object)->declaration, name));
    return;
  }
  if (is_reference)
    vptr__writer_text(emitter->out, "(*");
  const vptr__expression *named = vptr__emit_unloaded(object);
  bool by_reference = !expression->is_arrow && named->kind == VPTR__EXPRESSION_NAME &&
                      named->declaration->type->kind == VPTR__TYPE_REFERENCE;
  if (by_reference)
    vptr__emit_address(emitter, named, VPTR__LEVEL_POSTFIX);
  else if (expression->is_arrow)
    vptr__emit_expression(emitter, object, VPTR__LEVEL_POSTFIX);
  else
    vptr__emit_place(emitter, object, VPTR__LEVEL_POSTFIX);
  const char *link = is_anonymous(named) ? "" : expression->is_arrow || by_reference ? "->" : ".";
  vptr__writer_format(emitter->out, "%s%s", link, name);
  vptr__emit_close(emitter, is_reference);
}

/* One work-item runs the block, and an element of an array of the thread's has become an array. */
static bool is_spread(const vptr__emitter *emitter, const vptr__expression *element) {
  const vptr__expression *array = element;
  while (array->kind == VPTR__EXPRESSION_INDEX && array->operands[0]->kind == VPTR__EXPRESSION_CAST &&
         array->operands[0]->cast == VPTR__CAST_DECAY)
    array = array->operands[0]->operands[0];
  if (emitter->loops == NULL || element->type->kind == VPTR__TYPE_ARRAY || array->kind != VPTR__EXPRESSION_NAME)
    return false;
  const vptr__place_of *place = vptr__loops_place(emitter->loops, array->declaration);
  return place != NULL && place->is_spread;
}

static void write_index(vptr__emitter *emitter, const vptr__expression *expression) {
  const vptr__expression *base = expression->operands[0];
  bool is_array = base->kind == VPTR__EXPRESSION_CAST && base->cast == VPTR__CAST_DECAY;
  vptr__emit_expression(emitter, is_array ? base->operands[0] : base, VPTR__LEVEL_POSTFIX);
  vptr__writer_text(emitter->out, "[");
  vptr__emit_expression(emitter, expression->operands[1], VPTR__LEVEL_COMMA);
  vptr__writer_text(emitter->out, is_spread(emitter, expression) ? "][VPTR_AT]" : "]");
}

static void write_conditional(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_CONDITIONAL, least);
  vptr__emit_expression(emitter, expression->operands[0], VPTR__LEVEL_OR_OR);
  vptr__writer_text(emitter->out, " ? ");
  vptr__emit_expression(emitter, expression->operands[1], VPTR__LEVEL_CONDITIONAL);
  vptr__writer_text(emitter->out, " : ");
  vptr__emit_expression(emitter, expression->operands[2], VPTR__LEVEL_CONDITIONAL);
  vptr__emit_close(emitter, opened);
}

static void refuse_expression(vptr__emitter *emitter, const vptr__expression *expression) {
  vptr__source_report(emitter->source, VPTR__ERROR, expression->position,
                      "an expression of this kind (%d) cannot be written in OpenCL C: write it in simpler steps",
                      (int)expression->kind);
}

/* What a launch in a kernel names its kernel by: which of the module's lines it is, from 0. */
static void write_kernel_number(vptr__emitter *emitter, const vptr__expression *number, vptr__level least) {
  const vptr__declaration *function = number->declaration;
  const vptr__kernel_plan *kernel = emitter->plan->kernels;
  uint64_t index = 0;
  if (function->definition != NULL)
    function = function->definition;
  for (; kernel != NULL && kernel->instance->function != function; kernel = kernel->next)
    index++;
  if (kernel == NULL)
    vptr__source_report(emitter->source, VPTR__ERROR, number->position,
                        "kernel '%s' is launched by a kernel, and is not defined in this file: define it here",
                        function->name->text);
  vptr__emit_integer(emitter, index, number->type, least);
}

/* Else it is a constant, and perhaps the enumerator that it was. */
static bool names_kernel(const vptr__expression *integer) {
  return integer->declaration != NULL && integer->declaration->kind == VPTR__DECLARATION_FUNCTION;
}

void vptr__emit_expression(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  vptr__arena_enter(emitter->arena);
  switch (expression->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_BOOL:
    if (names_kernel(expression))
      write_kernel_number(emitter, expression, least);
    else
      vptr__emit_integer(emitter, expression->integer, expression->type, least);
    break;
  case VPTR__EXPRESSION_FLOATING:
    vptr__emit_floating(emitter, expression->floating, expression->type->kind == VPTR__TYPE_FLOAT, least);
    break;
  case VPTR__EXPRESSION_STRING:
    vptr__emit_string(emitter, expression->text, expression->length);
    break;
  case VPTR__EXPRESSION_NULLPTR:
    vptr__writer_text(emitter->out, "0");
    break;
  case VPTR__EXPRESSION_NAME:
    write_name(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_CALL:
    vptr__emit_call(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    vptr__emit_builtin_call(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_MEMBER:
    if (!expression->is_lvalue && vptr__emit_is_stored(emitter, expression))
      vptr__emit_meaning(emitter, expression);
    else
      write_member(emitter, expression);
    break;
  case VPTR__EXPRESSION_INDEX:
    write_index(emitter, expression);
    break;
  case VPTR__EXPRESSION_UNARY:
    vptr__emit_unary(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_BINARY:
    vptr__emit_binary(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_ASSIGN:
    vptr__emit_assign(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    write_conditional(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_CAST:
    vptr__emit_cast(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST:
    vptr__emit_construct(emitter, expression, least);
    break;
  case VPTR__EXPRESSION_LOAD:
    vptr__emit_load(emitter, expression->operands[0], least);
    break;
  default:
    refuse_expression(emitter, expression);
    break;
  }
  vptr__arena_leave(emitter->arena);
}
