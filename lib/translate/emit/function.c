/* SPDX-License-Identifier: MIT */
/*
 * function - instances as static functions, and the context that they reach the module's variables by.
 *
 * A kernel's body is such a function too: its entry (kernel.c) has three forms, and one body serves all. Compilers
 * inline it.
 */
#include "translate/emit/emitter.h"
#include "translate/lower/loops.h"
#include "translate/lower/meeting.h"

static const char *parameter_text(vptr__emitter *emitter, const vptr__declaration *parameter, int index) {
  const char *name = parameter->name != NULL ? vptr__emit_declaration_name(emitter, parameter)
                                             : vptr__arena_format(emitter->arena, "vptr_unused_%d", index);
  return vptr__emit_declarator(emitter, parameter->type, name, VPTR__SPACE_PRIVATE);
}

static const char *prototype(vptr__emitter *emitter, vptr__instance *instance, bool is_placed) {
  vptr__writer text;
  vptr__writer_init(&text, emitter->arena);
  emitter->instance = instance;
  const char *separator = "";
  if (instance->reach != 0) {
    vptr__writer_text(&text, "const struct vptr_context *vptr");
    separator = ", ";
  }
  int index = 0;
  for (const vptr__declaration *each = instance->function->type->parameters; each != NULL; each = each->next) {
    vptr__writer_format(&text, "%s%s", separator, parameter_text(emitter, each, index++));
    separator = ", ";
  }
  if (is_placed)
    vptr__writer_format(&text, "%suint vptr_x, uint vptr_y, uint vptr_z, VPTR_BLOCK_PARAMETERS", separator);
  const char *parameters = text.length > 0 ? vptr__writer_result(&text) : "void";
  const char *head = vptr__arena_format(emitter->arena, "%s%s(%s)", vptr__emit_function_name(emitter, instance),
                                        is_placed ? "__placed" : "", parameters);
  return vptr__arena_format(emitter->arena, "static %s",
                            vptr__emit_bare_declarator(emitter, instance->function->type->base, head));
}

const char *vptr__emit_prototype(vptr__emitter *emitter, vptr__instance *instance) {
  return prototype(emitter, instance, false);
}

const char *vptr__emit_placed_prototype(vptr__emitter *emitter, vptr__instance *instance) {
  return prototype(emitter, instance, true);
}

bool vptr__emit_has_placed(const vptr__emitter *emitter, const vptr__instance *instance) {
  if (instance->arm != NULL) /* for blocks that the loops are not for */
    return emitter->has_loops && instance->loops->has_choices;
  return emitter->has_loops && !instance->has_barrier &&
         (instance->is_kernel ? vptr__infer_has_loops(instance) : instance->needs_place);
}

/* What such a device would run wrongly it refuses to build. */
static void write_refusal(vptr__emitter *emitter, vptr__writer *out) {
  const vptr__meetings *meetings = emitter->instance->meetings;
  if (meetings == NULL || meetings->torn == 0)
    return;
  vptr__writer *before = emitter->out;
  emitter->out = out;
  vptr__writer_text(out,
                    emitter->instance->loops != NULL ? "\n#if VPTR_MEETS && !VPTR_LOOPS\n" : "\n#if VPTR_MEETS\n");
  emitter->file = NULL;
  vptr__emit_line(emitter, meetings->torn);
  vptr__writer_text(out,
                    "#error some threads leave by themselves here what has a barrier before it and is not run by all "
                    "blocks: this device's driver would run what follows wrongly; put the work that they do not have "
                    "under a condition, instead of leaving early\n#endif\n");
  emitter->file = NULL;
  emitter->out = before;
}

/* The text in one of its forms. Parameters live in the body's scope in both languages, so the body's braces are the
 * function's. */
static void write_function(vptr__emitter *emitter, vptr__instance *instance, bool is_placed) {
  vptr__writer body, *out = emitter->out;
  vptr__writer_init(&body, emitter->arena);
  vptr__writer_init(&emitter->temporaries, emitter->arena);
  emitter->instance = instance;
  emitter->reach = instance->needs_context ? VPTR__REACHES_CONTEXT : 0;
  emitter->has_place = is_placed;
  emitter->out = &body;
  emitter->file = NULL;
  emitter->is_line_ended = false;
  vptr__emit_line(emitter, instance->function->body->position);
  vptr__emit_block(emitter, instance->function->body);
  vptr__emit_newline(emitter);
  emitter->out = out;
  emitter->has_place = false;
  instance->reach |= emitter->reach;
  vptr__writer_format(out, "\n%s\n", prototype(emitter, instance, is_placed));
  if (emitter->temporaries.length > 0) /* a block around, for them */
    vptr__writer_format(out, "{\n%s", vptr__writer_result(&emitter->temporaries));
  vptr__writer_text(out, vptr__writer_result(&body));
  if (emitter->temporaries.length > 0)
    vptr__writer_text(out, "}\n");
}

/* A kernel has one form in a program, of other functions both may be called there. */
void vptr__emit_function(vptr__emitter *emitter, vptr__instance *instance) {
  emitter->instance = instance;
  bool has_either = instance->is_kernel && vptr__infer_has_loops(instance);
  write_refusal(emitter, emitter->out);
  if (has_either)
    vptr__writer_text(emitter->out, "\n#if !VPTR_LOOPS");
  write_function(emitter, instance, false);
  if (has_either)
    vptr__writer_text(emitter->out, "#endif\n");
  if (!vptr__emit_has_placed(emitter, instance) && (!emitter->has_loops || instance->loops == NULL))
    return;
  vptr__writer_text(emitter->out, "\n#if VPTR_LOOPS");
  if (instance->loops != NULL)
    vptr__emit_loops(emitter, instance);
  if (vptr__emit_has_placed(emitter, instance))
    write_function(emitter, instance, true);
  vptr__writer_text(emitter->out, "#endif\n");
}

/* ---- the context ------------------------------------------------------------------------------------------ */

static void write_member(vptr__emitter *emitter, const vptr__context_member *member) {
  if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED) {
    vptr__writer_text(emitter->out, "  __local uchar *m_dynamic;\n");
  } else if (member->kind == VPTR__MEMBER_STATUS) {
    vptr__writer_text(emitter->out, "  volatile __global int *m_status;\n");
  } else if (member->kind == VPTR__MEMBER_PRINTS) {
    vptr__writer_text(emitter->out, "  volatile __global uint *m_prints;\n");
  } else {
    const vptr__type *type = member->variable->type;
    vptr__space space = member->kind == VPTR__MEMBER_SHARED ? VPTR__SPACE_SHARED : VPTR__SPACE_GLOBAL;
    const char *name =
        vptr__arena_format(emitter->arena, type->kind == VPTR__TYPE_ARRAY ? "(*m_%s)" : "*m_%s", member->name);
    vptr__writer_format(emitter->out, "  %s;\n", vptr__emit_declarator(emitter, type, name, space));
  }
}

/* Private, and known to the compiler in full: it takes it apart again. */
void vptr__emit_context(vptr__emitter *emitter, unsigned reach) {
  emitter->instance = NULL;
  vptr__writer_text(emitter->out, "\nstruct vptr_context {\n");
  for (const vptr__context_member *member = emitter->plan->members; member != NULL; member = member->next)
    write_member(emitter, member);
  if (emitter->plan->has_asserts)
    vptr__writer_text(emitter->out, "  int m_stopped;\n");
  if (reach & VPTR__REACHES_SCRATCH)
    vptr__writer_text(emitter->out, "  __local int *m_scratch;\n");
  if (reach & VPTR__REACHES_TRANSLATION)
    vptr__writer_text(emitter->out, "  struct vptr_translation m_translation;\n");
  if (reach & VPTR__REACHES_TEXELS)
    vptr__writer_text(emitter->out, "  __global const ulong *m_texels;\n");
  if (reach & VPTR__REACHES_BLOCK)
    vptr__writer_text(emitter->out, "  ulong m_block;\n");
  if (reach & VPTR__REACHES_GRID)
    vptr__writer_text(emitter->out, "  ulong m_grid;\n");
  if (emitter->plan->members == NULL && (reach & ~VPTR__REACHES_CONTEXT) == 0)
    vptr__writer_text(emitter->out, "  uchar m_nothing;\n");
  vptr__writer_text(emitter->out, "};\n");
}
