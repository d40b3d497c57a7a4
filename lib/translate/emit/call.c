/* SPDX-License-Identifier: MIT */
/* call - calls of the program's functions, by their instances, and of CUDA's, by the table. */
#include "translate/emit/emitter.h"

#include <string.h>

static void write_arguments(vptr__emitter *emitter, const vptr__instance *callee, const vptr__expression *call) {
  const vptr__declaration *parameter = callee->function->type->parameters;
  bool is_first = true;
  if (callee->reach != 0) {
    emitter->reach |= callee->reach | VPTR__REACHES_CONTEXT;
    vptr__writer_text(emitter->out, "vptr");
    is_first = false;
  }
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next) {
    if (!is_first)
      vptr__writer_text(emitter->out, ", ");
    is_first = false;
    if (parameter != NULL && parameter->type->kind == VPTR__TYPE_REFERENCE)
      vptr__emit_reference(emitter, argument, VPTR__LEVEL_ASSIGN);
    else
      vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
    if (parameter != NULL)
      parameter = parameter->next;
  }
  if (emitter->has_place && callee->needs_place)
    vptr__writer_format(emitter->out, "%svptr_x, vptr_y, vptr_z, VPTR_BLOCK_HERE", is_first ? "" : ", ");
}

static const char *called_name(vptr__emitter *emitter, const vptr__instance *callee) {
  const char *name = vptr__emit_function_name(emitter, callee);
  return emitter->has_place && callee->needs_place ? vptr__arena_format(emitter->arena, "%s__placed", name) : name;
}

void vptr__emit_call(vptr__emitter *emitter, const vptr__expression *call, vptr__level least) {
  vptr__instance *callee = vptr__infer_callee(emitter->instance, call);
  if (callee == NULL) {
    vptr__source_report(emitter->source, VPTR__ERROR, call->position,
                        "what is called here is not known when translating: call a function by its name");
    return;
  }
  if (vptr__emit_gathered(emitter, call))
    return;
  bool is_reference = call->is_lvalue && callee->function->type->base->kind == VPTR__TYPE_REFERENCE;
  bool opened = is_reference && vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
  vptr__writer_text(emitter->out, is_reference ? "*" : "");
  bool has_begun = vptr__emit_call_begin(emitter, callee);
  vptr__writer_format(emitter->out, "%s(", called_name(emitter, callee));
  write_arguments(emitter, callee, call);
  vptr__writer_text(emitter->out, ")");
  vptr__emit_call_end(emitter, callee, has_begun);
  vptr__emit_close(emitter, opened);
}

/* ---- CUDA's ----------------------------------------------------------------------------------------------- */

static const char *const space_names[] = { "private", "global", "local", "constant" };

const vptr__expression *vptr__emit_argument(const vptr__expression *call, int index) {
  const vptr__expression *argument = call->arguments;
  while (argument != NULL && index-- > 0)
    argument = argument->next;
  return argument;
}

static const vptr__expression *first_pointer(const vptr__expression *call) {
  const vptr__expression *argument = call->arguments;
  while (argument != NULL && argument->type->kind != VPTR__TYPE_POINTER)
    argument = argument->next;
  return argument;
}

/* The name of the space of the first pointer; NULL: the call was refused. */
static const char *space_of(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression *pointer = first_pointer(call);
  vptr__space space = pointer != NULL ? vptr__infer_pointee(emitter->instance, pointer) : VPTR__SPACE_PRIVATE;
  if ((call->builtin->flags & VPTR__BUILTIN_ATOMIC) && space != VPTR__SPACE_GLOBAL && space != VPTR__SPACE_SHARED) {
    vptr__source_report(
        emitter->source, VPTR__ERROR, call->position,
        "%s() works on global and shared memory, and this pointer is to a thread's own: use plain operators",
        call->builtin->name);
    return NULL;
  }
  return space_names[space];
}

/* The table's types are nobody's, so a pointer goes without its implicit conversion: const and void need none. */
static void write_plain_argument(vptr__emitter *emitter, const vptr__expression *argument) {
  while (argument->type->kind == VPTR__TYPE_POINTER && argument->kind == VPTR__EXPRESSION_CAST &&
         argument->cast == VPTR__CAST_IMPLICIT && argument->operands[0]->type->kind == VPTR__TYPE_POINTER)
    argument = argument->operands[0];
  if (!vptr__emit_found_pointer(emitter, argument))
    vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
}

/* An int that is written as the bool it comes from, a uchar: OpenCL's overloads would take it for one. */
static bool is_written_as_bool(const vptr__expression *argument) {
  if (argument->type->kind != VPTR__TYPE_INT)
    return false;
  if (argument->kind == VPTR__EXPRESSION_CONDITIONAL)
    return is_written_as_bool(argument->operands[1]) || is_written_as_bool(argument->operands[2]);
  return argument->kind == VPTR__EXPRESSION_CAST && argument->operands[0]->type->kind == VPTR__TYPE_BOOL;
}

/* Where one work-item runs the block, it alone has the block's shared memory. */
static bool is_own(const vptr__emitter *emitter, const vptr__builtin *builtin, const char *space) {
  return emitter->has_place && (builtin->flags & VPTR__BUILTIN_ATOMIC) && strcmp(space, space_names[2]) == 0;
}

/* Of the operation's name, and the type that it gives back. */
static void write_own_name(vptr__emitter *emitter, const vptr__builtin *builtin) {
  static const char mark[] = "atomic_";
  const char *operation = strstr(builtin->lowered, mark) + sizeof mark - 1, *type = "";
  switch (builtin->signature[0]) {
  case 'i':
    type = "int";
    break;
  case 'j':
    type = "uint";
    break;
  case 'x':
    type = "long";
    break;
  case 'y':
    type = "ulong";
    break;
  case 'f':
    type = "float";
    break;
  default:
    type = "double";
    break;
  }
  const char *name = vptr__arena_format(emitter->arena, "own_%.*s_%s", (int)strcspn(operation, "_"), operation, type);
  vptr__emit_need(emitter, name, NULL);
  vptr__writer_format(emitter->out, "vptr_%s(", name);
}

static void write_builtin_name(vptr__emitter *emitter, const vptr__builtin *builtin, const char *space) {
  bool by_space = (builtin->flags & VPTR__BUILTIN_BY_SPACE) != 0;
  if (is_own(emitter, builtin, space)) {
    write_own_name(emitter, builtin);
    return;
  }
  if (builtin->unit != NULL)
    vptr__emit_need(emitter, builtin->unit, space);
  vptr__writer_format(emitter->out, "%s%s%s(", builtin->lowered, by_space ? "_" : "", by_space ? space : "");
}

/* The record as two numbers, and the answer as a record: pointers in it are what they are in memory. */
static void write_locked(vptr__emitter *emitter, const vptr__expression *call, const char *space) {
  const vptr__builtin *builtin = call->builtin;
  const char *record = vptr__emit_type_name(emitter, call->type);
  bool is_plain = is_own(emitter, builtin, space);
  vptr__emit_need(emitter, is_plain ? vptr__arena_format(emitter->arena, "own_%s", builtin->unit) : builtin->unit,
                  space);
  vptr__writer_format(emitter->out, "((union { ulong2 bits; %s value; }){ .bits = vptr_%s%s_%s(", record,
                      is_plain ? "own_" : "", builtin->unit, space);
  vptr__writer_format(emitter->out, "(volatile __%s vptr_any_ulong *)", space);
  if (!vptr__emit_found_pointer(emitter, call->arguments))
    vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_UNARY);
  const vptr__expression *argument = call->arguments->next;
  for (; argument->next != NULL; argument = argument->next) {
    vptr__writer_format(emitter->out, ", ((union { %s value; ulong2 bits; }){ .value = ", record);
    vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
    vptr__writer_text(emitter->out, " }).bits");
  }
  vptr__writer_text(emitter->out, ", ");
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ") }).value");
}

void vptr__emit_builtin_call(vptr__emitter *emitter, const vptr__expression *call, vptr__level least) {
  const vptr__builtin *builtin = call->builtin;
  if (vptr__emit_gathered(emitter, call) || vptr__emit_asked_lane(emitter, call))
    return;
  if (builtin->flags & VPTR__BUILTIN_SPECIAL) {
    vptr__emit_special(emitter, call, least);
    return;
  }
  const char *space = NULL;
  if (builtin->flags & (VPTR__BUILTIN_BY_SPACE | VPTR__BUILTIN_ATOMIC)) {
    space = space_of(emitter, call);
    if (space == NULL)
      return;
  }
  if (builtin->flags & VPTR__BUILTIN_LOCKED) {
    write_locked(emitter, call, space);
    return;
  }
  write_builtin_name(emitter, builtin, space);
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next) {
    bool is_other = (builtin->flags & VPTR__BUILTIN_COMMON) && argument->type->kind != call->type->kind;
    const vptr__type *type = is_other ? call->type : argument->type;
    is_other = is_other || is_written_as_bool(argument);
    if (is_other)
      vptr__writer_format(emitter->out, "(%s)(", vptr__emit_type_name(emitter, type));
    write_plain_argument(emitter, argument);
    vptr__emit_close(emitter, is_other);
    if (argument->next != NULL)
      vptr__writer_text(emitter->out, ", ");
  }
  vptr__writer_text(emitter->out, ")");
}
