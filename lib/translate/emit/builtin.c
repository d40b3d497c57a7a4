/* SPDX-License-Identifier: MIT */
/* builtin - functions of CUDA's that are not a function here: barriers, copies, loads, and what has two results. */
#include "translate/emit/emitter.h"

#include <string.h>

typedef void writer(vptr__emitter *emitter, const vptr__expression *call);

static const char fence[] = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";

static void write_barrier(vptr__emitter *emitter, const vptr__expression *call) {
  (void)call;
  vptr__writer_format(emitter->out, "barrier(%s)", fence);
}

static void write_vote(vptr__emitter *emitter, const vptr__expression *call) {
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_SCRATCH;
  vptr__emit_need(emitter, call->builtin->unit, NULL);
  vptr__writer_format(emitter->out, "%s(vptr->m_scratch, ", call->builtin->lowered);
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

/* In the order of the arguments, behind the table. */
static void write_texels(vptr__emitter *emitter, const vptr__expression *call) {
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_TEXELS;
  vptr__emit_need(emitter, call->builtin->unit, NULL);
  vptr__writer_format(emitter->out, "%s(vptr->m_texels", call->builtin->lowered);
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next) {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
  }
  vptr__writer_text(emitter->out, ")");
}

static void write_trap(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_LAUNCH_FAILED = 719 };
  (void)call;
  vptr__emit_failure(emitter, CUDA_ERROR_LAUNCH_FAILED);
}

static void write_nothing(vptr__emitter *emitter, const vptr__expression *call) {
  (void)call;
  vptr__writer_text(emitter->out, "((void)0)");
}

static void write_expected(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_POSTFIX);
}

/* What the argument points to, as an lvalue. */
static vptr__expression pointee_of(const vptr__expression *argument) {
  return (vptr__expression){ .kind = VPTR__EXPRESSION_UNARY,
                             .op = '*',
                             .position = argument->position,
                             .type = argument->type->base,
                             .is_lvalue = true,
                             .operands = { (vptr__expression *)(uintptr_t)argument } };
}

static void write_pointee(vptr__emitter *emitter, const vptr__expression *pointer) {
  if (pointer->kind == VPTR__EXPRESSION_UNARY && pointer->op == '&') {
    vptr__emit_access(emitter, pointer->operands[0], VPTR__LEVEL_UNARY);
    return;
  }
  const vptr__expression pointee = pointee_of(pointer);
  if (vptr__emit_is_found(emitter, &pointee)) {
    vptr__emit_access(emitter, &pointee, VPTR__LEVEL_UNARY);
    return;
  }
  vptr__writer_text(emitter->out, "*");
  vptr__emit_expression(emitter, pointer, VPTR__LEVEL_UNARY);
}

static void write_load(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression pointee = pointee_of(call->arguments);
  if (vptr__emit_is_stored(emitter, &pointee)) {
    vptr__emit_meaning(emitter, &pointee);
    return;
  }
  if (vptr__emit_found_load(emitter, &pointee))
    return;
  vptr__writer_text(emitter->out, "(");
  write_pointee(emitter, call->arguments);
  vptr__writer_text(emitter->out, ")");
}

static void write_store(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__expression pointee = pointee_of(call->arguments), assign = pointee;
  assign.operands[0] = &pointee;
  assign.operands[1] = (vptr__expression *)(uintptr_t)vptr__emit_argument(call, 1);
  if (vptr__emit_found_record(emitter, &assign))
    return;
  if (vptr__emit_is_stored(emitter, &pointee)) {
    vptr__writer_text(emitter->out, "(");
    vptr__emit_access(emitter, &pointee, VPTR__LEVEL_UNARY);
    vptr__writer_text(emitter->out, " = ");
    vptr__emit_stored(emitter, vptr__emit_argument(call, 1));
    vptr__writer_text(emitter->out, ")");
    return;
  }
  vptr__writer_text(emitter->out, "(");
  write_pointee(emitter, call->arguments);
  vptr__writer_text(emitter->out, " = ");
  vptr__emit_expression(emitter, vptr__emit_argument(call, 1), VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

/* The device's own address. */
static void write_number(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__writer_text(emitter->out, "((ulong)");
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_UNARY);
  vptr__writer_text(emitter->out, ")");
}

/* An if that asks this alone is taken apart before the driver sees it (statement.c). */
static void write_native(vptr__emitter *emitter, const vptr__expression *call) {
  (void)call;
  vptr__writer_text(emitter->out, "(VPTR_PTX != 0)");
}

/* The way back, into the memory that infer/ has from the function's name. */
static void write_pointer_of_number(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__writer_format(emitter->out, "((%s)(ulong)", vptr__emit_type_name(emitter, call->type));
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_UNARY);
  vptr__writer_text(emitter->out, ")");
}

static void write_block(vptr__emitter *emitter, const vptr__expression *call) {
  (void)call;
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_BLOCK;
  vptr__writer_text(emitter->out, "(vptr->m_block)");
}

/* What the launch says of the grid, and room for blocks that wait (lib/cudart/module/grid.c). */
static void write_grid(vptr__emitter *emitter, const vptr__expression *call) {
  (void)call;
  emitter->reach |= VPTR__REACHES_CONTEXT | VPTR__REACHES_GRID;
  vptr__writer_text(emitter->out, "((__global char *)vptr->m_grid)");
}

/* sincos(x, &s, &c): OpenCL gives the sine back. */
static void write_sincos(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__writer_text(emitter->out, "(");
  write_pointee(emitter, vptr__emit_argument(call, 1));
  vptr__writer_text(emitter->out, " = sincos(");
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ", ");
  if (!vptr__emit_found_pointer(emitter, vptr__emit_argument(call, 2)))
    vptr__emit_expression(emitter, vptr__emit_argument(call, 2), VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "))");
}

static void write_sincospi(vptr__emitter *emitter, const vptr__expression *call) {
  const char *angle = vptr__emit_temporary(emitter, call->arguments->type);
  vptr__writer_format(emitter->out, "(%s = ", angle);
  vptr__emit_expression(emitter, call->arguments, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ", ");
  write_pointee(emitter, vptr__emit_argument(call, 1));
  vptr__writer_format(emitter->out, " = sinpi(%s), ", angle);
  write_pointee(emitter, vptr__emit_argument(call, 2));
  vptr__writer_format(emitter->out, " = cospi(%s))", angle);
}

/* ---- memory ----------------------------------------------------------------------------------------------- */

static const char *const space_names[] = { "private", "global", "local", "constant" };

/* Each byte is looked up, so that a block may lie across a seam. */
static bool finds(const vptr__emitter *emitter, vptr__space space) {
  return emitter->options->finds_buffers && space == VPTR__SPACE_GLOBAL;
}

static const char *byte_of(vptr__emitter *emitter, const char *block, vptr__space space, const char *index) {
  return vptr__arena_format(emitter->arena, finds(emitter, space) ? "*vptr_byte(translation, %s + %s)" : "%s[%s]",
                            block, index);
}

static const char *move_of(vptr__emitter *emitter, vptr__space to, vptr__space from, const char *index) {
  return vptr__arena_format(emitter->arena, "%s = %s", byte_of(emitter, "to", to, index),
                            byte_of(emitter, "from", from, index));
}

/* One function for each pair of spaces, made here: a piece of the prelude has one space. */
static const char *need_memmove(vptr__emitter *emitter, vptr__space to, vptr__space from) {
  const char *backwards = vptr__arena_format(
      emitter->arena, "  if ((ulong)to > (ulong)from) {\n    while (n-- > 0)\n      %s;\n    return to;\n  }\n",
      move_of(emitter, to, from, "n"));
  const bool is_found = finds(emitter, to) || finds(emitter, from);
  const char *name = vptr__arena_format(emitter->arena, "vptr_memmove_%s_%s", space_names[to], space_names[from]);
  for (vptr__piece_used *used = emitter->pieces; used != NULL; used = used->next)
    if (strcmp(used->name, name) == 0)
      return name;
  vptr__piece_used *used = VPTR__ARENA_NEW(emitter->arena, vptr__piece_used);
  *used = (vptr__piece_used){ name, emitter->pieces };
  emitter->pieces = used;
  vptr__writer_format(&emitter->prelude,
                      "static %suchar *%s(%s%suchar *to, %sconst uchar *from, ulong n) {\n%s"
                      "  for (ulong i = 0; i < n; i++)\n    %s;\n  return to;\n}\n",
                      vptr__emit_space_word(to), name, is_found ? "const struct vptr_translation *translation, " : "",
                      vptr__emit_space_word(to), vptr__emit_space_word(from), to == from ? backwards : "",
                      move_of(emitter, to, from, "i"));
  return name;
}

static const char *need_memset(vptr__emitter *emitter, vptr__space to) {
  if (finds(emitter, to)) {
    vptr__emit_need(emitter, "memset_found", NULL);
    return "vptr_memset_found";
  }
  vptr__emit_need(emitter, "memset", space_names[to]);
  return vptr__arena_format(emitter->arena, "vptr_memset_%s", space_names[to]);
}

static void write_bytes_of(vptr__emitter *emitter, const vptr__expression *pointer, bool is_const) {
  vptr__space space = vptr__infer_pointee(emitter->instance, pointer);
  vptr__writer_format(emitter->out, "(%s%suchar *)", vptr__emit_space_word(space), is_const ? "const " : "");
  while (pointer->kind == VPTR__EXPRESSION_CAST && pointer->cast == VPTR__CAST_IMPLICIT &&
         pointer->operands[0]->type->kind == VPTR__TYPE_POINTER)
    pointer = pointer->operands[0];
  vptr__emit_expression(emitter, pointer, VPTR__LEVEL_UNARY);
}

static void write_memory(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression *to = call->arguments, *second = to->next, *size = second->next;
  bool is_copy = strcmp(call->builtin->lowered, "memset") != 0;
  vptr__space space = vptr__infer_pointee(emitter->instance, to);
  vptr__space from = is_copy ? vptr__infer_pointee(emitter->instance, second) : VPTR__SPACE_PRIVATE;
  const bool is_found = finds(emitter, space) || finds(emitter, from);
  if (is_found)
    vptr__emit_need_bytes(emitter);
  const char *function = is_copy ? need_memmove(emitter, space, from) : need_memset(emitter, space);
  vptr__writer_format(emitter->out, "%s(%s", function, is_found ? "&vptr->m_translation, " : "");
  write_bytes_of(emitter, to, false);
  vptr__writer_text(emitter->out, ", ");
  if (is_copy)
    write_bytes_of(emitter, second, true);
  else
    vptr__emit_expression(emitter, second, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ", ");
  vptr__emit_expression(emitter, size, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

static const struct {
  const char *word;
  writer *write;
} specials[] = {
  { "barrier", write_barrier },
  { "vptr_barrier_count", write_vote },
  { "vptr_barrier_and", write_vote },
  { "vptr_barrier_or", write_vote },
  { "vptr_texture", write_texels },
  { "vptr_texture_cube", write_texels },
  { "vptr_texture_fetch", write_texels },
  { "vptr_texture_gather", write_texels },
  { "vptr_texture_level", write_texels },
  { "vptr_texture_scale", write_texels },
  { "vptr_surface", write_texels },
  { "printf", vptr__emit_printf },
  { "assert", vptr__emit_assert },
  { "stuck", vptr__emit_stuck },
  { "trap", write_trap },
  { "nothing", write_nothing },
  { "memcpy", write_memory },
  { "memmove", write_memory },
  { "memset", write_memory },
  { "copy", write_memory }, /* bytes as they are, pointers too: nobody else sees the copy */
  { "expect", write_expected },
  { "bits", vptr__emit_bits_of_pointer },
  { "pointer", vptr__emit_pointer_of_bits },
  { "reach", vptr__emit_reach },
  { "stream", vptr__emit_stream },
  { "number", write_number },
  { "pointer of number", write_pointer_of_number },
  { "block", write_block },
  { "grid", write_grid },
  { "native", write_native },
  { "load", write_load },
  { "store", write_store },
  { "sincos", write_sincos },
  { "sincospi", write_sincospi },
};

void vptr__emit_special(vptr__emitter *emitter, const vptr__expression *call, vptr__level least) {
  (void)least; /* each writes what binds as tightly as a call */
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
    if (strcmp(specials[i].word, call->builtin->lowered) == 0) {
      specials[i].write(emitter, call);
      return;
    }
  vptr__source_report(emitter->source, VPTR__ERROR, call->position, "%s() is not supported yet", call->builtin->name);
}
