/* SPDX-License-Identifier: MIT */
/*
 * gathering - calls that all threads of the block make together, in a function in which one work-item runs a block: see
 * outline.h. Arguments that differ are arrays with an element for each thread, and so is what comes back; a vote is a
 * number. Exchanges of warps are exchange.c's.
 */
#include "translate/emit/outline.h"
#include "translate/types/builtin.h"

#include <string.h>

const char *vptr__outline_gathered(vptr__emitter *emitter, const vptr__gathering *gathering) {
  return vptr__arena_format(emitter->arena, "vptr_g%u", gathering->number);
}

static bool is_exchange(const vptr__gathering *gathering) {
  return gathering->call->kind == VPTR__EXPRESSION_BUILT_IN_CALL &&
         (gathering->call->builtin->flags & VPTR__BUILTIN_WARP) != 0;
}

static bool is_vote(const vptr__gathering *gathering) {
  return gathering->call->kind == VPTR__EXPRESSION_BUILT_IN_CALL;
}

/* ---- before the expression --------------------------------------------------------------------------------- */

static void write_vote(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emitter *emitter = outline->emitter;
  const char *name = vptr__outline_gathered(emitter, gathering);
  vptr__writer_format(&outline->heads, "  int %s;\n", name);
  vptr__emit_line_begin(emitter, gathering->call->position);
  vptr__writer_format(emitter->out, "%s = 0;", name);
  vptr__emit_line_end(emitter, "");
  if (gathering->call->arguments == NULL)
    return;
  vptr__outline_enter(outline, gathering->region);
  vptr__emit_line_begin(emitter, gathering->call->position);
  vptr__writer_format(emitter->out, "%s += (", name);
  vptr__emit_expression(emitter, gathering->call->arguments, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, ") != 0;");
  vptr__outline_close(outline);
}

static const char *array_of_callee(vptr__outline *outline, vptr__instance *callee, const vptr__type *type,
                                   const char *name) {
  vptr__emitter *emitter = outline->emitter;
  vptr__instance *own = emitter->instance;
  emitter->instance = callee;
  const char *text = vptr__outline_array(outline, type, name);
  emitter->instance = own;
  return text;
}

static const char *argument_name(vptr__emitter *emitter, const vptr__gathering *gathering, int index) {
  return vptr__arena_format(emitter->arena, "vptr_g%u_%d", gathering->number, index);
}

static void write_array_argument(vptr__outline *outline, const vptr__gathering *gathering, vptr__instance *callee,
                                 const vptr__declaration *parameter, const vptr__expression *argument, int index) {
  vptr__emitter *emitter = outline->emitter;
  const char *name = argument_name(emitter, gathering, index);
  vptr__writer_format(&outline->heads, "  %s;\n", array_of_callee(outline, callee, parameter->type, name));
  vptr__outline_enter(outline, gathering->region);
  vptr__emit_line_begin(emitter, argument->position);
  vptr__writer_format(emitter->out, "%s[VPTR_AT] = ", name);
  if (parameter->type->kind == VPTR__TYPE_REFERENCE)
    vptr__emit_reference(emitter, argument, VPTR__LEVEL_ASSIGN);
  else
    vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
  vptr__emit_line_end(emitter, ";");
}

static void write_arguments(vptr__outline *outline, const vptr__gathering *gathering, vptr__instance *callee) {
  const vptr__declaration *parameter = callee->function->type->parameters;
  int index = 0;
  for (const vptr__expression *each = gathering->call->arguments; each != NULL && parameter != NULL;
       each = each->next, parameter = parameter->next, index++)
    if (vptr__loops_takes_array(callee, parameter))
      write_array_argument(outline, gathering, callee, parameter, each, index);
  vptr__outline_close(outline);
}

static void write_call(vptr__outline *outline, const vptr__gathering *gathering, vptr__instance *callee) {
  vptr__emitter *emitter = outline->emitter;
  const vptr__declaration *parameter = callee->function->type->parameters;
  int index = 0;
  vptr__emit_line_begin(emitter, gathering->call->position);
  vptr__writer_format(emitter->out, "%s(", vptr__emit_loops_name(emitter, callee));
  if (callee->reach != 0) {
    emitter->reach |= callee->reach | VPTR__REACHES_CONTEXT;
    vptr__writer_text(emitter->out, "vptr, ");
  }
  for (const vptr__expression *each = gathering->call->arguments; each != NULL && parameter != NULL;
       each = each->next, parameter = parameter->next, index++) {
    if (vptr__loops_takes_array(callee, parameter))
      vptr__writer_text(emitter->out, argument_name(emitter, gathering, index));
    else
      vptr__emit_expression(emitter, each, VPTR__LEVEL_ASSIGN);
    vptr__writer_text(emitter->out, ", ");
  }
  if (callee->function->type->base->kind != VPTR__TYPE_VOID)
    vptr__writer_format(emitter->out, "%s, ", vptr__outline_gathered(emitter, gathering));
  vptr__writer_text(emitter->out, "VPTR_BLOCK_HERE); ");
  if (callee->asserts)
    vptr__emit_stopped(emitter);
  vptr__emit_line_end(emitter, "");
}

static void write_gathering(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emitter *emitter = outline->emitter;
  if (is_exchange(gathering)) {
    vptr__outline_exchange(outline, gathering);
    return;
  }
  if (is_vote(gathering)) {
    write_vote(outline, gathering);
    return;
  }
  vptr__instance *callee = vptr__infer_callee(emitter->instance, gathering->call);
  const vptr__type *returned = callee->function->type->base;
  if (returned->kind != VPTR__TYPE_VOID)
    vptr__writer_format(&outline->heads, "  %s;\n",
                        array_of_callee(outline, callee, returned, vptr__outline_gathered(emitter, gathering)));
  write_arguments(outline, gathering, callee);
  write_call(outline, gathering, callee);
}

void vptr__outline_gather(vptr__outline *outline, const vptr__part *part) {
  if (part->gatherings == NULL)
    return;
  vptr__outline_close(outline);
  for (const vptr__gathering *each = part->gatherings; each != NULL; each = each->next)
    write_gathering(outline, each);
}

/* ---- in it ------------------------------------------------------------------------------------------------- */

static void write_vote_result(vptr__emitter *emitter, const vptr__gathering *gathering) {
  const char *word = gathering->call->builtin->lowered, *name = vptr__outline_gathered(emitter, gathering);
  if (strcmp(word, "vptr_barrier_or") == 0)
    vptr__writer_format(emitter->out, "(%s != 0)", name);
  else if (strcmp(word, "vptr_barrier_and") == 0)
    vptr__writer_format(emitter->out, "(%s == (int)(vptr_bx * vptr_by * vptr_bz))", name);
  else
    vptr__writer_format(emitter->out, "(%s)", name);
}

bool vptr__emit_gathered(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__gathering *gathering = emitter->loops != NULL ? vptr__loops_gathering(emitter->loops, call) : NULL;
  if (gathering == NULL)
    return false;
  if (is_exchange(gathering)) {
    vptr__emit_exchanged(emitter, gathering);
    return true;
  }
  if (is_vote(gathering)) {
    write_vote_result(emitter, gathering);
    return true;
  }
  const vptr__type *returned = vptr__infer_callee(emitter->instance, call)->function->type->base;
  bool is_place = call->is_lvalue && returned->kind == VPTR__TYPE_REFERENCE;
  if (returned->kind == VPTR__TYPE_VOID)
    vptr__writer_text(emitter->out, "((void)0)");
  else
    vptr__writer_format(emitter->out, is_place ? "(*%s[VPTR_AT])" : "%s[VPTR_AT]",
                        vptr__outline_gathered(emitter, gathering));
  return true;
}
